"""Content as checks name it: ``{"sha256": HEX}``, or ``{"same": PATH}`` for whatever that workspace file holds now."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.ids import Json, digest_bytes
from trajmill.schemas.tree import FileEntry, FolderEntry, LinkEntry, Tree
from trajmill.verifiers.finding import PASSED, Finding, failed

ROOM = 1 << 18
"""Bytes that a file may always have, however little is expected of it."""


def read_file(tree: Tree, path: str, *, most: int | None = None) -> bytes | Finding:
    """Bytes of a regular file in the evidence, or the finding that there is none.

    With ``most``, a file that has more bytes than any right answer (``most`` and ``ROOM`` to spare) is refused unread:
    parsing it could take memory and time without end.
    """
    match tree.get(path):
        case FileEntry(data=data) if most is not None and len(data) > most + ROOM:
            return failed(f"{path} has {len(data)} bytes, far more than expected")
        case FileEntry(data=data):
            return data
        case FolderEntry():
            return failed(f"{path} is a folder, not a file")
        case LinkEntry():
            return failed(f"{path} is a symbolic link, not a file")
        case _:
            return failed(f"{path} does not exist")


def wanted_digest(tree: Tree, content: Mapping[str, Json]) -> str | Finding:
    """The digest that the content must have, or the finding that the file to compare with is missing."""
    if "same" not in content:
        return str(content["sha256"])
    other = read_file(tree, str(content["same"]))
    return other if isinstance(other, Finding) else digest_bytes(other)


def compare_files(
    tree: Tree, expected: Mapping[str, Mapping[str, Json]], found: Mapping[str, bytes], noun: str
) -> Finding:
    """Exactly these names with exactly this content."""
    missing = sorted(set(expected) - set(found))
    if missing:
        return failed(f"{noun} {missing[0]} is missing")
    extra = sorted(set(found) - set(expected))
    if extra:
        return failed(f"{noun} {extra[0]} is not expected")
    for name, content in expected.items():
        want = wanted_digest(tree, content)
        if isinstance(want, Finding):
            return want
        if digest_bytes(found[name]) != want:
            return failed(f"{noun} {name} has other content than expected")
    return PASSED
