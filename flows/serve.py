"""A scheduled build: a Prefect deployment whose every run adds the next version of a dataset.

Importing this file imports Prefect, and Prefect reads its settings then: call ``prefect_server.quieten`` before.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

from prefect import flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy, State
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments.runner import RunnerDeployment
from prefect.runner import Runner
from prefect.schedules import Cron
from prefect.settings import PREFECT_API_URL
from prefect.states import Cancelled, Completed
from prefect.types.entrypoint import EntrypointType
from prefect.utilities.callables import ParameterSchema
from pydantic import Field

from trajmill.flows.lock import InUseError
from trajmill.flows.versions import VersionJob, build_next, hand_over, handed_over, next_version
from trajmill.schemas.errors import UnavailableError, UsageError

FLOW_NAME = "trajmill-version"
MOST_PATHS = 1_000_000
RUNS_AT_ONCE = 4
"""Runs that the serving process starts at a time: more than one, so that an overlapping one is told no at once."""

_CRON_REMEDY = "Give five fields, such as '0 3 * * *', and a time zone such as UTC or Europe/Berlin."
_REMEDY = "Start one with `prefect server start` and set PREFECT_API_URL=http://127.0.0.1:4200/api."


class _ClosedSchema(ParameterSchema):
    """A parameter schema that refuses names it does not list."""

    additionalProperties: bool = False


def _run_name() -> str:
    job = handed_over()
    return f"{job.name}-v{next_version(job.folder, job.name)}"


@flow(name=FLOW_NAME, flow_run_name=_run_name, persist_result=False)
async def build_next_version(
    paths: Annotated[
        int | None, Field(ge=1, le=MOST_PATHS, description="Paths to sample, in place of what the configuration says.")
    ] = None,
) -> State[Any]:
    """Build the next version of the dataset that this process serves."""
    job = handed_over()
    try:
        return Completed(message=await build_next(job, paths=paths))
    except InUseError as problem:
        return Cancelled(message=str(problem))
    except asyncio.CancelledError:
        # Prefect ends the loop of a stopped run with an exception of its own, which asyncio would print as a fault.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        raise


def serve(job: VersionJob, cron: str, *, say: Callable[[str], None], timezone: str = "UTC", poll_s: int = 10) -> None:
    """Register the deployment ``trajmill-version/NAME`` with its schedule and run what falls due, until stopped.

    Each run builds the next version with ``versions.build_next`` in a process of its own. A run that falls into another
    one is cancelled, and an unknown or out-of-range parameter is refused by the server. SIGINT and SIGTERM end it: the
    schedule is paused, a run in progress is stopped with everything committed kept. Raises UnavailableError if no
    Prefect server answers at ``PREFECT_API_URL``, UsageError for a wrong cron line or time zone.
    """
    hand_over(job)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(job, cron, timezone, say, poll_s))
    say(f"Stopped; the schedule of {job.name} is paused.")


async def _serve(job: VersionJob, cron: str, timezone: str, say: Callable[[str], None], poll_s: int) -> None:
    deployment = await _deployment(job, cron, timezone)
    await _require_server()
    runner = Runner(name=f"trajmill {job.name}", query_seconds=poll_s, limit=RUNS_AT_ONCE)
    await runner.aadd_deployment(deployment)
    say(f"Serving {FLOW_NAME}/{job.name} at {cron!r} ({timezone}); versions go to {job.folder}. Ctrl-C stops.")
    await runner.start()


async def _require_server() -> None:
    if not PREFECT_API_URL.value():
        raise UnavailableError("A schedule needs a Prefect server.", remedy=_REMEDY)
    async with get_client() as client:
        problem = await client.api_healthcheck()
    if problem is not None:
        raise UnavailableError("No Prefect server answers at the address in PREFECT_API_URL.", remedy=_REMEDY)


async def _deployment(job: VersionJob, cron: str, timezone: str) -> RunnerDeployment:
    try:
        checked = CronSchedule(cron=cron, timezone=timezone)
    except ValueError as problem:
        raise UsageError(f"The schedule {cron!r} in {timezone!r} is not valid.", remedy=_CRON_REMEDY) from problem
    deployment = await build_next_version.ato_deployment(
        name=job.name,
        schedule=Cron(checked.cron, timezone=checked.timezone),
        concurrency_limit=ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.CANCEL_NEW),
        description=f"Builds the next version of the dataset {job.name} from {job.config} into {job.folder}.",
        tags=["trajmill"],
        enforce_parameter_schema=True,
        entrypoint_type=EntrypointType.MODULE_PATH,
    )
    listed = deployment._parameter_openapi_schema.model_dump()
    deployment._parameter_openapi_schema = _ClosedSchema(**listed, additionalProperties=False)
    return deployment
