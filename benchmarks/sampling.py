"""Path sampling at SkillSynth's size: our sampler against the same rule written on networkx's ``out_edges``.

Run ``python benchmarks/sampling.py``. Both draw the same paths in the same run; the script fails if a path differs,
if the sampler is less than twice as fast, or if more than 1 GB was needed. Two graphs are made, both with the 82,073
scenarios and 57,214 skills of SkillSynth (arXiv 2604.25727):

- ``plain``: each skill labels one edge; nothing else joins scenarios.
- ``bridged``: SkillSynth's 185,529 judged bridges join a post-scenario to the pre-scenario of another skill; here
  that skill labels one more edge for each, since it fits both scenarios (242,743 edges, most scenarios in one
  component).

Two baselines: ``networkx`` draws the start with a plain linear scan, as one would write it, and is the one that the
factor of two is about; ``networkx + our starts`` borrows our start tree, so that seeding the generators, drawing the
starts and keeping the paths cost both the same and only the walk on ``out_edges`` differs. Times are processor time.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import sys
import time
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, islice
from random import Random

import networkx as nx

from trajmill.schemas.graph import Path, Scenario, Skill
from trajmill.schemas.ids import derive_random
from trajmill.synth.graphs.sample_records import SampleSpec
from trajmill.synth.graphs.sampler import PathSampler, Target, due_target, targets_of
from trajmill.synth.graphs.skill_graph import SkillGraph, build_graph, statistics
from trajmill.synth.graphs.start_tree import StartDraw, start_weight

SCENARIOS = 82_073
SKILLS = 57_214
BRIDGES = 185_529
JOINED = 0.65
"""Share of the skills that bridges join; the others stay in small components."""
TAIL = 1.9
LEAST_RATIO = 2.0
MOST_MEMORY_MB = 1_000


class NetworkxSampler:
    """The rule of ``sampler.py`` as one would write it on networkx: dictionaries by name, and ``out_edges``."""

    def __init__(self, graph: SkillGraph, spec: SampleSpec, *, borrow_starts: bool = False) -> None:
        """``borrow_starts`` takes our start tree instead of a linear scan."""
        self.graph, self.spec = graph, spec
        self.visits: Counter[str] = Counter()
        self.skill_visits: Counter[str] = Counter()
        self.kept_sets: set[frozenset[str]] = set()
        self.kept = [0] * len(targets_of(spec))
        self.rejected: Counter[str] = Counter()
        self.live = targets_of(spec)
        self.demanded = frozenset(spec.use)
        self.network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        self.network.add_nodes_from(graph.network.nodes)
        self.network.add_edges_from(edge for edge in graph.network.edges(keys=True) if self._allowed(edge))
        self.hopes = self._hopes()
        self.names = [scenario.id for scenario in graph.scenarios]
        self.number = {name: at for at, name in enumerate(self.names)}
        self.starts = self._starts()
        self.borrowed = self._borrow() if borrow_starts else None

    def __iter__(self) -> Iterator[Path]:
        """Paths, as ``PathSampler`` gives them."""
        for index in range(self.spec.paths):
            random = derive_random(self.spec.seed, "path", index)
            path = None
            while path is None and self.live:
                target = due_target(self.live, self.kept)
                path = self._draw_for(target, random, index)
                if path is None:
                    self.live.remove(target)
            if path is None:
                return
            yield path

    def _allowed(self, edge: tuple[str, str, str]) -> bool:
        before, after, skill = edge
        domains = self.spec.domains
        banned = bool(domains) and self.graph.skill(skill).domain not in domains
        return before != after and not banned and not set(edge) & set(self.spec.avoid)

    def _hopeful(self, way: tuple[str, str], demanded: frozenset[str], hopes: dict[str, set[frozenset[str]]]) -> bool:
        met = self._meets(*way)
        return met <= demanded and demanded - met in hopes[way[0]]

    def _meets(self, *names: str) -> frozenset[str]:
        return self.demanded.intersection(names)

    def _hopes(self) -> list[dict[str, set[frozenset[str]]]]:
        """For each length: scenario to the sets of demanded names that walks from it to a goal can meet."""
        goals = self.spec.goals or self.network.nodes
        hopes = [{scenario: {frozenset[str]()} for scenario in goals}]
        for _ in range(self.spec.longest):
            further: dict[str, set[frozenset[str]]] = {}
            for before, after, skill in self.network.edges(keys=True):
                met = self._meets(skill, after)
                for rest in hopes[-1].get(after, ()):
                    if not met & rest:
                        further.setdefault(before, set()).add(met | rest)
            hopes.append(further)
        return hopes

    def _starts(self) -> dict[int, list[str]]:
        """The start scenarios of each target, in the order in which draws count them."""
        starts = {target.number: [name for name in self.names if self._may_start(name, target)] for target in self.live}
        serves: Counter[str] = Counter()
        for number, names in starts.items():
            for name in names:
                serves[name] += 1 << number
        return {number: sorted(names, key=lambda name: (serves[name], name)) for number, names in starts.items()}

    def _may_start(self, name: str, target: Target) -> bool:
        return (
            (not self.spec.starts or name in self.spec.starts)
            and name not in self.spec.avoid
            and (not target.domain or self.graph.scenario(name).domain == target.domain)
            and self.demanded - self._meets(name) in self.hopes[target.length].get(name, ())
        )

    def _borrow(self) -> StartDraw:
        numbers = {target: [self.number[name] for name in names] for target, names in self.starts.items()}
        return StartDraw(numbers, [0] * len(self.names))

    def _start(self, target: Target, random: Random) -> str:
        if self.borrowed is not None:
            return self.names[self.borrowed.draw(target.number, random)]
        starts = self.starts[target.number]
        sums = list(accumulate(start_weight(self.visits[name]) for name in starts))
        return starts[bisect(sums, random.randrange(sums[-1]))]

    def _draw_for(self, target: Target, random: Random, index: int) -> Path | None:
        for _ in range(self.spec.tries if self.starts[target.number] else 0):
            at = self._start(target, random)
            path: list[str] = [at]
            skills: list[str] = []
            demanded = self.demanded - self._meets(at)
            for left in range(target.length - 1, -1, -1):
                hopes = self.hopes[left]
                ways = [
                    (after, skill)
                    for _, after, skill in self.network.out_edges(at, keys=True)
                    if after in hopes and after not in path and skill not in skills
                ]
                if self.demanded:
                    ways = [way for way in ways if self._hopeful(way, demanded, hopes)]
                if not ways:
                    break
                if len(ways) == 1:
                    (at, skill) = ways[0]
                else:
                    weights = [1 / (self.visits[a] + 1) * (1 / (self.skill_visits[s] + 1)) for a, s in ways]
                    at, skill = random.choices(ways, weights)[0]
                demanded -= self._meets(at, skill)
                path.append(at)
                skills.append(skill)
            if len(skills) < target.length:
                self.rejected["no way on without coming back"] += 1
            elif frozenset(skills) in self.kept_sets:
                self.rejected["same skills as a kept path"] += 1
            else:
                self._keep(path, skills, target)
                return Path(self.graph.id, index, self.spec.seed, tuple(path), tuple(skills))
        return None

    def _keep(self, path: list[str], skills: list[str], target: Target) -> None:
        self.visits.update(path)
        self.skill_visits.update(skills)
        self.kept_sets.add(frozenset(skills))
        self.kept[target.number] += 1
        if self.borrowed is not None:
            for name in path:
                self.borrowed.reweigh(self.number[name], self.visits[name])


def make_graph(scenarios: int, skills: int, bridges: int, *, seed: int = 1) -> SkillGraph:
    """A graph of this size with heavy-tailed degrees and a giant component.

    With bridges every scenario belongs to a skill, as in SkillSynth; without, many are left alone, since so few edges
    could not hold a giant component otherwise.
    """
    random = derive_random(seed, "benchmark graph")
    domains = [f"domain-{number:02}" for number in range(12)]
    names = [f"scenario-{number:06}" for number in range(scenarios)]
    random.shuffle(names)
    ends = list(names) if bridges else []
    ends += [names[_ranked(random, scenarios)] for _ in range(2 * skills - len(ends))]
    random.shuffle(ends)
    before, after = ends[:skills], ends[skills:]
    ways = [{pair} for pair in zip(before, after, strict=True)]
    joined = int(JOINED * skills)
    while bridges:
        post, fits = after[_ranked(random, joined)], joined - 1 - _ranked(random, joined)
        if (post, after[fits]) not in ways[fits]:
            ways[fits].add((post, after[fits]))
            bridges -= 1
    return build_graph(
        [Scenario(name, name.replace("-", " "), domains[number % 12]) for number, name in enumerate(names)],
        [
            Skill(f"skill-{number:06}", domains[number % 12], "A skill.", tuple(sorted(pairs)))
            for number, pairs in enumerate(ways)
        ],
    )


def _ranked(random: Random, count: int) -> int:
    """A number below ``count``; a low one is likelier, which makes the tail of the degrees heavy."""
    return int(count * random.random() ** TAIL)


def _race(samplers: list[Iterator[Path]], turn: int) -> tuple[list[list[Path]], list[float]]:
    """Paths and processor seconds of each sampler; they take turns, so that a busy machine slows all of them alike."""
    gc.collect()
    gc.freeze()  # what the graph and the indexes hold is not walked through again and again
    paths: list[list[Path]] = [[] for _ in samplers]
    seconds = [0.0] * len(samplers)
    drew = True
    while drew:
        drew = False
        for at, sampler in enumerate(samplers):
            began = time.process_time()
            drawn = list(islice(sampler, turn))
            seconds[at] += time.process_time() - began
            paths[at] += drawn
            drew = drew or bool(drawn)
    return paths, seconds


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 if sys.platform != "darwin" else peak / 1024 / 1024


def compare(name: str, graph: SkillGraph, spec: SampleSpec, *, scan_paths: int) -> dict[str, object]:
    counts = statistics(graph)
    began = time.process_time()
    ours = PathSampler(graph, spec)
    setup = time.process_time() - began
    peak_ours = _peak_mb()
    lent = NetworkxSampler(graph, spec, borrow_starts=True)
    (paths, borrowed), seconds = _race([iter(ours), iter(lent)], turn=2_000)
    scan = NetworkxSampler(graph, replace(spec, paths=scan_paths))
    (scanned,), (scan_seconds,) = _race([iter(scan)], turn=scan_paths)
    rates = [len(paths) / seconds[0], len(borrowed) / seconds[1], len(scanned) / scan_seconds]
    return {
        "graph": name,
        "scenarios": counts.scenarios,
        "edges": counts.edges,
        "giant component share": round(counts.giant_share, 3),
        "degree median": counts.degree_median,
        "degree max": counts.degree_max,
        "paths": len(paths),
        "rejected draws": sum(ours.rejected.values()),
        "index seconds": round(setup, 2),
        "our paths per second": round(rates[0]),
        "networkx + our starts, paths per second": round(rates[1]),
        "networkx, paths per second": round(rates[2], 1),
        "ratio to networkx + our starts": round(rates[0] / rates[1], 2),
        "ratio to networkx": round(rates[0] / rates[2], 1),
        "same paths": paths == borrowed and paths[: len(scanned)] == scanned,
        "peak memory MB after ours": round(peak_ours),
        "peak memory MB": round(_peak_mb()),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paths", type=int, default=20_000)
    parser.add_argument("--scan-paths", type=int, default=50, help="paths for the baseline with a linear scan")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    spec = SampleSpec(paths=options.paths, seed=options.seed)
    results = []
    for name, bridges in (("bridged", BRIDGES), ("plain", 0)):
        results.append(compare(name, make_graph(SCENARIOS, SKILLS, bridges), spec, scan_paths=options.scan_paths))
        if not options.json:
            print("\n".join(f"{key:<42} {value}" for key, value in results[-1].items()), end="\n\n")
    if options.json:
        print(json.dumps(results, indent=2))
    good = all(result["same paths"] and float(str(result["ratio to networkx"])) >= LEAST_RATIO for result in results)
    light = float(str(results[0]["peak memory MB after ours"])) <= MOST_MEMORY_MB
    return 0 if good and light else 1


if __name__ == "__main__":
    sys.exit(main())
