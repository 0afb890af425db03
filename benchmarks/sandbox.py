"""What a bubblewrap sandbox costs: opening it, a command in its session, one program, files.

Run ``python benchmarks/sandbox.py``. Every figure stands beside fork and exec of the same program in the same run,
because machines differ more than designs.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import time
from collections.abc import Awaitable, Callable

from trajmill.sandboxes.base import SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.tree import FileEntry, Tree

SMALL = Tree({f"folder{i}/file{j}.txt": FileEntry(b"x" * 1000) for i in range(5) for j in range(4)})
GIGABYTE = 2**30


async def timed(label: str, rounds: int, act: Callable[[], Awaitable[object]], unit: float) -> float:
    """Print median and minimum in milliseconds, and the median as a multiple of the unit; gives the median."""
    await act()
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        await act()
        times.append((time.perf_counter() - began) * 1000)
    median = statistics.median(times)
    ratio = f"{median / unit:8.1f} x" if unit else ""
    print(f"{label:<44}{median:>9.2f}{min(times):>9.2f}{ratio}")
    return median


async def fork_and_exec() -> None:
    subprocess.run(["/bin/true"], check=True)


async def main() -> None:
    backend = BubblewrapBackend()
    await backend.probe()

    async def open_close() -> None:
        async with backend.open(SandboxSpec()):
            pass

    async def open_run_close() -> None:
        async with backend.open(SandboxSpec(files=SMALL)) as box:
            await box.run("true", timeout=30)

    print(f"{'milliseconds':<44}{'median':>9}{'min':>9}{'fork+exec':>10}")
    unit = await timed("fork and exec of /bin/true", 200, fork_and_exec, 0)
    await timed("open and close", 40, open_close, unit)
    await timed("open, put 20 files, first command, close", 40, open_run_close, unit)
    async with backend.open(SandboxSpec()) as box:
        builtin = await timed("command in the session: builtin", 300, lambda: box.run(":", timeout=30), unit)
        program = await timed("command in the session: /bin/true", 200, lambda: box.run("/bin/true", timeout=30), unit)
        await timed("one program apart: exec true", 40, lambda: box.exec(["true"], timeout=30), unit)
        await timed("put 20 files of 1 kB", 100, lambda: box.put(SMALL, "/workspace"), unit)
        await timed("get 20 files of 1 kB", 100, lambda: box.get("/workspace"), unit)
        began = time.perf_counter()
        await box.run(f"head -c {GIGABYTE} /dev/zero", timeout=120)
        print(f"{'1 GiB of output':<44}{(time.perf_counter() - began) * 1000:>9.0f}")
    began, count, at_once = time.perf_counter(), 96, asyncio.Semaphore(8)

    async def one() -> None:
        async with at_once:
            await open_run_close()

    await asyncio.gather(*(one() for _ in range(count)))
    print(f"{'the third line, 8 at a time, each second':<44}{count / (time.perf_counter() - began):>9.0f}")
    print(f"own overhead of a command: {builtin:.2f} ms; over fork and exec: {program - unit:+.2f} ms")


if __name__ == "__main__":
    asyncio.run(main())
