"""Where this process can make control groups: the hierarchies that are mounted, and its own folder in each.

Nothing is decided by version: each place is offered, and the caller tries it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CONTROLLERS = ("memory", "pids", "cpu")
ASIDE = "driver"
"""Last part of the name of the group into which this process moved itself to make room."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder in which groups can be made, and the controllers that bind there."""

    version: Literal[1, 2]
    folder: Path
    controllers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """One mounted hierarchy as this process is in it."""

    version: Literal[1, 2]
    controllers: tuple[str, ...]
    """Empty for version 2, where each folder has its own."""
    mount: Path
    own: Path
    """Folder of the group that this process is in."""


def read_text(path: Path) -> str:
    """What a file of the control group file system says; empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def write_text(path: Path, value: str) -> None:
    """Write to a file that the kernel made; none is created. Raises OSError."""
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, value.encode())
    finally:
        os.close(fd)


def hierarchies(mounts: str, memberships: str) -> tuple[Hierarchy, ...]:
    """All hierarchies in which the own group can be seen, from ``/proc/self/mountinfo`` and ``/proc/self/cgroup``."""
    own: dict[frozenset[str], str] = {}
    for line in memberships.splitlines():
        _, names, path = line.split(":", 2)
        own[frozenset(filter(None, names.split(",")))] = path
    found: dict[frozenset[str], Hierarchy] = {}
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        place, kind = before.split(), after.split()
        if kind[:1] not in (["cgroup"], ["cgroup2"]):
            continue
        options = kind[2].split(",") if kind[0] == "cgroup" else []
        key = next((each for each in own if bool(each) == bool(options) and each <= set(options)), None)
        if key is None:
            continue
        mount = Path(_unescaped(place[4]))
        folder = _folder(mount, _unescaped(place[3]), own[key])
        if folder is not None:
            controllers = tuple(name for name in CONTROLLERS if name in key)
            found[key] = Hierarchy(1 if options else 2, controllers, mount, folder)
    return tuple(found.values())


def find_places(found: Sequence[Hierarchy], works: Callable[[Place], bool]) -> tuple[Place, ...]:
    """The places that work, each with the controllers that no earlier one has; version 2 comes first."""
    places: list[Place] = []
    for hierarchy in sorted(found, key=lambda each: -each.version):
        served = {name for place in places for name in place.controllers}
        if hierarchy.version == 2:
            offers = _unified_places(hierarchy)
        else:
            rest = tuple(name for name in hierarchy.controllers if name not in served)
            offers = iter([Place(1, hierarchy.own, rest)] if rest else [])
        place = next((offer for offer in offers if works(offer)), None)
        places += [place] if place is not None else []
    return tuple(places)


def identity() -> str:
    """Names this process among all that use the same hierarchies, in a form that ``is_alive`` understands."""
    number = read_text(Path("/proc/self/stat")).partition(" ")[0]
    return f"{_namespace()}-{number}-{_state_and_start(number)[1]}"


def is_alive(namespace: str, number: str, start: str) -> bool:
    """True if the process still runs, or if it cannot be known because it lives in another process namespace."""
    if namespace != str(_namespace()):
        return True
    state, began = _state_and_start(number)
    return began == start and state not in ("Z", "X")


def _unified_places(hierarchy: Hierarchy) -> Iterator[Place]:
    """Version 2: a group with processes of its own can have no groups with limits below it, except at the very top.

    So besides the own folder the one above is offered, as a user's session or a unit with ``DelegateSubgroup`` has it;
    and if this process is alone in its group, the own folder once more, with the process moved into a group below it.
    """
    yield from _with_controllers(hierarchy.own)
    if hierarchy.own != hierarchy.mount:
        yield from _with_controllers(hierarchy.own.parent)
    members = hierarchy.own / "cgroup.procs"
    if read_text(members).split() != [str(os.getpid())]:
        return
    aside = hierarchy.own / f"trajmill-{identity()}-{ASIDE}"
    with contextlib.suppress(OSError):
        aside.mkdir()
        try:
            write_text(aside / "cgroup.procs", "0")
            yield from _with_controllers(hierarchy.own)
            write_text(members, "0")
        finally:
            if not read_text(aside / "cgroup.procs").strip():
                aside.rmdir()


def _with_controllers(folder: Path) -> Iterator[Place]:
    """The folder as a place, with all controllers that are or can be enabled for groups in it."""
    switch = folder / "cgroup.subtree_control"
    available = [name for name in CONTROLLERS if name in read_text(folder / "cgroup.controllers").split()]
    for wanted in (available, available[:-1]):
        missing = [name for name in wanted if name not in read_text(switch).split()]
        try:
            if missing:
                write_text(switch, " ".join(f"+{name}" for name in missing))
            break
        except OSError:
            continue
    enabled = read_text(switch).split()
    controllers = tuple(name for name in CONTROLLERS if name in enabled)
    if controllers:
        yield Place(2, folder, controllers)


def _folder(mount: Path, root: str, path: str) -> Path | None:
    """Where a group shows below a mount; None if it is outside of what is mounted."""
    root = root.rstrip("/")
    if path != root and not path.startswith(f"{root}/"):
        return None
    below = path[len(root) :].strip("/")
    return None if ".." in below.split("/") else mount / below


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)


def _namespace() -> int:
    return Path("/proc/self/ns/pid").stat().st_ino


def _state_and_start(number: str) -> tuple[str, str]:
    """State letter and start time in clock ticks of a process; empty if there is none."""
    fields = read_text(Path(f"/proc/{number}/stat")).rpartition(")")[2].split()
    return (fields[0], fields[19]) if len(fields) > 19 else ("", "")
