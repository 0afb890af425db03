"""What a check found, and how a difference is told in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trajmill.schemas.content.notes import printable

MOST_SHOWN = 160
"""Characters of a value that a detail shows; details are stored with every row."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Passed, or the first difference."""

    passed: bool
    detail: str = ""


PASSED = Finding(True)


def failed(detail: str) -> Finding:
    """A finding that the claim does not hold; control characters are escaped and long values cut."""
    return Finding(False, one_line(detail))


def one_line(detail: str) -> str:
    """A detail that is safe on a terminal and in UTF-8, and bounded."""
    shown = printable(detail[: 2 * MOST_SHOWN])[: 2 * MOST_SHOWN]
    return shown if len(detail) <= 2 * MOST_SHOWN else f"{shown}..."


def short(value: object) -> str:
    """A value as one bounded line; of a long list only the start is looked at."""
    text = repr(value[:MOST_SHOWN] if isinstance(value, list | str | bytes) else value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def compare_sequences(expected: Sequence[object], found: Sequence[object], noun: str) -> Finding:
    """Equal in order, or the first place where they differ, counted from 1."""
    for number, (want, have) in enumerate(zip(expected, found, strict=False), 1):
        if want != have:
            return failed(f"{noun} {number} is {short(have)}, expected {short(want)}")
    if len(expected) > len(found):
        return failed(f"{noun} {len(found) + 1} is missing, expected {short(expected[len(found)])}")
    if len(expected) < len(found):
        return failed(f"{noun} {len(expected) + 1} is not expected: {short(found[len(expected)])}")
    return PASSED


def compare_bags(expected: Sequence[object], found: Sequence[object], noun: str) -> Finding:
    """Equal whatever the order, counting repeats."""
    return compare_sequences(sorted(expected, key=_place), sorted(found, key=_place), f"{noun} (sorted)")


def _place(value: object) -> str:
    """Where a value stands among others; values that are equal stand at the same place, such as 2 and 2.0."""
    if isinstance(value, list):
        return repr([_place(item) for item in value])
    return repr(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)
