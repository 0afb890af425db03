"""Text that may hold anything, made safe and short enough to look at in a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

TAB = 8
NEAR = 24
"""Characters that may move to the next line so that a break falls on a space."""


def visible(text: str) -> str:
    """The text with every character that a terminal would act on written out; line ends stay, tabs become spaces.

    Escape sequences, bells, carriage returns, direction marks and lone surrogates appear as Python writes them.
    """
    safe = (c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)
    return "".join(safe).expandtabs(TAB)


def lines_of(text: str) -> list[str]:
    """The lines of a text, each safe to print; an ending newline begins no line of its own."""
    return visible(text).removesuffix("\n").split("\n") if text else []


def cut_lines(lines: Sequence[str], head: int, tail: int, length: int) -> Iterator[str]:
    """At most ``head`` lines of the start and ``tail`` of the end, each at most ``length`` long; cuts are marked."""
    for line in lines if len(lines) <= head + tail + 1 else lines[:head]:
        yield _cut(line, length)
    if len(lines) > head + tail + 1:
        yield f"[... {len(lines) - head - tail} lines not shown ...]"
        for line in lines[len(lines) - tail :]:
            yield _cut(line, length)


def wrapped(text: str, width: int | None) -> list[str]:
    """Prose broken between words; with no width, one line per line of the text."""
    broken = [
        textwrap.wrap(line, width, break_long_words=True, break_on_hyphens=False) or [""] if width else [line]
        for line in lines_of(text)
    ]
    return [line for lines in broken for line in lines]


def folded(line: str, width: int | None, *, at_spaces: bool = False) -> list[str]:
    """A line of code or output broken at the width; nothing of it is lost.

    ``at_spaces`` breaks after a space if one is near, as a person would.
    """
    if width is None or (line.isascii() and len(line) <= width):
        return [line]
    pieces, used = [""], 0
    for character in line:
        size = cell_len(character)
        if used + size > width and pieces[-1]:
            kept, space, moved = pieces[-1].rpartition(" ")
            near = at_spaces and space and len(moved) <= NEAR and kept.strip()
            pieces[-1:] = [kept + space, moved] if near else [pieces[-1], ""]
            used = cell_len(pieces[-1])
        pieces[-1] += character
        used += size
    return pieces


def _cut(line: str, length: int) -> str:
    return line if len(line) <= length else f"{line[:length]}[... {len(line) - length} characters not shown]"
