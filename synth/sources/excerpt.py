"""A contiguous block of records of a large file, so that workspaces stay small and records stay as they are."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from trajmill.schemas.content.json_exact import Value
from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.content.notes import ContentError
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.recognise import recognise
from trajmill.synth.sources.recognise_json import records_place

MOST_RECORDS = 400
MOST_BYTES = 48 << 10


def excerpt(
    material: Material, rng: Random, *, max_records: int = MOST_RECORDS, max_bytes: int = MOST_BYTES
) -> Material:
    """At most ``max_records`` records and about ``max_bytes`` bytes of a material, the same one if it is small enough.

    Tables keep their header, JSON keeps what stands around its records. Every record is byte for byte as it was,
    except in JSON, which is written anew with the same values. Where the block begins is drawn from ``rng``.
    What has no records to cut (settings, databases, archives, repositories, ragged tables) comes back whole.
    """
    pieces = _pieces(material)
    if pieces is None or (len(pieces.records) <= max_records and len(material.data) <= max_bytes):
        return material
    start, end = _block(pieces.records, max_records, max_bytes - len(pieces.head), rng)
    data = (
        pieces.head + b"".join(pieces.records[start:end]) if pieces.frame is None else pieces.frame.around(start, end)
    )
    found = recognise(material.name, data)
    part = f"records {start + 1}-{end} of {len(pieces.records)}"
    whole = f"{part} ({material.excerpt})" if material.excerpt else part
    return replace(material, data=data, found=found, excerpt=whole)


class _Frame:
    """What stands around the records of a JSON document."""

    def __init__(self, value: Value, place: str) -> None:
        self.value = value
        self.place = place

    def around(self, start: int, end: int) -> bytes:
        if self.place == "":
            return render_json(self.value[start:end])
        return render_json({**self.value, self.place: self.value[self.place][start:end]})


class _Pieces:
    """A file as its head and its records, each with its own line ending."""

    def __init__(self, head: bytes, records: list[bytes], frame: _Frame | None = None) -> None:
        self.head = head
        self.records = records
        self.frame = frame


def _pieces(material: Material) -> _Pieces | None:
    match material.kind:
        case "csv" | "tsv":
            return _table_pieces(material)
        case "json":
            return _json_pieces(material)
        case "jsonl" | "text":
            return _line_pieces(material)
        case "log":
            return _log_pieces(material)
    return None


def _table_pieces(material: Material) -> _Pieces | None:
    if not material.found.usable & {"table", "table_by_position"}:
        return None
    scan = material.table_scan()
    lines = _lines(material.data)
    starts = [record.line - 1 for record in scan.records]
    ends = [*starts[1:], len(lines)]
    first = starts[0] if starts else len(lines)
    records = [b"".join(lines[a:b]) for a, b in zip(starts, ends, strict=True)]
    return _Pieces(b"".join(lines[:first]), records)


def _json_pieces(material: Material) -> _Pieces | None:
    if "json" not in material.found.usable:
        return None
    try:
        value = material.json()
    except ContentError:
        return None
    place = records_place(value)
    if place is None:
        return None
    records = value if place == "" else value[place]
    sized = [render_json([record]) for record in records]
    return _Pieces(b"", sized, _Frame(value, place))


def _line_pieces(material: Material) -> _Pieces | None:
    if not material.found.usable & {"text", "jsonl_lines"}:
        return None
    return _Pieces(b"", material.data.splitlines(keepends=True))


def _log_pieces(material: Material) -> _Pieces | None:
    log = material.log()
    if "log_records" not in material.found.usable or log.preamble:
        return None
    lines = _lines(material.data)
    starts = [record.line - 1 for record in log.records]
    return _Pieces(b"", [b"".join(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)])


def _lines(data: bytes) -> list[bytes]:
    """Lines with their endings, where CRLF, LF and a lone CR end a line, as the readers count them."""
    return data.splitlines(keepends=True)


def _block(records: list[bytes], most: int, room: int, rng: Random) -> tuple[int, int]:
    """A block of at most ``most`` records that fits, at least one record long."""
    count = min(most, len(records))
    start = rng.randrange(len(records) - count + 1)
    end, used = start, 0
    while end < start + count and (end == start or used + len(records[end]) <= room):
        used += len(records[end])
        end += 1
    return start, end
