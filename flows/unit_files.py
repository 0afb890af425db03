"""Finished units in immutable Parquet files, shared by all builds: ``units/ab/<sha256 of the file>.parquet``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
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
        self._compared: set[Path] = set()
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

    def places(self, unit_ids: Sequence[str]) -> list[Place]:
        """Where the records of these units are, in files whose content has been compared with their names.

        Raises StoreError for a unit that is not there and for a damaged file.
        """
        places = []
        for unit_id in unit_ids:
            place = self._places.get(unit_id)
            if place is None:
                raise StoreError(f"The unit {unit_id} is not in the run store {self._folder.parent}.")
            places.append(place)
        for path in sorted({place.path for place in places} - self._compared):
            _compare(path)
            self._compared.add(path)
        return places

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


def _compare(path: Path) -> None:
    """Raise StoreError unless the file's content fits its name."""
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()[:_NAME_DIGITS]
    except OSError as problem:
        raise StoreError(f"The file {path} cannot be read: {problem.strerror}.") from problem
    if found != path.stem:
        raise StoreError(f"The file {path} is damaged: its content does not fit its name.", remedy=_REMEDY)
