"""``trajmill replay``: run stored trajectories again and compare."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from rich.console import Console
from rich.text import Text

from trajmill.flows.cli.options import DatasetArgument, JsonOption, console, print_json

if TYPE_CHECKING:
    from trajmill.flows.replay import Difference, Outcome, Replayable

SHOWN_DIFFERENCES = 3
SHOWN_LINES = 8
"""Differences shown of one replay, and lines of each."""
LINE_LENGTH = 160
WORDS = {
    "equal": "equal",
    "different": "DIFFERENT",
    "environment_differs": "environment differs",
    "not_replayable": "not replayable",
    "sandbox_failed": "sandbox failed",
}

RowsArgument = Annotated[
    Optional[list[str]],  # noqa: UP045 - Typer reads this at run time
    typer.Argument(help="Rows from 0, ids, or their starts; none: --rows of them, drawn.", show_default=False),
]


def replay(
    dataset: DatasetArgument,
    row: RowsArgument = None,
    rows: Annotated[int, typer.Option(min=0, help="Rows to draw if none is named; 0: all.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    concurrency: Annotated[int, typer.Option(min=0, help="Replays at a time; 0: one more than cores.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Run trajectories again and compare.

    Each runs in a fresh sandbox; every observation and the verdict are compared with the stored ones. Exit
    codes: 0 all equal, 1 one is different, 2 there is no such row, 3 no sandbox, or tools that differ from
    those of the dataset made it impossible to tell.
    """
    from trajmill.flows.attempts import run_interruptible
    from trajmill.flows.backends import backend_by_name
    from trajmill.flows.lookup import require_dataset
    from trajmill.flows.replay import replay as replay_rows
    from trajmill.schemas.codec import from_json
    from trajmill.schemas.config import RolloutSection

    manifest = require_dataset(dataset, "configuration")
    rollout = from_json(RolloutSection, manifest["configuration"].get("rollout"), where="configuration.rollout")
    chosen = _chosen(dataset, row, rows, seed)
    screen = console()
    outcomes = run_interruptible(
        replay_rows(
            chosen,
            backend_by_name(rollout.sandbox),
            command_timeout_s=rollout.command_timeout_s,
            concurrency=concurrency or None,
            show=(lambda outcome: None) if as_json else (lambda outcome: _print_outcome(screen, outcome)),
        )
    )
    counts: Counter[str] = Counter(outcome.state for outcome in outcomes)
    if as_json:
        _print_json(dataset, outcomes, counts)
    else:
        said = ", ".join(f"{counts[state]} {word.lower()}" for state, word in WORDS.items() if counts[state])
        screen.print(f"{len(outcomes)} replayed: {said or 'nothing to replay'}")
    if counts["different"] or counts["not_replayable"]:
        raise typer.Exit(1)
    if counts["environment_differs"] or counts["sandbox_failed"]:
        raise typer.Exit(3)


def _chosen(dataset: Path, names: list[str] | None, rows: int, seed: int) -> list[Replayable]:
    from trajmill.flows.lookup import NAMES, place_of, read_columns, rows_at
    from trajmill.flows.replay import Replayable
    from trajmill.schemas.ids import derive_random
    from trajmill.schemas.row import task_from_row

    named = read_columns(dataset, "trajectories", NAMES)
    places = list(range(len(named)))
    if names:
        places = list(dict.fromkeys(place_of(named, name) for name in names))
    elif 0 < rows < len(named):
        places = sorted(derive_random("replay", seed).sample(places, rows))
    found = rows_at(dataset, places)
    needed = {row["task_id"] for row in found.values()}
    tasks = {row["id"]: task_from_row(row) for row in read_columns(dataset, "tasks") if row["id"] in needed}
    return [Replayable(place, found[place], tasks.get(found[place]["task_id"])) for place in places]


def _print_json(dataset: Path, outcomes: tuple[Outcome, ...], counts: Mapping[str, int]) -> None:
    from dataclasses import asdict

    print_json({"dataset": str(dataset), "counts": dict(counts), "replays": [asdict(outcome) for outcome in outcomes]})


def _print_outcome(screen: Console, outcome: Outcome) -> None:
    from trajmill.flows.visible import visible

    style = "" if outcome.state == "equal" else "bold"
    said = f"; {outcome.detail}" if outcome.detail else ""
    tools = f"; other tools: {', '.join(outcome.tools)}" if outcome.tools else ""
    line = f"row {outcome.place} {outcome.trajectory_id} {WORDS[outcome.state]}{said}{tools}"
    screen.print(Text(visible(line), style))
    if outcome.state not in ("different", "environment_differs"):
        return
    for difference in outcome.differences[:SHOWN_DIFFERENCES]:
        for text in _difference_lines(difference):
            screen.print(Text(f"    {text}"))
    if len(outcome.differences) > SHOWN_DIFFERENCES:
        screen.print(f"    ... and {len(outcome.differences) - SHOWN_DIFFERENCES} more steps differ")
    if outcome.stored_verdict != outcome.seen_verdict:
        screen.print(Text(visible(f"    verdict - {outcome.stored_verdict}\n            + {outcome.seen_verdict}")))


def _difference_lines(difference: Difference) -> Iterator[str]:
    from trajmill.flows.visible import lines_of

    command = (lines_of(difference.command) or [""])[0]
    yield f"step {difference.step}: $ {command[:LINE_LENGTH]}"
    stored, seen = lines_of(difference.stored), lines_of(difference.seen)
    changed = islice(difflib.unified_diff(stored, seen, n=0, lineterm=""), 2, None)
    diff = [line for line in changed if not line.startswith("@@")]
    for line in diff[:SHOWN_LINES]:
        yield f"  {line[:LINE_LENGTH]}"
    if len(diff) > SHOWN_LINES:
        yield f"  ... and {len(diff) - SHOWN_LINES} more lines"
