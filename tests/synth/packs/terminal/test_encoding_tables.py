"""Tables from and for other systems."""

import pytest

from tests.synth.packs.states import asked, draw, file_world, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.schemas.content.tables import Dialect, make_table, render_table
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.encoding_tables import TARGETS, from_foreign, to_foreign
from trajmill.synth.packs.terminal.table_starts import FOREIGN

ROWS = [("Ålesund", "1"), ("Oslo", "2"), ("Bodø", "3")]


def foreign(dialect: Dialect) -> World:
    table = make_table(("town", "n"), ROWS, dialect)
    return file_world("towns.csv", render_table(table), "csv-foreign", table)


@pytest.mark.parametrize("dialect", FOREIGN)
def test_every_foreign_form_becomes_plain_in_every_way(dialect: Dialect) -> None:
    world = foreign(dialect)
    for seed in (1, 2):
        application = from_foreign(world.state, draw(seed))
        assert application is not None
        assert application.after.data(application.outputs[0]) == "town,n\nÅlesund,1\nOslo,2\nBodø,3\n".encode()
        assert table_after(application).plain
        assert_ways(application, world)


@pytest.mark.parametrize("words", [words for _, words in TARGETS])
def test_a_plain_table_becomes_every_form_for_windows(words: str) -> None:
    world = table_world("town,n\nÅlesund,1\nOslo,2\nBodø,3\n")
    application = asked(to_foreign, world, words)
    assert_ways(application, world)


def test_a_plain_table_is_not_foreign() -> None:
    assert from_foreign(table_world("a,b\n1,2\n3,4\n5,6\n").state, draw()) is None
