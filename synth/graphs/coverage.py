"""How much of a graph a sample covers, and how evenly, beside a plain random walk of the same lengths."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from trajmill.schemas.graph import Path
from trajmill.schemas.ids import derive_random
from trajmill.synth.graphs.skill_graph import SkillGraph


@dataclass(frozen=True, slots=True)
class Spread:
    """How often each of some possible things occurs in a sample."""

    covered: int
    """Different things that occur."""
    possible: int
    """Different things that the graph holds."""
    entropy: float
    """Entropy of the occurrences over the logarithm of ``possible``, in [0, 1]: 1 if all occur equally often."""

    @property
    def share(self) -> float:
        """Covered over possible, in [0, 1]; 0 if nothing is possible."""
        return self.covered / self.possible if self.possible else 0.0


@dataclass(frozen=True, slots=True)
class Coverage:
    """The spread of a set of paths over a graph."""

    paths: int
    scenarios: Spread
    skills: Spread
    """Of the skills with at least one transition."""
    skill_pairs: Spread
    """Of the ordered pairs of different skills that can follow each other."""


@dataclass(frozen=True, slots=True)
class CoverageComparison:
    """A sample beside a plain random walk."""

    sample: Coverage
    walk: Coverage
    """Of as many paths of the same lengths, each a uniform random walk from a uniform start; it may come back."""

    def lines(self) -> list[str]:
        """As plain text, one line for each kind of thing."""
        rows = [
            ("scenarios", self.sample.scenarios, self.walk.scenarios),
            ("skills", self.sample.skills, self.walk.skills),
            ("skill pairs", self.sample.skill_pairs, self.walk.skill_pairs),
        ]
        return [
            f"{name}: {ours.covered} of {ours.possible} ({ours.share:.0%}), entropy {ours.entropy:.3f}; "
            f"random walk {theirs.covered} ({theirs.share:.0%}), entropy {theirs.entropy:.3f}"
            for name, ours, theirs in rows
        ]


def compare_coverage(graph: SkillGraph, paths: Sequence[Path], *, seed: int) -> CoverageComparison:
    """Measure paths beside a random walk of as many paths, of the same lengths, on the same graph."""
    possible = _Possible.of(graph)
    walks = random_walks(graph, [path.length for path in paths], seed=seed)
    return CoverageComparison(sample=_measure(possible, paths), walk=_measure(possible, walks))


def coverage(graph: SkillGraph, paths: Sequence[Path]) -> Coverage:
    """Measure the spread of paths over their graph."""
    return _measure(_Possible.of(graph), paths)


def random_walks(graph: SkillGraph, lengths: Sequence[int], *, seed: int) -> list[Path]:
    """A uniform random walk for each length, from a uniform start; scenarios and skills may come again.

    Starts and edges from which the length can no longer be reached are left out; lengths that the graph cannot give
    at all are skipped.
    """
    ways = {
        scenario.id: [(after, name) for _, after, name in graph.network.out_edges(scenario.id, keys=True)]
        for scenario in graph.scenarios
    }
    alive = [set(ways)]
    for _ in range(max(lengths, default=0)):
        alive.append({name for name, edges in ways.items() if any(after in alive[-1] for after, _ in edges)})
    starts = [sorted(names) for names in alive]
    walks = []
    for index, length in enumerate(lengths):
        if not starts[length]:
            continue
        random = derive_random(seed, "random walk", index)
        scenarios = [random.choice(starts[length])]
        skills: list[str] = []
        for left in range(length - 1, -1, -1):
            after, skill = random.choice([way for way in ways[scenarios[-1]] if way[0] in alive[left]])
            scenarios.append(after)
            skills.append(skill)
        walks.append(Path(graph.id, index, seed, tuple(scenarios), tuple(skills)))
    return walks


@dataclass(frozen=True, slots=True)
class _Possible:
    scenarios: int
    skills: int
    skill_pairs: int

    @classmethod
    def of(cls, graph: SkillGraph) -> _Possible:
        into: dict[str, set[str]] = defaultdict(set)
        out_of: dict[str, set[str]] = defaultdict(set)
        for before, after, skill in graph.network.edges(keys=True):
            into[after].add(skill)
            out_of[before].add(skill)
        pairs = {(first, then) for name, firsts in into.items() for first in firsts for then in out_of.get(name, ())}
        return cls(
            scenarios=len(graph.scenarios),
            skills=sum(1 for skill in graph.skills if skill.transitions),
            skill_pairs=sum(1 for first, then in pairs if first != then),
        )


def _measure(possible: _Possible, paths: Sequence[Path]) -> Coverage:
    return Coverage(
        paths=len(paths),
        scenarios=_spread((scenario for path in paths for scenario in path.scenarios), possible.scenarios),
        skills=_spread((skill for path in paths for skill in path.skills), possible.skills),
        skill_pairs=_spread(
            (pair for path in paths for pair in pairwise(path.skills) if pair[0] != pair[1]), possible.skill_pairs
        ),
    )


def _spread(occurrences: Iterable[object], possible: int) -> Spread:
    counts = Counter(occurrences)
    total = sum(counts.values())
    if possible <= 1:
        return Spread(len(counts), possible, float(bool(counts)))
    entropy = -sum(count / total * math.log(count / total) for count in counts.values())
    return Spread(len(counts), possible, min(1.0, max(0.0, entropy / math.log(possible))))
