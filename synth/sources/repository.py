"""A git repository as one material: its files as a tree, taken without running git and without following links."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from trajmill.schemas.content.notes import Note
from trajmill.schemas.ids import digest
from trajmill.schemas.tree import Entry, FileEntry, FolderEntry, LinkEntry, Tree
from trajmill.schemas.verdict import Drop
from trajmill.synth.sources.found import Found
from trajmill.synth.sources.listing import Limits, open_regular, read_pieces
from trajmill.synth.sources.material import Material, left_out
from trajmill.synth.sources.names import name_fault, shown_name
from trajmill.synth.sources.secrets import secret_in

_BRANCH = re.compile(rb"ref: refs/heads/([^\s]{1,200})")


class _Refused(Exception):
    """The repository is left out; carries the reason and its detail."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def read_repository(folder: Path, name: str, limits: Limits) -> Material | Drop:
    """Take the repository in ``folder`` under ``name``, or say why it is left out. Hooks are not taken."""
    try:
        entries = _entries(os.fspath(folder), limits)
    except _Refused as refused:
        return left_out(name, refused.reason, refused.detail)
    tree = Tree(entries)
    head = tree.file(".git/HEAD")
    if head is None:
        return left_out(name, "no_repository", "its .git is no folder with a HEAD (a worktree or a submodule)")
    branch = _BRANCH.match(head.data)
    facts = {
        "files": sum(1 for p in tree if not p.startswith(".git/") and tree.file(p) is not None),
        "bytes": tree.size,
        "branch": branch.group(1).decode("utf-8", "replace") if branch else "",
    }
    notes = (Note("history_not_looked_at", ".git", "secrets in old commits would not be seen"),)
    found = Found("git", facts, notes, frozenset({"git"}))
    return Material(name, b"", found, digest(tree.manifest()), tree=tree)


def _entries(root: str, limits: Limits) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    waiting = [""]
    total = 0
    while waiting:
        folder = waiting.pop()
        for name in _names(f"{root}/{folder}", folder):
            path = f"{folder}/{name}" if folder else name
            if path == ".git/hooks":
                continue
            status = os.lstat(f"{root}/{path}")
            if stat.S_ISDIR(status.st_mode):
                entries[path] = FolderEntry()
                waiting.append(path)
            elif stat.S_ISLNK(status.st_mode):
                entries[path] = LinkEntry(_inside(root, path))
            elif stat.S_ISREG(status.st_mode):
                total += status.st_size
                if total > limits.repository_bytes or len(entries) >= limits.repository_files:
                    bound = f"{limits.repository_bytes:,} bytes or {limits.repository_files:,} files"
                    raise _Refused("repository_too_large", f"more than {bound}")
                entries[path] = _file(f"{root}/{path}", path, status.st_mode)
    return entries


def _names(folder: str, shown: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names may be no text
    except OSError as error:
        raise _Refused("unreadable", f"the folder {shown_name(shown)} cannot be read") from error
    for name in names:
        if name_fault(name):
            raise _Refused("odd_name", f"{shown_name(name)} {name_fault(name)}")
    return names


def _inside(root: str, path: str) -> str:
    target = os.fspath(Path(root, path).readlink())
    reached = os.path.normpath(os.path.join(os.path.dirname(path), target))  # noqa: PTH118, PTH120 - text only
    if target.startswith("/") or reached == ".." or reached.startswith("../"):
        raise _Refused("link_out", f"{shown_name(path)} leads to {shown_name(target)}")
    return target


def _file(full: str, path: str, mode: int) -> FileEntry:
    try:
        descriptor = open_regular(full)
    except OSError as error:
        raise _Refused("unreadable", f"{shown_name(path)} cannot be read (mode {stat.S_IMODE(mode):04o})") from error
    try:
        data = b"".join(read_pieces(descriptor))
    finally:
        os.close(descriptor)
    if not path.startswith(".git/") or path == ".git/config":
        why = secret_in(path, data)
        if why:
            raise _Refused("looks_like_secret", f"{shown_name(path)}: {why}")
    return FileEntry(data, 0o755 if mode & 0o100 else 0o644)
