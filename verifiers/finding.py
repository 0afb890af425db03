"""What a check found, and how a difference is told in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    shown = detail.encode("unicode_escape", "surrogatepass").decode("ascii") if not detail.isprintable() else detail
    return Finding(False, shown if len(shown) <= 2 * MOST_SHOWN else f"{shown[: 2 * MOST_SHOWN]}...")


def short(value: object) -> str:
    """A value as one bounded line."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def compare_sequences(expected: Sequence[object], found: Sequence[object], noun: str) -> Finding:
    """Equal in order, or the first place where they differ, counted from 1."""
    for number, (want, have) in enumerate(zip(expected, found, strict=False), 1):
        if want != have:
            return failed(f"{noun} {number} is {short(have)}, expected {short(want)}")
    if len(expected) != len(found):
        return failed(f"{len(found)} {noun}s, expected {len(expected)}")
    return PASSED


def compare_bags(expected: Sequence[object], found: Sequence[object], noun: str) -> Finding:
    """Equal whatever the order, counting repeats."""
    return compare_sequences(sorted(expected, key=repr), sorted(found, key=repr), f"{noun} (sorted)")
