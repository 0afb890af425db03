"""Figures by month, year and weekday."""

import pytest

from tests.synth.packs.states import asked, draw, lines_after, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.date_spans import span_report
from trajmill.synth.packs.terminal.date_summaries import count_by_period
from trajmill.synth.packs.terminal.date_totals import sum_by_period
from trajmill.synth.packs.terminal.date_weekdays import count_by_weekday

DAYS = (
    "day,rain\n2024-02-28,0.5\n2024-02-29,1\n2024-03-01,0.25\n2025-01-05,4\n2023-12-31,5\n2024-03-04,6\n2024-03-11,0\n"
)


def test_rows_are_counted_per_month_that_occurs() -> None:
    table = table_after(asked(count_by_period, table_world(DAYS), "per month of"))
    assert table.rows == (("2023-12", "1"), ("2024-02", "2"), ("2024-03", "3"), ("2025-01", "1"))


def test_totals_are_exact() -> None:
    table = table_after(asked(sum_by_period, table_world(DAYS), "per year of"))
    assert table.rows == (("2023", "5.00"), ("2024", "7.75"), ("2025", "4.00"))


def test_all_seven_days_are_listed_with_zeros() -> None:
    table = table_after(count_by_weekday(table_world(DAYS).state, draw()))
    assert table.column("weekday")[0] == "Monday"
    assert [row[1] for row in table.rows] == ["2", "0", "1", "1", "1", "0", "2"]


def test_the_span_counts_days_over_a_leap_year() -> None:
    lines = lines_after(span_report(table_world(DAYS).state, draw()))
    assert lines == ("first: 2023-12-31", "last: 2025-01-05", "days: 371", "distinct: 7")


def test_counts_that_are_all_equal_are_not_asked_for() -> None:
    world = table_world("day,n\n2024-01-01,1\n2024-02-01,2\n2024-03-01,3\n2024-04-01,4\n")
    assert all(count_by_period(world.state, draw(seed)) is None for seed in range(5))


@pytest.mark.parametrize("skill", [count_by_period, sum_by_period, count_by_weekday, span_report])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply) -> None:
    world = table_world(DAYS)
    for seed in (1, 2):
        application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
        assert application is not None
        assert_ways(application, world)
