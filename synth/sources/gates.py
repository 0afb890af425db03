"""How the bytes of a text limit what may be done with it, whatever kind of text it is."""

from __future__ import annotations

from trajmill.schemas.content.encodings import Text
from trajmill.schemas.content.notes import Note

_BYTEWISE = frozenset({"text", "table_plain", "log_lines", "log_grep_levels", "jsonl_lines"})
"""Capabilities of tools that take lines as bytes between LF."""
_NOT_WITH_MARK = frozenset({"json", "json_jq", "jsonl", "jsonl_jq", "jsonl_lines", "ini", "env", "toml", "yaml"})
"""A byte order mark breaks common readers of these."""


def gated(wanted: frozenset[str], text: Text, *, mixed: bool | None = None) -> frozenset[str]:
    """Of the wanted capabilities those that the bytes allow, plus those that mend the bytes.

    ``mixed`` says whether line endings are mixed in a way that matters; quoted line breaks of a table do not.
    """
    if text.nul_runs:
        return frozenset({"strip_nul"})
    if text.encoding.name.startswith("utf-16"):
        return frozenset({"reencode"})
    if text.encoding.guess:
        stated = {f"{name}_with_encoding" for name in ("table", "text") if name in wanted}
        return frozenset({"reencode", *stated})
    if text.endings.style == "mixed" if mixed is None else mixed:
        return frozenset({"newlines"})
    allowed, mends = set(wanted), set[str]()
    if text.encoding.bom:
        allowed -= _BYTEWISE | _NOT_WITH_MARK
        mends.add("strip_bom")
    if text.endings.style in ("crlf", "cr"):
        allowed -= _BYTEWISE
        mends.add("newlines")
    if text.text and not text.final_newline:
        allowed -= _BYTEWISE
        mends.add("final_newline")
    return frozenset(allowed | mends)


def byte_notes(text: Text, *, mixed: bool | None = None) -> tuple[Note, ...]:
    """What the user should know about encoding, NUL bytes and line endings."""
    notes: list[Note] = []
    encoding, ends = text.encoding, text.endings
    if encoding.bom:
        notes.append(Note("byte_order_mark", "byte 0", encoding.name))
    if encoding.guess:
        place = f"byte {encoding.bad_offset}" if encoding.bad_offset is not None else ""
        notes.append(Note("encoding_guess", place, f"{encoding.name} is a guess"))
    notes += [Note("nul_bytes", f"line {r.line}", f"{r.length} from offset {r.offset}") for r in text.nul_runs]
    if ends.style == "mixed" if mixed is None else mixed:
        notes.append(Note("mixed_endings", "", f"{ends.crlf} CRLF, {ends.lf} LF, {ends.cr} CR"))
    if text.text and not text.final_newline:
        notes.append(Note("no_final_newline", f"line {len(text.lines)}"))
    return tuple(notes)
