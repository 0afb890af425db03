"""JSON Lines: records by line, with blank and broken lines kept apart and placed by byte."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trajmill.schemas.content.encodings import decode
from trajmill.schemas.content.json_exact import Value, parse_value
from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.content.notes import ContentError


@dataclass(frozen=True, slots=True)
class LineRecord:
    """One record and where it stands."""

    line: int
    value: Value


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line that is no JSON; ``start`` and ``end`` are byte offsets, the end excluded, without the line ending."""

    line: int
    start: int
    end: int
    code: str
    """``not_json``, ``duplicate_key`` and so on."""
    detail: str


@dataclass(frozen=True, slots=True)
class JsonLines:
    """A JSON Lines file as it is."""

    records: tuple[LineRecord, ...]
    blank: tuple[int, ...]
    broken: tuple[BrokenLine, ...]
    final_newline: bool

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of the whole records."""
        return tuple(r.value for r in self.records)


def scan_json_lines(data: bytes) -> JsonLines:
    """Read every line, whole or not. Raises ContentError ``not_text`` for what is not UTF-8 text."""
    text = decode(data)
    if not text.encoding.is_utf8 or text.encoding.bom:
        raise ContentError("bad_encoding", "byte 0", "JSON Lines is UTF-8 without a byte order mark")
    records: list[LineRecord] = []
    blank: list[int] = []
    broken: list[BrokenLine] = []
    offset = 0
    for number, raw in enumerate(_split(data), 1):
        body = raw.rstrip(b"\r\n")
        if not body.strip():
            blank.append(number)
        else:
            try:
                records.append(LineRecord(number, parse_value(body.decode("utf-8"))))
            except ContentError as error:
                broken.append(BrokenLine(number, offset, offset + len(body), error.code, error.detail))
        offset += len(raw)
    return JsonLines(tuple(records), tuple(blank), tuple(broken), data.endswith(b"\n"))


def read_json_lines(data: bytes) -> tuple[Value, ...]:
    """The values of a JSON Lines file. Raises ContentError naming the first broken line; blank lines are skipped."""
    scan = scan_json_lines(data)
    if scan.broken:
        first = scan.broken[0]
        raise ContentError(first.code, f"line {first.line}", first.detail)
    return scan.values


def render_json_lines(values: Iterable[Value], *, spaced: bool = True, ascii_only: bool = False) -> bytes:
    """One value a line, as ``json.dumps`` writes it; without ``spaced`` as ``jq -c`` does."""
    return b"".join(render_json(v, indent=None, spaced=spaced, ascii_only=ascii_only) for v in values)


def _split(data: bytes) -> list[bytes]:
    """Lines end at LF only, so that a lone CR inside a record is a fault of that record."""
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return lines + ([parts[-1]] if parts[-1] else [])
