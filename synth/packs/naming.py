"""Names for inputs and outputs, and how to write them in a shell command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from trajmill.schemas.tree import FileEntry, LinkEntry
from trajmill.synth.packs.skill import Draw
from trajmill.synth.packs.state import State

PLACES = ("", "", "", "data/", "data/", "input/", "inbox/", "raw/")
"""Where an input may lie; most workspaces are flat."""

OUTPUT_PLACES = ("", "", "", "", "out/", "output/", "results/", "build/")


def sh(path: str) -> str:
    """A path as one shell word that no command takes for an option."""
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def slug(text: str, *, most: int = 24) -> str:
    """A lower-case name part made of letters, digits and underscores; ``value`` if nothing is left."""
    words = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    if len(words) > most and "_" in words[1:most]:
        words = words[: words.rindex("_", 1, most)]
    return words[:most].strip("_") or "value"


def stem(path: str) -> str:
    """File name without folder and endings: ``data/airports.csv`` gives ``airports``."""
    name = path.rsplit("/", 1)[-1]
    return name.split(".", 1)[0] or name


def folder_of(path: str) -> str:
    """The folder part, or the empty string."""
    return path.rsplit("/", 1)[0] if "/" in path else ""


def place_input(name: str, draw: Draw) -> str:
    """A place in the workspace for an input file of this name."""
    return draw.pick(PLACES) + name.rsplit("/", 1)[-1]


def place_output(state: State, draw: Draw, stems: Sequence[str], ending: str) -> str:
    """A path that nothing uses yet, from one of the stems: ``texas.csv``, ``out/texas.csv``, ``texas_2.csv``."""
    folder, name = draw.pick(OUTPUT_PLACES), re.sub(r"(_[a-z]+)\1$", r"\1", draw.pick(stems))
    base = name if _taken(state, folder.rstrip("/")) else folder + name
    path, count = base + ending, 2
    while state.holds(path):
        path, count = f"{base}_{count}{ending}", count + 1
    return path


def _taken(state: State, folder: str) -> bool:
    """Whether something that is no plain folder stands where the folder would be."""
    return folder in state.opaque or isinstance(state.tree.get(folder), FileEntry | LinkEntry)


def needs_folder(state: State, path: str) -> bool:
    """Whether the folder of the path has yet to be made."""
    folder = folder_of(path)
    return bool(folder) and not state.holds(folder)


def mkdir_first(state: State, path: str, command: str) -> str:
    """The command, with ``mkdir -p`` in front if the output's folder does not exist yet."""
    return f"mkdir -p {sh(folder_of(path))} && {command}" if needs_folder(state, path) else command
