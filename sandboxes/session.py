"""The session: what a command in the persistent shell may do, and how it is stopped when it does more.

A timeout is Ctrl-C and then KILL for every process born since the command began; processes from before live on. A
broken limit is found by looking at the process table and at what the kernel has refused, every 50 ms while a command
runs. A process that the kernel killed for memory counts as the command having broken the limit.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from dataclasses import replace

from trajmill.sandboxes.base import CommandResult, Killed
from trajmill.sandboxes.enclosure import Enclosure
from trajmill.sandboxes.output import Capture
from trajmill.sandboxes.shell import Event, Shell

WATCH_S = 0.05
"""Seconds between two looks at memory, processes and files while a command runs."""
_IDLE_WATCH_S = 0.2
"""The same between commands, and only while the session has left something running in the background."""
_RETRY_S = 0.02
_RETRIES = 50
"""Attempts to bring an interrupted shell back before it is killed: a second in all."""
_WARNINGS = 3
"""SIGINTs that a process gets before it is killed; one that comes between fork and exec is lost."""
_INTERRUPTED = 128 + signal.SIGINT


class Session:
    """One shell with its limits. ``start`` it once; when ``alive`` is false it can only be closed."""

    def __init__(self, enclosure: Enclosure) -> None:
        self._enclosure = enclosure
        self._limits = enclosure.spec.limits
        self._loop = asyncio.get_running_loop()
        self._shell = Shell(enclosure)
        self._watch: asyncio.TimerHandle | None = None
        self._last_status = 0
        self._refused = enclosure.group.refusals()
        self._was_full = False
        self._ready = False
        self.broken: Killed = ""
        """The limit for which the session was killed between two commands."""

    @property
    def alive(self) -> bool:
        """True while the shell can take commands."""
        return self._ready and self._shell.running

    async def start(self) -> None:
        """Start the shell and wait until it is ready. Raises SandboxError."""
        await self._shell.start()
        self._ready = True

    async def run(self, command: str, timeout: float) -> CommandResult:
        """Run one command. Raises SandboxError with cause ``sandbox_died`` if the sandbox is gone."""
        began, capture, finished = self._loop.time(), Capture(self._limits.output_bytes), False
        before = self._shell.table.numbers()
        self._refused = self._enclosure.group.refusals()
        self._stop_watch()
        try:
            self._shell.send(_encoded(command), self._last_status, capture)
            self._watch = self._loop.call_later(WATCH_S, self._look)
            event = await self._shell.next_event(timeout)
            self._stop_watch()
            if not event.limit:
                event = _explained(event, self._kernel_refused())
            if not await self._settled(event, before):
                self.kill_now()
                await self._shell.wait()
            self._shell.drain()
            if not self.alive:
                await self._enclosure.require_alive()
            finished = True
        finally:
            self._shell.detach()
            if not finished:
                self.kill_now()
        result = self._result(event, capture, self._loop.time() - began)
        self._refused = self._enclosure.group.refusals()
        self._look_idle()
        return result

    def kill_now(self) -> None:
        """Kill the shell and everything it started, without waiting."""
        self._ready = False
        self._stop_watch()
        self._shell.kill_now()

    async def close(self) -> None:
        """Kill, wait and give all descriptors back; safe to call twice and when cancelled."""
        self.kill_now()
        await self._shell.close()

    def _kernel_refused(self) -> Killed:
        """The bound at which the kernel stopped something since the last command began, or since it ended."""
        return self._enclosure.group.refusals().since(self._refused)

    def _look(self, killed_before: bool = False) -> None:
        """One look; a command of which the kernel killed a process has until the next look to end by itself."""
        broken, refused = self._shell.table.broken_limit(self._limits), self._kernel_refused()
        if not broken and (refused != "memory" or killed_before):
            broken = refused
        if not broken and self._enclosure.overrun():
            broken = "disk"
        if broken:
            self._shell.emit(Event("broke", limit=broken))
        else:
            self._watch = self._loop.call_later(WATCH_S, self._look, refused == "memory")

    def _look_idle(self) -> None:
        """Between commands: look only while something runs in the background, so that an idle session costs nothing."""
        if not self.alive:
            return
        self.broken = self._kernel_refused()
        if not self.broken and not self._shell.table.numbers() - {self._shell.process}:
            return
        self.broken = self.broken or self._shell.table.broken_limit(self._limits)
        if self.broken:
            self.kill_now()
        else:
            self._watch = self._loop.call_later(_IDLE_WATCH_S, self._look_idle)

    def _stop_watch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    async def _settled(self, event: Event, before: set[int]) -> bool:
        """Bring the shell back to its input after the event; False if it has to be killed."""
        if event.kind == "reported" and event.limit == "memory":
            return await self._swept(before)
        if event.kind in ("reported", "exited"):
            return True
        if event.kind == "timeout" or (event.kind == "broke" and event.limit == "memory"):
            return await self._interrupted(before)
        return False

    async def _interrupted(self, before: set[int]) -> bool:
        """Do what Ctrl-C does to what the command started, then kill what stays; True if the shell came back.

        The shell is told first: it gives the rest of a command up only if it knows of the interruption when the program
        that it waits for dies of it.
        """
        table, warned = self._shell.table, Counter[int]()
        for attempt in range(_RETRIES):
            born = table.numbers() - before - {self._shell.process}
            table.signal(self._shell.process, signal.SIGINT)
            for number in born:
                table.signal(number, signal.SIGINT if warned[number] < _WARNINGS else signal.SIGKILL)
            warned.update(born)
            if attempt == _RETRIES // 2:
                self._shell.ask_again()
            event = await self._shell.next_event(_RETRY_S)
            if event.kind == "reported":
                return await self._swept(before)
            if event.kind != "timeout":
                return event.kind == "exited"
        return False

    async def _swept(self, before: set[int]) -> bool:
        """Kill what the command left running; False if something keeps escaping."""
        table = self._shell.table
        for _ in range(_RETRIES):
            born = table.numbers() - before - {self._shell.process}
            born = {number for number in born if table.info(number) is not None}
            if not born:
                return True
            for number in born:
                table.signal(number, signal.SIGKILL)
            await asyncio.sleep(0.002)
        return False

    def _result(self, event: Event, capture: Capture, duration: float) -> CommandResult:
        ended = event.kind in ("reported", "exited") and event.status >= 0 and event.limit != "memory"
        code = event.status if ended else None
        self._last_status = _INTERRUPTED if code is None else code
        limit, full = event.limit, self._enclosure.full()
        if full and not limit and (code or not self._was_full):
            limit = "disk"
        self._was_full = full
        kept = capture.kept()
        return CommandResult(
            output=kept.text(),
            exit_code=code,
            duration=duration,
            timed_out=event.kind == "timeout",
            omitted_bytes=kept.omitted,
            killed_for=limit,
            state_lost=not self.alive,
        )


def _explained(event: Event, refused: Killed) -> Event:
    """The event with the bound at which the kernel stopped something; a refused fork counts if the command failed."""
    failed = event.kind in ("reported", "exited") and event.status != 0
    return replace(event, limit=refused) if refused == "memory" or (refused and failed) else event


def _encoded(command: str) -> bytes:
    """The command as the shell reads it; NUL, which no shell script can hold, is left out."""
    try:
        data = command.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = command.encode("utf-8", "replace")
    return data.replace(b"\0", b"") + b"\n"
