"""Choosing rows."""

import pytest

from tests.synth.packs.states import asked, draw, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.table_rows import filter_numeric, filter_rows
from trajmill.synth.packs.terminal.table_sample import every_nth

CITIES = "city,country,people\n" + "".join(f"c{i},{'FR' if i % 3 else 'DE'},{i * 10 + i % 4}\n" for i in range(1, 13))


def test_rows_with_the_value_are_kept_in_their_order() -> None:
    table = table_after(asked(filter_rows, table_world(CITIES), "whose `country` is exactly `DE`"))
    assert table.column("city") == ("c3", "c6", "c9", "c12")


def test_limits_are_compared_as_numbers_and_included_where_the_request_says_so() -> None:
    text = "k,n\n" + "".join(f"r{i},{i}\n" for i in (9, 10, 100, 2, 20, 3, 30, 11))
    for words, holds in (("or more", "ge"), ("greater than", "gt"), ("or less", "le"), ("less than", "lt")):
        application = asked(filter_numeric, table_world(text), words)
        numbers = [int(v) for v in table_after(application).column("n")]
        limit = (
            int(application.asks[0].split(words)[0].split()[-1])
            if words.startswith("or")
            else int(application.asks[0].split(words)[1].split()[0])
        )
        everything = [9, 10, 100, 2, 20, 3, 30, 11]
        assert numbers == [n for n in everything if getattr(n, f"__{holds}__")(limit)]


def test_every_third_row_is_counted_without_the_header() -> None:
    table = table_after(asked(every_nth, table_world(CITIES), "row 3, row 6, row 9"))
    assert table.column("city") == ("c3", "c6", "c9", "c12")


def test_a_filter_that_keeps_everything_or_nothing_is_not_asked_for() -> None:
    assert filter_rows(table_world("a,b\nx,1\nx,2\nx,3\n").state, draw()) is None
    assert filter_numeric(table_world("a,b\nx,1\nx,1\nx,1\nx,1\nx,1\n").state, draw()) is None
    assert every_nth(table_world("a,b\nx,1\ny,2\nz,3\n").state, draw()) is None


@pytest.mark.parametrize("skill", [filter_rows, filter_numeric, every_nth])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply) -> None:
    for text in (CITIES, CITIES.replace("FR", "l'été $HOME").replace("DE", 'a "b" \\n')):
        world = table_world(text.replace('a "b" \\n', '"a ""b"" \\n"'))
        for seed in (1, 2):
            application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
            assert application is not None
            assert_ways(application, world)
