"""Dates in a column."""

import pytest

from tests.synth.packs.states import asked, draw, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.date_columns import period_column, weekday_column
from trajmill.synth.packs.terminal.date_forms import dates_to_iso
from trajmill.synth.packs.terminal.date_ranges import filter_range

DAYS = "day,n\n2024-02-28,1\n2024-02-29,2\n2024-03-01,3\n2025-01-05,4\n2023-12-31,5\n2024-07-04,6\n"
SHAPES = {
    "03.04.2024": "2024-04-03",
    "13/04/2024": "2024-04-13",
    "04/13/2024": "2024-04-13",
    "2024/04/03": "2024-04-03",
    "Apr 3 2024": "2024-04-03",
}


@pytest.mark.parametrize(("shown", "iso"), SHAPES.items())
def test_each_form_of_date_becomes_iso_in_every_way(shown: str, iso: str) -> None:
    world = table_world(f"k,when,n\na,{shown},1\nb,{shown},2\nc,{shown},3\n", scenario="date-table")
    for seed in (1, 2):
        application = dates_to_iso(world.state, draw(seed))
        assert application is not None
        assert table_after(application).column("when") == (iso,) * 3
        assert_ways(application, world)


def test_a_column_that_could_be_read_two_ways_is_left_alone() -> None:
    assert dates_to_iso(table_world("k,when\na,03/04/2024\nb,05/06/2024\nc,01/02/2024\n").state, draw()) is None


def test_both_limits_of_a_period_belong_to_it() -> None:
    for seed in range(12):
        application = filter_range(table_world(DAYS).state, draw(seed))
        if application is None:
            continue
        words = application.asks[0].split("in the period from ")[1]
        low, high = words[:10], words[14:24]
        assert table_after(application).column("day") == tuple(
            d for d in (r.split(",")[0] for r in DAYS.split("\n")[1:-1]) if low <= d <= high
        )


def test_weekdays_and_periods_are_those_of_the_calendar() -> None:
    names = table_after(asked(weekday_column, table_world(DAYS), "the full English name"))
    assert [row[-1] for row in names.rows] == ["Wednesday", "Thursday", "Friday", "Sunday", "Sunday", "Thursday"]
    quarters = table_after(asked(period_column, table_world(DAYS), "the quarter of"))
    assert [row[-1] for row in quarters.rows] == ["2024-Q1", "2024-Q1", "2024-Q1", "2025-Q1", "2023-Q4", "2024-Q3"]


def test_no_dates_no_task() -> None:
    world = table_world("a,b\n1,x\n2,y\n3,z\n4,w\n5,v\n")
    for skill in (dates_to_iso, filter_range, weekday_column, period_column):
        assert skill(world.state, draw()) is None


@pytest.mark.parametrize("skill", [filter_range, weekday_column, period_column])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply) -> None:
    world = table_world(DAYS)
    done = 0
    for seed in range(3):
        application = skill(world.state, draw(seed, strictness="bytes" if seed % 2 else "content"))
        if application is not None:
            done += 1
            assert_ways(application, world)
    assert done > 1
