"""Removing what stopped commands left behind: only things of ours, never a finished unit and never a dataset."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trajmill.flows.dataset import MANIFEST
from trajmill.flows.lock import SILENT_S
from trajmill.flows.publish import read_manifest
from trajmill.flows.store import MARKER, Store
from trajmill.schemas.errors import StoreError

QUIET_S = 600.0
"""Seconds without a change after which something that names no owner counts as left behind."""

_TEMPORARY = re.compile(r"\..+\.(?P<build>build-[0-9a-f]{16})\.tmp")
"""A dataset that was being written, as ``publish`` calls it."""
_OLD = re.compile(r"\.(?P<name>.+)\.old")
"""A dataset that was being replaced."""
_FILE = re.compile(r"\..+\.(?P<pid>[0-9]+)\.tmp")
"""A file that was being written, as ``durable.write_whole`` calls it."""
_LOCK = re.compile(r"\..+\.lock")
"""The lock of a dataset with versions."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """Something that may go."""

    path: Path
    why: str
    size: int
    """Bytes of its files."""
    is_lock: bool = False
    """It is emptied, not removed: another process may be about to take it."""


def leftovers(
    datasets: Path, store: Path | None, *, telemetry: bool = False, now: Callable[[], float] = time.time
) -> tuple[Leftover, ...]:
    """What stopped commands left in a folder of datasets and in a run store, sorted by path.

    What a running process holds or may be writing is not listed. ``telemetry`` lists the timings of builds too. Raises
    StoreError if ``store`` is there and is not a run store.
    """
    search = _Search(_opened(store), now())
    found = [*search.beside(datasets), *search.inside(telemetry=telemetry)]
    return tuple(sorted(found, key=lambda leftover: leftover.path))


def remove(found: Sequence[Leftover]) -> None:
    """Remove leftovers for good; one that is gone already is fine."""
    for leftover in found:
        if leftover.is_lock:
            _release(leftover.path)
        elif leftover.path.is_dir() and not leftover.path.is_symlink():
            shutil.rmtree(leftover.path)
        else:
            leftover.path.unlink(missing_ok=True)


def _opened(store: Path | None) -> Store | None:
    if store is None or not store.is_dir():
        return None
    if not (store / MARKER).is_file():
        raise StoreError(f"The folder {store} is not a run store.", remedy="Name one with --store.")
    return Store.open(store)


@dataclass(frozen=True, slots=True)
class _Search:
    store: Store | None
    now: float

    def beside(self, folder: Path) -> Iterator[Leftover]:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.is_symlink():
                continue
            if path.is_dir() and (match := _TEMPORARY.fullmatch(path.name)):
                if self._is_abandoned(path, match["build"]):
                    yield _leftover(path, "a dataset that was not finished")
            elif path.is_dir() and (match := _OLD.fullmatch(path.name)):
                yield from _replaced(path, folder / match["name"])
            elif path.is_file():
                yield from self._file(path)

    def inside(self, *, telemetry: bool) -> Iterator[Leftover]:
        if self.store is None:
            return
        builds = sorted(path for path in self.store.builds.glob("*") if path.is_dir())
        free = [build for build in builds if not _is_held(build / "lock", self.now)]
        for build in free:
            yield from _stale_lock(build / "lock", self.now)
            if telemetry and (build / "telemetry").is_dir():
                yield _leftover(build / "telemetry", "timings of a build")
        home = self.store.prefect_home
        if len(free) == len(builds) and home.is_dir() and not home.is_symlink():
            yield _leftover(home, "the files of a Prefect server")
        for path in sorted(self.store.root.rglob(".*.tmp")):
            if home not in path.parents and path.is_file() and not path.is_symlink():
                yield from self._file(path)

    def _file(self, path: Path) -> Iterator[Leftover]:
        if _LOCK.fullmatch(path.name):
            yield from _stale_lock(path, self.now)
        elif (match := _FILE.fullmatch(path.name)) and not Path(f"/proc/{match['pid']}").exists():
            yield _leftover(path, "a file that was not finished")

    def _is_abandoned(self, folder: Path, build_id: str) -> bool:
        """Whether nobody writes this dataset: its build is in our store and free, or nothing changed for a while."""
        if self.store is not None and (self.store.builds / build_id).is_dir():
            return not _is_held(self.store.builds / build_id / "lock", self.now)
        newest = max(path.lstat().st_mtime for path in (folder, *folder.rglob("*")))
        return self.now - newest > QUIET_S


def _replaced(old: Path, new: Path) -> Iterator[Leftover]:
    """The replaced dataset, but only if the one that replaced it is in its place: else it is the last copy."""
    if (old / MANIFEST).is_file() and read_manifest(new) is not None:
        yield _leftover(old, f"the dataset that {new.name} replaced")


def _stale_lock(path: Path, now: float) -> Iterator[Leftover]:
    if path.is_file() and path.stat().st_size and not _is_held(path, now):
        yield _leftover(path, "a lock whose owner is gone", is_lock=True)


def _leftover(path: Path, why: str, *, is_lock: bool = False) -> Leftover:
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file() and not p.is_symlink()]
    return Leftover(path, why, sum(file.stat().st_size for file in files), is_lock)


def _is_held(lock: Path, now: float) -> bool:
    """Whether a process holds the lock: on this machine by flock, on another by its heartbeat."""
    if not lock.is_file():
        return False
    with _tried(lock) as descriptor:
        return descriptor is None or _beats_elsewhere(descriptor, now)


def _release(lock: Path) -> None:
    with _tried(lock) as descriptor:
        if descriptor is not None:
            os.ftruncate(descriptor, 0)


@contextmanager
def _tried(lock: Path) -> Iterator[int | None]:
    """The lock file, locked by us, or None if another process has it."""
    descriptor = os.open(lock, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    except BlockingIOError:
        yield None
    finally:
        os.close(descriptor)


def _beats_elsewhere(descriptor: int, now: float) -> bool:
    try:
        host = json.loads(os.pread(descriptor, 4096, 0))["host"]
    except (ValueError, TypeError, KeyError):
        return False
    return host != socket.gethostname() and now - os.fstat(descriptor).st_mtime < SILENT_S
