"""What lies in a folder, looked at without opening anything that could block, lead elsewhere or be too large."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trajmill.schemas.verdict import Drop
from trajmill.synth.sources.material import left_out
from trajmill.synth.sources.names import name_fault, shown_name

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a source folder; past them nothing is taken."""

    file_bytes: int = 256 << 20
    total_bytes: int = 1 << 30
    files: int = 10_000
    depth: int = 32
    whole_bytes: int = 16 << 20
    """Larger files that are no sequence of records (JSON, SQLite, archives) are left out."""
    record_bytes: int = 4 << 20
    """Larger tables, JSON Lines, logs and texts are used by their first records only."""
    repository_bytes: int = 32 << 20
    repository_files: int = 5_000


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A regular file that can be opened."""

    name: str
    size: int
    mode: int
    """Permission bits."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A folder's content, before anything is read."""

    files: tuple[ListedFile, ...]
    repositories: tuple[str, ...]
    """Folders that hold ``.git``; the empty string for the folder itself."""
    left_out: tuple[Drop, ...]
    faults: tuple[str, ...]
    """Clauses about what cannot be taken safely; each begins with the file's name."""


def list_folder(folder: Path, limits: Limits) -> Listing:
    """List a folder in order of its names. Links are not followed, nothing is opened but to see that it can be read."""
    found = _Walk(os.fspath(folder), limits)
    found.visit("", 0)
    if found.total > limits.total_bytes:
        found.faults.append(f"its files have {found.total:,} bytes together, the limit is {limits.total_bytes:,}")
    return Listing(tuple(found.files), tuple(found.repositories), tuple(found.left), tuple(found.faults))


def open_regular(path: str) -> int:
    """A descriptor of a regular file, never of a link's target, a pipe or a device. Raises OSError otherwise."""
    descriptor = os.open(path, _OPEN)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", path)
    return descriptor


class _Walk:
    """One walk through a folder; collects instead of stopping, so that every fault can be named at once."""

    def __init__(self, root: str, limits: Limits) -> None:
        self.root = root
        self.limits = limits
        self.files: list[ListedFile] = []
        self.repositories: list[str] = []
        self.left: list[Drop] = []
        self.faults: list[str] = []
        self.total = 0
        self.seen = 0

    def visit(self, folder: str, depth: int) -> None:
        if depth > self.limits.depth:
            self.faults.append(f"{shown_name(folder)} lies deeper than {self.limits.depth} folders")
            return
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:  # noqa: PTH118 - names may be no text
                names = sorted(e.name for e in entries)
        except PermissionError:
            self.faults.append(f"the folder {shown_name(folder)} cannot be read")
            return
        if ".git" in names:
            self.repositories.append(folder)
            return
        for name in names:
            self.seen += 1
            if self.seen > self.limits.files:
                self.faults.append(f"it holds more than {self.limits.files:,} entries")
                return
            self._entry(f"{folder}/{name}" if folder else name, name, depth)

    def _entry(self, path: str, name: str, depth: int) -> None:
        fault = name_fault(name)
        if fault:
            self.faults.append(f"{shown_name(path)} {fault}")
            return
        full = f"{self.root}/{path}"
        status = os.lstat(full)
        if stat.S_ISLNK(status.st_mode):
            self._link(path, full)
        elif stat.S_ISDIR(status.st_mode):
            self.visit(path, depth + 1)
        elif stat.S_ISREG(status.st_mode):
            self._file(path, full, status)
        else:
            self.left.append(left_out(path, _special(status.st_mode), "not a regular file; never opened"))

    def _file(self, path: str, full: str, status: os.stat_result) -> None:
        mode = stat.S_IMODE(status.st_mode)
        if status.st_size > self.limits.file_bytes:
            self.faults.append(
                f"{shown_name(path)} has {status.st_size:,} bytes, the limit is {self.limits.file_bytes:,} bytes a file"
            )
            return
        try:
            os.close(open_regular(full))
        except OSError:
            self.faults.append(f"{shown_name(path)} cannot be read (mode {mode:04o})")
            return
        self.total += status.st_size
        self.files.append(ListedFile(path, status.st_size, mode))

    def _link(self, path: str, full: str) -> None:
        """Links are never followed; where they lead decides whether the folder can be taken."""
        target = os.fspath(Path(full).readlink())
        shown = f"{shown_name(path)} is a link to {shown_name(target)}"
        try:
            reached = os.path.realpath(full, strict=True)
        except OSError as error:
            if error.errno == errno.ELOOP:
                self.faults.append(f"{shown}, a loop")
                return
            reached = os.path.realpath(full)
        root = os.path.realpath(self.root)
        if f"{os.path.realpath(os.path.dirname(full))}/".startswith(f"{reached.rstrip('/')}/"):  # noqa: PTH120
            self.faults.append(f"{shown}, a folder above it: a loop")
        elif reached != root and not reached.startswith(f"{root}/"):
            self.faults.append(f"{shown}, outside the folder")
        else:
            self.left.append(left_out(path, "link", "links are not followed; a target inside is taken by its own name"))


def _special(mode: int) -> str:
    kinds = ((stat.S_ISFIFO, "fifo"), (stat.S_ISSOCK, "socket"), (stat.S_ISBLK, "device"), (stat.S_ISCHR, "device"))
    return next((word for test, word in kinds if test(mode)), "special_file")


def read_pieces(descriptor: int, size: int = 1 << 20) -> Iterator[bytes]:
    """The content of an open file in pieces; the descriptor stays open."""
    while piece := os.read(descriptor, size):
        yield piece
