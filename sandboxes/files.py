"""Trees in and out of a folder by descriptors: no process, no link ever followed, sizes and counts bounded.

Every step opens one name below a held descriptor with ``O_NOFOLLOW``, so a link that the agent planted, or swaps in
while the driver reads or writes, cannot redirect anything.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from trajmill.schemas.errors import SandboxError
from trajmill.schemas.tree import FILE_TIME, Entry, FileEntry, FolderEntry, LinkEntry, Tree

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PATH = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_MAX_DEPTH = 128
_LIBC = ctypes.CDLL(None)


@contextmanager
def acting_as(user: int) -> Iterator[None]:
    """Touch files as ``user`` within the block, in this thread, if the driver is root. Never await inside."""
    if os.geteuid() != 0:
        yield
        return
    _LIBC.setfsgid(user)
    _LIBC.setfsuid(user)
    try:
        yield
    finally:
        _LIBC.setfsuid(0)
        _LIBC.setfsgid(0)


def read_tree(root: int, folder: str, *, max_bytes: int, max_entries: int) -> Tree:
    """All below an absolute folder of ``root``.

    Raises SandboxError: ``not_found``, ``bad_path``, ``too_large`` or ``special_file`` (device, FIFO, socket).
    """
    start = _open_folder(root, folder, create=False)
    reader = _Reader(max_bytes, max_entries)
    try:
        reader.read(start, "", 0)
        return Tree(reader.entries)
    except OSError as error:
        raise SandboxError(f"Reading {folder} failed: {error}.", cause="bad_archive") from error
    finally:
        os.close(start)


def write_tree(root: int, tree: Tree, folder: str) -> None:
    """Write a tree below an absolute folder of ``root``, creating it; files and links of the same name are replaced.

    Raises SandboxError: ``bad_path`` (a link or file stands where a folder is needed, or the reverse) or ``no_space``.
    """
    start = _open_folder(root, folder, create=True)
    try:
        for path, entry in tree.entries.items():
            _write_entry(start, path, entry)
        for path, entry in reversed(list(tree.entries.items())):
            if isinstance(entry, FolderEntry):
                _settle_folder(start, path, entry)
    except OSError as error:
        raise _write_error(folder, error) from error
    finally:
        os.close(start)


def settle_times(root: int, folder: str, since: float) -> None:
    """Give the folder, and all in it that was changed after ``since`` (Unix seconds), the fixed time."""
    start = _open_folder(root, folder, create=False)
    try:
        _settle(start, since, 0)
        os.utime(start, (FILE_TIME, FILE_TIME))
    finally:
        os.close(start)


class _Reader:
    def __init__(self, max_bytes: int, max_entries: int) -> None:
        self.entries: dict[str, Entry] = {}
        self._bytes_left = max_bytes
        self._entries_left = max_entries

    def read(self, folder: int, prefix: str, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise SandboxError(
                f"The folders are nested more than {_MAX_DEPTH} deep.", cause="too_large", retryable=False
            )
        names = os.listdir(folder)
        self._entries_left -= len(names)
        if self._entries_left < 0:
            raise SandboxError("There are more entries than allowed.", cause="too_large", retryable=False)
        for name in sorted(names):
            self._read_name(folder, name, prefix + name, depth)

    def _read_name(self, folder: int, name: str, path: str, depth: int) -> None:
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return
        if stat.S_ISLNK(found.st_mode):
            self.entries[path] = LinkEntry(os.readlink(name, dir_fd=folder))
        elif stat.S_ISDIR(found.st_mode):
            inner = _open_readable(folder, name, _FOLDER)
            try:
                self.entries[path] = FolderEntry(stat.S_IMODE(found.st_mode), int(found.st_mtime))
                self.read(inner, f"{path}/", depth + 1)
            finally:
                os.close(inner)
        elif stat.S_ISREG(found.st_mode):
            self.entries[path] = self._read_file(folder, name, path, found)
        else:
            raise SandboxError(f"{path!r} is a device, FIFO or socket.", cause="special_file", retryable=False)

    def _read_file(self, folder: int, name: str, path: str, found: os.stat_result) -> FileEntry:
        if found.st_size > self._bytes_left:
            raise SandboxError(f"The files up to {path!r} are larger than allowed.", cause="too_large", retryable=False)
        fd = _open_readable(folder, name, _READ)
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise SandboxError(f"{path!r} is a device, FIFO or socket.", cause="special_file", retryable=False)
            data = _read_up_to(fd, self._bytes_left + 1)
        finally:
            os.close(fd)
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise SandboxError(f"The files up to {path!r} are larger than allowed.", cause="too_large", retryable=False)
        return FileEntry(data, stat.S_IMODE(found.st_mode), int(found.st_mtime))


def _read_up_to(fd: int, limit: int) -> bytes:
    parts: list[bytes] = []
    while limit > 0 and (part := os.read(fd, min(limit, 1 << 20))):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _open_readable(folder: int, name: str, flags: int) -> int:
    """Open; where the mode forbids reading to its owner, who is us, allow it for the moment."""
    try:
        return os.open(name, flags, dir_fd=folder)
    except PermissionError:
        handle = os.open(name, _PATH, dir_fd=folder)
    try:
        mode = os.fstat(handle).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise SandboxError(f"{name!r} changed while it was read.", cause="bad_archive")
        magic = Path(f"/proc/self/fd/{handle}")
        magic.chmod(stat.S_IMODE(mode) | 0o500)
        try:
            return os.open(magic, flags & ~os.O_NOFOLLOW)
        finally:
            magic.chmod(stat.S_IMODE(mode))
    finally:
        os.close(handle)


def _open_folder(root: int, folder: str, *, create: bool) -> int:
    if not folder.startswith("/") or any(part in (".", "..") for part in folder.split("/")) or "\0" in folder:
        raise SandboxError(f"The folder {folder!r} is not a plain absolute path.", cause="bad_path", retryable=False)
    try:
        return _walk(root, [part for part in folder.split("/") if part], create=create, replace=False)
    except FileNotFoundError as error:
        raise SandboxError(f"The folder {folder} does not exist.", cause="not_found", retryable=False) from error
    except OSError as error:
        raise SandboxError(
            f"The folder {folder} cannot be used: {error}.", cause="bad_path", retryable=False
        ) from error


def _walk(start: int, parts: list[str], *, create: bool, replace: bool) -> int:
    """Descend name by name; ``create`` makes missing folders, ``replace`` removes links that are in the way."""
    here = os.dup(start)
    try:
        for part in parts:
            if create:
                _ensure_folder(here, part, replace=replace)
            below = os.open(part, _FOLDER, dir_fd=here)
            os.close(here)
            here = below
    except BaseException:
        os.close(here)
        raise
    return here


def _ensure_folder(parent: int, name: str, *, replace: bool) -> None:
    if replace:
        with suppress(FileNotFoundError):
            if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
                os.unlink(name, dir_fd=parent)
    with suppress(FileExistsError):
        os.mkdir(name, 0o755, dir_fd=parent)
        made = os.open(name, _FOLDER, dir_fd=parent)
        try:
            os.fchmod(made, 0o755)
            os.utime(made, (FILE_TIME, FILE_TIME))
        finally:
            os.close(made)


def _write_entry(start: int, path: str, entry: Entry) -> None:
    *parents, name = path.split("/")
    folder = _walk(start, parents, create=True, replace=True)
    try:
        if isinstance(entry, FolderEntry):
            _ensure_folder(folder, name, replace=True)
            os.close(os.open(name, _FOLDER, dir_fd=folder))
            return
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        if isinstance(entry, LinkEntry):
            os.symlink(entry.target, name, dir_fd=folder)
            os.utime(name, (FILE_TIME, FILE_TIME), dir_fd=folder, follow_symlinks=False)
        else:
            _write_file(folder, name, entry)
        os.utime(folder, (FILE_TIME, FILE_TIME))
    finally:
        os.close(folder)


def _write_file(folder: int, name: str, entry: FileEntry) -> None:
    fd = os.open(name, _CREATE, 0o600, dir_fd=folder)
    try:
        view = memoryview(entry.data)
        while view:
            view = view[os.write(fd, view) :]
        os.fchmod(fd, entry.mode & 0o7777)
        os.utime(fd, (entry.mtime, entry.mtime))
    finally:
        os.close(fd)


def _settle_folder(start: int, path: str, entry: FolderEntry) -> None:
    folder = _walk(start, path.split("/"), create=False, replace=False)
    try:
        os.fchmod(folder, entry.mode & 0o7777)
        os.utime(folder, (entry.mtime, entry.mtime))
    finally:
        os.close(folder)


def _settle(folder: int, since: float, depth: int) -> None:
    for name in os.listdir(folder) if depth <= _MAX_DEPTH else ():
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISDIR(found.st_mode):
            inner = _open_readable(folder, name, _FOLDER)
            try:
                _settle(inner, since, depth + 1)
            finally:
                os.close(inner)
        if found.st_mtime >= since:
            os.utime(name, (FILE_TIME, FILE_TIME), dir_fd=folder, follow_symlinks=False)


def _write_error(folder: str, error: OSError) -> SandboxError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return SandboxError(f"The files do not fit into {folder}.", cause="no_space", retryable=False)
    return SandboxError(f"Writing below {folder} failed: {error}.", cause="bad_path", retryable=False)
