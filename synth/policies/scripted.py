"""Policies that act out a list of commands: the oracle, the no-op, a replay, and scripts for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trajmill.sandboxes.base import CommandResult
from trajmill.schemas.ids import digest_bytes
from trajmill.schemas.task import Task
from trajmill.schemas.trajectory import Trajectory
from trajmill.synth.policies.base import Turn


class ScriptedAgent:
    """Gives its turns in order, whatever it sees, then finishes."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = iter(turns)

    async def act(self, seen: CommandResult | None) -> Turn:
        """The next turn of the script."""
        return next(self._turns, Turn("", None, "", "finish"))


@dataclass(frozen=True, slots=True)
class ScriptedPolicy:
    """A policy whose turns are a function of the task alone."""

    name: str
    version: str
    turns: Callable[[Task], Sequence[Turn]]

    def begin(self, task: Task, attempt: int) -> ScriptedAgent:
        """An agent that acts out the turns."""
        return ScriptedAgent(self.turns(task))


def oracle_policy() -> ScriptedPolicy:
    """Runs the reference solution, one command per oracle step."""

    def turns(task: Task) -> Sequence[Turn]:
        steps = [Turn(step.purpose, step.script) for step in task.oracle]
        return [*steps, Turn("", None, "The reference solution ran to its end.", "finish")]

    return ScriptedPolicy("oracle", "1", turns)


def noop_policy() -> ScriptedPolicy:
    """Finishes without doing anything."""
    return ScriptedPolicy("noop", "1", lambda task: [Turn("", None, "Nothing was done.", "finish")])


def replay_policy(trajectory: Trajectory) -> ScriptedPolicy:
    """Runs the commands of a stored trajectory again."""
    turns = [_turn_again(step.message, dict(c.arguments), c.name) for step in trajectory.steps for c in step.calls]
    version = digest_bytes("\0".join(f"{t.command}" for t in turns).encode())[:16]
    return ScriptedPolicy("replay", version, lambda task: turns)


def _turn_again(message: str, arguments: dict[str, object], name: str) -> Turn:
    if name == "finish":
        return Turn(message, None, str(arguments.get("message", "")), "finish")
    return Turn(message, str(arguments.get("command", "")))
