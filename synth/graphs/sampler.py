"""The path sampler: inverse-frequency walks as in SkillSynth (arXiv 2604.25727), seeded, constrained and resumable.

The rule. A *visit* of a scenario or skill is a kept path that holds it. For path number ``index``:

1. The target, a length (and a start domain, if domains are mixed), is the one furthest below its share: the largest
   ``weight * ((kept + 1) / weights) - kept of it``, where weights and kept count targets that are not given up; the
   first in order of length, then domain, wins a tie.
2. One generator, ``derive_random(seed, "path", index)``, serves all draws for this path.
3. The start is drawn among the allowed start scenarios from which a walk of the target's length may meet the
   constraints, with probability proportional to ``1 / (visits + 1)`` (as whole numbers, see ``start_tree``).
4. Each next edge is drawn with probability proportional to ``1 / (scenario visits + 1) * 1 / (skill visits + 1)`` of
   its post-scenario and skill, among the allowed edges that lead to no scenario of the path, use no skill of the path,
   and leave the rest of the length, a goal and the demanded names possible (see ``walk_index``). A single such edge is
   taken without a draw.
5. The draw is rejected if no such edge is left, if a kept path has the same set of skills, or if ``realise`` objects;
   then steps 3 to 5 are tried again. Only a kept path counts as visits.
6. After ``tries`` rejections in a row the target is given up and step 1 chooses among the rest. With no target left
   the sampler stops and gives what it has.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from trajmill.schemas.errors import ConfigError
from trajmill.schemas.graph import Path
from trajmill.schemas.ids import derive_random
from trajmill.synth.graphs.sample_records import GivenUp, Sample, SampleSpec, SampleState
from trajmill.synth.graphs.skill_graph import SkillGraph
from trajmill.synth.graphs.start_tree import StartDraw
from trajmill.synth.graphs.walk_index import index_walks

Realise: TypeAlias = Callable[[Path], bool | str]
"""Whether a drawn path can be made real: True keeps it; False, or a short reason that is then counted, rejects it."""

NO_WAY_ON = "no way on without coming back"
SAME_SKILLS = "same skills as a kept path"
NOT_REALISABLE = "not realisable"


@dataclass(frozen=True, slots=True)
class Target:
    """A length, and a start domain unless it is empty, with its weight in the mix."""

    number: int
    """Place among the targets, from 0."""
    length: int
    domain: str
    weight: float


def sample_paths(
    graph: SkillGraph, spec: SampleSpec, *, realise: Realise | None = None, state: SampleState | None = None
) -> Sample:
    """Draw paths until the sample has ``spec.paths`` or nothing more can be drawn.

    With the ``state`` of an earlier sample the paths go on from there, the same as in one run; the specification may
    then differ in ``paths`` only. ``realise`` must give the same answer for the same path.

    Raises ConfigError for names that the graph does not have and for a state of another graph or specification.
    """
    sampler = PathSampler(graph, spec, realise=realise, state=state)
    paths = tuple(sampler)
    return Sample(
        graph=graph.id,
        spec=spec,
        paths=paths,
        rejected=tuple(sorted(sampler.rejected.items())),
        given_up=tuple(sampler.given_up),
        state=sampler.state(),
    )


def targets_of(spec: SampleSpec) -> list[Target]:
    """The targets of a specification in their order, those without weight left out."""
    lengths = dict(spec.length_mix) or dict.fromkeys(range(spec.shortest, spec.longest + 1), 1.0)
    domains = dict(spec.domain_mix) or {"": 1.0}
    weighed = [
        (length, domain, lengths[length] * domains[domain]) for length in sorted(lengths) for domain in sorted(domains)
    ]
    return [
        Target(number, length, domain, weight)
        for number, (length, domain, weight) in enumerate(entry for entry in weighed if entry[2] > 0)
    ]


def due_target(live: list[Target], kept: Sequence[int]) -> Target:
    """The target furthest below its share (step 1 of the rule); ``kept`` counts paths by target number."""
    weights = 0.0
    following = 1
    for target in live:
        weights += target.weight
        following += kept[target.number]
    share = following / weights
    due = live[0]
    most = due.weight * share - kept[due.number]
    for target in live:
        short = target.weight * share - kept[target.number]
        if short > most:
            due, most = target, short
    return due


class PathSampler:
    """Draws one path after the other; iterate it, and take ``state()`` between two paths to go on later."""

    def __init__(
        self, graph: SkillGraph, spec: SampleSpec, *, realise: Realise | None = None, state: SampleState | None = None
    ) -> None:
        """Index the graph for walking. Raises ConfigError as ``sample_paths`` does."""
        self._graph = graph
        self._spec = spec
        self._realise = realise
        self._index = index_walks(graph, spec)
        self._scenario_visits = [0] * len(self._index.scenarios)
        self._skill_visits = [0] * len(self._index.skills)
        self._kept_sets: set[frozenset[int]] = set()
        self._kept_order: list[frozenset[int]] = []
        self._targets = targets_of(spec)
        self._kept = [0] * len(self._targets)
        self.rejected: Counter[str] = Counter()
        self.given_up: list[GivenUp] = []
        if state is not None:
            self._restore(state)
        self._scenario_weights = array("d", [1.0 / (visits + 1) for visits in self._scenario_visits])
        self._skill_weights = array("d", [1.0 / (visits + 1) for visits in self._skill_visits])
        gone = {(stop.length, stop.domain) for stop in self.given_up}
        self._live = [target for target in self._targets if (target.length, target.domain) not in gone]
        self._domains = [scenario.domain if spec.domain_mix else "" for scenario in graph.scenarios]
        self._starts = StartDraw(
            {target.number: self._starts_of(target) for target in self._live}, self._scenario_visits
        )
        self._hopeful: dict[int, bytes] = {}

    def __iter__(self) -> Iterator[Path]:
        """Paths, until the sample is complete or nothing more can be drawn."""
        while (path := self.draw()) is not None:
            yield path

    def draw(self) -> Path | None:
        """The next path, or None if the sample is complete or nothing more can be drawn."""
        index = len(self._kept_order)
        if index >= self._spec.paths:
            return None
        random = derive_random(self._spec.seed, "path", index)
        while self._live:
            target = due_target(self._live, self._kept)
            path = self._draw_for(target, random, index)
            if path is not None:
                return path
            self._live.remove(target)
        return None

    def state(self) -> SampleState:
        """All that the next path depends on."""
        scenarios, skills = self._index.scenarios, self._index.skills
        return SampleState(
            graph=self._graph.id,
            spec=self._spec.id,
            index=len(self._kept_order),
            scenario_visits={name: n for name, n in zip(scenarios, self._scenario_visits, strict=True) if n},
            skill_visits={name: n for name, n in zip(skills, self._skill_visits, strict=True) if n},
            kept_skills=tuple(tuple(skills[place] for place in sorted(kept)) for kept in self._kept_order),
            kept_targets=tuple((target.length, target.domain, self._kept[target.number]) for target in self._targets),
            rejected=dict(sorted(self.rejected.items())),
            given_up=tuple(self.given_up),
        )

    def _starts_of(self, target: Target) -> list[int]:
        return [
            at
            for at in self._index.starts_of_length(target.length)
            if not target.domain or self._domains[at] == target.domain
        ]

    def _draw_for(self, target: Target, random: Random, index: int) -> Path | None:
        if not self._starts.can_start(target.number):
            self._give_up(target, "No walk of this length in the graph meets the constraints.")
            return None
        before = self.rejected.copy()
        for _ in range(self._spec.tries):
            walked = [self._starts.draw(target.number, random)]
            used: list[int] = []
            path = self._path_unless_rejected(walked, used, target.length, random, index)
            if path is not None:
                self._keep(walked, used, target)
                return path
        told = ", ".join(f"{reason}: {count}" for reason, count in sorted((self.rejected - before).items()))
        self._give_up(target, f"{self._spec.tries} draws in a row were rejected ({told}).")
        return None

    def _path_unless_rejected(
        self, walked: list[int], used: list[int], length: int, random: Random, index: int
    ) -> Path | None:
        if not self._walk(walked, used, length, random):
            self.rejected[NO_WAY_ON] += 1
            return None
        if frozenset(used) in self._kept_sets:
            self.rejected[SAME_SKILLS] += 1
            return None
        path = self._path(walked, used, index)
        answer = True if self._realise is None else self._realise(path)
        if answer is True:
            return path
        self.rejected[answer or NOT_REALISABLE] += 1
        return None

    def _walk(self, walked: list[int], used: list[int], length: int, random: Random) -> bool:
        """Extend ``walked`` and ``used`` to the length; False if there was no way on."""
        index = self._index
        begins, targets, skills, width = index.begins, index.targets, index.skill_of, index.width
        scenario_weights, skill_weights = self._scenario_weights, self._skill_weights
        at = walked[0]
        demanded = index.demanded ^ index.marks[at]
        for left in range(length - 1, -1, -1):
            base = left * width
            hopeful = self._hopeful.get(base + demanded) or self._hopeful_edges(base, demanded)
            ways = []
            sums = []
            total = 0.0
            for place in range(begins[at], begins[at + 1]):
                if hopeful[place]:
                    target = targets[place]
                    skill = skills[place]
                    if target not in walked and skill not in used:
                        total += scenario_weights[target] * skill_weights[skill]
                        ways.append(place)
                        sums.append(total)
            if not ways:
                return False
            place = ways[bisect(sums, random.random() * total, 0, len(ways) - 1)] if len(ways) > 1 else ways[0]
            at = targets[place]
            demanded ^= index.items[place]
            walked.append(at)
            used.append(skills[place])
        return True

    def _hopeful_edges(self, base: int, demanded: int) -> bytes:
        found = self._hopeful[base + demanded] = self._index.hopeful_edges(base, demanded)
        return found

    def _keep(self, walked: list[int], used: list[int], target: Target) -> None:
        counts, weights = self._scenario_visits, self._scenario_weights
        for at in walked:
            counts[at] = visits = counts[at] + 1
            weights[at] = 1.0 / (visits + 1)
            self._starts.reweigh(at, visits)
        counts, weights = self._skill_visits, self._skill_weights
        for skill in used:
            counts[skill] = visits = counts[skill] + 1
            weights[skill] = 1.0 / (visits + 1)
        skills = frozenset(used)
        self._kept_sets.add(skills)
        self._kept_order.append(skills)
        self._kept[target.number] += 1

    def _path(self, walked: list[int], used: list[int], index: int) -> Path:
        scenarios, skills = self._index.scenarios, self._index.skills
        return Path(
            self._graph.id,
            index,
            self._spec.seed,
            tuple([scenarios[at] for at in walked]),
            tuple([skills[skill] for skill in used]),
        )

    def _give_up(self, target: Target, reason: str) -> None:
        self.given_up.append(GivenUp(target.length, target.domain, reason))

    def _restore(self, state: SampleState) -> None:
        for what, theirs, ours in (
            ("graph", state.graph, self._graph.id),
            ("specification", state.spec, self._spec.id),
        ):
            if theirs != ours:
                raise ConfigError(
                    f"The state is of another {what} ({theirs}) than the one to go on with ({ours}).",
                    remedy="Sample anew, or give what the sample was begun with.",
                )
        number = {name: at for at, name in enumerate(self._index.scenarios)}
        place = {name: at for at, name in enumerate(self._index.skills)}
        for name, visits in state.scenario_visits.items():
            self._scenario_visits[number[name]] = visits
        for name, visits in state.skill_visits.items():
            self._skill_visits[place[name]] = visits
        self._kept_order = [frozenset(place[name] for name in names) for names in state.kept_skills]
        self._kept_sets = set(self._kept_order)
        kept = {(length, domain): count for length, domain, count in state.kept_targets}
        self._kept = [kept.get((target.length, target.domain), 0) for target in self._targets]
        self.rejected.update(state.rejected)
        self.given_up.extend(state.given_up)
