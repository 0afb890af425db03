"""Tab-separated tables, worked on directly."""

import pytest

from tests.synth.packs.states import asked, draw, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.schemas.content.tables import Dialect
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.table_tabs import filter_tabs, select_from_tabs

TABS = Dialect("\t", quoting=False)
ROWS = "id\tkind\tnote\n1\ta\tx\n2\tb\ty y\n3\ta\tz\n4\tc\tw\n"


def test_columns_come_in_the_order_asked_for_and_with_commas() -> None:
    application = asked(select_from_tabs, table_world(ROWS, path="d.tsv", dialect=TABS), "the columns `note` and `id`")
    assert application.after.data(application.outputs[0]) == b"note,id\nx,1\ny y,2\nz,3\nw,4\n"


def test_rows_with_the_value_stay_tab_separated() -> None:
    application = filter_tabs(table_world(ROWS, path="d.tsv", dialect=TABS).state, draw())
    assert table_after(application).rows == (("1", "a", "x"), ("3", "a", "z"))


def test_a_table_with_commas_is_not_meant() -> None:
    world = table_world("id,kind,note\n1,a,x\n2,a,y\n3,b,z\n4,b,w\n")
    assert select_from_tabs(world.state, draw()) is None
    assert filter_tabs(world.state, draw()) is None


@pytest.mark.parametrize("skill", [select_from_tabs, filter_tabs])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply) -> None:
    for text in (ROWS, ROWS.replace("y y", 'y, "y').replace("\ta\t", "\tl'a\t")):
        world = table_world(text, path="d.tsv", dialect=TABS)
        for seed in (1, 2):
            application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
            assert application is not None
            assert_ways(application, world)
