"""Repeated rows, gaps and malformed lines."""

import pytest

from tests.synth.packs.states import asked, draw, file_world, lines_after, table_after, table_facts, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.table_clean import find_duplicates, remove_duplicates
from trajmill.synth.packs.terminal.table_gaps import drop_incomplete, fill_gaps
from trajmill.synth.packs.terminal.table_missing import count_missing
from trajmill.synth.packs.terminal.table_ragged import drop_malformed, find_malformed

REPEATED = "k,v\na,1\nb,2\na,1\nc,3\nb,2\na,1\n"
GAPS = "k,v,w\na,1,x\nb,,y\nc,3,\nd,4,z\ne,,u\n"


def ragged() -> World:
    return file_world(
        "r.csv", "a,b,c\n1,2,3\n4,5\n6,7,8\n9,10,11,12\n13,14,15\n", "csv-ragged", table_facts(b"a,b,c\n1,2,3\n")
    )


def test_the_first_of_equal_rows_stays() -> None:
    table = table_after(remove_duplicates(table_world(REPEATED).state, draw()))
    assert table.rows == (("a", "1"), ("b", "2"), ("c", "3"))


def test_repeated_rows_are_reported_once_with_their_number() -> None:
    table = table_after(find_duplicates(table_world(REPEATED).state, draw()))
    assert table.rows == (("3", "a", "1"), ("2", "b", "2"))


def test_rows_with_a_gap_are_left_out() -> None:
    table = table_after(drop_incomplete(table_world(GAPS).state, draw()))
    assert table.rows == (("a", "1", "x"), ("d", "4", "z"))


def test_gaps_are_filled_as_the_request_says() -> None:
    application = asked(fill_gaps, table_world(GAPS), "`-1` where `v` is empty and `n/a` where `w` is empty")
    assert table_after(application).rows[1:3] == (("b", "-1", "y"), ("c", "3", "n/a"))


def test_gaps_are_counted_for_every_column() -> None:
    table = table_after(count_missing(table_world(GAPS).state, draw()))
    assert table.rows == (("k", "0"), ("v", "2"), ("w", "1"))


def test_malformed_lines_are_numbered_from_the_header_on() -> None:
    assert lines_after(find_malformed(ragged().state, draw())) == ("3", "5")


def test_malformed_lines_can_be_left_out() -> None:
    table = table_after(drop_malformed(ragged().state, draw()))
    assert table.rows == (("1", "2", "3"), ("6", "7", "8"), ("13", "14", "15"))


def test_a_clean_table_offers_nothing_to_clean() -> None:
    world = table_world("a,b\n1,2\n3,4\n5,6\n")
    for skill in (
        remove_duplicates,
        find_duplicates,
        drop_incomplete,
        fill_gaps,
        count_missing,
        find_malformed,
        drop_malformed,
    ):
        assert skill(world.state, draw()) is None


@pytest.mark.parametrize(
    ("skill", "world"),
    [
        (remove_duplicates, table_world(REPEATED)),
        (remove_duplicates, table_world('k,v\n"a, b",1\nc,2\n"a, b",1\n')),
        (find_duplicates, table_world(REPEATED)),
        (drop_incomplete, table_world(GAPS)),
        (fill_gaps, table_world(GAPS)),
        (count_missing, table_world(GAPS)),
        (find_malformed, ragged()),
        (drop_malformed, ragged()),
    ],
)
def test_every_way_and_slip_does_what_is_predicted(skill: Apply, world: World) -> None:
    for seed in (1, 2):
        application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
        assert application is not None
        assert_ways(application, world)
