import random

import pytest

from trajmill.schemas.errors import ConfigError, InputError
from trajmill.schemas.graph import Scenario, Skill
from trajmill.synth.graphs.skill_graph import build_graph, statistics

SCENARIOS = [Scenario(name, f"title of {name}", "text" if name < "d" else "csv") for name in "abcdef"]
SKILLS = [
    Skill("sort", "text", "Sort it.", (("a", "b"), ("c", "b"))),
    Skill("load", "csv", "Load it.", (("b", "d"), ("d", "d"))),
    Skill("idle", "csv", "Nothing.", ()),
]


def test_the_graph_does_not_depend_on_the_order_of_its_records() -> None:
    shuffled = random.Random(1).sample(SCENARIOS, len(SCENARIOS))
    turned = [Skill(s.name, s.domain, s.summary, s.transitions[::-1]) for s in SKILLS[::-1]]
    assert build_graph(shuffled, turned) == build_graph(SCENARIOS, SKILLS)


def test_any_changed_record_gives_another_id() -> None:
    first = build_graph(SCENARIOS, SKILLS).id
    assert build_graph([*SCENARIOS[:5], Scenario("f", "other", "csv")], SKILLS).id != first
    assert build_graph(SCENARIOS, [Skill("sort", "text", "Sort it.", (("a", "b"),)), *SKILLS[1:]]).id != first


def test_statistics_count_what_is_there() -> None:
    counts = statistics(build_graph(SCENARIOS, SKILLS))
    assert (counts.scenarios, counts.skills, counts.edges, counts.components) == (6, 3, 4, 3)
    assert counts.giant_share == pytest.approx(4 / 6)
    assert (counts.degree_median, counts.degree_max) == (1.0, 3)
    assert (counts.dead_ends, counts.sources, counts.isolated, counts.self_loops) == (0, 2, 2, 1)
    assert counts.idle_skills == ("idle",)
    assert [(row.domain, row.scenarios, row.skills, row.edges) for row in counts.domains] == [
        ("csv", 3, 2, 2),
        ("text", 3, 1, 2),
    ]


def test_the_empty_graph_has_statistics() -> None:
    assert statistics(build_graph([], [])).giant_share == 0.0


def test_the_network_cannot_be_changed() -> None:
    with pytest.raises(Exception, match="Frozen graph"):
        build_graph(SCENARIOS, SKILLS).network.add_edge("a", "f")


@pytest.mark.parametrize(
    ("scenarios", "skills", "said"),
    [
        ([*SCENARIOS, SCENARIOS[0]], SKILLS, "two scenarios named 'a'"),
        (SCENARIOS, [*SKILLS, SKILLS[0]], "two skills named 'sort'"),
        (SCENARIOS, [Skill("x", "csv", "", (("a", "zz"),))], "'x' names a scenario that is not there: 'zz'"),
        (SCENARIOS, [Skill("x", "csv", "", (("a", "b"), ("a", "b")))], "'a' to 'b' twice"),
        ([Scenario("", "", "")], [], "empty name"),
    ],
)
def test_records_that_contradict_each_other_are_refused(
    scenarios: list[Scenario], skills: list[Skill], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        build_graph(scenarios, skills)


def test_an_unknown_skill_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match=r"no skill 'sotr'\. Did you mean 'sort'"):
        build_graph(SCENARIOS, SKILLS).skill("sotr")
