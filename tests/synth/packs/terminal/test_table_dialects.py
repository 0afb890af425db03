"""Tables in other dialects."""

import pytest

from tests.synth.packs.states import draw, lines_after, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.schemas.content.tables import Dialect
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.table_dialects import from_tabs, to_tabs
from trajmill.synth.packs.terminal.table_markdown import to_markdown
from trajmill.synth.packs.terminal.table_semicolons import from_semicolons

PLAIN = table_world("a,b\n1,x\n2,y\n3,z\n")
QUOTED = table_world('a,b\n1,"x, y"\n2,"say ""z"""\n3,w\n')
COMMAS = table_world('a,b\n1,"x, y"\n2,z\n3,w\n')
TABS = table_world("a\tb\n1\tx\n2\ty\n3\tz\n", path="d.tsv", dialect=Dialect("\t", quoting=False))
LONE = table_world('a\tb\n1\tx, "q\n2\ty\n3\tz\n', path="d.tsv", dialect=Dialect("\t", quoting=False))
EURO = table_world("Artikel;Preis\nTee;3,50\nKaffee;12,25\nSaft;0,99\n", dialect=Dialect(";"))
EURO_TEXT = table_world("Artikel;Preis\nTee, grün;3,50\nKaffee;12,25\nSaft;0,99\n", dialect=Dialect(";"))


def test_tabs_and_commas_are_exchanged_and_values_stay() -> None:
    assert to_tabs(PLAIN.state, draw()) is not None
    application = from_tabs(LONE.state, draw())
    assert table_after(application).rows[0] == ("1", 'x, "q')
    assert application is not None
    assert application.after.data(application.outputs[0]) == b'a,b\n1,"x, ""q"\n2,y\n3,z\n'


def test_values_with_quotes_are_not_written_without_quoting() -> None:
    assert to_tabs(QUOTED.state, draw()) is None


def test_decimal_commas_become_points_and_commas_in_text_stay() -> None:
    table = table_after(from_semicolons(EURO_TEXT.state, draw()))
    assert table.rows[0] == ("Tee, grün", "3.50")
    assert table.about("Preis").type == "decimal"


def test_markdown_has_a_rule_below_the_header() -> None:
    assert lines_after(to_markdown(PLAIN.state, draw()))[:3] == ("| a | b |", "|---|---|", "| 1 | x |")


def test_cells_with_bars_or_gaps_make_no_markdown() -> None:
    assert to_markdown(table_world("a,b\n1,x|y\n2,z\n").state, draw()) is None
    assert to_markdown(table_world("a,b\n1,\n2,z\n").state, draw()) is None


@pytest.mark.parametrize(
    ("skill", "world"),
    [
        (to_tabs, PLAIN),
        (to_tabs, COMMAS),
        (from_tabs, TABS),
        (from_tabs, LONE),
        (from_semicolons, EURO),
        (from_semicolons, EURO_TEXT),
        (to_markdown, PLAIN),
        (to_markdown, COMMAS),
    ],
)
def test_every_way_and_slip_does_what_is_predicted(skill: Apply, world: World) -> None:
    for seed in (1, 2):
        application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
        assert application is not None
        assert_ways(application, world)
