"""A tree of files as a value: what goes into a sandbox, what comes out, what a verifier reads.

Paths are relative, POSIX, without ``.`` or ``..``; names that are not UTF-8 carry surrogate escapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from trajmill.schemas.errors import InputError
from trajmill.schemas.ids import Json, digest_bytes

FILE_TIME = 1_704_067_200
"""Modification time of every workspace file, 2024-01-01T00:00:00Z: nothing in a workspace depends on the clock."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A regular file."""

    data: bytes
    mode: int = 0o644
    mtime: int = FILE_TIME


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A folder. Parents of a file need no entry unless their mode matters or they are empty."""

    mode: int = 0o755
    mtime: int = FILE_TIME


@dataclass(frozen=True, slots=True)
class LinkEntry:
    """A symbolic link; the target is kept as text and never followed on our side."""

    target: str


Entry: TypeAlias = FileEntry | FolderEntry | LinkEntry


@dataclass(frozen=True, slots=True)
class Tree:
    """An immutable mapping from relative path to entry, in sorted order of the paths."""

    entries: Mapping[str, Entry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse paths that could leave the tree; sort the rest."""
        for path in self.entries:
            require_relative(path)
        object.__setattr__(self, "entries", dict(sorted(self.entries.items())))

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, path: object) -> bool:
        return path in self.entries

    def get(self, path: str) -> Entry | None:
        """The entry at a path, or None."""
        return self.entries.get(path)

    def file(self, path: str) -> FileEntry | None:
        """The regular file at a path, or None if there is none or it is something else."""
        entry = self.entries.get(path)
        return entry if isinstance(entry, FileEntry) else None

    def with_entries(self, more: Mapping[str, Entry]) -> Tree:
        """A new tree in which the given entries are added or replace what was there."""
        return Tree({**self.entries, **more})

    def without(self, *paths: str) -> Tree:
        """A new tree without these paths and what lies below them."""
        gone = tuple(f"{p}/" for p in paths)
        return Tree({p: e for p, e in self.entries.items() if p not in paths and not p.startswith(gone)})

    def below(self, folder: str) -> Tree:
        """The part below a folder, with paths relative to it."""
        prefix = f"{folder}/"
        return Tree({p[len(prefix) :]: e for p, e in self.entries.items() if p.startswith(prefix)})

    @property
    def size(self) -> int:
        """Bytes of all regular files."""
        return sum(len(e.data) for e in self.entries.values() if isinstance(e, FileEntry))

    def manifest(self) -> dict[str, Json]:
        """Path to kind, mode and content hash: equal manifests mean equal trees but for times."""
        return {path: _describe(entry) for path, entry in self.entries.items()}


def require_relative(path: str) -> None:
    """Raise InputError unless the path is relative, normal and stays inside its tree."""
    parts = path.split("/")
    if not path or path.startswith("/") or any(p in ("", ".", "..") for p in parts) or "\0" in path:
        raise InputError(f"The path {path!r} is not a plain relative path.")


def _describe(entry: Entry) -> Json:
    match entry:
        case FileEntry(data=data, mode=mode):
            return {"kind": "file", "mode": f"{mode:04o}", "size": len(data), "sha256": digest_bytes(data)}
        case FolderEntry(mode=mode):
            return {"kind": "folder", "mode": f"{mode:04o}"}
        case LinkEntry(target=target):
            return {"kind": "link", "target": target}
