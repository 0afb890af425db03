"""Agents driven by hand: a world that answers each command, and the turns that were taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from tests.synth.handmade import task_of
from trajmill.sandboxes.base import CommandResult
from trajmill.synth.policies.base import Turn
from trajmill.synth.policies.programmatic import ProgrammaticPolicy
from trajmill.synth.tasks.blueprint import Blueprint

Answer = Callable[[str], CommandResult]
Seen = list[tuple[Turn, CommandResult | None]]


def result(output: str = "", exit_code: int | None = 0, **more: object) -> CommandResult:
    """What a command did."""
    return CommandResult(output, exit_code, 0.0, **more)  # type: ignore[arg-type]


def attempt(plan: Blueprint, number: int, answer: Answer) -> Seen:
    """The turns of one attempt and what each command was answered."""
    task = task_of(plan)
    agent = ProgrammaticPolicy({task.id: plan}, "4" * 16).begin(task, number)

    async def main() -> Seen:
        taken: Seen = []
        seen: CommandResult | None = None
        for _ in range(80):
            turn = await agent.act(seen)
            if turn.command is None:
                return [*taken, (turn, None)]
            seen = answer(turn.command)
            taken.append((turn, seen))
        raise AssertionError("the agent never finishes")

    return asyncio.run(main())


def attempts(plan: Blueprint, answer: Callable[[], Answer], count: int = 40) -> Iterable[Seen]:
    """Many attempts, each in a world of its own."""
    return [attempt(plan, number, answer()) for number in range(count)]
