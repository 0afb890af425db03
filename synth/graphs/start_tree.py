"""Weighted choice among very many start scenarios, exact in integers, in a time that hardly grows with their number.

Several lengths of path share most of their start scenarios. So scenarios are grouped by the lengths (and the domain)
for which they may be a start: each lies in one tree, a change touches one tree, and a draw chooses among few trees.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random

START_UNIT = 1 << 32
"""The weight of a scenario without visits. Weights are whole numbers, so their sums never drift."""

_BITS = 5
_SPAN = 1 << _BITS


def start_weight(visits: int) -> int:
    """``START_UNIT`` divided by visits + 1, rounded down and never 0 (visits stay below ``START_UNIT``)."""
    return START_UNIT // (visits + 1)


class StartTree:
    """Sums of weights on three levels, 32 to one above: a change touches three numbers."""

    __slots__ = ("_blocks", "_groups", "_leaves", "total")

    def __init__(self, weights: Sequence[int]) -> None:
        """Hold these weights, known by their places."""
        self._leaves = list(weights)
        self._blocks = [sum(self._leaves[at : at + _SPAN]) for at in range(0, len(self._leaves), _SPAN)]
        self._groups = [sum(self._blocks[at : at + _SPAN]) for at in range(0, len(self._blocks), _SPAN)]
        self.total = sum(self._groups)

    def reweigh(self, place: int, weight: int) -> None:
        """Give a place a new weight."""
        change = weight - self._leaves[place]
        self._leaves[place] = weight
        self._blocks[place >> _BITS] += change
        self._groups[place >> (2 * _BITS)] += change
        self.total += change

    def find(self, rest: int) -> int:
        """The first place up to which the weights sum to more than ``rest``; ``rest`` must be below ``total``."""
        place = 0
        for level in (self._groups, self._blocks, self._leaves):
            sums = list(accumulate(level[place : place + _SPAN] if level is not self._groups else level))
            within = bisect(sums, rest)
            rest -= sums[within - 1] if within else 0
            place = (place + within) << _BITS
        return place >> _BITS


class StartDraw:
    """Draws start scenarios for several targets, a target being any set of allowed scenarios named by a small number.

    A draw for a target takes one ``randrange(total weight)`` and counts scenarios in this order: by the targets that
    they serve (the set read as a binary number), then by their own number.
    """

    __slots__ = ("_members", "_place", "_tree", "_trees")

    def __init__(self, targets: Mapping[int, Sequence[int]], visits: Sequence[int]) -> None:
        """``targets``: the allowed scenarios of each target; ``visits``: of every scenario of the graph."""
        serves: dict[int, int] = defaultdict(int)
        for target, allowed in targets.items():
            for scenario in allowed:
                serves[scenario] |= 1 << target
        classes: dict[int, list[int]] = defaultdict(list)
        for scenario in sorted(serves):
            classes[serves[scenario]].append(scenario)
        self._place = array("l", [0]) * len(visits)
        self._tree: list[StartTree | None] = [None] * len(visits)
        self._trees: dict[int, list[tuple[StartTree, array[int]]]] = {target: [] for target in targets}
        for served in sorted(classes):
            members = array("l", classes[served])
            tree = StartTree([start_weight(visits[scenario]) for scenario in members])
            for place, scenario in enumerate(members):
                self._place[scenario] = place
                self._tree[scenario] = tree
            for target, trees in self._trees.items():
                if served >> target & 1:
                    trees.append((tree, members))

    def reweigh(self, scenario: int, visits: int) -> None:
        """Note the new visits of a scenario; one that is no start is passed over."""
        tree = self._tree[scenario]
        if tree is not None:
            tree.reweigh(self._place[scenario], START_UNIT // (visits + 1))

    def can_start(self, target: int) -> bool:
        """Whether the target has a start scenario at all."""
        return bool(self._trees[target])

    def draw(self, target: int, random: Random) -> int:
        """A start scenario of the target, with probability proportional to ``start_weight``."""
        trees = self._trees[target]
        rest = random.randrange(sum([tree.total for tree, _ in trees]))
        for tree, members in trees:
            if rest < tree.total:
                return members[tree.find(rest)]
            rest -= tree.total
        raise AssertionError("the weights of the trees sum to more than was drawn")
