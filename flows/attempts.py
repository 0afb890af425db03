"""Runs units a bounded number at a time, each exactly once as far as a crash allows."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from trajmill.flows.journal import ShardJournal
from trajmill.flows.telemetry import Telemetry
from trajmill.flows.units import Counts, ShardPlan, Unit
from trajmill.schemas.errors import Interrupted, SandboxError
from trajmill.schemas.ids import Json

RETRIES = 2
"""Repeated runs of a unit whose sandbox failed, each alone, before its failure is committed."""

T = TypeVar("T")
Work = Callable[[Unit], Awaitable[Json]]
"""Runs one unit and returns its record; cleans up when it is cancelled; raises SandboxError if the sandbox failed."""
Failed = Callable[[Unit, SandboxError], Json]
"""Makes the record of a unit whose sandbox failed to the last."""
RunShard = Callable[[ShardPlan], Awaitable[Counts]]
"""Runs and compacts one shard."""
RunShards = Callable[[Sequence[ShardPlan], RunShard], Awaitable[Counts]]
"""Runs shards in order and adds up their counts; ``run_shards``, or the same under Prefect."""
OnProgress = Callable[[Counts], None]
"""Called in the event loop after each unit; must be quick."""


def default_concurrency() -> int:
    """One sandbox per processor that this process may use, and one more for the times when one of them only waits."""
    try:
        return len(os.sched_getaffinity(0)) + 1
    except AttributeError:
        return (os.cpu_count() or 1) + 1


async def run_units(
    units: Sequence[Unit],
    work: Work,
    journal: ShardJournal,
    *,
    failed: Failed,
    known: Collection[str] = frozenset(),
    concurrency: int | None = None,
    on_progress: OnProgress | None = None,
    telemetry: Telemetry | None = None,
) -> Counts:
    """Run every unit that is not yet committed, at most ``concurrency`` at a time, and commit its record.

    ``known`` holds ids of units committed elsewhere; they and those in the journal are skipped, as is the second of
    two equal ids. A unit whose sandbox failed (SandboxError, retryable) is repeated after the others, alone, up to
    ``RETRIES`` times; then, or at once if it is not retryable, ``failed`` makes its record. Any other exception, and
    cancellation, stops the rest: work in flight is cancelled, its cleanup is waited for, what is committed stays.
    """
    todo = list({unit.id: unit for unit in units if unit.id not in known and unit.id not in journal}.values())
    runner = _Runner(work, failed, journal, on_progress, telemetry)
    runner.counts = Counts(total=len(units), skipped=len(units) - len(todo))
    try:
        await _in_parallel(todo, runner.first_run, concurrency or default_concurrency())
        for unit, error in runner.to_retry:
            await runner.run_again(unit, error)
    finally:
        journal.sync()
    return runner.counts


async def run_shards(shards: Sequence[ShardPlan], run_shard: RunShard) -> Counts:
    """Run shards one after the other, without Prefect, and add up their counts: the plain ``RunShards``."""
    total = Counts()
    for shard in shards:
        total += await run_shard(shard)
    return total


def run_interruptible(main: Coroutine[Any, Any, T]) -> T:
    """Run the outermost coroutine; SIGINT and SIGTERM cancel it, and its cleanup is waited for.

    Raises Interrupted (exit 130) if a signal stopped it. A second signal ends the process without waiting.
    """
    return asyncio.run(_watched(main))


async def _watched(main: Coroutine[Any, Any, T]) -> T:
    task = asyncio.ensure_future(main)
    caught: list[signal.Signals] = []

    def stop(number: signal.Signals) -> None:
        caught.append(number)
        for each in _SIGNALS:
            loop.remove_signal_handler(each)
            signal.signal(each, signal.SIG_DFL)
        task.cancel()

    loop = asyncio.get_running_loop()
    with _restored():
        for number in _SIGNALS:
            loop.add_signal_handler(number, stop, number)
        try:
            return await task
        except asyncio.CancelledError:
            if not caught:
                raise
            raise Interrupted(
                f"Stopped by {caught[0].name}.",
                remedy="Everything committed is kept; the same command goes on from there.",
            ) from None
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def _restored() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _in_parallel(units: Sequence[Unit], run: Callable[[Unit], Awaitable[None]], concurrency: int) -> None:
    waiting = iter(units)

    async def worker() -> None:
        for unit in waiting:
            await run(unit)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(units))):
                group.create_task(worker())
    except BaseExceptionGroup as problems:
        raise problems.exceptions[0] from problems


@dataclass
class _Runner:
    work: Work
    failed: Failed
    journal: ShardJournal
    on_progress: OnProgress | None
    telemetry: Telemetry | None

    def __post_init__(self) -> None:
        self.counts = Counts()
        self.to_retry: list[tuple[Unit, SandboxError]] = []

    async def first_run(self, unit: Unit) -> None:
        self.journal.intent(unit.id, durable=unit.paid)
        error = await self._run(unit, 0)
        if error is not None and error.retryable:
            self.to_retry.append((unit, error))
        elif error is not None:
            self._commit(unit, self.failed(unit, error), failed=True)

    async def run_again(self, unit: Unit, error: SandboxError) -> None:
        for number in range(1, RETRIES + 1):
            self.counts = replace(self.counts, retried=self.counts.retried + 1)
            again = await self._run(unit, number)
            if again is None:
                return
            error = again
            if not error.retryable:
                break
        self._commit(unit, self.failed(unit, error), failed=True)

    async def _run(self, unit: Unit, number: int) -> SandboxError | None:
        """Run a unit and commit its record; the error if the sandbox failed."""
        began = time.monotonic()
        try:
            record = await self.work(unit)
        except SandboxError as error:
            self._note(unit, number, began, error.cause)
            return error
        self._note(unit, number, began, "")
        self._commit(unit, record, failed=False)
        return None

    def _commit(self, unit: Unit, record: Json, *, failed: bool) -> None:
        self.journal.commit(unit, record, failed=failed, durable=unit.paid)
        counts = self.counts
        self.counts = replace(counts, done=counts.done + 1, failed=counts.failed + failed)
        if self.on_progress is not None:
            self.on_progress(self.counts)

    def _note(self, unit: Unit, number: int, began: float, cause: str) -> None:
        if self.telemetry is not None:
            seconds = round(time.monotonic() - began, 4)
            values = {"unit": unit.id, "kind": unit.kind, "policy": unit.policy, "run": number, "seconds": seconds}
            self.telemetry.note("unit", **values, **({"sandbox_error": cause} if cause else {}))
