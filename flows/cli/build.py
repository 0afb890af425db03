"""``trajmill build``: from a configuration to a dataset."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from trajmill.flows.cli.options import (
    DEFAULT_DATASETS,
    DEFAULT_STORE,
    ConfigArgument,
    JsonOption,
    StoreOption,
    console,
    print_json,
)
from trajmill.flows.visible import visible
from trajmill.schemas.ids import Json

SHOWN_NOTES = 10

if TYPE_CHECKING:
    from trajmill.flows.planning import Plan
    from trajmill.flows.publish import Published


def build(
    config: ConfigArgument,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the dataset.  [default: datasets/NAME]", show_default=False)
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    prefect: Annotated[
        bool, typer.Option("--prefect/--no-prefect", help="Show the shards as Prefect task runs.")
    ] = True,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the plan and what it would cost; run nothing.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the dataset of another build in the folder.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a dataset. A build that was stopped goes on by itself; a finished one changes nothing.

    Exit codes: 0 done, 1 nothing usable came out, 2 bad configuration or input, 3 no sandbox, 130 interrupted.
    """
    from trajmill.flows.running import plan_from, run_build
    from trajmill.schemas.config import load_config

    began = time.monotonic()
    settings = load_config(config)
    folder = out or settings.out or DEFAULT_DATASETS / settings.build.name
    if dry_run:
        _print_plan(plan_from(settings), folder, as_json)
        return
    published = run_build(settings, folder, store, prefect=prefect, replacing=replace, quiet=as_json)
    _print_result(published, as_json, time.monotonic() - began)
    if not published.manifest["rows"]["trajectories"]:
        raise typer.Exit(1)


def _print_plan(plan: Plan, folder: Path, as_json: bool) -> None:
    config = plan.config
    attempts = sum(policy.attempts for policy in config.rollout.policies)
    facts: dict[str, Json] = {
        "build_id": plan.build_id,
        "dataset": str(folder),
        "files": len(plan.inputs.materials),
        "left_out": len(plan.inputs.left_out),
        "tasks": config.sample.paths,
        "rollouts": config.sample.paths * attempts,
        "sandboxes": config.sample.paths * (attempts + 2),
        "tools": len(plan.toolchain),
        "cost_usd": 0,
    }
    if as_json:
        print_json(facts)
        return
    table = Table("plan", "", box=None, show_header=False)
    for name, value in facts.items():
        table.add_row(name.replace("_", " "), str(value))
    console().print(table)
    console().print("No policy here calls a model, so nothing is paid for.")


def _print_result(published: Published, as_json: bool, seconds: float) -> None:
    manifest = published.manifest
    if as_json:
        keys = ("build_id", "funnel", "rows", "drops", "exports", "files")
        facts = {"dataset": str(published.folder), "unchanged": published.unchanged, **{k: manifest[k] for k in keys}}
        print_json(facts)
        return
    screen = console()
    print_funnel(screen, manifest)
    _print_notes(screen, manifest)
    state = "already there, unchanged" if published.unchanged else "written"
    screen.print(f"\nDataset {published.folder} {state} ({seconds:.0f} s).")
    screen.print(f"trajectories sha256 {manifest['files']['data/trajectories/train-00000-of-00001.parquet']}")
    screen.print("\nNext:")
    for command in _next_steps(published.folder):
        screen.print(f"  {command}")


def _print_notes(screen: Console, manifest: Json) -> None:
    """What was noted about the source files: nothing that stopped the build, but something their owner may not know."""
    notes = [f"{source['name']}: {note}" for source in manifest["sources"] for note in source["notes"]]
    if notes:
        screen.print("Notes on the sources")
    for note in notes[:SHOWN_NOTES]:
        screen.print(f"  {visible(note)}", markup=False)
    if len(notes) > SHOWN_NOTES:
        screen.print(f"  and {len(notes) - SHOWN_NOTES} more in manifest.json")


def print_funnel(screen: Console, manifest: Json) -> None:
    """The counts at every gate, and what was left out with its reasons."""
    from trajmill.flows.card import FUNNEL_WORDS

    table = Table("count", "gate", title="Funnel", title_justify="left", box=None, header_style="")
    table.columns[0].justify = "right"
    for gate, count in manifest["funnel"].items():
        table.add_row(str(count), FUNNEL_WORDS[gate])
    screen.print(table)
    if manifest["drops"]:
        drops = Table("count", "left out", title="Drops", title_justify="left", box=None, header_style="")
        drops.columns[0].justify = "right"
        for reason, count in manifest["drops"].items():
            drops.add_row(str(count), reason)
        screen.print(drops)


def _next_steps(folder: Path) -> list[str]:
    program = "trajmill" if shutil.which("trajmill") else sys.argv[0]
    return [
        f"{program} inspect {folder}          read a trajectory",
        f"{program} stats {folder}            look at the numbers",
        f"{program} replay {folder} --rows 5  run trajectories again and compare",
        f"{folder}/sft/trl-sft.jsonl{' ' * len(program)} train on this",
    ]
