"""``trajmill export|validate|inspect|stats``: what people do with a finished dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trajmill.flows.cli.options import DatasetArgument, JsonOption, console, print_json


def export(
    dataset: DatasetArgument,
    to: Annotated[str, typer.Option(help="The training format: trl-sft.")] = "trl-sft",
    out: Annotated[
        Path | None, typer.Option(help="Folder of the file.  [default: DATASET/sft]", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a training-ready JSONL file from the trajectories that passed.

    Exit codes: 0 done, 1 no row came out, 2 unknown format or not a dataset.
    """
    from trajmill.flows.export import export_dataset
    from trajmill.flows.lookup import require_dataset

    require_dataset(dataset)
    folder = out or dataset / "sft"
    made = export_dataset(dataset, to, folder)
    file = folder / f"{to}.jsonl"
    if as_json:
        print_json({"file": str(file), **made})
    else:
        screen = console()
        screen.print(f"{made['rows']} rows written to {file}", markup=False)
        for reason, count in made["excluded"].items():
            screen.print(f"  {count} left out: {reason.replace('_', ' ')}", markup=False)
    if not made["rows"]:
        raise typer.Exit(1)


def validate(dataset: DatasetArgument, as_json: JsonOption = False) -> None:
    """Check everything about a dataset that can be checked without running anything."""


def inspect(dataset: DatasetArgument, as_json: JsonOption = False) -> None:
    """Read a trajectory in the terminal."""


def stats(dataset: DatasetArgument, as_json: JsonOption = False) -> None:
    """Count what a dataset holds and how varied it is."""
