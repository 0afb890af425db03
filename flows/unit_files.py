"""Finished units in immutable Parquet files, shared by all builds: ``units/ab/<sha256 of the file>.parquet``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from trajmill.flows.durable import write_whole
from trajmill.flows.journal import Commit
from trajmill.schemas.errors import StoreError
from trajmill.schemas.ids import digest_bytes

UNIT_SCHEMA = pa.schema(
    [
        pa.field("unit_id", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("task_id", pa.string(), nullable=False),
        pa.field("policy", pa.string(), nullable=False),
        pa.field("attempt", pa.int32(), nullable=False),
        pa.field("failed", pa.bool_(), nullable=False),
        pa.field("record", pa.string(), nullable=False),
    ]
)
"""Columns of a unit; ``record`` is its JSON text, and nothing here depends on when or where it ran."""

ROWS_PER_GROUP = 100
FILES_HELD = 4
"""Decoded files kept in memory while records are read in the order of a dataset."""
_NAME_DIGITS = 32
_REMEDY = "Remove the file to give up the units in it; they are run again."


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit's record is."""

    path: Path
    row: int
    failed: bool


def unit_table(commits: Iterable[Commit]) -> pa.Table:
    """The commits as an Arrow table, sorted by unit id."""
    rows = sorted(commits, key=lambda commit: commit.unit_id)
    columns = [[getattr(row, f.name) for row in rows] for f in fields(Commit)]
    return pa.Table.from_arrays(
        [pa.array(c, f.type) for c, f in zip(columns, UNIT_SCHEMA, strict=True)], schema=UNIT_SCHEMA
    )


def write_units(folder: Path, commits: Iterable[Commit]) -> Path:
    """Write one immutable file below ``folder``; equal commits give equal bytes and the same path."""
    sink = pa.BufferOutputStream()
    pq.write_table(
        unit_table(commits),
        sink,
        row_group_size=ROWS_PER_GROUP,
        compression="zstd",
        compression_level=3,
        use_dictionary=["kind", "task_id", "policy"],
        write_statistics=["unit_id"],
        write_page_checksum=True,
        store_schema=False,
    )
    data = sink.getvalue().to_pybytes()
    name = digest_bytes(data)[:_NAME_DIGITS]
    path = folder / name[:2] / f"{name}.parquet"
    if not path.exists():
        write_whole(path, data)
    return path


def unit_files(folder: Path) -> list[Path]:
    """All files of units, sorted. Raises StoreError naming anything else that lies there."""
    found = []
    for path in sorted(folder.glob("*/*")):
        if path.name.startswith("."):
            continue
        if path.suffix != ".parquet" or path.stem[:2] != path.parent.name or len(path.stem) != _NAME_DIGITS:
            raise StoreError(f"The file {path} does not belong into a run store.", remedy="Move it away.")
        found.append(path)
    return found


class UnitIndex:
    """Which units are finished, and where; files seen once are not read again, since they never change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: set[Path] = set()
        self._places: dict[str, Place] = {}

    def refresh(self) -> None:
        """Take in the files written since, by this process and by others. Raises StoreError naming a damaged file."""
        for path in unit_files(self._folder):
            if path not in self._seen:
                self._take(path)
                self._seen.add(path)

    def place(self, unit_id: str) -> Place | None:
        """Where a unit's record is; of several, one that did not fail, then the first by file name."""
        return self._places.get(unit_id)

    def records(self, unit_ids: Sequence[str]) -> Iterator[Commit]:
        """The records in the order asked for, read file by file. Raises StoreError for a unit that is not there."""
        load = lru_cache(maxsize=FILES_HELD)(_read_whole)
        for unit_id in unit_ids:
            place = self._places.get(unit_id)
            if place is None:
                raise StoreError(f"The unit {unit_id} is not in the run store {self._folder.parent}.")
            yield _commit_at(load(place.path), place.row)

    def _take(self, path: Path) -> None:
        try:
            with pq.ParquetFile(path, page_checksum_verification=True) as file:
                if file.schema_arrow.names != UNIT_SCHEMA.names:
                    raise StoreError(f"The file {path} does not hold units.", remedy=_REMEDY)
                table = file.read(columns=["unit_id", "failed"])
        except (pa.ArrowException, OSError) as problem:
            raise StoreError(f"The file {path} is damaged.", remedy=_REMEDY) from problem
        flags = table.column("failed").to_pylist()
        for row, (unit_id, failed) in enumerate(zip(table.column("unit_id").to_pylist(), flags, strict=True)):
            place = Place(path, row, failed)
            held = self._places.get(unit_id)
            if held is None or (place.failed, place.path) < (held.failed, held.path):
                self._places[unit_id] = place


def _read_whole(path: Path) -> pa.Table:
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise StoreError(f"The file {path} cannot be read: {problem.strerror}.") from problem
    if digest_bytes(data)[:_NAME_DIGITS] != path.stem:
        raise StoreError(f"The file {path} is damaged: its content does not fit its name.", remedy=_REMEDY)
    return pq.read_table(pa.BufferReader(data), schema=UNIT_SCHEMA)


def _commit_at(table: pa.Table, row: int) -> Commit:
    values = [table.column(name)[row].as_py() for name in UNIT_SCHEMA.names]
    return Commit(*values)
