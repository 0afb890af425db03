"""The contract between a policy and the agent loop.

A policy is asked for an agent per attempt; the agent is asked for a turn, given what its last turn's command did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from trajmill.sandboxes.base import CommandResult
from trajmill.schemas.task import Task

Role = Literal["look", "act", "slip", "repair", "check", "finish"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision: say something, and run a command or finish."""

    message: str
    command: str | None = None
    """A command for the terminal, or None to finish."""
    summary: str = ""
    """The message of ``finish``."""
    role: Role = "act"
    loss_weight: float = 1.0


class Agent(Protocol):
    """One attempt at a task."""

    async def act(self, seen: CommandResult | None) -> Turn:
        """The next turn; ``seen`` is what the last command did, None at the start."""
        ...


class Policy(Protocol):
    """Chooses the actions of rollouts."""

    @property
    def name(self) -> str:
        """What trajectories call it."""
        ...

    @property
    def version(self) -> str:
        """Content hash of what decides its behaviour; part of every unit id."""
        ...

    def begin(self, task: Task, attempt: int) -> Agent:
        """An agent for one attempt; the same task and attempt give the same behaviour on the same observations."""
        ...
