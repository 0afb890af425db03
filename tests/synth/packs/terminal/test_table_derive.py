"""Computed columns."""

import pytest

from tests.synth.packs.states import asked, draw, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.table_bands import add_band
from trajmill.synth.packs.terminal.table_derive import add_difference, add_share
from trajmill.synth.packs.terminal.table_numbering import number_rows

ACCOUNTS = "who,inflow,outflow\na,0.3,0.1\nb,2.25,2.25\nc,10,3\nd,7.5,9\ne,1,2.5\n"


def test_differences_are_exact() -> None:
    table = table_after(asked(add_difference, table_world(ACCOUNTS), "`inflow` minus `outflow`, with 2 decimals"))
    assert [row[-1] for row in table.rows] == ["0.20", "0.00", "7.00", "-1.50", "-1.50"]


def test_only_columns_of_one_kind_are_subtracted() -> None:
    assert add_difference(table_world("day,wind,temp_max\na,1,2\nb,3,5\nc,4,4\n").state, draw()) is None
    for header in ("day,temp_max,temp_min", "day,open,close", "day,sepalLength,petalLength"):
        assert add_difference(table_world(f"{header}\na,1,2\nb,3,5\nc,4,4\n").state, draw()) is not None


def test_shares_are_of_the_total_in_per_cent() -> None:
    world = table_world("k,amount\na,1\nb,2\nc,3\n")
    table = table_after(asked(add_share, world, "rounded to 2 decimals"))
    assert [row[-1] for row in table.rows] == ["16.67", "33.33", "50.00"]


def test_a_share_that_falls_between_two_roundings_is_not_asked_for() -> None:
    world = table_world("k,amount\na,1\nb,3\nc,4\n")  # 12.5, 37.5 and 50 per cent, of 8
    assert add_share(world.state, draw()) is not None
    halves = table_world("k,amount\na,1\nb,15\nc,1984\n")  # 0.05 and 0.75 per cent, of 2000
    assert all("rounded to 1 decimal " not in a.asks[0] for s in range(9) if (a := add_share(halves.state, draw(s))))


def test_the_threshold_itself_is_on_the_upper_side() -> None:
    world = table_world("k,n\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\n")
    for seed in range(10):
        application = add_band(world.state, draw(seed))
        assert application is not None
        limit = int(application.asks[0].split("`n` is ")[1].split()[0])
        words = [row[-1] for row in table_after(application).rows]
        assert words == [words[-1] if n >= limit else words[0] for n in range(1, 7)]
        assert words[0] != words[-1]


def test_rows_are_numbered_from_the_number_asked_for() -> None:
    table = table_after(asked(number_rows, table_world(ACCOUNTS), "from 100 on"))
    assert [row[0] for row in table.rows] == ["100", "101", "102", "103", "104"]


def test_a_table_without_numbers_has_nothing_to_compute() -> None:
    world = table_world("a,b\nx,y\nz,w\nu,v\nq,r\nm,n\n")
    for skill in (add_difference, add_share, add_band):
        assert skill(world.state, draw()) is None


@pytest.mark.parametrize("skill", [add_difference, add_share, add_band, number_rows])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply) -> None:
    for text in (ACCOUNTS, ACCOUNTS.replace("b,2.25", '"b, ""c""",2.25')):
        world = table_world(text)
        for seed in (1, 2):
            application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
            assert application is not None
            assert_ways(application, world)
