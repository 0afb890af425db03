"""Everything about a dataset that can be checked without running it: files, schemas, rows, counts.

A dataset says many things twice (a row's columns and its document, a task and its id, the manifest and the tables), and
here each is made anew from the other and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from trajmill.flows.dataset import MANIFEST, RUN, table_path
from trajmill.flows.export import read_rows
from trajmill.flows.lookup import require_dataset
from trajmill.flows.statistics import count_drops
from trajmill.flows.validation_counts import count_faults
from trajmill.flows.validation_rows import drop_faults, task_faults, trajectory_faults
from trajmill.schemas.errors import StoreError, TrajmillError
from trajmill.schemas.ids import Json, canonical_json, digest_bytes
from trajmill.schemas.row import task_from_row
from trajmill.schemas.table import TABLES
from trajmill.schemas.task import Task

LATER = ("sft/", "harbor/", "report.html")
"""What other commands add to a finished dataset; the manifest need not list it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a dataset."""

    file: str
    """Relative to the dataset."""
    row: int | None
    """Place in the table, from 0."""
    what: str
    """One sentence."""

    def __str__(self) -> str:
        """One line: file, row, sentence."""
        place = self.file if self.row is None else f"{self.file} row {self.row}"
        return f"{place}: {self.what}"


@dataclass(frozen=True, slots=True)
class Validation:
    """What a check of a dataset found."""

    faults: tuple[Fault, ...]
    files: int
    """Files compared with their hashes."""
    rows: Mapping[str, int]
    """Rows checked by table."""


def validate_dataset(folder: Path) -> Validation:
    """Check a dataset. Raises StoreError if the folder is none of ours; every other fault is in what comes back."""
    manifest = require_dataset(folder)
    checker = _Checker(folder, manifest)
    checker.run()
    return Validation(tuple(checker.faults), len(checker.listed), dict(checker.rows))


_CheckRows = Callable[[int, Mapping[str, Json]], Iterator[str]]


class _Checker:
    def __init__(self, folder: Path, manifest: Mapping[str, Json]) -> None:
        self.folder = folder
        self.manifest = manifest
        self.listed: Mapping[str, str] = manifest["files"] if isinstance(manifest.get("files"), dict) else {}
        self.faults: list[Fault] = []
        self.rows: dict[str, int] = {}
        self.tasks: dict[str, Task | None] = {}
        """By id; None for a task whose row cannot be read."""
        self.passed = 0
        self.drops: list[Mapping[str, Json]] = []

    def run(self) -> None:
        self._manifest()
        self._files()
        whole = [name for name in TABLES if self._schema(name)]
        for name, check in (("tasks", self._tasks), ("trajectories", self._trajectories), ("drops", self._drops)):
            if name in whole:
                self._read(name, check)
        if len(whole) == len(TABLES):
            for what in count_faults(self.manifest, self.rows, count_drops(self.drops), self.passed):
                self._add(MANIFEST, None, what)

    def _manifest(self) -> None:
        if not self.listed:
            self._add(MANIFEST, None, "It lists no files with their hashes.")
        if (self.folder / MANIFEST).read_bytes() != canonical_json(self.manifest) + b"\n":
            self._add(MANIFEST, None, "It is not in the form in which it was written: it was edited.")
        card = self.folder / "README.md"
        if card.is_file() and str(self.manifest["build_id"]) not in card.read_text(encoding="utf-8", errors="replace"):
            self._add(MANIFEST, None, f"Its build {self.manifest['build_id']} is not the one in README.md.")
        for table in TABLES:
            name = table_path(self.folder, table).relative_to(self.folder).as_posix()
            if self.listed and name not in self.listed:
                self._add(MANIFEST, None, f"It does not list {name}.")

    def _files(self) -> None:
        for name, digest in sorted(self.listed.items()):
            path = self.folder / name
            if path.is_symlink() or not path.is_file():
                self._add(name, None, "The file is missing.")
            elif digest_bytes(path.read_bytes()) != digest:
                self._add(name, None, "The content has another SHA-256 than the manifest says.")
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            known = name in self.listed or name in (MANIFEST, RUN) or name.startswith(LATER)
            if not known and (path.is_symlink() or not path.is_dir()):
                self._add(name, None, "The manifest does not list the file.")

    def _schema(self, table: str) -> bool:
        """Whether the table can be read with the published columns."""
        path = table_path(self.folder, table)
        name = self._name(table)
        if not path.is_file():
            return False
        try:
            schema = pq.read_schema(path)
        except (OSError, pa.ArrowException) as error:
            self._add(name, None, f"It is no Parquet file: {str(error).splitlines()[0]}")
            return False
        if not schema.equals(TABLES[table], check_metadata=False):
            self._add(name, None, f"Its columns are not the published ones: {_difference(schema, TABLES[table])}.")
            return False
        return True

    def _read(self, table: str, check: _CheckRows) -> None:
        self.rows[table] = 0
        try:
            for number, row in enumerate(read_rows(self.folder, table)):
                self.rows[table] += 1
                for what in check(number, row):
                    self._add(self._name(table), number, what)
        except StoreError as error:
            self._add(self._name(table), None, error.message)

    def _tasks(self, number: int, row: Mapping[str, Json]) -> Iterator[str]:
        if row["id"] in self.tasks:
            yield f"The task {row['id']} is there twice."
        try:
            self.tasks[row["id"]] = task_from_row(row)
        except TrajmillError as error:
            self.tasks[row["id"]] = None
            yield f"The task {row['id']} cannot be read: {error.message}"
            return
        yield from task_faults(row)

    def _trajectories(self, number: int, row: Mapping[str, Json]) -> Iterator[str]:
        self.passed += bool(row["passed"])
        if row["task_id"] not in self.tasks:
            yield f"{row['id']} belongs to {row['task_id']}, which is not in the tasks table."
        yield from trajectory_faults(row, self.tasks.get(row["task_id"]))

    def _drops(self, number: int, row: Mapping[str, Json]) -> Iterator[str]:
        faults = list(drop_faults(row))
        if not faults:
            self.drops.append(row)
        yield from faults

    def _name(self, table: str) -> str:
        return table_path(self.folder, table).relative_to(self.folder).as_posix()

    def _add(self, file: str, row: int | None, what: str) -> None:
        self.faults.append(Fault(file, row, what))


def _difference(found: pa.Schema, published: pa.Schema) -> str:
    missing = [name for name in published.names if name not in found.names]
    unknown = [name for name in found.names if name not in published.names]
    other = [name for name in published.names if name in found.names and found.field(name) != published.field(name)]
    parts = [("missing", missing), ("not published", unknown), ("of another type", other)]
    said = [f"{', '.join(names)} {word}" for word, names in parts if names]
    return "; ".join(said) or "they are in another order"
