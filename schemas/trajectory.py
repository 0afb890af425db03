"""A trajectory, field for field an ATIF-v1.7 document without ``metrics.cost_usd``.

``schemas/formats/atif.py`` turns it into the document and back. What ATIF has no field for lies in ``extra``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from trajmill.schemas.ids import Json

ATIF_VERSION = "ATIF-v1.7"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, under its canonical name."""

    id: str
    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returned."""

    call_id: str | None
    content: str | None
    extra: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One turn; an agent step is one decision of the policy with the results of its calls."""

    source: Literal["system", "user", "agent"]
    message: str
    reasoning: str | None = None
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    llm_calls: int | None = None
    """0 for a step that no model made; then reasoning is absent and the thought stands in ``message``."""
    loss_weight: float = 1.0
    """0 for a step that is not to be trained on, such as a slip."""
    role: str = ""
    """What a programmatic step is for: look, act, slip, repair, check, finish."""
    metrics: Mapping[str, Json] = field(default_factory=dict)
    extra: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The steps of one rollout."""

    agent: str
    """Name of the policy."""
    agent_version: str
    steps: tuple[Step, ...]
    tools: tuple[Json, ...] = ()
    """Tool definitions in the OpenAI function form."""
    model: str | None = None
    session_id: str | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)

    @property
    def turns(self) -> int:
        """Number of agent steps."""
        return sum(1 for step in self.steps if step.source == "agent")
