"""The same build under Prefect: one flow run, one task run per shard, so that progress shows in Prefect's own tools.

Prefect is a thin layer. The run store is the ledger of what was done, so task runs are not cached, return counts only,
and may be lost without harm; where no Prefect server answers, the same plain functions run without it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any, Generic, TypeVar
from uuid import UUID

from trajmill.flows.attempts import RunShard, RunShards, run_shards
from trajmill.flows.prefect_server import QUIET_SETTINGS, STARTUP_S, temporary_server
from trajmill.flows.units import Counts, ShardPlan
from trajmill.schemas.errors import TrajmillError, UnavailableError

FLOW_NAME = "trajmill-build"
RECORD_S = 5.0
"""Seconds that a temporary server is given at the end to write the task runs down."""

T = TypeVar("T")
Body = Callable[[RunShards], Awaitable[T]]
"""The plain pipeline; it is handed what runs its shards. Run a second time, it goes on from what is committed."""


async def run_with_prefect(
    body: Body[T],
    *,
    dataset: str,
    build_id: str,
    home: Path,
    say: Callable[[str], None],
    startup_s: float = STARTUP_S,
) -> T:
    """Run the plain pipeline as a Prefect flow run named after the data set and the build, and return its result.

    Uses the server at ``PREFECT_API_URL`` if that is set, else a temporary one whose files lie in ``home``. If none
    answers within ``startup_s`` seconds, or if Prefect fails on the way, the plain pipeline runs without it and ``say``
    is told so in one line. What the pipeline itself raises comes out unchanged.
    """
    attempt = _Attempt(body)
    try:
        async with _server(home, startup_s) as temporary:
            flow_run = await _run_flow(attempt, f"{dataset} {build_id}")
            if temporary:
                await _recorded(flow_run, attempt.tasks)
    except Exception as problem:
        if attempt.error is not None:
            raise attempt.error from None
        if not attempt.results:
            what = problem if isinstance(problem, UnavailableError) else f"Prefect failed ({type(problem).__name__})."
            say(f"{what} The build runs without Prefect, with the same result.")
    return attempt.results[0] if attempt.results else await body(run_shards)


class _PrefectFailedError(TrajmillError):
    """A task run failed although its shard did not."""


class _Attempt(Generic[T]):
    """One run of the body in a flow; keeps its result or error apart from Prefect's own."""

    def __init__(self, body: Body[T]) -> None:
        self._body = body
        self._shard_error: Exception | None = None
        self.results: list[T] = []
        self.error: Exception | None = None
        self.tasks = 0

    async def run(self, task: Callable[[RunShard, ShardPlan], Awaitable[Counts]]) -> None:
        async def run_in_tasks(shards: Sequence[ShardPlan], run_shard: RunShard) -> Counts:
            total = Counts()
            for shard in shards:
                total += await self._run_in_task(task, shard, run_shard)
            return total

        try:
            self.results.append(await self._body(run_in_tasks))
        except _PrefectFailedError:
            raise
        except Exception as error:
            self.error = error
            raise

    async def _run_in_task(
        self, task: Callable[[RunShard, ShardPlan], Awaitable[Counts]], shard: ShardPlan, run_shard: RunShard
    ) -> Counts:
        async def guarded(plan: ShardPlan) -> Counts:
            try:
                return await run_shard(plan)
            except Exception as error:
                self._shard_error = error
                raise

        self.tasks += 1
        try:
            return await task(guarded, shard)
        except Exception as problem:
            if self._shard_error is not None:
                raise self._shard_error from None
            raise _PrefectFailedError(f"Prefect failed ({type(problem).__name__}).") from problem


async def _run_flow(attempt: _Attempt[T], name: str) -> UUID:
    """Run the attempt as a flow run and return the id of that."""
    from prefect import flow, task
    from prefect.cache_policies import NO_CACHE
    from prefect.runtime import flow_run

    ids: list[UUID] = []
    plans: dict[int, tuple[RunShard, ShardPlan]] = {}
    on_sigterm = signal.getsignal(signal.SIGTERM)

    @task(name="shard", task_run_name="shard-{index:04d}", cache_policy=NO_CACHE, persist_result=False)
    async def run_one(index: int) -> dict[str, int]:
        run_shard, shard = plans[index]
        return asdict(await run_shard(shard))

    async def in_task(run_shard: RunShard, shard: ShardPlan) -> Counts:
        plans[shard.index] = run_shard, shard
        return Counts(**await run_one(shard.index))

    @flow(name=FLOW_NAME, flow_run_name=lambda: name, persist_result=False)
    async def build() -> None:
        ids.append(UUID(str(flow_run.id)))
        with _sigterm(on_sigterm):
            await attempt.run(in_task)

    await build()
    return ids[0]


@asynccontextmanager
async def _server(home: Path, startup_s: float) -> AsyncIterator[bool]:
    """Point Prefect at a server for the length of the block; whether it is a temporary one of ours."""
    given = os.environ.get("PREFECT_API_URL")
    if given:
        with _environment(QUIET_SETTINGS, {}), _api(given):
            await _require_answer(startup_s)
            yield False
        return
    with _environment(QUIET_SETTINGS, {"PREFECT_HOME": str(home)}):
        async with temporary_server(home, startup_s=startup_s, meanwhile=_import_prefect) as url:
            with _api(url):
                yield True


@contextmanager
def _api(url: str) -> Iterator[None]:
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with temporary_settings({PREFECT_API_URL: url}):
        yield


def _import_prefect() -> None:
    import prefect.main  # noqa: F401 (takes seconds, best spent while the server starts)


async def _require_answer(limit_s: float) -> None:
    from prefect.client.orchestration import get_client

    try:
        async with asyncio.timeout(limit_s), get_client() as client:
            problem = await client.api_healthcheck()
    except Exception as error:
        problem = error
    if problem is not None:
        raise UnavailableError("No Prefect server answers at the address in PREFECT_API_URL.")


async def _recorded(flow_run: UUID, tasks: int) -> None:
    """Wait until the server has the final state of each task run, or ``RECORD_S`` are over; task runs lag behind."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId

    chosen = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run]))
    deadline = time.monotonic() + RECORD_S
    async with get_client() as client:
        while time.monotonic() < deadline:
            runs = await client.read_task_runs(flow_run_filter=chosen, limit=200)
            if sum(run.state is not None and run.state.is_final() for run in runs) >= min(tasks, 200):
                return
            await asyncio.sleep(0.2)


@contextmanager
def _environment(defaults: Mapping[str, str], own: Mapping[str, str]) -> Iterator[None]:
    """Environment variables for the length of the block; defaults give way to what the user has set."""
    before = dict(os.environ)
    os.environ.update({**defaults, **before, **own})
    try:
        yield
    finally:
        for key in {**defaults, **own}:
            if key in before:
                os.environ[key] = before[key]
            else:
                os.environ.pop(key, None)


@contextmanager
def _sigterm(handler: Callable[[int, FrameType | None], Any] | int | None) -> Iterator[None]:
    """Put our own way of stopping back in place of Prefect's for the length of the block."""
    if threading.current_thread() is not threading.main_thread() or handler is None:
        yield
        return
    before = signal.signal(signal.SIGTERM, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
