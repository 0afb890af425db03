"""The skill graph: scenarios are nodes, and each way of a skill from one scenario to another is an edge.

The graph is the same, with the same id, whatever the order in which its records are given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from statistics import median
from typing import TypeAlias, TypeVar

import networkx as nx

from trajmill.schemas.errors import ConfigError, InputError
from trajmill.schemas.graph import Scenario, Skill
from trajmill.schemas.ids import Json, content_id, digest

Record = TypeVar("Record", Scenario, Skill)

Network: TypeAlias = "nx.MultiDiGraph[str]"

NEAREST_AMONG = 5_000
"""Names compared when looking for the nearest one to a wrong name; more would take seconds."""


@dataclass(frozen=True, slots=True)
class SkillGraph:
    """A skill graph that cannot be changed; made by ``build_graph``."""

    id: str
    """Content id: depends on scenarios, skills and transitions, not on their order."""
    scenarios: tuple[Scenario, ...]
    """Sorted by id."""
    skills: tuple[Skill, ...]
    """Sorted by name, their transitions sorted too."""
    network: Network = field(compare=False, repr=False)
    """Frozen; node key = scenario id, edge key = skill name; edges were added in sorted order."""
    scenario_by_id: Mapping[str, Scenario] = field(compare=False, repr=False)
    skill_by_name: Mapping[str, Skill] = field(compare=False, repr=False)

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario of this id. Raises ConfigError, with the nearest valid id, if there is none."""
        if scenario_id not in self.scenario_by_id:
            raise unknown_name("scenario", scenario_id, self.scenario_by_id)
        return self.scenario_by_id[scenario_id]

    def skill(self, name: str) -> Skill:
        """The skill of this name. Raises ConfigError, with the nearest valid name, if there is none."""
        if name not in self.skill_by_name:
            raise unknown_name("skill", name, self.skill_by_name)
        return self.skill_by_name[name]

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains of all scenarios and skills, sorted."""
        return tuple(sorted({s.domain for s in self.scenarios} | {s.domain for s in self.skills}))


@dataclass(frozen=True, slots=True)
class DomainCount:
    """What one domain holds."""

    domain: str
    scenarios: int
    skills: int
    edges: int
    """Edges of the domain's skills."""


@dataclass(frozen=True, slots=True)
class GraphStatistics:
    """What can be counted in a skill graph; shares lie in [0, 1]."""

    scenarios: int
    skills: int
    edges: int
    components: int
    """Weakly connected components; a scenario without any edge is one."""
    giant_share: float
    """Share of the scenarios that lie in the largest component."""
    degree_median: float
    """Of the edges at a scenario, in and out together."""
    degree_max: int
    dead_ends: int
    """Scenarios that an edge enters and none leaves."""
    sources: int
    """Scenarios that an edge leaves and none enters."""
    isolated: int
    """Scenarios without an edge."""
    self_loops: int
    """Edges from a scenario to itself, which no path can take because it would come back."""
    idle_skills: tuple[str, ...]
    """Skills without a transition, sorted."""
    domains: tuple[DomainCount, ...]
    """Sorted by domain."""


def build_graph(scenarios: Iterable[Scenario], skills: Iterable[Skill]) -> SkillGraph:
    """Build the graph of these records.

    Raises InputError for two records of the same name, a transition given twice, or one that names an unknown scenario.
    """
    scenario_by_id = _unique("scenario", ((scenario.id, scenario) for scenario in scenarios))
    skill_by_name = _unique(
        "skill", ((skill.name, replace(skill, transitions=tuple(sorted(skill.transitions)))) for skill in skills)
    )
    for skill in skill_by_name.values():
        _check_transitions(skill, scenario_by_id)
    network: Network = nx.MultiDiGraph()
    network.add_nodes_from(scenario_by_id)
    for before, after, name in edge_list(skill_by_name.values()):
        network.add_edge(before, after, key=name)
    parts = part_hashes(scenario_by_id.values(), skill_by_name.values())
    return SkillGraph(
        id=graph_id(parts),
        scenarios=tuple(scenario_by_id.values()),
        skills=tuple(skill_by_name.values()),
        network=nx.freeze(network),
        scenario_by_id=scenario_by_id,
        skill_by_name=skill_by_name,
    )


