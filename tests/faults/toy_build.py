"""A small build for the kill tests: python toy_build.py ROOT UNITS; each finished unit is noted in ROOT/ran.txt."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from trajmill.flows.attempts import run_shards, run_units
from trajmill.flows.store import BuildRun, Store
from trajmill.flows.units import Counts, ShardPlan, Unit, cut
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.ids import Json, derive_seed


def main(root: Path, count: int) -> None:
    units = [
        Unit(f"roll-{derive_seed(n):016x}", "rollout", f"task-{n % 5}", "toy", n, n, n % 2 == 0) for n in range(count)
    ]
    ran = os.open(root / "ran.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    async def work(unit: Unit) -> Json:
        os.write(ran, f"begin {unit.id}\n".encode())
        await asyncio.sleep(0.002)
        return {"n": unit.payload, "text": f"{derive_seed(unit.payload, 'text')}" * 20}

    with Store.open(root / "store").begin("build-toy", {"units": count}) as run:
        asyncio.run(run_shards(cut(units, 20), lambda shard: run_shard(run, shard, work)))
        run.finish(unit.id for unit in units)
        records = run.records([unit.id for unit in units])
        (root / "dataset.jsonl").write_text("".join(f"{r.unit_id} {r.record}\n" for r in records))


async def run_shard(run: BuildRun, shard: ShardPlan, work: object) -> Counts:
    known = run.known(unit.id for unit in shard.units)
    counts = await run_units(shard.units, work, run.journal(shard.index), failed=failed, known=known, concurrency=3)  # type: ignore[arg-type]
    run.compact(shard.index)
    return counts


def failed(unit: Unit, error: SandboxError) -> Json:
    return {"kind": "infra_error"}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
