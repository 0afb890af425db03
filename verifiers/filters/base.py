"""What a filter is given and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from trajmill.schemas.ids import Json
from trajmill.schemas.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Candidate:
    """A trajectory with its verdict, before it is kept or dropped."""

    unit_id: str
    document: Mapping[str, Json] | None
    """The ATIF document; None if the rollout ended without one."""
    verdict: Verdict
    body_hash: str
    """Hash of what a model would learn from; equal for exact duplicates."""
    chars: int


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Bounds of the filters."""

    max_turns: int = 60
    max_chars: int = 200_000
    repeated_calls: int = 4
    """Times the same call may stand in a row; SWE-Gym (arXiv 2412.21139) reports such loops as a main failure."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Keep, or drop with a machine-readable reason and one line of detail."""

    keep: bool
    reason: str = ""
    detail: str = ""


Filter: TypeAlias = Callable[[Candidate, Thresholds], Decision]

KEEP = Decision(True)
