"""A contiguous block of records of a large file, so that workspaces stay small and records stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import overload

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
    What is an excerpt already and small enough in bytes is not cut again. What was noted about the whole may not
    hold for the block: it is recognised anew. What has no records to cut
    (settings, databases, archives, repositories, UTF-16) comes back whole.
    """
    if material.excerpt and len(material.data) <= max_bytes:
        return material
    pieces = _kept_pieces(_ByContent(material.kind, material.name, material.data, material))
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


class _Rendered(Sequence[bytes]):
    """JSON records as they would be written, each rendered only when its size is asked for."""

    def __init__(self, records: Sequence[Value]) -> None:
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, at: int) -> bytes: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[bytes]: ...
    def __getitem__(self, at: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(at, slice):
            return [render_json([record]) for record in self._records[at]]
        return render_json([self._records[at]])


class _Pieces:
    """A file as its head and its records, each with its own line ending."""

    def __init__(self, head: bytes, records: Sequence[bytes], frame: _Frame | None = None) -> None:
        self.head = head
        self.records = records
        self.frame = frame


@dataclass(frozen=True, slots=True)
class _ByContent:
    """A material by what decides its pieces, so that a file is taken apart once however often it is cut."""

    kind: str
    name: str
    data: bytes
    material: Material = field(compare=False)


@lru_cache(maxsize=256)
def _kept_pieces(key: _ByContent) -> _Pieces | None:
    return _pieces(key.material)


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
    if not _cut_by_bytes(material):
        return None
    scan = material.table_scan()
    lines = _lines(material.data)
    starts = [record.line - 1 for record in scan.records]
    if not starts:
        return None
    records = [b"".join(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return _Pieces(b"".join(lines[: starts[0]]), records)


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
    return _Pieces(b"", _Rendered(records), _Frame(value, place))


def _line_pieces(material: Material) -> _Pieces | None:
    if not _cut_by_bytes(material):
        return None
    return _Pieces(b"", _lines(material.data))


def _log_pieces(material: Material) -> _Pieces | None:
    log = material.log()
    if not _cut_by_bytes(material) or log.preamble or not log.records:
        return None
    lines = _lines(material.data)
    starts = [record.line - 1 for record in log.records]
    return _Pieces(b"", [b"".join(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)])


def _cut_by_bytes(material: Material) -> bool:
    """Line ends are single bytes, as in every encoding but UTF-16."""
    encoding = material.found.encoding
    return encoding is not None and not encoding.name.startswith("utf-16")


def _lines(data: bytes) -> list[bytes]:
    """Lines with their endings, where CRLF, LF and a lone CR end a line, as the readers count them."""
    return data.splitlines(keepends=True)


def _block(records: Sequence[bytes], most: int, room: int, rng: Random) -> tuple[int, int]:
    """A block of at most ``most`` records that fits, at least one record long."""
    count = min(most, len(records))
    start = rng.randrange(len(records) - count + 1)
    end, used = start, 0
    while end < start + count and (end == start or used + len(records[end]) <= room):
        used += len(records[end])
        end += 1
    return start, end
