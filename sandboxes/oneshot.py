"""One program in an inner level of its own, apart from the session; nothing of it survives its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Mapping, Sequence

from trajmill.sandboxes.base import ExecResult
from trajmill.sandboxes.enclosure import Enclosure
from trajmill.sandboxes.launch import Child, memory_file, read_only
from trajmill.sandboxes.output import Capture
from trajmill.sandboxes.processes import ProcessTable
from trajmill.sandboxes.session import WATCH_S
from trajmill.schemas.errors import SandboxError

_CHUNK = 65_536
_EXEC = ("/bin/sh", "-c", 'exec "$@"', "sh")
"""So that a program that is missing gives 127, as in any shell."""


async def run_program(
    enclosure: Enclosure, argv: Sequence[str], *, stdin: bytes, env: Mapping[str, str], timeout: float
) -> ExecResult:
    """Run it to its end or to the timeout; a broken limit ends it with exit code None. Raises SandboxError."""
    run = _Run(enclosure)
    try:
        run.start(argv, stdin, env)
        timed_out = await run.finish(timeout)
        await enclosure.require_alive()
        return run.result(timed_out)
    finally:
        run.close()


class _Run:
    def __init__(self, enclosure: Enclosure) -> None:
        self._enclosure = enclosure
        self._loop = asyncio.get_running_loop()
        self._child: Child | None = None
        self._table: ProcessTable | None = None
        self._captures: dict[int, Capture] = {}
        """Standard output, standard error and what bwrap tells about the level, by descriptor."""
        self._open: set[int] = set()
        self._killed = False
        self._refused = enclosure.group.refusals()
        self._ended: asyncio.Future[None] = self._loop.create_future()

    def start(self, argv: Sequence[str], stdin: bytes, env: Mapping[str, str]) -> None:
        sizes = (self._enclosure.spec.limits.output_bytes, self._enclosure.spec.limits.output_bytes, 4096)
        with contextlib.ExitStack() as after:
            ends = []
            for size in sizes:
                read_end, write_end = os.pipe2(os.O_CLOEXEC)
                after.callback(os.close, write_end)
                ends.append(write_end)
                os.set_blocking(read_end, False)
                self._captures[read_end] = Capture(size)
            source = read_only(memory_file(stdin))
            after.callback(os.close, source)
            self._child = self._enclosure.enter(
                (*_EXEC, *argv), stdin=source, stdout=ends[0], stderr=ends[1], info=ends[2], keep=(), env=env
            )
        self._child.exit.add_done_callback(lambda _: self._check_end())
        for fd in self._captures:
            self._open.add(fd)
            self._loop.add_reader(fd, self._read, fd)

    async def finish(self, timeout: float) -> bool:
        """Wait for the end of the whole level; True if the timeout caused it."""
        expired = False

        def expire() -> None:
            nonlocal expired
            expired = not self._killed
            self._kill()

        timers = [self._loop.call_later(timeout, expire), self._loop.call_later(WATCH_S, self._look)]
        self._watch = timers[1]
        try:
            await self._ended
        finally:
            timers[0].cancel()
            self._watch.cancel()
        return expired

    def result(self, timed_out: bool) -> ExecResult:
        stdout, stderr, info = (capture.kept() for capture in self._captures.values())
        status = self._child.exit.result() if self._child else -1
        if not info.head and not self._killed:
            said = stderr.text().strip()
            raise SandboxError(f"A program could not enter the sandbox: {said}", cause="start_failed")
        code = None if self._killed or status < 0 or self._out_of_memory() else status
        return ExecResult(stdout.data(), stderr.data(), code, timed_out, stdout.omitted + stderr.omitted)

    def close(self) -> None:
        """Kill what still runs and give all descriptors back."""
        if self._child is not None and not self._child.exit.done():
            self._kill()
            self._child.reap()
        if self._table is not None:
            self._table.close()
        for fd in self._captures:
            self._loop.remove_reader(fd)
            os.close(fd)
        self._captures = {}

    def _read(self, fd: int) -> None:
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(fd, _CHUNK)
            self._captures[fd].add(chunk)
            if not chunk:
                self._loop.remove_reader(fd)
                self._open.discard(fd)
                self._check_end()

    def _check_end(self) -> None:
        if not self._open and self._child is not None and self._child.exit.done() and not self._ended.done():
            self._ended.set_result(None)

    def _look(self) -> None:
        self._find_table()
        broken = self._table is not None and self._table.broken_limit(self._enclosure.spec.limits)
        if self._killed or broken or self._out_of_memory() or self._enclosure.overrun():
            self._kill()
        self._watch = self._loop.call_later(WATCH_S, self._look)

    def _out_of_memory(self) -> bool:
        return self._enclosure.group.refusals().since(self._refused) == "memory"

    def _kill(self) -> None:
        self._killed = True
        self._find_table()
        if self._table is not None:
            self._table.kill_all()
        elif self._child is not None:
            self._enclosure.kill_level(self._told())
            self._child.kill()

    def _told(self) -> bytes:
        """What bwrap has told about the level until now."""
        return list(self._captures.values())[2].kept().head

    def _find_table(self) -> None:
        told = self._told()
        if self._table is None and told:
            with contextlib.suppress(SandboxError):
                self._table = self._enclosure.table(told)
