"""Runs builds under Prefect and prints what came of each as one JSON line: python prefect_scenarios.py HOME MODE."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path

from trajmill.flows.attempts import RunShards, run_interruptible
from trajmill.flows.pipeline import run_with_prefect
from trajmill.flows.units import Counts, ShardPlan, Unit, cut

SHARDS = cut([Unit(f"roll-{n}", "rollout", "task-1", "toy", n) for n in range(6)], 2)


async def run_shard(shard: ShardPlan) -> Counts:
    return Counts(total=len(shard.units), done=len(shard.units))


async def plain(run_each: RunShards) -> list[Counts]:
    return [await run_each(SHARDS[:2], run_shard), await run_each(SHARDS[2:], run_shard)]


async def with_an_error(run_each: RunShards) -> None:
    async def fail(shard: ShardPlan) -> Counts:
        raise ZeroDivisionError("of the shard")

    await run_each(SHARDS[:1], fail)


async def slow(run_each: RunShards) -> Counts:
    async def wait(shard: ShardPlan) -> Counts:
        print("begun", flush=True)
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            print("cleaned", flush=True)
        return await run_shard(shard)

    return await run_each(SHARDS, wait)


async def scenario(name: str, body: Callable[[RunShards], Awaitable[object]], home: Path, startup_s: float) -> None:
    said: list[str] = []
    outcome: object
    try:
        outcome = await run_with_prefect(
            body, dataset=name, build_id="build-1", home=home, say=said.append, startup_s=startup_s
        )
    except ZeroDivisionError as error:
        outcome = f"ZeroDivisionError {error}"
    print(json.dumps({"name": name, "outcome": outcome, "said": said}, default=asdict), flush=True)


async def several(home: Path) -> None:
    await scenario("good", plain, home, 60)
    await scenario("bad", with_an_error, home, 60)
    os.environ["PREFECT_API_URL"] = "http://127.0.0.1:9/api"
    await scenario("unreachable", plain, home, 5)
    del os.environ["PREFECT_API_URL"]
    await scenario("too-slow", plain, home, 0.01)


if __name__ == "__main__":
    if sys.argv[2] == "several":
        run_interruptible(several(Path(sys.argv[1])))
    else:
        run_interruptible(scenario("slow", slow, Path(sys.argv[1]), 120))
