"""What a build costs: tasks and rollouts a minute, and our own time beside that of the commands themselves.

Run ``python benchmarks/build.py [FOLDER] [--paths N]``; without a folder it builds from the demo's files. Own overhead
is what remains of the wall time after the same commands, run in one plain bash in a sandbox in the same run, are taken
off. First rollouts one at a time, so that nothing waits for a processor; then a whole build with its usual concurrency.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from trajmill.flows.attempt import sandbox_spec
from trajmill.flows.attempts import default_concurrency, run_shards
from trajmill.flows.drafts import Drafts, draw_drafts
from trajmill.flows.planning import Plan, plan_build
from trajmill.flows.policies import bounds_of, policies_of
from trajmill.flows.rollouts import run_rollout
from trajmill.flows.stages import build_dataset
from trajmill.flows.store import Store
from trajmill.sandboxes.base import Backend, CommandResult, SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend, BubblewrapSandbox
from trajmill.schemas.config import BuildConfig, parse_config
from trajmill.schemas.task import Task

ALONE = 24
"""Rollouts that are measured one at a time."""
COMMAND_TARGET_MS, ROLLOUT_TARGET_MS = 15, 150


@dataclass(slots=True)
class Stopwatch:
    """Commands run in sessions, and the wall time that each took, as the driver sees it."""

    commands: list[str] = field(default_factory=list)
    seconds: float = 0.0


class TimedBackend:
    """Opens the real sandboxes and times the commands in their sessions."""

    name = "bubblewrap"

    def __init__(self, watch: Stopwatch) -> None:
        self._real = BubblewrapBackend()
        self._watch = watch

    @asynccontextmanager
    async def open(self, spec: SandboxSpec) -> AsyncIterator[BubblewrapSandbox]:
        """Open a sandbox whose ``run`` is timed."""
        async with self._real.open(spec) as box:
            plain = box.run

            async def run(command: str, *, timeout: float) -> CommandResult:
                began = time.perf_counter()
                try:
                    return await plain(command, timeout=timeout)
                finally:
                    self._watch.seconds += time.perf_counter() - began
                    self._watch.commands.append(command)

            box.run = run  # type: ignore[method-assign]
            yield box

    async def probe(self) -> None:
        """Whether sandboxes can be opened here."""
        await self._real.probe()


def configuration(folder: str, paths: int) -> BuildConfig:
    """The demo's configuration with another number of paths, over the demo's files or those of a folder."""
    return parse_config(
        {
            "build": {"name": "benchmark", "seed": 7},
            "source": {"files": folder},
            "sample": {"paths": paths, "length": [1, 7]},
            "rollout": {"policies": [{"name": "programmatic", "attempts": 3}]},
        }
    )


async def plain_seconds(task: Task, commands: list[str], backend: Backend) -> float:
    """Wall time of these commands in one plain bash, in a sandbox with the task's files."""
    async with backend.open(sandbox_spec(task, "benchmark")) as box:
        script = "\n".join(["exec >/dev/null 2>&1", *commands]).encode()
        await box.exec(["/bin/bash", "-c", ":"], timeout=60)
        began = time.perf_counter()
        await box.exec(["/bin/bash", "-c", ":"], timeout=60)
        entering = time.perf_counter() - began
        began = time.perf_counter()
        await box.exec(["/bin/bash", "-s"], stdin=script, timeout=600)
        return time.perf_counter() - began - entering


async def alone(plan: Plan, drafts: Drafts) -> None:
    """Print the costs of rollouts that run one at a time."""
    policy = policies_of(plan.config, drafts)[0][0]
    bounds = bounds_of(plan.config)
    wall = session = plain = 0.0
    count = 0
    cpu = time.process_time()
    for task in drafts.tasks[:ALONE]:
        watch = Stopwatch()
        began = time.perf_counter()
        await run_rollout(task, policy, 0, TimedBackend(watch), bounds)
        wall += time.perf_counter() - began
        session += watch.seconds
        count += len(watch.commands)
        plain += await plain_seconds(task, watch.commands, BubblewrapBackend())
    cpu = time.process_time() - cpu
    rollouts = len(drafts.tasks[:ALONE])
    per_command, per_rollout = 1000 * (session - plain) / count, 1000 * (wall - plain) / rollouts
    print(f"one at a time: {rollouts} rollouts, {count} commands, {1000 * wall / rollouts:.0f} ms a rollout")
    print(f"  the commands themselves      {1000 * plain / count:7.1f} ms a command  {plain / wall:6.0%} of the time")
    print(f"  own overhead of a command    {per_command:7.1f} ms (target {COMMAND_TARGET_MS} on an idle machine)")
    print(f"  own overhead of a rollout    {per_rollout:7.1f} ms (target {ROLLOUT_TARGET_MS}), two sandboxes included")
    print(f"  processor time of the driver {1000 * cpu / rollouts:7.1f} ms a rollout, the plain runs included")


async def whole(plan: Plan, folder: Path) -> None:
    """Print the pace of a whole build."""
    began, cpu = time.perf_counter(), time.process_time()
    published = await build_dataset(
        plan,
        BubblewrapBackend(),
        Store.open(folder / "store"),
        folder / "dataset",
        run_shards=run_shards,
        show=lambda progress: None,
    )
    minutes, cpu = (time.perf_counter() - began) / 60, time.process_time() - cpu
    rows = published.manifest["rows"]
    rollouts = published.manifest["funnel"]["rollouts"]
    print(f"whole build: {rows['tasks']} tasks, {rollouts} rollouts in {minutes * 60:.1f} s, sampling to dataset")
    print(f"  {rows['tasks'] / minutes:.0f} tasks and {rollouts / minutes:.0f} rollouts a minute, gates included")
    print(f"  processor time of the driver {cpu:.1f} s, {cpu / minutes / 60:.0%} of one core")


async def main(folder: str, paths: int, concurrency: int) -> None:
    """Measure and print."""
    config = configuration(folder, paths)
    config = replace(config, rollout=replace(config.rollout, concurrency=concurrency))
    plan = await plan_build(config, BubblewrapBackend())
    began = time.perf_counter()
    drafts = draw_drafts(config, plan.seed, plan.inputs.materials, plan.toolchain)
    seconds = time.perf_counter() - began
    load = os.getloadavg()[0]
    print(f"{len(os.sched_getaffinity(0))} cores, load {load:.1f}, {concurrency or default_concurrency()} at a time")
    print(f"sampling and composing: {len(drafts.tasks)} tasks in {seconds:.1f} s")
    await alone(plan, drafts)
    with tempfile.TemporaryDirectory(prefix="trajmill-benchmark-") as place:
        await whole(plan, Path(place))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the driver: {peak:.0f} MB; load now {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure what a build costs.")
    parser.add_argument("folder", nargs="?", default="demo", help="files to build from (default: the demo's)")
    parser.add_argument("--paths", type=int, default=40)
    parser.add_argument("--concurrency", type=int, default=0, help="rollouts at a time (default: what a build uses)")
    options = parser.parse_args()
    source = options.folder if options.folder == "demo" else str(Path(options.folder).resolve())
    asyncio.run(main(source, options.paths, options.concurrency))
