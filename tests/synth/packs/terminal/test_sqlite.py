import pytest

from tests.synth.packs.states import table_after, table_world
from tests.synth.packs.terminal.places import (
    PEOPLE,
    TEAMS,
    after,
    first_application,
    refuses,
    skill_named,
    store_world,
)
from tests.synth.packs.verdicts import assert_passes
from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.skill import PackSkill
from trajmill.synth.packs.terminal import (
    sqlite_change,
    sqlite_groups,
    sqlite_join,
    sqlite_load,
    sqlite_query,
    sqlite_rows,
)
from trajmill.synth.packs.terminal.sqlite_choice import speakable, sql_type, stored

SKILLS = (
    *sqlite_load.SKILLS,
    *sqlite_query.SKILLS,
    *sqlite_groups.SKILLS,
    *sqlite_join.SKILLS,
    *sqlite_change.SKILLS,
    *sqlite_rows.SKILLS,
)
ON_DATABASES = [s for s in SKILLS if "sqlite-database" in s.pre]


@pytest.mark.parametrize("skill", ON_DATABASES, ids=lambda s: s.name)
def test_every_way_and_mended_slip_satisfies_the_checks(skill: PackSkill) -> None:
    world = store_world(people=PEOPLE, team_list=TEAMS)
    found = first_application(skill, world, 4, "bytes")
    assert len(found.asks) >= 4
    assert all(len(act.why) >= 3 for way in found.ways for act in way.acts)
    assert_passes(found, world)


def test_a_loaded_table_has_types_and_nulls_and_comes_out_again() -> None:
    world = table_world('name,n,size\nä b,1,0.5\nc,,2\n"d, e",3,10.25\nf,4,\n')
    loaded = first_application(skill_named(SKILLS, "sqlite-load-csv"), world)
    assert_passes(loaded, world)
    then = after(world, loaded)
    exported = first_application(skill_named(SKILLS, "sqlite-export-table"), then)
    assert table_after(exported).rows == (("ä b", "1", "0.5"), ("c", "", "2.0"), ("d, e", "3", "10.25"), ("f", "4", ""))
    assert_passes(exported, then)


def test_a_change_is_seen_by_the_next_query() -> None:
    world = store_world(people=PEOPLE)
    deleted = first_application(skill_named(SKILLS, "sqlite-delete-rows"), world)
    then = after(world, deleted)
    exported = first_application(skill_named(SKILLS, "sqlite-export-table"), then)
    assert 4 <= len(table_after(exported).rows) < 12
    assert_passes(exported, then)


def test_groups_are_counted() -> None:
    found = [
        first_application(skill_named(SKILLS, "sqlite-group-query"), store_world(people=PEOPLE), n) for n in range(8)
    ]
    counts = {tuple(row[:2]) for f in found for row in table_after(f).rows if row[0] in ("late", "early")}
    assert counts == {("late", "6"), ("early", "6")}
    assert any("ordered by" in rule for f in found for rule in f.rules)


def test_a_join_spells_out_what_the_numbers_mean() -> None:
    found = first_application(skill_named(SKILLS, "sqlite-join-query"), store_world(people=PEOPLE, team_list=TEAMS))
    assert table_after(found).header[-1] == "team"
    assert {row[-1] for row in table_after(found).rows} <= {"red", "green", "blue"}
    assert refuses(skill_named(SKILLS, "sqlite-join-query"), store_world(people=PEOPLE))


def test_numbers_are_spelled_as_a_database_prints_them() -> None:
    table = stored(make_table(("a", "b"), [("1", "1"), ("2", "2.5"), ("3", "0.10")]))
    assert table is not None
    assert [sql_type(c) for c in table.columns] == ["INTEGER", "REAL"]
    assert table.column("b") == ("1.0", "2.5", "0.1")


@pytest.mark.parametrize("number", ["0.00001", "1234567890123456.5"])
def test_numbers_that_would_be_printed_otherwise_are_refused(number: str) -> None:
    assert (
        stored(make_table(("a",), [(number,), ("1.5" if "." in number else "1",), ("2.5" if "." in number else "2",)]))
        is None
    )


def test_reserved_words_and_odd_names_are_not_spoken_of() -> None:
    assert not any(map(speakable, ("order", "Group", "two words", "1st", "a-b", "")))
    assert all(map(speakable, ("name", "_x", "total_2")))
