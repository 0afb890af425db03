"""What a folder in focus holds, and how its files travel: copied with what is known of them, or moved in place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from trajmill.schemas.tree import LinkEntry
from trajmill.synth.packs.expect import Content, Same
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import folder_of
from trajmill.synth.packs.skill import Act, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.scenarios import FOLDERS

READABLE = (*FOLDERS, "guarded-folder")
"""Folders whose files can be read and copied; none holds a link."""

_MOST_FILES = 60
_FAIR = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]*(/[A-Za-z0-9][A-Za-z0-9 ._-]*)*")


@dataclass(frozen=True, slots=True)
class Held:
    """A folder in focus whose names need no more than ordinary quoting."""

    path: str
    files: Mapping[str, bytes]
    """By path relative to the folder, in sorted order."""
    exact: bool
    """The bytes of every file are certain."""

    @property
    def spaced(self) -> bool:
        """Some path holds a space, so that word splitting would break it."""
        return any(" " in name for name in (self.path, *self.files))

    def full(self, name: str) -> str:
        """The workspace path of a file of the folder."""
        return f"{self.path}/{name}"


def held_folder(state: State, least: int = 3, *, exact: bool = False) -> Held | None:
    """The folder in focus if it has at least so many plain files, and no links; None otherwise."""
    focus = state.focus
    if not isinstance(focus.facts, Folder) or not least <= len(focus.facts.files) <= _MOST_FILES:
        return None
    below = state.tree.below(focus.path)
    files = {name: below.file(name) for name in sorted(focus.facts.files)}
    if any(isinstance(entry, LinkEntry) for entry in below.entries.values()):
        return None
    if {name for name in below if below.file(name)} != set(files) or not all(map(_FAIR.fullmatch, files)):
        return None
    certain = all(state.exact(f"{focus.path}/{name}") for name in files)
    if exact and not certain:
        return None
    return Held(focus.path, {n: e.data for n, e in files.items() if e is not None}, certain)


def content_of(state: State, path: str) -> Content:
    """What a check may say of the file: its bytes where they are certain, else that it equals the file."""
    return state.data(path) if state.exact(path) else Same(path)


def with_copies(state: State, copies: Mapping[str, str], focus: Artefact) -> State:
    """The state after files were copied: new path to the path that it was copied from."""
    entries = {new: state.tree.entries[old] for new, old in copies.items()}
    loose = {new for new, old in copies.items() if not state.exact(old)}
    after = state.changed(entries, focus=focus)
    return replace(after, loose=(after.loose - set(copies)) | loose)


def with_moves(state: State, folder: str, moves: Mapping[str, str], scenario: str) -> State:
    """The state after the files of a folder were moved within it: new to old name, both relative; others are gone."""
    entries = {f"{folder}/{new}": state.tree.entries[f"{folder}/{old}"] for new, old in moves.items()}
    files = {new: state.data(f"{folder}/{old}") for new, old in sorted(moves.items())}
    return state.changed(entries, gone=(folder,), focus=Artefact(folder, scenario, Folder(files)))


def ending_of(name: str) -> str:
    """The ending without its dot and in small letters: ``csv`` for ``data/A.CSV``; empty if there is none."""
    last = name.rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[1].lower() if "." in last.strip(".") else ""


def endings(held: Held) -> dict[str, list[str]]:
    """The files by their ending."""
    found: dict[str, list[str]] = {}
    for name in held.files:
        found.setdefault(ending_of(name), []).append(name)
    return found


def base(name: str) -> str:
    """The file name without its folder."""
    return name.rsplit("/", 1)[-1]


def depth(held: Held) -> int:
    """Folders between the folder in focus and its deepest file."""
    return max((name.count("/") for name in held.files), default=0)


def way(name: str, tools: str, command: str, *why: str) -> Way:
    """A way of one command; ``tools`` lists the commands it runs, separated by spaces."""
    return Way(name, tuple(tools.split()), (Act(command, why),))


def many(count: int, noun: str) -> str:
    """A count with its noun: ``1 file``, ``3 files``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def beside(path: str, name: str) -> str:
    """A path in the same folder as another."""
    folder = folder_of(path)
    return f"{folder}/{name}" if folder else name
