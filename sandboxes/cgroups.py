"""Control groups: limits that the kernel keeps for all processes of one sandbox together.

One group per sandbox and place, named after the driver, so that a later start can remove what a killed driver left.
Where no group can be made, a ``Group`` of nothing stands in its place and every sandbox works as before.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import itertools
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from trajmill.sandboxes.base import Killed, SandboxSpec
from trajmill.sandboxes.hierarchies import (
    ASIDE,
    CONTROLLERS,
    Place,
    find_places,
    hierarchies,
    identity,
    is_alive,
    read_text,
    write_text,
)
from trajmill.sandboxes.rootfs import SPARE_PROCESSES, writable_folders
from trajmill.schemas.errors import SandboxError

_PERIOD_US = 100_000
_SHORTEST_QUOTA_US = 1000
_COUNTERS = {
    (1, "memory"): ("memory.oom_control", b"oom_kill"),
    (2, "memory"): ("memory.events", b"oom_kill"),
    (1, "pids"): ("pids.events", b"max"),
    (2, "pids"): ("pids.events", b"max"),
}
_NAME = re.compile(r"trajmill-(\d+)-(\d+)-(\d+)-(\w+)")
_ATTEMPTS = 100
_PAUSE_S = 0.01
"""Between two attempts to remove a group whose last processes are about to end: a second in all."""
_TRIAL_S = 10.0
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Bounds:
    """What all processes of a sandbox together may use."""

    memory: int
    """Bytes, files in memory included; nothing of it is swapped out."""
    tasks: int
    """Processes and threads."""
    cpus: float


@dataclass(frozen=True, slots=True)
class Refusals:
    """How often the kernel has kept the bounds of a group so far."""

    killed: int = 0
    """Processes killed because there was no memory left."""
    forks: int = 0
    """Processes or threads that could not be started."""

    def since(self, earlier: Refusals) -> Killed:
        """The bound that was met since then, or the empty string."""
        if self.killed > earlier.killed:
            return "memory"
        return "processes" if self.forks > earlier.forks else ""


def bounds_of(spec: SandboxSpec) -> Bounds:
    """The bounds of a sandbox, with room for what the kernel counts but ``Limits`` does not.

    Files in the writable folders and ``/dev/shm`` are memory of the sandbox to the kernel, so each folder's ``disk_mb``
    comes on top of ``memory_mb``; our own helpers are among its processes.
    """
    limits = spec.limits
    megabytes = limits.memory_mb + limits.disk_mb * (len(writable_folders(spec)) + 1)
    return Bounds(megabytes * 1024 * 1024, limits.processes + SPARE_PROCESSES, limits.cpus)


class Group:
    """The groups of one sandbox, one in each place; of nothing if there are no places."""

    def __init__(self, places: Sequence[Place], name: str) -> None:
        self._places = places
        self._folders = [place.folder / name for place in places]
        self._counters: dict[str, tuple[int, bytes]] = {}

    @property
    def gone(self) -> bool:
        """True if nothing is left to remove."""
        return not self._folders

    def make(self, bounds: Bounds) -> None:
        """Make them with these bounds. Raises OSError; what was made until then stays for ``try_remove``."""
        for place, folder in zip(self._places, self._folders, strict=True):
            folder.mkdir()
            for controller in place.controllers:
                _bind(folder, place.version, controller, bounds)
                name, key = _COUNTERS.get((place.version, controller), ("", b""))
                with contextlib.suppress(OSError):
                    if name:
                        self._counters[controller] = os.open(folder / name, os.O_RDONLY | os.O_CLOEXEC), key

    def entry(self) -> list[str]:
        """The command prefix that puts a process into the group before it becomes the program."""
        if not self._folders:
            return []
        steps = " && ".join(f'echo 0 > "${number}"' for number in range(1, len(self._folders) + 1))
        script = f'{steps} && shift {len(self._folders)} && exec "$@"'
        return ["/bin/sh", "-c", script, "sh", *(str(folder / "cgroup.procs") for folder in self._folders)]

    def refusals(self) -> Refusals:
        """What the kernel counted until now; no more than some microseconds."""
        return Refusals(self._count("memory"), self._count("pids"))

    def try_remove(self) -> bool:
        """Remove what can be removed at once and kill what is in the rest; True if nothing is left."""
        while self._counters:
            os.close(self._counters.popitem()[1][0])
        self._folders = [folder for folder in self._folders if not remove_group(folder)]
        return self.gone

    async def remove(self) -> None:
        """Kill what is in it and remove it; after a second the rest is left to a later ``try_remove``."""
        for _ in range(_ATTEMPTS):
            if self.try_remove():
                return
            await asyncio.sleep(_PAUSE_S)

    def _count(self, controller: str) -> int:
        fd, key = self._counters.get(controller, (-1, b""))
        with contextlib.suppress(OSError):
            for line in os.pread(fd, 4096, 0).splitlines() if fd >= 0 else ():
                name, _, value = line.partition(b" ")
                if name == key:
                    return int(value)
        return 0


class Groups:
    """Makes the groups of all sandboxes of one backend; nothing is looked for before the first."""

    def __init__(self, enabled: bool = True) -> None:
        self._places: tuple[Place, ...] | None = None if enabled else ()
        self._left: list[Group] = []

    @property
    def places(self) -> tuple[Place, ...]:
        """Where groups can be made. The first time it is tried, and what killed drivers left there is removed."""
        if self._places is None:
            found = hierarchies(
                read_text(Path("/proc/self/mountinfo")),
                read_text(Path("/proc/self/cgroup")),
            )
            self._places = find_places(found, _works)
            sweep(place.folder for place in self._places)
        return self._places

    @asynccontextmanager
    async def group(self, bounds: Bounds) -> AsyncIterator[Group]:
        """A new group, removed at exit with all that is in it. Raises SandboxError with cause ``start_failed``."""
        self._left = [group for group in self._left if not group.try_remove()]
        group = Group(self.places, _new_name())
        try:
            try:
                group.make(bounds)
            except OSError as error:
                raise SandboxError(f"No control group could be made: {error}.", cause="start_failed") from error
            yield group
        finally:
            try:
                await group.remove()
            finally:
                if not group.gone:
                    self._left.append(group)


def in_force(places: Iterable[Place]) -> str:
    """Says for a reader which limits the kernel keeps: ``cgroup v1 (memory, pids, cpu)``; empty for no places."""
    kept = {controller: place.version for place in places for controller in place.controllers}
    names = {version: [name for name in CONTROLLERS if kept.get(name) == version] for version in sorted(kept.values())}
    return " and ".join(f"cgroup v{version} ({', '.join(names[version])})" for version in names)


def sweep(folders: Iterable[Path]) -> None:
    """Remove the groups of drivers that are dead; those of living ones are never touched."""
    for folder in folders:
        with contextlib.suppress(OSError):
            for group in list(folder.iterdir()):
                owner = _NAME.fullmatch(group.name)
                if owner is not None and not is_alive(*owner.groups()[:3]):
                    remove_group(group, kill=owner[4] != ASIDE)


def remove_group(folder: Path, kill: bool = True) -> bool:
    """Remove one group; False if it still has processes, which are killed if wanted."""
    for _ in range(2):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            if kill:
                _kill(folder)
        else:
            return True
    return False


def settings(version: int, controller: str, bounds: Bounds) -> Iterator[tuple[str, str, bool]]:
    """Names and values of the files that set a bound; the third says whether the bound holds without this one."""
    quota = max(_SHORTEST_QUOTA_US, round(bounds.cpus * _PERIOD_US))
    match version, controller:
        case 1, "memory":
            yield "memory.limit_in_bytes", str(bounds.memory), False
            yield "memory.memsw.limit_in_bytes", str(bounds.memory), True
        case 2, "memory":
            yield "memory.max", str(bounds.memory), False
            yield "memory.swap.max", "0", True
        case _, "pids":
            yield "pids.max", str(bounds.tasks), False
        case 1, "cpu":
            yield "cpu.cfs_period_us", str(_PERIOD_US), False
            yield "cpu.cfs_quota_us", str(quota), False
        case 2, "cpu":
            yield "cpu.max", f"{quota} {_PERIOD_US}", False


def _bind(folder: Path, version: int, controller: str, bounds: Bounds) -> None:
    for name, value, spare in settings(version, controller, bounds):
        try:
            write_text(folder / name, value)
        except OSError as error:
            above_is_tighter = name == "cpu.cfs_quota_us" and error.errno == errno.EINVAL
            if not spare and not above_is_tighter:
                raise


def _works(place: Place) -> bool:
    """Try it: make a group with bounds, have a program enter it, remove it."""
    group = Group((place,), _new_name())
    try:
        group.make(Bounds(64 * 1024 * 1024, 64, 1.0))
        entered = subprocess.run([*group.entry(), "/bin/true"], capture_output=True, timeout=_TRIAL_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    finally:
        group.try_remove()
    return entered.returncode == 0


def _kill(folder: Path) -> None:
    """Kill all processes of a group; a process that got the number of one that has left it is not hit."""
    try:
        write_text(folder / "cgroup.kill", "1")
    except OSError:
        _kill_one_by_one(folder)


def _kill_one_by_one(folder: Path) -> None:
    with contextlib.ExitStack() as after:
        members = {}
        for number in _members(folder) - {0}:
            with contextlib.suppress(OSError):
                members[number] = os.pidfd_open(number)
                after.callback(os.close, members[number])
        for number in _members(folder) & members.keys():
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(members[number], signal.SIGKILL)


def _members(folder: Path) -> set[int]:
    return {int(number) for number in read_text(folder / "cgroup.procs").split()}


def _new_name() -> str:
    return f"trajmill-{identity()}-{next(_numbers)}"
