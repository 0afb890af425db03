import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.schemas.graph import Path, Scenario, Skill
from trajmill.synth.graphs.coverage import compare_coverage, coverage, random_walks
from trajmill.synth.graphs.sample_records import SampleSpec
from trajmill.synth.graphs.sampler import sample_paths
from trajmill.synth.graphs.skill_graph import SkillGraph, build_graph


def make_graph() -> SkillGraph:
    names = [f"s{n}" for n in range(12)]
    hub = [Skill(f"in{n}", "text", "", ((names[n], "s0"), ("s0", names[n]))) for n in range(1, 8)]
    tail = [Skill(f"on{n}", "text", "", ((names[n], names[n + 1]),)) for n in range(7, 11)]
    return build_graph([Scenario(name, name, "text") for name in names], hub + tail)


def test_a_known_sample_has_a_known_spread() -> None:
    graph = make_graph()
    paths = [Path(graph.id, n, 0, ("s7", f"s{8}", "s9"), ("on7", "on8")) for n in range(2)]
    found = coverage(graph, paths)
    assert (found.scenarios.covered, found.scenarios.possible) == (3, 12)
    assert found.scenarios.entropy == pytest.approx(math.log(3) / math.log(12))
    assert (found.skills.covered, found.skills.possible) == (2, 11)
    assert (found.skill_pairs.covered, found.skill_pairs.entropy) == (1, 0.0)


@given(st.integers(0, 30), st.integers(0, 9))
def test_spreads_stay_within_their_bounds(paths: int, seed: int) -> None:
    graph = make_graph()
    sample = sample_paths(graph, SampleSpec(paths=paths, seed=seed, longest=4))
    both = compare_coverage(graph, sample.paths, seed=seed)
    assert both.walk.paths == both.sample.paths == len(sample.paths)
    for side in (both.sample, both.walk):
        for spread in (side.scenarios, side.skills, side.skill_pairs):
            assert 0 <= spread.covered <= spread.possible
            assert 0.0 <= spread.entropy <= 1.0
            assert 0.0 <= spread.share <= 1.0


def test_inverse_frequency_spreads_more_evenly_than_a_random_walk() -> None:
    graph = make_graph()
    both = compare_coverage(
        graph, sample_paths(graph, SampleSpec(paths=60, seed=1, shortest=2, longest=5)).paths, seed=1
    )
    assert both.sample.skills.entropy > both.walk.skills.entropy
    assert "random walk" in both.lines()[0]


def test_random_walks_have_the_wanted_lengths_where_the_graph_has_them() -> None:
    graph = build_graph([Scenario(n, n, "d") for n in "abc"], [Skill("k", "d", "", (("a", "b"), ("b", "c")))])
    walks = random_walks(graph, [2, 1, 3], seed=0)
    assert [walk.length for walk in walks] == [2, 1]
    assert walks[0].scenarios == ("a", "b", "c")
    assert walks == random_walks(graph, [2, 1, 3], seed=0)


def test_an_empty_graph_and_an_empty_sample_have_no_coverage() -> None:
    both = compare_coverage(build_graph([], []), [], seed=0)
    assert (both.sample.scenarios.share, both.walk.skills.entropy) == (0.0, 0.0)
