"""Units of work, and shards: the lists of units that one worker runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of work with a deterministic id; two units with the same id are the same work."""

    id: str
    """Hash of everything that determines the outcome, such as ``roll-0123456789abcdef``."""
    kind: str
    """``gate`` (an oracle, no-op or other attempt that certifies a task) or ``rollout``."""
    task_id: str
    policy: str
    attempt: int = 0
    """Index of the attempt, from 0."""
    payload: int = 0
    """Place of what the unit needs in a list that the caller keeps; not part of its identity."""
    paid: bool = True
    """Whether it spends money: then its intent and its commit are on the disk before and after."""


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """The units that one worker runs."""

    index: int
    units: tuple[Unit, ...]

    @property
    def name(self) -> str:
        """``shard-0003``, as shown in progress and in Prefect."""
        return f"shard-{self.index:04d}"


@dataclass(frozen=True, slots=True)
class Counts:
    """How far a list of units is; every unit is in ``total`` once."""

    total: int = 0
    skipped: int = 0
    """Committed before, here or in another build."""
    done: int = 0
    """Run and committed now, those in ``failed`` included."""
    failed: int = 0
    """Committed as a failure of the sandbox after the last retry."""
    retried: int = 0
    """Repeated runs after a failure of the sandbox."""

    @property
    def finished(self) -> bool:
        """Whether every unit has a committed record."""
        return self.skipped + self.done == self.total

    def __add__(self, other: Counts) -> Counts:
        """The counts of both lists together."""
        return Counts(
            self.total + other.total,
            self.skipped + other.skipped,
            self.done + other.done,
            self.failed + other.failed,
            self.retried + other.retried,
        )


def cut(units: Sequence[Unit], size: int, *, first: int = 0) -> tuple[ShardPlan, ...]:
    """Cut units into shards of at most ``size``, in order, numbered from ``first``."""
    if size < 1:
        raise ValueError("A shard holds at least one unit.")
    return tuple(
        ShardPlan(first + number, tuple(units[start : start + size]))
        for number, start in enumerate(range(0, len(units), size))
    )
