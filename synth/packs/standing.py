"""Rules that hold for several steps alike; an instruction with two or more of a kind states them once, for all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """One rule in several wordings."""

    single: tuple[str, ...]
    """For one output, said beside it."""
    general: tuple[str, ...]
    """For all outputs, said at the end."""


TABLE_BYTES = Standing(
    (
        "Use plain line feeds, and quote a field only if it needs it.",
        "End every line, also the last, with a single line feed and put no quotes where none are needed.",
        "The file is compared byte for byte: Unix line ends, no needless quotes, one newline at the end.",
    ),
    (
        "Unless stated otherwise, CSV and TSV files are compared byte for byte: Unix line ends, no needless quotes, "
        "one newline at the end.",
        "In every table that you write, lines end with a single line feed, also the last, and only fields that need "
        "quotes have them, unless something else is said above.",
        "Where nothing else is said, write tables with plain line feeds, a newline at the very end and no quotes where "
        "none are needed.",
    ),
)
LINES_BYTES = Standing(
    (
        "End every line, also the last, with a single line feed.",
        "The file is compared byte for byte, so no extra blank lines and exactly one newline at the end.",
        "Use Unix line ends, with one newline after the last line.",
    ),
    (
        "Unless stated otherwise, text files are compared byte for byte: Unix line ends, no extra blank lines, one "
        "newline at the end.",
        "In every text file that you write, each line ends with a single line feed, also the last, unless something "
        "else is said above.",
    ),
)
TEXT_ORDER = Standing(
    (
        "Compare text by character code, as in the C locale.",
        "Text is ordered by character code, so capitals come before small letters.",
        "For text, use the order of the character codes (capitals before small letters).",
    ),
    (
        "Text is always compared by character code, as in the C locale.",
        "Wherever text is ordered, the character codes decide (capitals before small letters).",
    ),
)

BOTH_BYTES = Standing(
    (),
    (
        "Unless stated otherwise, tables and text files are compared byte for byte: Unix line ends, no needless "
        "quotes, no extra blank lines, one newline at the end.",
        "Where nothing else is said, every line of every file that you write ends with a single line feed, also the "
        "last, and table fields have quotes only where they need them.",
        "Write tables and texts with plain line feeds, one newline at the very end and no needless quotes, unless "
        "something else is said above.",
    ),
)
"""Stands for the rules on tables and on text files where both are needed."""

STANDING = (TABLE_BYTES, LINES_BYTES, TEXT_ORDER)


def standing_of(rule: str) -> Standing | None:
    """The standing rule that a sentence is a wording of, or None."""
    return next((standing for standing in STANDING if rule in standing.single), None)
