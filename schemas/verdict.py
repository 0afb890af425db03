"""What came of a rollout, and why a record was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from trajmill.schemas.ids import Json

VerdictKind = Literal["scored", "invalid_task", "infra_error", "unverified"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found."""

    name: str
    kind: str
    passed: bool
    weight: float = 1.0
    detail: str = ""
    """One line that names the first difference; empty if passed."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a rollout; pass rates count ``scored`` only."""

    kind: VerdictKind
    reward: float | None = None
    """In [0, 1] for ``scored``, else None: 1 if every check passed, else 0."""
    partial: float | None = None
    """Weighted share of the checks that passed, for ``scored``."""
    checks: tuple[CheckResult, ...] = ()
    cause: str = ""
    """Machine-readable cause for the other kinds."""
    detail: str = ""
    retryable: bool = False

    @property
    def passed(self) -> bool:
        """Scored, with every check passed."""
        return self.kind == "scored" and self.reward == 1.0


@dataclass(frozen=True, slots=True)
class Drop:
    """A record that was left out of a dataset, with its reason."""

    stage: Literal["source", "sample", "compose", "certify", "rollout", "filter"]
    subject: str
    """Id or name of what was left out."""
    reason: str
    """Machine-readable: ``duplicate_trajectory``."""
    detail: str = ""
    extra: Mapping[str, Json] = field(default_factory=dict)
