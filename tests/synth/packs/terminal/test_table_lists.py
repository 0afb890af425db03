"""Columns as lists."""

import pytest

from tests.synth.packs.states import draw, lines_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.table_distinct import distinct_values
from trajmill.synth.packs.terminal.table_lists import column_values, number_column

FRUIT = "n,fruit\n3,pear\n10,apple\n2,Pear\n5,pear\n7,fig\n"


def test_a_column_is_listed_in_row_order_with_repetitions() -> None:
    assert lines_after(column_values(table_world(FRUIT).state, draw())) == ("pear", "apple", "Pear", "pear", "fig")
    assert lines_after(number_column(table_world(FRUIT).state, draw())) == ("3", "10", "2", "5", "7")


def test_distinct_values_are_sorted_by_character_code() -> None:
    assert lines_after(distinct_values(table_world(FRUIT).state, draw())) == ("Pear", "apple", "fig", "pear")


def test_values_that_all_differ_are_no_task_for_distinct_values() -> None:
    assert distinct_values(table_world("n,k\n1,a\n2,b\n3,c\n").state, draw()) is None


def test_values_with_line_breaks_are_not_listed() -> None:
    assert column_values(table_world('n,k\n1,"a\nb"\n2,b\n3,c\n').state, draw()) is None


@pytest.mark.parametrize("skill", [column_values, number_column, distinct_values])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply) -> None:
    for text in (FRUIT, FRUIT.replace("apple", '"apple, red"')):
        world = table_world(text)
        for seed in (1, 2):
            application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
            assert application is not None
            assert_ways(application, world)
