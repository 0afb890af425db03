"""One owner at a time for a folder that a process writes to."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from trajmill.flows.durable import make_folder, writing
from trajmill.schemas.errors import UsageError

BEAT_S = 10.0
"""Seconds between two heartbeats of an owner."""
SILENT_S = 120.0
"""Seconds without a heartbeat after which an owner on another host counts as gone."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that holds a lock."""

    pid: int
    host: str
    started: str
    """Start time of the process in the system's own units, so that a reused pid is not taken for it."""


@dataclass(frozen=True, slots=True)
class Ownership:
    """A lock that is held."""

    owner: Owner
    note: str = ""
    """One sentence if the lock was taken over from a process that is gone, else empty."""


class InUseError(UsageError):
    """Another process, which is alive, holds the lock; nothing was changed."""


def this_process() -> Owner:
    """This process as an owner."""
    return Owner(os.getpid(), socket.gethostname(), _started(os.getpid()) or "")


@contextmanager
def owned(path: Path, subject: str, *, now: Callable[[], float] = time.time) -> Iterator[Ownership]:
    """Hold the lock file at ``path`` for the length of the block, with a heartbeat.

    ``subject`` says in messages what is locked ("The build build-0123"). A lock whose owner is gone (killed, or silent
    for ``SILENT_S`` on another host) is taken over with a note. Raises InUseError naming a live owner.
    """
    make_folder(path.parent)
    with writing(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        before = _read(descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _in_use(subject, before) from None
        before = _read(descriptor)
        if before is not None and _alive(before, now() - os.fstat(descriptor).st_mtime):
            raise _in_use(subject, before)
        mine = this_process()
        _write(descriptor, json.dumps(asdict(mine)).encode())
        try:
            with _beating(descriptor):
                yield Ownership(mine, _takeover(subject, before))
        finally:
            _write(descriptor, b"")
    finally:
        os.close(descriptor)


def _in_use(subject: str, owner: Owner | None) -> InUseError:
    who = "another process" if owner is None else f"process {owner.pid} on {owner.host}"
    return InUseError(f"{subject} is in use by {who}.", remedy="Wait until it ends, or stop it; nothing was changed.")


def _takeover(subject: str, before: Owner | None) -> str:
    if before is None:
        return ""
    return f"{subject} was left by process {before.pid} on {before.host}, which is gone; it goes on from there."


def _alive(owner: Owner, silent_s: float) -> bool:
    if owner.host != socket.gethostname():
        return silent_s < SILENT_S
    started = _started(owner.pid)
    return started is not None and owner.started in ("", started)


def _started(pid: int) -> str | None:
    """Start time of a living process, the empty string where the system does not tell, None if there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None if Path("/proc/self/stat").exists() else _asked(pid)
    state, *rest = stat.rpartition(")")[2].split()
    return None if state in "ZX" else rest[18]


def _asked(pid: int) -> str | None:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return ""
    return ""


def _read(descriptor: int) -> Owner | None:
    try:
        return Owner(**json.loads(os.pread(descriptor, 4096, 0)))
    except (ValueError, TypeError):
        return None


def _write(descriptor: int, data: bytes) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, data, 0)
    os.fsync(descriptor)


@contextmanager
def _beating(descriptor: int) -> Iterator[None]:
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(BEAT_S):
            os.utime(descriptor)

    thread = threading.Thread(target=beat, name="trajmill-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