def edge_list(skills: Iterable[Skill]) -> list[tuple[str, str, str]]:
    """All edges as (pre-scenario, post-scenario, skill name), sorted."""
    return sorted((before, after, skill.name) for skill in skills for before, after in skill.transitions)


def part_hashes(scenarios: Iterable[Scenario], skills: Iterable[Skill]) -> dict[str, str]:
    """SHA-256 of each part of a graph (scenarios, skills, edges), so that a damaged file can say which part differs.

    The records must be sorted already.
    """
    kept = list(skills)
    contents: dict[str, Json] = {
        "scenarios": [[scenario.id, scenario.title, scenario.domain] for scenario in scenarios],
        "skills": [[skill.name, skill.domain, skill.summary] for skill in kept],
        "edges": edge_list(kept),
    }
    return {part: digest(content) for part, content in contents.items()}


def graph_id(parts: Mapping[str, str]) -> str:
    """The content id of a graph from the hashes of its parts."""
    return content_id("graph", dict(parts))


def statistics(graph: SkillGraph) -> GraphStatistics:
    """Count what the graph holds."""
    network = graph.network
    degrees = [degree for _, degree in network.degree()]
    into = dict(network.in_degree())
    out_of = dict(network.out_degree())
    sizes = [len(component) for component in nx.weakly_connected_components(network)]
    return GraphStatistics(
        scenarios=len(graph.scenarios),
        skills=len(graph.skills),
        edges=network.number_of_edges(),
        components=len(sizes),
        giant_share=max(sizes) / len(graph.scenarios) if sizes else 0.0,
        degree_median=float(median(degrees)) if degrees else 0.0,
        degree_max=max(degrees, default=0),
        dead_ends=sum(1 for node in network if into[node] and not out_of[node]),
        sources=sum(1 for node in network if out_of[node] and not into[node]),
        isolated=sum(1 for node in network if not into[node] and not out_of[node]),
        self_loops=sum(1 for skill in graph.skills for before, after in skill.transitions if before == after),
        idle_skills=tuple(skill.name for skill in graph.skills if not skill.transitions),
        domains=_domain_counts(graph),
    )


def unknown_name(kind: str, name: str, known: Iterable[str]) -> ConfigError:
    """The error for a name that is not in the graph; its remedy is the nearest valid name."""
    names = sorted(known)
    nearest = get_close_matches(name, names[:NEAREST_AMONG], n=1, cutoff=0.4)
    remedy = f"Did you mean {nearest[0]!r}?" if nearest else f"The graph has {len(names)} of them."
    return ConfigError(f"The graph has no {kind} {name!r}.", remedy=remedy)


def _unique(kind: str, named: Iterable[tuple[str, Record]]) -> dict[str, Record]:
    found: dict[str, Record] = {}
    for name, record in named:
        if not name:
            raise InputError(f"A {kind} of the skill graph has an empty name.")
        if name in found:
            raise InputError(f"The skill graph has two {kind}s named {name!r}; names must be unique.")
        found[name] = record
    return dict(sorted(found.items()))


def _check_transitions(skill: Skill, scenarios: Mapping[str, Scenario]) -> None:
    if len(set(skill.transitions)) < len(skill.transitions):
        twice = next(pair for pair, count in Counter(skill.transitions).items() if count > 1)
        raise InputError(f"Skill {skill.name!r} has the transition {twice[0]!r} to {twice[1]!r} twice.")
    for scenario in (end for pair in skill.transitions for end in pair):
        if scenario not in scenarios:
            wrong = unknown_name("scenario", scenario, scenarios)
            raise InputError(
                f"Skill {skill.name!r} names a scenario that is not there: {scenario!r}.", remedy=wrong.remedy
            )


def _domain_counts(graph: SkillGraph) -> tuple[DomainCount, ...]:
    scenarios = Counter(scenario.domain for scenario in graph.scenarios)
    skills = Counter(skill.domain for skill in graph.skills)
    edges: Counter[str] = Counter()
    for skill in graph.skills:
        edges[skill.domain] += len(skill.transitions)
    return tuple(DomainCount(domain, scenarios[domain], skills[domain], edges[domain]) for domain in graph.domains)
