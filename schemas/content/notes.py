"""What a reader says about content: notes that go on, and the one error that stops."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a file that its user should know; it never stops the work by itself."""

    code: str
    """Machine-readable: ``duplicate_header``."""
    place: str
    """Where in the file: ``line 3``, ``columns 2 and 3``, ``$.entries[0].id``, or empty for the whole file."""
    detail: str = ""
    """One short phrase in words."""

    def __str__(self) -> str:
        """The note as one printable line for people."""
        place = f" at {self.place}" if self.place else ""
        return printable(f"{self.code}{place}" + (f": {self.detail}" if self.detail else ""))


class ContentError(ValueError):
    """Content is not what it was read as; ``code`` says how, ``place`` where."""

    def __init__(self, code: str, place: str, detail: str) -> None:
        super().__init__(f"{detail} ({place})" if place else detail)
        self.code = code
        self.place = place
        self.detail = detail


def printable(text: str) -> str:
    r"""Text that is safe on a terminal and in UTF-8: what is not printable becomes an escape such as ``\x1b``."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def listed(numbers: tuple[int, ...], noun: str, most: int = 8) -> str:
    """A place such as ``line 3`` or ``lines 3, 5``; past ``most`` numbers it says how many more there are."""
    distinct = tuple(dict.fromkeys(numbers))
    shown = ", ".join(str(n) for n in distinct[:most])
    more = f" and {len(distinct) - most} more" if len(distinct) > most else ""
    return f"{noun}{'s' if len(distinct) > 1 else ''} {shown}{more}"
