"""Trees as tar archives, for backends and formats whose files travel as bytes: exact to write, strict to read.

Written: ustar with pax headers where needed, in path order, owner and times as the entries say; equal trees give equal
bytes. Read: as a stream of bounded size and count; links are kept as links and never followed, and whatever is not a
file, folder or link within the archive is refused.
"""

from __future__ import annotations

import io
import posixpath
import tarfile
from collections.abc import Iterable, Iterator

from trajmill.schemas.errors import SandboxError, TrajmillError
from trajmill.schemas.tree import FILE_TIME, Entry, FileEntry, FolderEntry, LinkEntry, Tree, require_relative

_BLOCK = 512
_HEADERS_PER_ENTRY = 8 * _BLOCK
"""Bytes of headers and padding that an entry may cost beside its content."""


def to_archive(tree: Tree, *, owner: int = 1000) -> bytes:
    """The tree as a tar archive; every folder on the way to a file has an entry, so that none is taken for granted."""
    buffer = io.BytesIO()
    with tarfile.open(
        fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT, encoding="utf-8", errors="surrogateescape"
    ) as archive:
        for path, entry in _with_parents(tree):
            header = _header(path, entry)
            header.uid = header.gid = owner
            archive.addfile(header, io.BytesIO(entry.data) if isinstance(entry, FileEntry) else None)
    return buffer.getvalue()


def from_archive(
    chunks: bytes | Iterable[bytes], *, max_bytes: int = 64 * 1024 * 1024, max_entries: int = 20_000
) -> Tree:
    """Read a tar archive from its bytes, given whole or in pieces, without holding more of it than the limits allow.

    Raises SandboxError: ``too_large``, ``special_file`` (device, FIFO or unknown kind), ``bad_path`` (absolute, ``..``,
    or a hard link to something outside) or ``bad_archive`` (damaged, cut short, or the same path twice).
    """
    pieces = [chunks] if isinstance(chunks, bytes) else chunks
    bounded = _Stream(pieces, max_bytes + max_entries * _HEADERS_PER_ENTRY)
    reader = _Reader(max_bytes, max_entries)
    try:
        with tarfile.open(fileobj=bounded, mode="r|", encoding="utf-8", errors="surrogateescape") as archive:
            for member in archive:
                reader.take(archive, member)
        return Tree(reader.entries)
    except SandboxError:
        raise
    except (tarfile.TarError, OSError, EOFError, ValueError, TrajmillError) as error:
        raise SandboxError(f"The archive cannot be read: {error}.", cause="bad_archive", retryable=False) from error


class _Reader:
    def __init__(self, max_bytes: int, max_entries: int) -> None:
        self.entries: dict[str, Entry] = {}
        self._bytes_left = max_bytes
        self._entries_left = max_entries

    def take(self, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        path = _inner_path(member)
        self._entries_left -= 1
        if self._entries_left < 0:
            raise SandboxError("The archive has more entries than allowed.", cause="too_large", retryable=False)
        if path == "":
            return
        if path in self.entries:
            raise SandboxError(f"The archive has two entries {path!r}.", cause="bad_archive", retryable=False)
        self.entries[path] = self._entry(archive, member, path)

    def _entry(self, archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> Entry:
        if member.isdir():
            return FolderEntry(member.mode & 0o7777, int(member.mtime))
        if member.issym():
            return LinkEntry(member.linkname)
        if member.islnk():
            return self._twin(member, path)
        if not member.isreg() or member.issparse():
            raise SandboxError(
                f"{path!r} is a device, FIFO or other special file.", cause="special_file", retryable=False
            )
        self._spend(member.size, path)
        content = archive.extractfile(member)
        data = content.read() if content else b""
        if len(data) != member.size:
            raise SandboxError(f"The archive ends within {path!r}.", cause="bad_archive", retryable=False)
        return FileEntry(data, member.mode & 0o7777, int(member.mtime))

    def _twin(self, member: tarfile.TarInfo, path: str) -> FileEntry:
        twin = self.entries.get(posixpath.normpath(member.linkname))
        if not isinstance(twin, FileEntry):
            raise SandboxError(f"{path!r} is a hard link to something outside.", cause="bad_path", retryable=False)
        self._spend(len(twin.data), path)
        return twin

    def _spend(self, size: int, path: str) -> None:
        self._bytes_left -= size
        if size < 0 or self._bytes_left < 0:
            raise SandboxError(f"The files up to {path!r} are larger than allowed.", cause="too_large", retryable=False)


class _Stream(io.RawIOBase):
    """The pieces as one bounded file that can only be read forward."""

    def __init__(self, pieces: Iterable[bytes], limit: int) -> None:
        self._pieces = iter(pieces)
        self._held = b""
        self._left = limit

    def read(self, size: int = -1) -> bytes:
        parts: list[bytes] = []
        while size != 0:
            if not self._held and not self._refill():
                break
            part = self._held if size < 0 else self._held[:size]
            self._held = self._held[len(part) :]
            parts.append(part)
            size -= len(part) if size > 0 else 0
        return b"".join(parts)

    def _refill(self) -> bool:
        self._held = next(self._pieces, b"")
        self._left -= len(self._held)
        if self._left < 0:
            raise SandboxError("The archive is larger than allowed.", cause="too_large", retryable=False)
        return bool(self._held)


def _with_parents(tree: Tree) -> Iterator[tuple[str, Entry]]:
    folders = {
        "/".join(parts[:depth]) for path in tree for parts in [path.split("/")] for depth in range(1, len(parts))
    }
    yield from sorted({**{folder: FolderEntry() for folder in folders}, **tree.entries}.items())


def _header(path: str, entry: Entry) -> tarfile.TarInfo:
    header = tarfile.TarInfo(path)
    match entry:
        case FileEntry(data=data, mode=mode, mtime=mtime):
            header.type, header.mode, header.mtime, header.size = tarfile.REGTYPE, mode, mtime, len(data)
        case FolderEntry(mode=mode, mtime=mtime):
            header.type, header.mode, header.mtime = tarfile.DIRTYPE, mode, mtime
        case LinkEntry(target=target):
            header.type, header.mode, header.mtime, header.linkname = tarfile.SYMTYPE, 0o777, FILE_TIME, target
    return header


def _inner_path(member: tarfile.TarInfo) -> str:
    """The member's path below the archive's root; the empty string for the root itself."""
    name = member.name.rstrip("/")
    if name in (".", ""):
        if member.isdir():
            return ""
        raise SandboxError(f"The archive has an entry {member.name!r}.", cause="bad_path", retryable=False)
    path = name[2:] if name.startswith("./") else name
    try:
        require_relative(path)
    except TrajmillError as error:
        raise SandboxError(f"The archive has an entry {member.name!r}.", cause="bad_path", retryable=False) from error
    return path
