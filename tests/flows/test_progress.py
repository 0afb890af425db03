from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from trajmill.flows.progress import WORDS, display
from trajmill.flows.stages import Progress

STORY = (
    Progress("inputs"),
    Progress("sample"),
    Progress("gate", 0, 4),
    Progress("gate", 1, 4, 1),
    Progress("gate", 4, 4, 3),
    Progress("rollouts", 2, 9, 0, 2),
    Progress("rollouts", 4, 9, 1, 2),
    Progress("rollouts", 9, 9, 6, 2),
    Progress("publish"),
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that the test moves."""
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def told(*, terminal: bool = False, quiet: bool = False, story: tuple[Progress, ...] = STORY) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, highlight=False)
    with display(console, quiet=quiet) as show:
        show.say("Prefect is not there; the build runs without it. [not markup]")
        for progress in story:
            show(progress)
    return out.getvalue()


def test_plain_lines_are_as_they_were(clock: list[float], golden: Callable[[str, str], None]) -> None:
    golden("progress.txt", told())


def test_a_stage_is_told_at_its_start_and_end_and_every_few_seconds_between(clock: list[float]) -> None:
    out = io.StringIO()
    with display(Console(file=out, width=100)) as show:
        for done in range(1, 101):
            clock[0] += 1
            show(Progress("gate", done, 100, done))
    lines = out.getvalue().splitlines()
    assert len(lines) == 11
    assert lines[0].endswith("1/100, 1 of 1 sound")
    assert lines[-1].endswith("100/100, 100 of 100 sound")


def test_the_same_is_not_told_twice(clock: list[float]) -> None:
    assert told(story=(*STORY[:5], STORY[4], STORY[4])).count("4/4") == 1


def test_asked_to_be_quiet_it_says_nothing() -> None:
    assert told(quiet=True) == ""
    assert told(quiet=True, terminal=True) == ""


def test_plain_lines_hold_no_control_characters(clock: list[float]) -> None:
    assert told().replace("\n", "").isprintable()


def test_on_a_terminal_every_stage_has_a_bar() -> None:
    shown = told(terminal=True)
    for stage in ("gate", "rollouts", "publish"):
        assert WORDS[stage] in shown
    assert "9/9" in shown
    assert "[not markup]" in shown


def test_every_stage_has_words() -> None:
    assert {progress.stage for progress in STORY} == set(WORDS)
