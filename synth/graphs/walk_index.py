"""A skill graph turned into numbers for walking: what may follow what, and from where a wanted walk is still possible.

The look-ahead of a scenario is one whole number. Its bit ``left * width + items`` says that a walk of exactly ``left``
allowed edges leads from there to a goal and meets exactly the demanded ``items`` (a set of bits; ``width`` is two to
the number of demanded names). Walks that come back to a scenario count here: a set bit is a hope, a clear one is sure.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from trajmill.synth.graphs.sample_records import SampleSpec
from trajmill.synth.graphs.skill_graph import SkillGraph

Edge: TypeAlias = tuple[int, int, int]
"""(number of the post-scenario, number of the skill, demanded items that both meet)."""


@dataclass(frozen=True, slots=True)
class WalkIndex:
    """The allowed part of a graph under one specification; scenarios and skills are numbers in sorted order."""

    scenarios: tuple[str, ...]
    skills: tuple[str, ...]
    begins: array[int]
    """Scenario ``n`` owns the edges from ``begins[n]`` to before ``begins[n + 1]``: its allowed ways out, sorted."""
    targets: array[int]
    """Post-scenario of each edge, never the scenario that owns the edge."""
    skill_of: array[int]
    """Skill of each edge."""
    items: array[int]
    """Demanded items that each edge meets, by its skill or post-scenario."""
    ahead: list[int]
    """The look-ahead of each scenario."""
    marks: list[int]
    """Demanded items that each scenario itself meets."""
    width: int
    starts: tuple[int, ...]
    """Scenarios in which a path may start, dead ends included."""

    @property
    def demanded(self) -> int:
        """All demanded items as one set of bits."""
        return self.width - 1

    def starts_of_length(self, length: int) -> list[int]:
        """Start scenarios from which a walk of this length may meet the constraints, in sorted order."""
        base = length * self.width
        return [at for at in self.starts if self.ahead[at] >> (base + (self.demanded ^ self.marks[at])) & 1]

    def hopeful_edges(self, base: int, demanded: int) -> bytes:
        """One byte for each edge: whether a walk may end well that takes it with ``demanded`` still to be met.

        ``base`` is the number of edges left after this one, times ``width``.
        """
        ahead = self.ahead
        return bytes(
            [
                not items & ~demanded and ahead[target] >> (base + (demanded ^ items)) & 1
                for target, items in zip(self.targets, self.items, strict=True)
            ]
        )


def index_walks(graph: SkillGraph, spec: SampleSpec) -> WalkIndex:
    """Number the graph and look ahead ``spec.longest`` edges. Raises ConfigError for unknown names in constraints."""
    spec.check_names(graph)
    scenarios = tuple(scenario.id for scenario in graph.scenarios)
    skills = tuple(skill.name for skill in graph.skills)
    number = {name: at for at, name in enumerate(scenarios)}
    item = {name: 1 << place for place, name in enumerate(sorted(set(spec.use)))}
    marks = [item.get(name, 0) for name in scenarios]
    avoided = frozenset(spec.avoid)
    domains = frozenset(spec.domains)
    found: list[list[Edge]] = [[] for _ in scenarios]
    for place, skill in enumerate(graph.skills):
        if skill.name in avoided or (domains and skill.domain not in domains):
            continue
        for before, after in skill.transitions:
            if before != after and before not in avoided and after not in avoided:
                target = number[after]
                found[number[before]].append((target, place, item.get(skill.name, 0) | marks[target]))
    out = [sorted(edges) for edges in found]
    goals = {number[name] for name in spec.goals} or range(len(scenarios))
    allowed = {number[name] for name in spec.starts} or range(len(scenarios))
    width = 1 << len(item)
    return WalkIndex(
        scenarios=scenarios,
        skills=skills,
        begins=array("l", accumulate(map(len, out), initial=0)),
        targets=array("l", (edge[0] for edges in out for edge in edges)),
        skill_of=array("l", (edge[1] for edges in out for edge in edges)),
        items=array("l", (edge[2] for edges in out for edge in edges)),
        ahead=_look_ahead(out, [int(at in goals) for at in range(len(scenarios))], width, spec.longest),
        marks=marks,
        width=width,
        starts=tuple(at for at in sorted(allowed) if scenarios[at] not in avoided),
    )


def _look_ahead(out: list[list[Edge]], goals: list[int], width: int, longest: int) -> list[int]:
    without = _bits_without(width, longest)
    ahead = goals
    for _ in range(longest):
        further = []
        for at, edges in enumerate(out):
            bits = goals[at]
            for target, _skill, items in edges:
                bits |= (ahead[target] & without[items]) << (width + items) if items else ahead[target] << width
            further.append(bits)
        ahead = further
    return ahead


def _bits_without(width: int, longest: int) -> list[int]:
    """For each set of items, the bits of all look-aheads that meet none of them yet."""
    return [
        sum(1 << (left * width + met) for left in range(longest + 1) for met in range(width) if not met & items)
        for items in range(width)
    ]
