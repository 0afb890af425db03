"""Runs the plain stages for the command line and the schedule: backend, store, display, Prefect or not."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from trajmill.flows.attempts import RunShards, run_interruptible, run_shards
from trajmill.flows.backends import backend_by_name
from trajmill.flows.inputs import require_apart
from trajmill.flows.planning import Plan, plan_build
from trajmill.flows.progress import Display, display
from trajmill.flows.publish import Published, require_free
from trajmill.flows.stages import Progress, build_dataset
from trajmill.flows.store import Store
from trajmill.flows.versions import VersionRequest
from trajmill.schemas.config import BuildConfig, load_config


def plan_from(config: BuildConfig, *, version: int = 1) -> Plan:
    """Plan a build without running it."""
    return run_interruptible(plan_build(config, backend_by_name(config.rollout.sandbox), version=version))


def run_build(
    config: BuildConfig, out: Path, store: Path, *, prefect: bool, replacing: bool = False, quiet: bool = False
) -> Published:
    """Run a build to its end. Raises what the stages raise; Interrupted after SIGINT or SIGTERM."""
    with display(Console(file=sys.stderr if quiet else sys.stdout, highlight=False), quiet=quiet) as show:
        return run_interruptible(_run(config, out, store, prefect=prefect, replacing=replacing, show=show))


async def build_version(request: VersionRequest) -> str:
    """Build one version for a schedule; the line that says what came out."""
    config = load_config(request.config)
    if request.paths is not None:
        config = replace(config, sample=replace(config.sample, paths=request.paths))
    require_apart(config, request.out, request.store)
    backend = backend_by_name(config.rollout.sandbox)
    plan = await plan_build(config, backend, version=request.version)
    published = await build_dataset(
        plan, backend, Store.open(request.store), request.out, run_shards=run_shards, show=lambda progress: None
    )
    rows = published.manifest["rows"]
    return f"{rows['trajectories']} trajectories of {rows['tasks']} tasks in {request.out}"


async def _run(
    config: BuildConfig, out: Path, store: Path, *, prefect: bool, replacing: bool, show: Display
) -> Published:
    require_apart(config, out, store)
    show(Progress("inputs"))
    backend = backend_by_name(config.rollout.sandbox)
    plan = await plan_build(config, backend)
    require_free(out, plan.build_id, replacing=replacing)
    opened = Store.open(store)

    async def body(shards: RunShards) -> Published:
        return await build_dataset(
            plan, backend, opened, out, run_shards=shards, show=show, say=show.say, replacing=replacing
        )

    if not prefect:
        return await body(run_shards)
    from trajmill.flows.pipeline import run_with_prefect

    return await run_with_prefect(
        body, dataset=config.build.name, build_id=plan.build_id, home=opened.prefect_home, say=show.say
    )
