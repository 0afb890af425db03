"""Training formats from a dataset on disk: the I/O around the pure rows of ``schemas/formats``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyarrow.parquet as pq

from trajmill.flows.dataset import table_path
from trajmill.flows.durable import write_whole
from trajmill.schemas.errors import ConfigError, StoreError
from trajmill.schemas.formats.atif import from_atif
from trajmill.schemas.formats.trl import Refusal, loading_order, trl_line, trl_sft_row
from trajmill.schemas.ids import Json, digest_bytes
from trajmill.schemas.row import trajectory_from_row
from trajmill.schemas.trajectory import Trajectory

EXPORTS: Mapping[str, Callable[[Trajectory], dict[str, Json] | Refusal]] = {"trl-sft": trl_sft_row}
"""Exporters by name: one trajectory to one row, or the reason why it gives none."""

READ_ROWS = 256
"""Rows decoded at a time."""


def export_dataset(dataset: Path, name: str, folder: Path, *, checked: bool = False) -> Json:
    """Write ``folder/NAME.jsonl`` from the trajectories that passed; returns counts, exclusions and the file's hash.

    ``checked`` says that the documents were held against the contract by this very process.
    Raises ConfigError for an unknown name, StoreError if the dataset cannot be read.
    """
    if name not in EXPORTS:
        raise ConfigError(f"There is no export called {name}.", remedy=f"Use one of: {', '.join(EXPORTS)}.")
    rows: list[dict[str, Json]] = []
    excluded: Counter[str] = Counter()
    for row in read_rows(dataset, "trajectories"):
        if not row["passed"]:
            excluded["not_passed"] += 1
            continue
        made = EXPORTS[name](from_atif(trajectory_from_row(row), checked=checked))
        if isinstance(made, Refusal):
            excluded[made.reason] += 1
        else:
            rows.append(made)
    data = "".join(trl_line(row) for row in loading_order(rows)).encode("utf-8")
    write_whole(folder / f"{name}.jsonl", data)
    return {"rows": len(rows), "excluded": dict(sorted(excluded.items())), "sha256": digest_bytes(data)}


def read_rows(dataset: Path, table: str) -> Iterator[dict[str, Json]]:
    """The rows of a dataset's table, a few at a time. Raises StoreError naming a file that is missing or damaged."""
    path = table_path(dataset, table)
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=READ_ROWS):
                yield from batch.to_pylist()
    except FileNotFoundError as error:
        raise StoreError(f"There is no table {path}.", remedy="Name a dataset folder that Trajmill wrote.") from error
    except (OSError, ValueError) as error:
        raise StoreError(f"The table {path} cannot be read: {error}.", remedy="Build the dataset again.") from error
