import importlib.util
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from types import ModuleType

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajmill.schemas.errors import ConfigError
from trajmill.schemas.graph import Path, Scenario, Skill
from trajmill.synth.graphs.sample_records import SampleSpec, SampleState
from trajmill.synth.graphs.sampler import NO_WAY_ON, NOT_REALISABLE, SAME_SKILLS, sample_paths
from trajmill.synth.graphs.skill_graph import SkillGraph, build_graph


def load_benchmark() -> ModuleType:
    path = FilePath(__file__).parents[3] / "benchmarks" / "sampling.py"
    spec = importlib.util.spec_from_file_location("benchmark_sampling", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["benchmark_sampling"] = module
    spec.loader.exec_module(module)
    return module


BENCHMARK = load_benchmark()
DOMAINS = ("csv", "git", "text")


def make_graph(scenarios: int, transitions: Mapping[str, tuple[tuple[int, int], ...]]) -> SkillGraph:
    return build_graph(
        [Scenario(f"s{n:02}", f"Scenario {n}", DOMAINS[n % 3]) for n in range(scenarios)],
        [
            Skill(name, DOMAINS[at % 3], "Does.", tuple((f"s{a:02}", f"s{b:02}") for a, b in pairs))
            for at, (name, pairs) in enumerate(sorted(transitions.items()))
        ],
    )


def ring(size: int, jumps: int = 3) -> SkillGraph:
    """Each scenario leads to the next few; each edge has a skill of its own."""
    pairs = {f"k{a:02}+{d}": ((a, (a + d) % size),) for a in range(size) for d in range(1, jumps + 1)}
    return make_graph(size, pairs)


@st.composite
def graphs(draw: st.DrawFn) -> SkillGraph:
    size = draw(st.integers(2, 9))
    end = st.integers(0, size - 1)
    skills = draw(st.integers(1, 14))
    return make_graph(
        size,
        {f"k{n:02}": tuple(draw(st.lists(st.tuples(end, end), max_size=4, unique=True))) for n in range(skills)},
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[SkillGraph, SampleSpec]:
    graph = draw(graphs())
    scenarios = [scenario.id for scenario in graph.scenarios]
    skills = [skill.name for skill in graph.skills]
    shortest = draw(st.integers(1, 3))
    longest = draw(st.integers(shortest, 5))
    names = draw(st.lists(st.sampled_from(scenarios + skills), max_size=3, unique=True))
    cut = draw(st.integers(0, len(names)))
    domains = graph.domains
    return graph, SampleSpec(
        paths=draw(st.integers(0, 12)),
        seed=draw(st.integers(0, 5)),
        shortest=shortest,
        longest=longest,
        starts=tuple(draw(st.lists(st.sampled_from(scenarios), max_size=4, unique=True))),
        goals=tuple(draw(st.lists(st.sampled_from(scenarios), max_size=4, unique=True))),
        domains=tuple(draw(st.lists(st.sampled_from(domains), max_size=2, unique=True))),
        use=tuple(names[:cut]),
        avoid=tuple(names[cut:]),
        length_mix=draw(st.sampled_from([(), ((shortest, 1.0),), ((shortest, 1.0), (longest, 3.0))]))
        if longest > shortest
        else (),
        domain_mix=draw(st.sampled_from([(), tuple((domain, 1.0 + at) for at, domain in enumerate(domains))])),
        tries=draw(st.integers(1, 20)),
    )


def loose(paths: int, **changes: object) -> tuple[SkillGraph, SampleSpec]:
    return ring(12), SampleSpec(paths=paths, seed=4, **changes)  # type: ignore[arg-type] # any wrong value is the point


@settings(max_examples=80, deadline=None)
@given(cases())
def test_paths_are_walks_of_the_graph_that_keep_every_constraint(case: tuple[SkillGraph, SampleSpec]) -> None:
    graph, spec = case
    sample = sample_paths(graph, spec)
    assert len(sample.paths) <= spec.paths
    assert len({frozenset(path.skills) for path in sample.paths}) == len(sample.paths)
    for index, path in enumerate(sample.paths):
        assert (path.index, path.graph, path.seed) == (index, graph.id, spec.seed)
        assert spec.shortest <= path.length <= spec.longest
        assert len(set(path.scenarios)) == len(path.scenarios) == path.length + 1
        assert len(set(path.skills)) == path.length
        for before, skill, after in zip(path.scenarios, path.skills, path.scenarios[1:], strict=False):
            assert (before, after) in graph.skill(skill).transitions
            assert not spec.domains or graph.skill(skill).domain in spec.domains
        assert not spec.starts or path.scenarios[0] in spec.starts
        assert not spec.goals or path.scenarios[-1] in spec.goals
        assert set(spec.use) <= {*path.scenarios, *path.skills}
        assert not set(spec.avoid) & {*path.scenarios, *path.skills}
        assert not spec.length_mix or path.length in dict(spec.length_mix)
    assert bool(sample.missing) == (len(sample.paths) < spec.paths)
    assert not sample.missing or sample.given_up


@settings(max_examples=80, deadline=None)
@given(cases())
def test_the_same_rule_on_networkx_gives_the_same_paths(case: tuple[SkillGraph, SampleSpec]) -> None:
    graph, spec = case
    sample = sample_paths(graph, spec)
    naive = BENCHMARK.NetworkxSampler(graph, spec)
    assert list(naive) == list(sample.paths)
    assert dict(naive.rejected) == dict(sample.rejected)


@settings(max_examples=40, deadline=None)
@given(cases(), st.integers(0, 12))
def test_a_resumed_sample_equals_an_uninterrupted_one(case: tuple[SkillGraph, SampleSpec], cut: int) -> None:
    graph, spec = case
    whole = sample_paths(graph, spec)
    first = sample_paths(graph, replace(spec, paths=min(cut, spec.paths)))
    state = SampleState.from_json(orjson.loads(orjson.dumps(first.state.to_json())))
    rest = sample_paths(graph, spec, state=state)
    assert first.paths + rest.paths == whole.paths
    assert orjson.dumps(rest.state.to_json()) == orjson.dumps(whole.state.to_json())


def test_another_seed_gives_other_paths() -> None:
    graph, spec = loose(20)
    other = replace(spec, seed=5)
    assert sample_paths(graph, spec) == sample_paths(graph, spec)
    assert [p.skills for p in sample_paths(graph, spec).paths] != [p.skills for p in sample_paths(graph, other).paths]


def test_rare_scenarios_catch_up() -> None:
    graph, spec = loose(600, shortest=1, longest=4)
    visits = sample_paths(graph, spec).state.scenario_visits
    assert max(visits.values()) < 1.2 * min(visits.values())


def test_starts_are_drawn_in_proportion_to_one_over_visits_plus_one() -> None:
    edges = {f"k{start}{end}": ((start, end),) for start in (0, 1) for end in range(2, 9)}
    graph = make_graph(9, edges)
    firsts: Counter[str] = Counter()
    for seed in range(2_000):
        spec = SampleSpec(paths=1, seed=seed, longest=1)
        state = SampleState(graph.id, spec.id, 0, {"s00": 3}, {}, (), (), {}, ())
        (path,) = sample_paths(graph, spec, state=state).paths
        firsts[path.scenarios[0]] += 1
    assert firsts["s00"] / 2_000 == pytest.approx(0.25 / 1.25, abs=0.03)


def test_lengths_follow_their_mix() -> None:
    graph, spec = loose(90, shortest=1, longest=4, length_mix=((2, 1.0), (4, 2.0)))
    assert Counter(path.length for path in sample_paths(graph, spec).paths) == {2: 30, 4: 60}


def test_domains_follow_their_mix() -> None:
    graph, spec = loose(60, shortest=3, longest=4, domain_mix=(("git", 1.0), ("text", 3.0)))
    found = Counter(graph.scenario(path.scenarios[0]).domain for path in sample_paths(graph, spec).paths)
    assert found == {"git": 15, "text": 45}


def test_a_length_that_has_no_new_skill_sets_is_given_up_and_the_rest_goes_on() -> None:
    graph, spec = loose(80, shortest=1, longest=3)
    sample = sample_paths(graph, spec)
    lengths = Counter(path.length for path in sample.paths)
    assert lengths[1] <= len(graph.skills)
    assert sum(lengths.values()) == 80
    few = sample_paths(graph, SampleSpec(paths=100, seed=1, longest=1, tries=300))
    assert len(few.paths) == len(graph.skills)
    assert few.missing == 100 - len(graph.skills)
    assert few.given_up[0].reason == f"300 draws in a row were rejected ({SAME_SKILLS}: 300)."


def test_constraints_that_no_walk_meets_end_at_once_with_the_reason() -> None:
    graph = make_graph(3, {"k": ((0, 1),), "m": ((1, 2),)})
    sample = sample_paths(graph, SampleSpec(paths=5, shortest=3, longest=4))
    assert sample.paths == ()
    assert {stop.length for stop in sample.given_up} == {3, 4}
    assert all("No walk of this length" in stop.reason for stop in sample.given_up)


def test_a_walk_without_a_way_on_is_counted() -> None:
    graph = make_graph(2, {"k": ((0, 1),), "m": ((1, 0),)})
    sample = sample_paths(graph, SampleSpec(paths=1, shortest=2, longest=2, tries=7))
    assert dict(sample.rejected) == {NO_WAY_ON: 7}


def test_paths_that_cannot_be_realised_are_counted_by_reason_and_not_as_visits() -> None:
    graph, spec = loose(10, shortest=2, longest=3)
    seen: list[Path] = []

    def realise(path: Path) -> bool | str:
        seen.append(path)
        if "s00" in path.scenarios:
            return "no header"
        return path.length == 3 or len(seen) % 2 == 0

    sample = sample_paths(graph, spec, realise=realise)
    rejected = dict(sample.rejected)
    assert len(sample.paths) == 10
    assert rejected["no header"] == sum("s00" in path.scenarios for path in seen)
    assert rejected["no header"] + rejected[NOT_REALISABLE] + rejected.get(SAME_SKILLS, 0) + 10 >= len(seen)
    assert "s00" not in sample.state.scenario_visits
    assert sum(sample.state.skill_visits.values()) == sum(path.length for path in sample.paths)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"starts": ("s000",)}, "no scenario 's000'. Did you mean 's00'"),
        ({"goals": ("x",)}, "no scenario 'x'"),
        ({"domains": ("cvs",)}, "no domain 'cvs'. Did you mean 'csv'"),
        ({"domain_mix": (("gut", 1.0),)}, "no domain 'gut'. Did you mean 'git'"),
        ({"use": ("k00+9",)}, "no skill or scenario 'k00\\+9'. Did you mean 'k00"),
        ({"use": ("s00",), "avoid": ("s00",)}, "must be used and must be avoided"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest_one(changes: dict[str, object], said: str) -> None:
    graph, spec = loose(3, **changes)
    with pytest.raises(ConfigError, match=said):
        sample_paths(graph, spec)


@pytest.mark.parametrize(
    "changes",
    [
        {"paths": -1},
        {"tries": 0},
        {"shortest": 0},
        {"shortest": 4, "longest": 3},
        {"longest": 1_000},
        {"length_mix": ((9, 1.0),)},
        {"length_mix": ((1, -1.0),)},
        {"length_mix": ((1, 0.0),)},
        {"domain_mix": (("csv", float("nan")),)},
        {"domain_mix": (("csv", 1.0), ("csv", 2.0))},
        {"use": tuple("abcdefghi")},
    ],
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="Sample setting"):
        SampleSpec(**{"paths": 1, **changes})  # type: ignore[arg-type] # any wrong value is the point


def test_the_state_of_another_graph_or_specification_is_refused() -> None:
    graph, spec = loose(3)
    state = sample_paths(graph, spec).state
    with pytest.raises(ConfigError, match="another graph"):
        sample_paths(ring(5), spec, state=state)
    with pytest.raises(ConfigError, match="another specification"):
        sample_paths(graph, SampleSpec(paths=3, seed=9), state=state)
