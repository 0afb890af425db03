"""``trajmill clean``: remove what stopped commands left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trajmill.flows.cli.options import DEFAULT_DATASETS, DEFAULT_STORE, JsonOption, console, print_json


def clean(
    datasets: Annotated[Path, typer.Option(help="The folder that datasets lie in.")] = DEFAULT_DATASETS,
    store: Annotated[Path, typer.Option(help="The run store.")] = DEFAULT_STORE,
    telemetry: Annotated[bool, typer.Option("--telemetry", help="Remove the timings of builds too.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would go; remove nothing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Remove what stopped commands left behind.

    Unfinished files, stale locks and Prefect's files go; never a dataset or finished work. Exit codes: 0
    done, 2 the store is not a run store.
    """
    from trajmill.flows.cleaning import leftovers, remove
    from trajmill.flows.visible import visible

    found = leftovers(datasets, store, telemetry=telemetry)
    if not dry_run:
        remove(found)
    size = sum(leftover.size for leftover in found)
    if as_json:
        listed = [{"path": str(one.path), "why": one.why, "bytes": one.size} for one in found]
        print_json({"removed": not dry_run, "bytes": size, "leftovers": listed})
        return
    screen = console()
    for one in found:
        screen.print(visible(f"{one.path}  {one.why}, {one.size:,} bytes"), markup=False)
    verb = "would go" if dry_run else "removed"
    screen.print(f"{len(found)} {verb}, {size:,} bytes" if found else "Nothing was left behind.")
