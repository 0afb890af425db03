"""Running stored trajectories again, from the dataset alone, and comparing what is seen and what comes out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Literal

from trajmill.flows.attempts import RETRIES, default_concurrency
from trajmill.flows.normalise import normalised
from trajmill.flows.rollouts import run_rollout
from trajmill.sandboxes.base import Backend
from trajmill.sandboxes.toolchain import resolve_tools
from trajmill.schemas.codec import from_json
from trajmill.schemas.errors import ContractError, SandboxError
from trajmill.schemas.formats.atif import from_atif
from trajmill.schemas.ids import Json
from trajmill.schemas.row import trajectory_from_row
from trajmill.schemas.task import Task, Tool
from trajmill.schemas.trajectory import Step, Trajectory
from trajmill.schemas.verdict import Verdict
from trajmill.synth.policies.scripted import replay_policy
from trajmill.synth.rollout import Bounds

REPLAYED_TOOLS = frozenset({"terminal", "finish"})

State = Literal["equal", "different", "environment_differs", "not_replayable", "sandbox_failed"]


@dataclass(frozen=True, slots=True)
class Replayable:
    """A row to run again, with its task."""

    place: int
    row: Mapping[str, Json]
    task: Task | None


@dataclass(frozen=True, slots=True)
class Difference:
    """A step whose observation is not the stored one."""

    step: int
    """Number of the step in the stored document."""
    command: str
    stored: str
    seen: str
    """Both normalised."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one replay."""

    place: int
    trajectory_id: str
    state: State
    """``environment_differs``: something differs, and so do tools that the task needs."""
    differences: tuple[Difference, ...] = ()
    stored_verdict: str = ""
    seen_verdict: str = ""
    tools: tuple[str, ...] = ()
    """Tools of the task that are missing or others than when it was made, also where the replay is equal."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Machine:
    backend: Backend
    command_timeout_s: float
    tools: Mapping[str, Tool] = field(default_factory=dict)
    """The tools that are here, by name."""


async def replay(
    chosen: Sequence[Replayable],
    backend: Backend,
    *,
    command_timeout_s: float,
    concurrency: int | None = None,
    show: Callable[[Outcome], None] = lambda outcome: None,
) -> tuple[Outcome, ...]:
    """Run rows again in fresh sandboxes, at most ``concurrency`` at a time; outcomes come in the order of the rows.

    ``show`` is called with each outcome as soon as it and all before it are there. A sandbox that fails is tried again
    as in a build. Raises UnavailableError if there is no sandbox.
    """
    wanted = {name for one in chosen if one.task for name in one.task.environment.required_tools}
    here = await resolve_tools(backend, wanted, optional=True)
    machine = _Machine(backend, command_timeout_s, {tool.name: tool for tool in here})
    waiting = iter(enumerate(chosen))
    done: dict[int, Outcome] = {}
    shown = 0

    async def worker() -> None:
        nonlocal shown
        for number, one in waiting:
            done[number] = await _replay_one(one, machine)
            while shown in done:
                show(done[shown])
                shown += 1

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency or default_concurrency(), len(chosen))):
                group.create_task(worker())
    except BaseExceptionGroup as problems:
        raise problems.exceptions[0] from problems
    return tuple(done[number] for number in range(len(chosen)))


async def _replay_one(one: Replayable, machine: _Machine) -> Outcome:
    name = str(one.row["id"])
    if one.task is None:
        return Outcome(one.place, name, "not_replayable", detail=f"The dataset does not hold {one.row['task_id']}.")
    try:
        stored = from_atif(trajectory_from_row(one.row))
    except ContractError as error:
        return Outcome(one.place, name, "not_replayable", detail=error.message)
    others = sorted({call.name for step in stored.steps for call in step.calls} - REPLAYED_TOOLS)
    if others:
        return Outcome(one.place, name, "not_replayable", detail=f"It calls {', '.join(others)}.")
    changed = tuple(changed_tools(one.task.environment.toolchain, machine.tools))
    try:
        record = await _run(one.task, stored, int(one.row["attempt"]), machine)
    except SandboxError as error:
        return Outcome(one.place, name, "sandbox_failed", tools=changed, detail=f"{error.cause}: {error.message}")
    seen = from_atif(record["document"])
    differences = tuple(compare(stored, seen))
    verdicts = _verdict_words(_stored_verdict(one.row)), _verdict_words(from_json(Verdict, record["verdict"]))
    equal = not differences and verdicts[0] == verdicts[1]
    state: State = "equal" if equal else "environment_differs" if changed else "different"
    return Outcome(one.place, name, state, differences, *verdicts, changed)


async def _run(task: Task, stored: Trajectory, attempt: int, machine: _Machine) -> Json:
    calls = sum(len(step.calls) for step in stored.steps)
    bounds = Bounds(max(1, calls), machine.command_timeout_s)
    for number in range(RETRIES + 1):
        try:
            return await run_rollout(task, replay_policy(stored), attempt, machine.backend, bounds)
        except SandboxError as error:
            if number == RETRIES or not error.retryable:
                raise
    raise AssertionError("The loop above returns or raises.")


def changed_tools(recorded: Iterable[Tool], here: Mapping[str, Tool]) -> Iterable[str]:
    """Names of the recorded tools that are missing here, or that are another program."""
    for tool in recorded:
        now = here.get(tool.name)
        if now is None:
            yield f"{tool.name} (missing)"
        elif now.sha256 != tool.sha256:
            versions = f"{tool.version or 'unknown'}, here {now.version or 'unknown'}"
            yield f"{tool.name} ({versions})" if tool.version != now.version else f"{tool.name} (another program)"


def compare(stored: Trajectory, seen: Trajectory) -> Iterable[Difference]:
    """The steps of two trajectories with the same commands whose observations differ after normalisation."""
    pairs = zip_longest(_observed(stored), _observed(seen), fillvalue=(0, "", "[the replay ended before this]"))
    for (number, command, before), (other, _, after) in pairs:
        one, two = normalised(before), normalised(after)
        if one != two:
            yield Difference(number or other, command, one, two)


def _observed(trajectory: Trajectory) -> Iterable[tuple[int, str, str]]:
    """Number, command and observation of each call of the terminal."""
    for number, step in enumerate(trajectory.steps, 1):
        for call in step.calls:
            if call.name == "terminal":
                yield number, str(call.arguments.get("command", "")), _result(step, call.id)


def _result(step: Step, call_id: str) -> str:
    return "".join(result.content or "" for result in step.results if result.call_id in (call_id, None))


def _stored_verdict(row: Mapping[str, Json]) -> Verdict:
    columns = {"kind": row["verdict"], "cause": row["cause"], "detail": row["verdict_detail"]}
    return from_json(Verdict, {**columns, **{key: row[key] for key in ("reward", "partial", "checks")}})


def _verdict_words(verdict: Verdict) -> str:
    """What must be equal of two verdicts, for people to read."""
    if verdict.kind != "scored":
        return f"{verdict.kind} ({verdict.cause})"
    failed = [check.name for check in verdict.checks if not check.passed]
    said = f"scored, reward {verdict.reward:g} of {len(verdict.checks)} checks"
    return f"{said}; failed: {'; '.join(failed)}" if failed else said
