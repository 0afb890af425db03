"""How far a build is: a live display on a terminal, plain lines elsewhere, nothing when asked for JSON."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from trajmill.flows.stages import Progress

PLAIN_EVERY_S = 10.0
"""Seconds between two plain lines of one stage: enough to see life, few enough for a log."""

WORDS = {
    "inputs": "reading the sources",
    "sample": "sampling paths, composing tasks",
    "gate": "oracle and no-op",
    "rollouts": "rollouts",
    "publish": "writing the dataset",
}


class Display(Protocol):
    """Shows progress."""

    def __call__(self, progress: Progress) -> None:
        """Take in how far a stage is."""
        ...

    def say(self, sentence: str) -> None:
        """Say something once."""
        ...


@contextmanager
def display(console: Console, *, quiet: bool = False) -> Iterator[Display]:
    """The display that suits where the output goes."""
    if quiet:
        yield _Silent()
    elif console.is_terminal:
        bars = Bars(
            TextColumn("{task.description:<32}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(),
            console=console,
        )
        with bars:
            live = _Live(bars)
            yield live
            live.settle()
    else:
        yield _Plain(console)


class _Silent:
    def __call__(self, progress: Progress) -> None:
        return None

    def say(self, sentence: str) -> None:
        return None


@dataclass(slots=True)
class _Live:
    bars: Bars
    rows: dict[str, TaskID] = field(default_factory=dict)

    def __call__(self, progress: Progress) -> None:
        if progress.stage not in self.rows:
            self.settle()
            self.rows[progress.stage] = self.bars.add_task(WORDS[progress.stage], total=None, note="")
        row = self.rows[progress.stage]
        if progress.total:
            self.bars.update(row, completed=progress.done, total=progress.total, note=_note(progress))

    def say(self, sentence: str) -> None:
        self.bars.console.print(sentence, markup=False)

    def settle(self) -> None:
        """Stages without counts are over when the next begins, and at the end."""
        for row in self.rows.values():
            if self.bars.tasks[row].total is None:
                self.bars.update(row, completed=1, total=1)


@dataclass(slots=True)
class _Plain:
    console: Console
    last: dict[str, float] = field(default_factory=dict)
    told: dict[str, Progress] = field(default_factory=dict)

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if self.told.get(progress.stage) == progress:
            return
        finished = progress.total > 0 and progress.done == progress.total
        due = now - self.last.get(progress.stage, -PLAIN_EVERY_S) >= PLAIN_EVERY_S
        if not due and not finished:
            return
        self.last[progress.stage], self.told[progress.stage] = now, progress
        counts = f" {progress.done}/{progress.total}" if progress.total else ""
        note = _note(progress)
        self.say(f"{WORDS[progress.stage]}{counts}{f', {note}' if note else ''}")

    def say(self, sentence: str) -> None:
        self.console.print(sentence, markup=False)


def _note(progress: Progress) -> str:
    word = "sound" if progress.stage == "gate" else "passed"
    fresh = progress.done - progress.skipped
    parts = [f"{progress.passed} of {fresh} {word}"] if fresh else []
    if progress.skipped:
        parts.append(f"{progress.skipped} done before")
    return ", ".join(parts)
