"""The history of a git repository from what git printed about it: taken whole and plain, or refused with a reason.

Only what this file lets through gets into a workspace: the newest commits of the current branch as author, author
date, subject and files. Nothing is run here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trajmill.synth.packs.facts import Commit, Repository
from trajmill.synth.sources.names import is_control, name_fault, shown_name
from trajmill.synth.sources.secrets import secret_in

MOST_COMMITS = 30
LEAST_COMMITS = 3
MOST_FILES = 200
"""In one commit."""
MOST_FILE_BYTES = 64 << 10
MOST_BYTES = 1 << 20
"""Of all different contents of files together."""
MOST_TAGS = 20

LOG_FORMAT = "%H%x1f%an%x1f%ae%x1f%aI%x1f%s"
"""For ``git log -z``."""
TAG_FORMAT = "%(refname:strip=2)%09%(objectname)%09%(*objectname)"
"""For ``git for-each-ref``."""

_STEERING = frozenset({".gitattributes", ".gitmodules", ".mailmap"})
"""Files that change what git commands print or pack; skills predict plain behaviour."""
_REF_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*")
_TAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}")


class HistoryFault(Exception):
    """The history is of no use; the code is ``history_unreadable`` or ``history_not_used``."""

    def __init__(self, detail: str, code: str = "history_not_used") -> None:
        """``detail`` is a clause for a reader."""
        super().__init__(detail)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class LoggedCommit:
    """One commit without its files."""

    id: str
    author: str
    email: str
    date: str
    subject: str


@dataclass(frozen=True, slots=True)
class Blob:
    """A regular file in a commit."""

    id: str
    size: int


def newest_run(output: bytes) -> tuple[str, ...]:
    """Ids of the newest commits, newest first, up to the newest merge, from ``git rev-list --first-parent --parents``.

    Raises HistoryFault if there are too few of them.
    """
    run: list[str] = []
    merged = False
    for line in _text(output, "the list of commits").splitlines()[:MOST_COMMITS]:
        commit, *parents = line.split(" ")
        merged = len(parents) > 1
        if merged:
            break
        run.append(commit)
    if len(run) < LEAST_COMMITS:
        since = " since the newest merge" if merged else ""
        raise HistoryFault(f"{len(run)} commits{since}; at least {LEAST_COMMITS} are needed")
    return tuple(run)


def require_branch(name: str) -> str:
    """The name of a branch that can stand in a command as it is. Raises HistoryFault for another, or for none."""
    if not name:
        raise HistoryFault("no branch is checked out")
    if not _REF_NAME.fullmatch(name):
        raise HistoryFault(f"the branch {shown_name(name)} has an unusual name")
    return name


def read_log(output: bytes, ids: Sequence[str]) -> tuple[LoggedCommit, ...]:
    """The commits of ``git log -z`` with LOG_FORMAT. Raises HistoryFault unless they are these, plainly described."""
    rows = [row.split("\x1f") for row in _text(output, "a commit").rstrip("\0").split("\0")]
    if [row[0] for row in rows] != list(ids) or any(len(row) != 5 for row in rows):
        raise HistoryFault("an author or a subject has control characters")
    return tuple(LoggedCommit(c, _author(a), _author(m), _date(d), _subject(s)) for c, a, m, d, s in rows)


def read_listing(output: bytes) -> dict[str, Blob]:
    """The files of a commit from ``git ls-tree -r -z -l``. Raises HistoryFault for what is no plain small file."""
    found: dict[str, Blob] = {}
    for entry in filter(None, _text(output, "a file name").split("\0")):
        about, _, path = entry.partition("\t")
        mode, kind, blob, size = about.split()
        if kind != "blob" or not mode.startswith("100"):
            raise HistoryFault(f"{shown_name(path)} is a {'submodule' if kind == 'commit' else 'link'}")
        if path.rpartition("/")[2] in _STEERING:
            raise HistoryFault(f"{shown_name(path)} changes how git treats files")
        if name_fault(path) or any(c in '"\\' for c in path) or any(p.startswith("-") for p in path.split("/")):
            raise HistoryFault(f"{shown_name(path)} is an unusual name")
        if int(size) > MOST_FILE_BYTES:
            raise HistoryFault(f"{shown_name(path)} has {int(size):,} bytes, the limit is {MOST_FILE_BYTES:,}")
        found[path] = Blob(blob, int(size))
    if not found or len(found) > MOST_FILES:
        raise HistoryFault(
            f"a commit has {len(found)} files, the limit is {MOST_FILES}" if found else "an empty commit"
        )
    return found


def wanted_blobs(listings: Sequence[Mapping[str, Blob]]) -> tuple[str, ...]:
    """Ids of all different contents, in order of the ids. Raises HistoryFault if they are too large together."""
    sizes = {blob.id: blob.size for listing in listings for blob in listing.values()}
    if sum(sizes.values()) > MOST_BYTES:
        raise HistoryFault(f"its files have {sum(sizes.values()):,} bytes over time, the limit is {MOST_BYTES:,}")
    return tuple(sorted(sizes))


def read_blobs(output: bytes, ids: Sequence[str]) -> dict[str, bytes]:
    """Contents by id from ``git cat-file --batch``. Raises HistoryFault for a missing object."""
    found: dict[str, bytes] = {}
    at = 0
    for blob in ids:
        end = output.find(b"\n", at)
        words = output[at : max(end, at)].split(b" ")
        if len(words) != 3 or words[:2] != [blob.encode(), b"blob"] or not words[2].isdigit():
            raise HistoryFault(f"the object {blob} is missing", "history_unreadable")
        size = int(words[2])
        found[blob] = output[end + 1 : end + 1 + size]
        at = end + size + 2
    return found


def read_tags(output: bytes, ids: Sequence[str]) -> dict[str, int]:
    """Tags on these commits (given newest first) with the places of their commits, counted from the oldest."""
    places = {commit: len(ids) - 1 - number for number, commit in enumerate(ids)}
    tags: dict[str, int] = {}
    for line in output.decode("utf-8", "replace").splitlines():
        name, _, targets = line.partition("\t")
        target = next((t for t in reversed(targets.split("\t")) if t), "")
        if _TAG.fullmatch(name) and target in places and len(tags) < MOST_TAGS:
            tags[name] = places[target]
    return tags


def make_repository(
    branch: str,
    log: Sequence[LoggedCommit],
    listings: Sequence[Mapping[str, Blob]],
    blobs: Mapping[str, bytes],
    tags: Mapping[str, int],
) -> Repository:
    """The history, oldest first, from its parts, newest first. Raises HistoryFault for what is no text, or secret."""
    for path, blob in sorted({(p, b.id) for listing in listings for p, b in listing.items()}):
        _require_harmless(path, blobs[blob])
    commits = (
        Commit(c.author, c.email, c.date, c.subject, {path: blobs[blob.id] for path, blob in sorted(files.items())})
        for c, files in zip(log, listings, strict=True)
    )
    return Repository(tuple(commits)[::-1], branch, {tag: place for tag, place in tags.items() if tag != branch})


def _require_harmless(path: str, data: bytes) -> None:
    why = secret_in(path, data)
    if why:
        raise HistoryFault(f"{shown_name(path)} in an earlier or the newest commit: {why}")
    try:
        plain = "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        plain = False
    if not plain:
        raise HistoryFault(f"{shown_name(path)} is no text in UTF-8")


def _text(output: bytes, what: str) -> str:
    try:
        return output.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HistoryFault(f"{what} is not in UTF-8") from error


def _author(text: str) -> str:
    if not text or text != text.strip() or any(is_control(c) or c in ',"<>' for c in text):
        raise HistoryFault(f"the author {shown_name(text)} has an unusual name")
    return text


def _subject(text: str) -> str:
    if not text or text != text.strip() or len(text) > 200 or any(map(is_control, text)):
        raise HistoryFault("a commit has no plain subject")
    return text


def _date(text: str) -> str:
    try:
        date = datetime.fromisoformat(text)
        early = date.timestamp() < 0
    except (ValueError, OverflowError):
        early = True
    if early:
        raise HistoryFault(f"a commit has the impossible date {shown_name(text)}")
    return date.isoformat()
