"""Sorting and ranking rows."""

from decimal import Decimal

import pytest

from tests.synth.packs.states import draw, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.table_order import sort_by_column
from trajmill.synth.packs.terminal.table_ranking import top_rows

PRICES = "name,price\nb,9\na,10\nc,2.5\nd,10\n"
LONG = "name,price\n" + "".join(f"n{i},{(i * 37) % 23}\n" for i in range(12))


def test_rows_are_ordered_as_the_request_says() -> None:
    seen = set()
    for seed in range(30):
        application = sort_by_column(table_world(PRICES).state, draw(seed))
        assert application is not None
        rows, ask = table_after(application).rows, application.asks[0]
        down = "largest first" in ask or "descending" in ask
        seen.add((("`price`" in ask.split(",")[0]), down))
        if "sort {it} by `price`" in ask:
            numbers = [Decimal(r[1]) for r in rows]
            assert numbers == sorted(numbers, reverse=down)
            tied = [r[0] for r in rows if r[1] == "10"]
            assert tied == ["a", "d"]
            assert "with the same `price`" in ask
        else:
            assert [r[0] for r in rows] == ([*"dcba"] if down else [*"abcd"])
            assert not application.rules
    assert len(seen) >= 3


def test_how_text_is_compared_is_said_where_it_makes_a_difference() -> None:
    world = table_world("name,n\nb,1\nA,1\na,1\nB,1\n")
    asked_for = [a for s in range(8) if (a := sort_by_column(world.state, draw(s)))]
    assert asked_for
    assert all(a.rules for a in asked_for)


def test_a_table_that_is_in_order_already_is_not_asked_to_be_put_in_that_order() -> None:
    ordered = "key,value\na,1\nb,2\nc,3\nd,4\n"
    asks = [a.asks[0] for s in range(20) if (a := sort_by_column(table_world(ordered).state, draw(s)))]
    assert asks
    assert all("largest first" in ask or "descending" in ask for ask in asks)


def test_equal_values_give_nothing_to_sort() -> None:
    assert sort_by_column(table_world("a,b\nx,1\nx,1\nx,1\nx,1\n").state, draw()) is None


def test_the_top_rows_are_the_largest_or_smallest_in_order() -> None:
    for seed in range(8):
        application = top_rows(table_world(LONG).state, draw(seed))
        assert application is not None
        numbers = [Decimal(v) for v in table_after(application).column("price")]
        everything = sorted((Decimal((i * 37) % 23) for i in range(12)), reverse="largest" in application.asks[0])
        assert numbers == everything[: len(numbers)]
        assert 3 <= len(numbers) <= 6


def test_too_few_rows_have_no_top() -> None:
    assert top_rows(table_world(PRICES).state, draw()) is None


@pytest.mark.parametrize("skill", [sort_by_column, top_rows])
@pytest.mark.parametrize("strictness", ["content", "bytes"])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply, strictness: str) -> None:
    world = table_world(LONG)
    for seed in (1, 2):
        application = skill(world.state, draw(seed, strictness=strictness))
        assert application is not None
        assert_ways(application, world)


def test_quoted_fields_are_left_to_a_csv_reader() -> None:
    world = table_world('name,price\n"b, c",9\n"say ""x""",10\nz,2\nw,1\n')
    application = sort_by_column(world.state, draw(1))
    assert application is not None
    assert [w.name for w in application.ways] == ["python"]
    assert_ways(application, world)
