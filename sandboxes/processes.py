"""Processes of one sandbox, seen from the driver through the sandbox's own ``/proc``.

A process is signalled through a descriptor of its folder there, so a reused number is never hit, and processes outside
the sandbox cannot even be named.
"""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass

from trajmill.sandboxes.base import Killed, Limits

_PAGE = os.sysconf("SC_PAGE_SIZE")
_INIT = 1


@dataclass(frozen=True, slots=True)
class ProcessInfo:
    """One line of ``/proc/PID/stat``."""

    parent: int
    threads: int
    resident: int
    """Bytes in memory, shared pages included."""


class ProcessTable:
    """The processes of one process namespace; ``proc`` is a descriptor of its ``/proc`` and is owned by the table."""

    def __init__(self, proc: int) -> None:
        self._proc = proc

    def close(self) -> None:
        """Give the descriptor back; safe to call twice."""
        if self._proc >= 0:
            os.close(self._proc)
            self._proc = -1

    def numbers(self) -> set[int]:
        """Numbers of all processes, the namespace's first one left out."""
        with contextlib.suppress(OSError):
            names = os.listdir(self._proc)  # noqa: PTH208 - pathlib cannot list a descriptor
            return {int(name) for name in names if name.isdigit()} - {_INIT}
        return set()

    def info(self, number: int) -> ProcessInfo | None:
        """What a live process is; None if it is gone or a zombie."""
        line = self._read(f"{number}/stat")
        fields = line[line.rfind(b")") + 2 :].split()
        if len(fields) < 22 or fields[0] in (b"Z", b"X"):
            return None
        return ProcessInfo(int(fields[1]), int(fields[17]), int(fields[21]) * _PAGE)

    def private_memory(self, number: int) -> int:
        """Bytes of anonymous memory of a process, shared ones counted by their share; slower than ``info``."""
        for line in self._read(f"{number}/smaps_rollup").splitlines():
            if line.startswith(b"Pss_Anon:"):
                return int(line.split()[1]) * 1024
        known = self.info(number)
        return known.resident if known else 0

    def signal(self, number: int, what: signal.Signals) -> None:
        """Send a signal, if the process is still there."""
        with contextlib.suppress(OSError):
            folder = os.open(str(number), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._proc)
            try:
                signal.pidfd_send_signal(folder, what)
            finally:
                os.close(folder)

    def kill_all(self) -> None:
        """Kill the first process and with it, at once, the whole namespace."""
        self.signal(_INIT, signal.SIGKILL)

    def broken_limit(self, limits: Limits) -> Killed:
        """The limit that the processes together break at this moment, or the empty string."""
        found = {number: self.info(number) for number in self.numbers()}
        alive = {number: info for number, info in found.items() if info is not None}
        if sum(info.threads for info in alive.values()) > limits.processes:
            return "processes"
        bound = limits.memory_mb * 1024 * 1024
        if sum(info.resident for info in alive.values()) > bound and sum(map(self.private_memory, alive)) > bound:
            return "memory"
        return ""

    def _read(self, path: str) -> bytes:
        try:
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._proc)
        except OSError:
            return b""
        try:
            return os.read(fd, 16_384)
        except OSError:
            return b""
        finally:
            os.close(fd)
