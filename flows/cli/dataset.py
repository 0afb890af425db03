"""``trajmill export|validate|inspect|stats``: what people do with a finished dataset."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from trajmill.flows.cli.options import DatasetArgument, JsonOption, console, print_json

if TYPE_CHECKING:
    from trajmill.flows.lookup import Found

SHOWN_FAULTS = 100
"""Faults printed without ``--all``."""

RowArgument = Annotated[
    Optional[str],  # noqa: UP045 - Typer reads this at run time
    typer.Argument(help="A row from 0, an id of a trajectory or task, or its start.  [default: 0]", show_default=False),
]


def export(
    dataset: DatasetArgument,
    to: Annotated[str, typer.Option(help="The training format, such as trl-sft.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the file.  [default: DATASET/sft]", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write training-ready JSONL.

    The rows are made from the trajectories that passed. Exit codes: 0 done, 1 no row came out, 2 unknown
    format or not a dataset.
    """
    from trajmill.flows.export import EXPORTS, export_dataset
    from trajmill.flows.lookup import require_dataset
    from trajmill.flows.nearest import unknown_value

    if to not in EXPORTS:
        raise unknown_value("export", to, EXPORTS)
    require_dataset(dataset)
    folder = dataset / "sft" if out is None else out
    made = export_dataset(dataset, to, folder)
    file = folder / f"{to}.jsonl"
    if as_json:
        print_json({"file": str(file), **made})
    else:
        screen = console()
        screen.print(f"{made['rows']} rows written to {file}", markup=False)
        for reason, count in made["excluded"].items():
            screen.print(f"{count} trajectories left out: {reason.replace('_', ' ')}", markup=False)
    if not made["rows"]:
        raise typer.Exit(1)


def validate(
    dataset: DatasetArgument,
    show_all: Annotated[bool, typer.Option("--all", help=f"Print all faults, not the first {SHOWN_FAULTS}.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Check files, schemas, rows and counts.

    Everything about a dataset that can be checked without running it. Exit codes: 0 no fault, 1 a fault was
    found, 2 not a dataset.
    """
    from dataclasses import asdict

    from trajmill.flows.validation import validate_dataset
    from trajmill.flows.visible import visible

    found = validate_dataset(dataset)
    faults = found.faults
    if as_json:
        print_json({"dataset": str(dataset), "valid": not faults, **asdict(found)})
    else:
        screen = console()
        for fault in faults if show_all else faults[:SHOWN_FAULTS]:
            screen.print(visible(str(fault)).replace("\n", "\\n"), markup=False)
        if len(faults) > SHOWN_FAULTS and not show_all:
            screen.print(f"... and {len(faults) - SHOWN_FAULTS} more; --all prints them")
        counts = ", ".join(f"{count} {table}" for table, count in found.rows.items())
        outcome = f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}" if faults else "valid"
        screen.print(f"{dataset}: {outcome} ({found.files} files, {counts} checked)", markup=False)
    if faults:
        raise typer.Exit(1)


def inspect(
    dataset: DatasetArgument,
    row: RowArgument = None,
    task: Annotated[bool, typer.Option("--task", help="Show the task with its solution and checks instead.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Cut nothing; show the system prompt too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Read a trajectory in the terminal.

    Shown are the task, each step with what was seen, and the verdict. Control characters in it are written
    out, never sent to the terminal. Exit codes: 0 done, 2 there is no such row.
    """
    from trajmill.flows.lookup import find_trajectory
    from trajmill.flows.reading import row_json, task_json

    found = find_trajectory(dataset, row)
    if as_json:
        task_document = None if found.task_row is None else task_json(found.task_row)
        shown = {"row": found.place, "rows": found.total, "trajectory": row_json(found.row), "task": task_document}
        print_json({"task": task_document} if task else shown)
        return
    _print_page(found, task, full)


def _print_page(found: Found, task: bool, full: bool) -> None:
    from trajmill.flows.reading import task_lines, trajectory_lines
    from trajmill.schemas.errors import StoreError
    from trajmill.schemas.row import task_from_row

    screen = console()
    width = screen.width if sys.stdout.isatty() else None
    held = found.task_row
    if task:
        if held is None:
            raise StoreError(f"The dataset does not hold {found.row['task_id']}.", remedy="Run `trajmill validate`.")
        lines = task_lines(held, width=width, full=full)
    else:
        record = None if held is None else task_from_row(held)
        lines = trajectory_lines(found.row, record, place=found.place, total=found.total, width=width, full=full)
    for line in lines:
        screen.print(line)


def stats(
    dataset: DatasetArgument,
    skills: Annotated[int, typer.Option(min=1, help="Most and least used skills that are listed.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Count a dataset and measure its variety.

    Every gate, what was left out, how trajectories are spread, and how varied they are. Exit codes: 0 done, 2
    not a dataset.
    """
    from dataclasses import asdict

    from trajmill.flows.statistics import statistics
    from trajmill.flows.statistics_page import statistics_page

    counted = statistics(dataset)
    if as_json:
        print_json(asdict(counted))
        return
    screen = console()
    for part in statistics_page(counted, skills):
        screen.print(part)
