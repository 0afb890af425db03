from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len

from tests.flows.builders import STRANGE_STEPS, UNIQUE_STEPS, command, finish, row, unique_task
from trajmill.flows.reading import MASKED, task_lines, trajectory_lines
from trajmill.schemas.row import task_row

Golden = Callable[[str, str], None]


def page(steps: int = 0, *, width: int | None = 80, full: bool = False, passed: bool = True) -> list[str]:
    task = unique_task()
    one = row(task, (UNIQUE_STEPS, STRANGE_STEPS)[steps], passed=passed)
    return [line.plain for line in trajectory_lines(one, task, place=0, total=4, width=width, full=full)]


def shown(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_a_trajectory_reads_as_before(golden: Golden) -> None:
    golden("inspect-slip-80.txt", shown(page()))


def test_strange_output_reads_as_before(golden: Golden) -> None:
    golden("inspect-strange-80.txt", shown(page(1, passed=False)))


def test_a_task_reads_as_before(golden: Golden) -> None:
    golden("inspect-task-80.txt", shown([line.plain for line in task_lines(task_row(unique_task()), width=80)]))


@pytest.mark.parametrize("width", [80, 120, 60])
@pytest.mark.parametrize("steps", [0, 1])
def test_no_line_is_wider_than_the_terminal(width: int, steps: int) -> None:
    assert max(cell_len(line) for line in page(steps, width=width)) <= width


def test_without_a_width_a_command_stays_on_its_line() -> None:
    assert any("| tr 'a-z' 'A-Z' | sed 's/VERY/QUITE/' | cat > /dev/null" in line for line in page(1, width=None))


def test_nothing_is_sent_that_a_terminal_acts_on() -> None:
    assert all(line.isprintable() for line in page(1, full=True))


def test_in_full_nothing_is_cut() -> None:
    assert "not shown" not in shown(page(1, full=True))
    assert "line 20" in shown(page(1, full=True))
    assert "You work in a shell." in shown(page(1, full=True))


def test_a_slip_is_marked_as_not_trained_on() -> None:
    one = row(unique_task(), UNIQUE_STEPS)
    lines = list(trajectory_lines(one, None, place=0, total=1, width=80))
    marked = [line.plain for line in lines if any(span.style == MASKED for span in line.spans)]
    assert marked == ["  4  slip   not trained on (loss weight 0)"]


def test_a_failed_check_says_what_it_found() -> None:
    assert any(line.startswith("  FAIL  unique.csv holds") for line in page(passed=False))
    assert "Verdict: failed (reward 0, share of checks 0)" in page(passed=False)


def test_no_field_of_a_row_can_reach_the_terminal() -> None:
    evil = "\x1b]0;evil\x07"
    steps = (command(1, evil, f"echo {evil}", evil, role=evil), finish(2, evil))
    one = row(unique_task(), steps, passed=False)
    for column in ("id", "task_id", "policy", "domain", "persona", "explicitness", "instruction", "strictness"):
        one[column] = evil
    one["skills"] = [evil]
    one["sources"] = [{**one["sources"][0], "name": evil, "licence": evil}]
    one["checks"] = [{**one["checks"][0], "name": evil, "detail": evil}]
    for verdict in ("scored", evil):
        lines = trajectory_lines({**one, "verdict": verdict}, unique_task(), place=0, total=1, width=80, full=True)
        assert all(line.plain.isprintable() for line in lines)
