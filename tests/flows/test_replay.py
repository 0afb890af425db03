from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import pytest

from tests.flows.builders import (
    COUNT_STEPS_AGAIN,
    TOOLCHAIN,
    UNIQUE_STEPS,
    command,
    count_task,
    finish,
    row,
    unique_task,
)
from trajmill.flows.replay import Outcome, Replayable, changed_tools, replay
from trajmill.sandboxes.base import CommandResult, ExecResult, SandboxSpec
from trajmill.sandboxes.fake import FakeSandbox
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.task import Task, Tool
from trajmill.schemas.tree import FileEntry

UNIQUE = b"name,height_m\noak,20\nbeech,30\n"
OUTPUTS = {
    "head -n 3 trees.csv": CommandResult("name,height_m\noak,20\nbeech,30\n", 0, 0.0),
    "uniqq trees.csv > unique.csv": CommandResult("bash: uniqq: command not found\n", 127, 0.0),
    "cat unique.csv": CommandResult(UNIQUE.decode(), 0, 0.0),
}


class World:
    """A backend in which one command writes a file and the others say what they always say."""

    name = "fake"

    def __init__(
        self,
        outputs: Mapping[str, CommandResult] = OUTPUTS,
        result: bytes = UNIQUE,
        tools: Sequence[Tool] = TOOLCHAIN,
        failures: int = 0,
    ) -> None:
        self.outputs, self.result, self.tools, self.failures = outputs, result, tools, failures
        self.open_now = self.most_open = 0

    @asynccontextmanager
    async def open(self, spec: SandboxSpec) -> AsyncIterator[FakeSandbox]:
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)
        try:
            yield _Box(spec, self)
        finally:
            self.open_now -= 1


class _Box(FakeSandbox):
    def __init__(self, spec: SandboxSpec, world: World) -> None:
        listed = "".join(f"{tool.name}\t{tool.sha256}\t{tool.version}\n" for tool in world.tools)
        super().__init__(spec, lambda line: "", lambda argv: ExecResult(listed.encode(), b"", 0))
        self.world = world

    async def run(self, command: str, *, timeout: float) -> CommandResult:
        if self.world.failures:
            self.world.failures -= 1
            raise SandboxError("It died.", cause="sandbox_died")
        await asyncio.sleep(0)
        if command.startswith("awk"):
            files = self.folders["/workspace"].with_entries({"unique.csv": FileEntry(self.world.result)})
            self.folders["/workspace"] = files
        return self.world.outputs.get(command, CommandResult("", 0, 0.0))


def replayed(world: World, task: Task | None = None, **changes: object) -> Outcome:
    one = row(unique_task(), UNIQUE_STEPS)
    chosen = [Replayable(0, {**one, **changes}, task or unique_task())]
    return asyncio.run(replay(chosen, world, command_timeout_s=5))[0]


def test_what_runs_the_same_is_equal() -> None:
    outcome = replayed(World())
    assert (outcome.state, outcome.differences, outcome.tools) == ("equal", (), ())
    assert outcome.stored_verdict == outcome.seen_verdict == "scored, reward 1 of 1 checks"


def test_another_observation_is_a_difference_with_its_step() -> None:
    outcome = replayed(World({**OUTPUTS, "cat unique.csv": CommandResult("name\n", 0, 0.0)}))
    assert outcome.state == "different"
    assert [(d.step, d.command, d.seen) for d in outcome.differences] == [(6, "cat unique.csv", "name")]
    assert outcome.stored_verdict == outcome.seen_verdict


def test_another_exit_code_is_a_difference() -> None:
    outcome = replayed(World({**OUTPUTS, "cat unique.csv": CommandResult(UNIQUE.decode(), 1, 0.0)}))
    assert [difference.step for difference in outcome.differences] == [6]


def test_white_space_at_the_end_is_none() -> None:
    said = UNIQUE.decode().replace("\n", "  \n")
    assert replayed(World({**OUTPUTS, "cat unique.csv": CommandResult(said, 0, 0.0)})).state == "equal"


def test_another_verdict_is_a_difference() -> None:
    outcome = replayed(World(result=b"name,height_m\n"))
    assert outcome.state == "different"
    assert outcome.seen_verdict == "scored, reward 0 of 1 checks; failed: unique.csv holds the distinct rows"
    assert outcome.differences == ()


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        (TOOLCHAIN[:1], "wc (missing)"),
        (
            (TOOLCHAIN[0], dataclasses.replace(TOOLCHAIN[1], version="wc 8", sha256="c" * 64)),
            "wc (wc (GNU coreutils) 9.1, here wc 8)",
        ),
        ((TOOLCHAIN[0], dataclasses.replace(TOOLCHAIN[1], sha256="c" * 64)), "wc (another program)"),
    ],
)
def test_with_other_tools_a_difference_is_put_down_to_them(tools: tuple[Tool, ...], said: str) -> None:
    outcome = replayed(World(result=b"", tools=tools))
    assert outcome.state == "environment_differs"
    assert outcome.tools == (said,)


def test_with_other_tools_what_is_equal_is_equal() -> None:
    outcome = replayed(World(tools=TOOLCHAIN[:1]))
    assert (outcome.state, outcome.tools) == ("equal", ("wc (missing)",))


def test_tools_that_are_the_same_are_not_named() -> None:
    assert list(changed_tools(TOOLCHAIN, {tool.name: tool for tool in TOOLCHAIN})) == []


def test_a_sandbox_that_fails_once_is_tried_again() -> None:
    assert replayed(World(failures=1)).state == "equal"


def test_a_sandbox_that_fails_to_the_last_is_told() -> None:
    outcome = replayed(World(failures=99))
    assert (outcome.state, outcome.detail) == ("sandbox_failed", "sandbox_died: It died.")


def test_a_trajectory_without_its_task_cannot_be_replayed() -> None:
    one = Replayable(7, row(unique_task(), UNIQUE_STEPS), None)
    outcome = asyncio.run(replay([one], World(), command_timeout_s=5))[0]
    assert (outcome.place, outcome.state) == (7, "not_replayable")
    assert unique_task().id in outcome.detail


def test_a_call_of_another_tool_cannot_be_replayed() -> None:
    step = command(1, "I think.", "x", "")
    other = dataclasses.replace(step, calls=(dataclasses.replace(step.calls[0], name="python"),))
    one = Replayable(0, row(unique_task(), (other, finish(2, "Done."))), unique_task())
    assert asyncio.run(replay([one], World(), command_timeout_s=5))[0].detail == "It calls python."


def test_outcomes_come_in_order_and_few_at_a_time() -> None:
    unique, count = unique_task(), count_task()
    chosen = [Replayable(n, row(unique, UNIQUE_STEPS), unique) for n in range(5)]
    chosen.append(Replayable(5, row(count, COUNT_STEPS_AGAIN), count))
    world, shown = World(), list[int]()
    outcomes = asyncio.run(
        replay(chosen, world, command_timeout_s=5, concurrency=2, show=lambda one: shown.append(one.place))
    )
    assert [outcome.place for outcome in outcomes] == shown == list(range(6))
    assert world.most_open == 2
    assert [outcome.state for outcome in outcomes] == ["equal"] * 5 + ["different"]
