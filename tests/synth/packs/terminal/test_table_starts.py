"""Scenarios set up from real tables."""

import pytest

from tests.synth.packs.states import draw, lines_after
from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.skill import Start
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal import table_starts as starts
from trajmill.synth.packs.terminal.table_join import join_lookup
from trajmill.synth.packs.terminal.table_ragged import find_malformed
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.recognise import recognise

WEATHER = "date,sky,rain,wind\n" + "".join(
    f"2024-01-{d:02d},{('sun', 'rain', 'fog')[d % 3]},{d / 4},{d % 7}\n" for d in range(1, 31)
)


def material(data: str, name: str = "weather.csv") -> Material:
    raw = data.encode()
    return Material(name, raw, recognise(name, raw), "0" * 64)


def focus(world: World | None) -> Table:
    assert world is not None
    facts = world.state.focus.facts
    assert isinstance(facts, Table)
    return facts


@pytest.mark.parametrize("start", starts.STARTS, ids=lambda s: s.scenario)
def test_facts_say_what_the_files_hold(start: Start) -> None:
    for seed in range(6):
        world = start.build(material(WEATHER), draw(seed))
        assert world is not None
        assert world.state.focus.scenario == start.scenario
        facts, path = world.state.focus.facts, world.state.focus.path
        if isinstance(facts, Folder):
            assert {f"{path}/{n}": d for n, d in facts.files.items()} == {p: world.state.data(p) for p in world.files}
        elif world.state.focus.scenario != "csv-ragged":
            assert isinstance(facts, Table)
            again = read_table(world.state.data(path), facts.dialect)
            assert (again.header, again.rows) == (facts.header, facts.rows)


def test_defects_are_really_there() -> None:
    for seed in range(6):
        repeated = focus(starts.csv_duplicated(material(WEATHER), draw(seed)))
        assert len(set(repeated.rows)) < len(repeated.rows)
        gaps = focus(starts.csv_gaps(material(WEATHER), draw(seed)))
        assert sum(c.missing for c in gaps.columns) > 1
        euro = focus(starts.csv_semicolon(material(WEATHER), draw(seed)))
        assert (euro.dialect.delimiter, euro.about("rain").type) == (";", "decimal_comma")


def test_a_pair_can_be_joined() -> None:
    world = starts.csv_pair(material(WEATHER), draw())
    assert world is not None
    assert len(world.files) == 2
    assert join_lookup(world.state, draw()) is not None


def test_what_is_no_table_sets_nothing_up() -> None:
    prose = material("Dear all,\nthis is a letter.\n", "letter.txt")
    assert all(start.build(prose, draw()) is None for start in starts.STARTS)


def test_a_ragged_file_serves_only_to_find_its_faults() -> None:
    ragged = material("a,b\n1,2\n3\n4,5\n6,7\n", "r.csv")
    built = {start.scenario: world for start in starts.STARTS if (world := start.build(ragged, draw()))}
    assert set(built) == {"csv-ragged"}
    assert lines_after(find_malformed(built["csv-ragged"].state, draw())) == ("3",)


def test_a_foreign_file_is_taken_as_it_is() -> None:
    data = "town,n\r\nOslo,1\r\nVoss,2\r\n"
    world = starts.csv_foreign(material(data), draw())
    assert world is not None
    assert [entry.data for path in world.files if (entry := world.files.file(path))] == [data.encode()]
