"""Weighted choice among very many start scenarios, exact in integers, in a time that hardly grows with their number."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

START_UNIT = 1 << 32
"""The weight of a scenario without visits. Weights are whole numbers, so their sums never drift."""

_BITS = 6
_SPAN = 1 << _BITS


def start_weight(visits: int) -> int:
    """``START_UNIT`` divided by visits + 1, rounded down and never 0 (visits stay below ``START_UNIT``)."""
    return START_UNIT // (visits + 1)


class StartTree:
    """Sums of weights on three levels of 64: a change touches three numbers, a draw looks at about a hundred."""

    __slots__ = ("_blocks", "_groups", "_leaves", "_place", "members", "total")

    def __init__(self, members: Sequence[int], weights: Sequence[int], nodes: int) -> None:
        """Hold ``members`` (numbers below ``nodes``, in the order in which draws count them) with their weights."""
        self.members = array("l", members)
        self._place = array("l", [-1]) * nodes
        for place, member in enumerate(members):
            self._place[member] = place
        self._leaves = list(weights)
        self._blocks = [sum(self._leaves[at : at + _SPAN]) for at in range(0, len(self._leaves), _SPAN)]
        self._groups = [sum(self._blocks[at : at + _SPAN]) for at in range(0, len(self._blocks), _SPAN)]
        self.total = sum(self._groups)

    def reweigh(self, member: int, weight: int) -> None:
        """Give a member a new weight; a number that is no member is passed over."""
        place = self._place[member]
        if place < 0:
            return
        change = weight - self._leaves[place]
        self._leaves[place] = weight
        self._blocks[place >> _BITS] += change
        self._groups[place >> (2 * _BITS)] += change
        self.total += change

    def draw(self, random: Random) -> int:
        """A member, with probability proportional to its weight; takes one ``randrange(total)``."""
        rest = random.randrange(self.total)
        group = 0
        for weight in self._groups:
            if rest < weight:
                break
            rest -= weight
            group += 1
        block = group << _BITS
        for weight in self._blocks[block : block + _SPAN]:
            if rest < weight:
                break
            rest -= weight
            block += 1
        place = block << _BITS
        for weight in self._leaves[place : place + _SPAN]:
            if rest < weight:
                break
            rest -= weight
            place += 1
        return self.members[place]
