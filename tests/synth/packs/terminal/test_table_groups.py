"""Summing up by groups."""

import pytest

from tests.synth.packs.states import asked, draw, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.table_extremes import extreme_by_group
from trajmill.synth.packs.terminal.table_figures import mean_by_group, sum_by_group
from trajmill.synth.packs.terminal.table_groups import count_by_group

SALES = "shop,amount\nb,0.1\na,0.2\nb,0.2\nc,10\na,2.25\nb,9.5\n"


def test_groups_are_counted_and_listed_by_name_or_by_size() -> None:
    by_name = table_after(asked(count_by_group, table_world(SALES), "ordered by `shop`, ascending"))
    assert by_name.rows == (("a", "2"), ("b", "3"), ("c", "1"))
    by_size = table_after(asked(count_by_group, table_world(SALES), "first, equal ones by"))
    assert by_size.rows == (("b", "3"), ("a", "2"), ("c", "1"))


def test_sums_are_exact_and_keep_the_decimals_of_the_input() -> None:
    table = table_after(sum_by_group(table_world(SALES).state, draw()))
    assert table.header == ("shop", "total_amount")
    assert table.rows == (("a", "2.45"), ("b", "9.80"), ("c", "10.00"))


def test_means_are_rounded_as_the_request_says() -> None:
    table = table_after(asked(mean_by_group, table_world(SALES), "rounded to 3 decimals"))
    assert table.rows == (("a", "1.225"), ("b", "3.267"), ("c", "10.000"))


def test_a_mean_that_rounding_modes_disagree_on_is_not_asked_for() -> None:
    for seed in range(30):
        application = mean_by_group(table_world("k,v\na,1\na,1.5\nb,2\nb,2\n").state, draw(seed))
        assert application is None or "rounded to 1 decimal," not in application.asks[0]


def test_the_extreme_row_of_each_group_is_kept_whole() -> None:
    text = "team,player,goals\nx,p,9\ny,q,3\nx,r,10\ny,s,3\n"
    most = table_after(asked(extreme_by_group, table_world(text), "the row with the largest `goals`"))
    assert most.rows == (("x", "r", "10"), ("y", "q", "3"))


def test_groups_need_a_value_that_occurs_twice() -> None:
    world = table_world("name,n\na,1\nb,2\nc,3\nd,4\n")
    for skill in (count_by_group, sum_by_group, mean_by_group, extreme_by_group):
        assert skill(world.state, draw()) is None


def test_totals_of_years_and_coordinates_are_not_asked_for() -> None:
    world = table_world("kind,year,latitude\na,1999,1.5\nb,2000,2.5\na,2001,3.5\nb,2002,4.5\n")
    assert all(sum_by_group(world.state, draw(seed)) is None for seed in range(10))


@pytest.mark.parametrize("skill", [count_by_group, sum_by_group, mean_by_group, extreme_by_group])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply) -> None:
    world = table_world("big shop,amount,n\nB & C,0.1,1\nA-1,0.2,5\nB & C,0.2,10\nc,10,9\nA-1,2.25,3\nB & C,9.5,3\n")
    for seed in (1, 2):
        application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
        assert application is not None
        assert_ways(application, world)
