from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from tests.flows.builders import published
from trajmill.flows.statistics import Statistics, statistics
from trajmill.flows.statistics_page import statistics_page


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Statistics:
    return statistics(published(tmp_path_factory.mktemp("stats") / "tiny").folder)


def page(counted: Statistics, width: int, skills: int = 10) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    for part in statistics_page(counted, skills):
        console.print(part)
    assert isinstance(console.file, io.StringIO)
    return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())


def test_statistics_read_as_before(golden: Callable[[str, str], None], counted: Statistics) -> None:
    golden("stats-80.txt", page(counted, 80))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(counted: Statistics, width: int) -> None:
    assert max(map(len, page(counted, width).splitlines())) <= width


def test_many_skills_are_shown_from_both_ends(counted: Statistics) -> None:
    text = page(counted, 80, skills=1)
    assert "the 1 most used of 3" in text
    assert "the 1 least used of 3" in text
    assert "csv.drop-duplicates" in text
    assert "log.keep" not in text


def test_an_empty_dataset_has_a_page(tmp_path: Path) -> None:
    empty = statistics(published(tmp_path / "tiny", trajectories=(), drops=()).folder)
    assert "0 of 0" in page(empty, 80)
