"""The wire to the persistent shell: one interactive bash without a terminal, driven over three pipes.

For each command the driver writes the text to a file that the agent's level sees read-only, and two short lines to the
shell's input: source that file with input from ``/dev/null`` and output to one pipe, then report the exit status on
another pipe. An interactive shell is used because SIGINT brings it back to its input with its state kept, and because a
failed expansion or ``exec`` does not end it. Reports are parsed strictly; anything else on that pipe ends the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from dataclasses import dataclass
from typing import Literal

from trajmill.sandboxes.base import Killed
from trajmill.sandboxes.enclosure import Enclosure
from trajmill.sandboxes.launch import Child, raised
from trajmill.sandboxes.output import Capture
from trajmill.sandboxes.processes import ProcessTable
from trajmill.sandboxes.rootfs import COMMAND_FILE
from trajmill.schemas.errors import SandboxError

_CHUNK = 65_536
_REPORT = re.compile(rb"(\d{1,9}) (\d{1,3})")
_PROGRAM = ("/bin/bash", "--norc", "--noprofile", "--noediting", "-i", "+m", "+H")
_PREPARE = (
    "PS1= PS2= PS4='+ '; unset HISTFILE MAILCHECK; set +o history +m +H; shopt -s expand_aliases; umask 022\n"
    "\\builtin printf '0 0\\n' >&{report}\n"
)
_RUN = "{status}\\. {file} </dev/null >&{output} 2>&1 {output}>&- {report}>&-\n"
_TELL = "\\builtin printf '{number} %d\\n' $? >&{report} && : >&{output} || \\builtin exit 1\n"


@dataclass(frozen=True, slots=True)
class Event:
    """What ended a wait for the shell."""

    kind: Literal["reported", "exited", "garbled", "timeout", "broke"]
    status: int = 0
    """Exit status, for the first two kinds; negative if a signal from outside ended the shell."""
    limit: Killed = ""
    """What was broken, for the last kind."""


class Shell:
    """One bash in an inner level of its own. ``start`` it once; ``close`` gives everything back."""

    def __init__(self, enclosure: Enclosure) -> None:
        self._enclosure = enclosure
        self._loop = asyncio.get_running_loop()
        self._child: Child | None = None
        self._table: ProcessTable | None = None
        self._input = self._output = self._reports = -1
        self._names = {"output": 0, "report": 0}
        self._event: asyncio.Future[Event] = self._loop.create_future()
        self._capture = Capture(0)
        self._unread = b""
        self._number = 0
        self.process = 0
        """Number of the bash process in its own namespace."""

    @property
    def running(self) -> bool:
        """True until its process has ended."""
        return self._child is not None and not self._child.exit.done()

    @property
    def table(self) -> ProcessTable:
        """The processes of its level."""
        if self._table is None:
            raise SandboxError("The shell of the sandbox was not started.", cause="start_failed")
        return self._table

    async def start(self) -> None:
        """Start it and wait until it is ready. Raises SandboxError."""
        info = self._launch()
        try:
            self._attach()
            self._write(_PREPARE.format_map(self._names))
            event = await self.next_event(None)
            if event.kind != "reported":
                await self._enclosure.require_alive()
                raise SandboxError("The shell of the sandbox did not start.", cause="start_failed")
            self._table = self._enclosure.table(os.read(info, 4096))
            self.process = min(self._table.numbers())
        finally:
            self.detach()
            os.close(info)

    def send(self, command: bytes, previous_status: int, capture: Capture) -> None:
        """Have it run a command, whose ``$?`` starts as given; output goes to the capture until ``detach``."""
        self._number += 1
        self._capture = capture
        self._enclosure.write_command(command)
        self._attach()
        status = f"( \\builtin exit {previous_status} ) || " if previous_status else ""
        self._write(_RUN.format(status=status, file=COMMAND_FILE, **self._names))
        self.ask_again()

    def ask_again(self) -> None:
        """Ask for the report; a second one for the same command is ignored."""
        self._write(_TELL.format(number=self._number, **self._names))

    async def next_event(self, timeout: float | None) -> Event:
        """Wait for the report, the end of the shell, an ``emit`` or the timeout in seconds."""
        self._event = self._loop.create_future()
        if self._child is not None and self._child.exit.done():
            self._on_exit(self._child.exit)
        timer = self._loop.call_later(timeout, self.emit, Event("timeout")) if timeout is not None else None
        try:
            return await self._event
        finally:
            if timer is not None:
                timer.cancel()

    def emit(self, event: Event) -> None:
        """End the present wait, unless it has ended."""
        if not self._event.done():
            self._event.set_result(event)

    def drain(self) -> None:
        """Read what the pipe holds: all that was written before the report, and never more than a pipe can hold."""
        for _ in range(17):
            try:
                chunk = os.read(self._output, _CHUNK)
            except BlockingIOError:
                return
            if not chunk:
                return
            self._capture.add(chunk)

    def detach(self) -> None:
        """Stop reading; what background processes write waits in the pipe."""
        self._loop.remove_reader(self._output)
        self._loop.remove_reader(self._reports)

    def kill_now(self) -> None:
        """Kill it and everything it started, without waiting."""
        if self._table is not None:
            self._table.kill_all()
        elif self._child is not None:
            self._child.kill()

    async def wait(self) -> None:
        """Wait until all of it is gone."""
        if self._child is not None:
            await self._child.wait()

    async def close(self) -> None:
        """Kill, wait and give all descriptors back; safe to call twice and when cancelled."""
        self.kill_now()
        try:
            await self.wait()
        finally:
            if self._child is not None:
                self._child.reap()
            if self._table is not None:
                self._table.close()
            for fd in (self._input, self._output, self._reports):
                if fd >= 0:
                    os.close(fd)
            self._input = self._output = self._reports = -1

    def _launch(self) -> int:
        with contextlib.ExitStack() as after:
            kept = []
            for name in ("_output", "_reports"):
                read_end, write_end = os.pipe2(os.O_CLOEXEC)
                setattr(self, name, read_end)
                kept.append(raised(write_end))
                after.callback(os.close, kept[-1])
                os.set_blocking(read_end, False)
            self._names = {"output": kept[0], "report": kept[1]}
            input_end, self._input = os.pipe2(os.O_CLOEXEC)
            after.callback(os.close, input_end)
            info, info_end = os.pipe2(os.O_CLOEXEC)
            after.callback(os.close, info_end)
            null = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
            after.callback(os.close, null)
            try:
                self._child = self._enclosure.enter(
                    _PROGRAM, stdin=input_end, stdout=null, stderr=null, info=info_end, keep=kept, env={}
                )
            except BaseException:
                os.close(info)
                raise
            self._child.exit.add_done_callback(self._on_exit)
            return info

    def _write(self, lines: str) -> None:
        """Write to the shell; if it is gone, its exit tells."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self._input, lines.encode())

    def _attach(self) -> None:
        self._loop.add_reader(self._output, self._on_output)
        self._loop.add_reader(self._reports, self._on_report)

    def _on_exit(self, exit_: asyncio.Future[int]) -> None:
        if self._reports >= 0:
            self._on_report()
        self.emit(Event("exited", exit_.result()))

    def _on_output(self) -> None:
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._output, _CHUNK)
            if not chunk:
                self._loop.remove_reader(self._output)
            self._capture.add(chunk)

    def _on_report(self) -> None:
        with contextlib.suppress(BlockingIOError):
            said = os.read(self._reports, 4096)
            if not said:
                self._loop.remove_reader(self._reports)
            self._unread += said
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            found = _REPORT.fullmatch(line)
            if found is None or int(found[1]) > self._number:
                self.emit(Event("garbled"))
            elif int(found[1]) == self._number:
                self.emit(Event("reported", int(found[2])))
        if len(self._unread) > 16:
            self.emit(Event("garbled"))
