"""Finding things in a dataset folder: its manifest, one trajectory, its task."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from trajmill.flows.dataset import MANIFEST, table_path
from trajmill.flows.export import read_rows
from trajmill.flows.publish import read_manifest
from trajmill.schemas.errors import StoreError, UsageError
from trajmill.schemas.ids import Json

NAMES = ("id", "task_id", "unit_id")
"""Columns by which a trajectory may be named, best first."""


@dataclass(frozen=True, slots=True)
class Found:
    """A trajectory of a dataset."""

    place: int
    """Place in the table, from 0."""
    total: int
    row: dict[str, Json]
    task_row: dict[str, Json] | None
    """None if the tasks table lacks it."""


def require_dataset(folder: Path, *keys: str) -> dict[str, Json]:
    """The manifest of a dataset folder. Raises StoreError if it is none of ours or lacks one of the keys."""
    if not folder.is_dir():
        raise StoreError(f"There is no folder {folder}.", remedy="Name the folder of a dataset.")
    manifest = read_manifest(folder)
    if manifest is None:
        raise StoreError(
            f"The folder {folder} is not a Trajmill dataset: it holds no manifest.json of ours.",
            remedy="Name a folder that `trajmill build` wrote.",
        )
    missing = [key for key in keys if key not in manifest]
    if missing:
        raise StoreError(f"{folder / MANIFEST} has no {missing[0]}.", remedy="Build the dataset again.")
    return manifest


def read_columns(folder: Path, table: str, columns: Sequence[str] | None = None) -> list[dict[str, Json]]:
    """The rows of a table with these columns, or all. Raises StoreError naming a file that cannot be read."""
    path = table_path(folder, table)
    try:
        rows: list[dict[str, Json]] = pq.read_table(
            path, columns=None if columns is None else list(columns)
        ).to_pylist()
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error
    return rows


def find_trajectory(folder: Path, name: str | None) -> Found:
    """The trajectory that a place from 0, an id or the start of one names; the first if ``name`` is None.

    A task's id names its first trajectory. Raises UsageError with the nearest id if there is none, StoreError for a
    table that cannot be read.
    """
    require_dataset(folder)
    named = read_columns(folder, "trajectories", NAMES)
    if not named:
        raise UsageError(f"The dataset {folder} holds no trajectory.", remedy="Its drops say why.")
    place = 0 if name is None else place_of(named, name)
    row = _row_at(table_path(folder, "trajectories"), place)
    return Found(place, len(named), row, find_task(folder, row["task_id"]))


def find_task(folder: Path, task_id: str) -> dict[str, Json] | None:
    """The row of a task, or None."""
    ids = [row["id"] for row in read_columns(folder, "tasks", ("id",))]
    return _row_at(table_path(folder, "tasks"), ids.index(task_id)) if task_id in ids else None


def place_of(named: Sequence[dict[str, Json]], name: str) -> int:
    """The place that a name means among rows with the columns ``NAMES``. Raises UsageError if it means none."""
    if name.isascii() and name.isdigit():
        if int(name) < len(named):
            return int(name)
        raise UsageError(f"There is no row {name}.", remedy=f"Rows go from 0 to {len(named) - 1}.")
    for fits in (str.__eq__, str.startswith):
        for column in NAMES:
            places = [place for place, row in enumerate(named) if fits(row[column], name)]
            if places and name:
                return places[0]
    known = [row[column] for row in named for column in NAMES[:2]]
    near = difflib.get_close_matches(name, known, n=1)
    raise UsageError(
        f"No trajectory or task is called {name!r}.",
        remedy=f"Did you mean {near[0]}?" if near else f"Give a row from 0 to {len(named) - 1}, or an id.",
    )


def rows_at(folder: Path, places: Collection[int]) -> dict[int, dict[str, Json]]:
    """The trajectories at these places, by place, read in one pass. Raises StoreError for a table that is damaged."""
    wanted = set(places)
    rows = enumerate(read_rows(folder, "trajectories"))
    return {place: row for place, row in rows if place in wanted}


def _row_at(path: Path, place: int) -> dict[str, Json]:
    try:
        with pq.ParquetFile(path) as file:
            for number in range(file.num_row_groups):
                size = file.metadata.row_group(number).num_rows
                if place < size:
                    row: dict[str, Json] = file.read_row_group(number).slice(place, 1).to_pylist()[0]
                    return row
                place -= size
    except (OSError, ValueError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error
    raise StoreError(f"The table {path} is shorter than it says.", remedy="Build the dataset again.")


def _unreadable(path: Path, error: Exception) -> StoreError:
    said = str(error).splitlines()[0] if str(error) else type(error).__name__
    return StoreError(f"The table {path} cannot be read: {said.rstrip('.')}.", remedy="Build the dataset again.")
