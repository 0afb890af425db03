"""Skills on the user's own databases, under a false ending and with a journal beside it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.own_sources import hashes, make_shop
from tests.synth.packs.terminal.places import after, drawn, first_application, refuses, skill_named
from tests.synth.packs.terminal.test_sqlite import ON_DATABASES, SKILLS
from tests.synth.packs.verdicts import assert_passes
from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.facts import Database
from trajmill.synth.packs.skill import PackSkill
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.sqlite_starts import own_database
from trajmill.synth.sources.files import read_folder


def world(folder: Path) -> World | None:
    return own_database(read_folder(folder).material("shop.dat"), drawn())


@pytest.fixture
def shop(tmp_path: Path) -> World:
    make_shop(tmp_path / "shop.dat")
    made = world(tmp_path)
    assert made is not None
    return made


def facts(made: World | None) -> Database:
    assert made is not None
    found = made.state.focus.facts
    assert isinstance(found, Database)
    return found


def altered(folder: Path, *statements: str) -> World | None:
    """The shop after some statements."""
    path = make_shop(folder / "shop.dat")
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    return world(folder)


def test_the_file_is_put_as_it_is(shop: World, tmp_path: Path) -> None:
    assert shop.files.get(shop.state.focus.path) == FileEntry((tmp_path / "shop.dat").read_bytes())
    found = facts(shop)
    assert {name: len(table) for name, table in found.tables.items()} == {"customers": 8, "orders": 30}
    assert found.tables["customers"].column("town")[:3] == ("Rome", "", "Oslo")
    assert found.others == {"idx_orders_state", "orders_view"}
    assert not found.guarded


def test_what_stands_in_the_journal_belongs_to_it(tmp_path: Path) -> None:
    make_shop(tmp_path / "shop.dat", wal=True)
    before = hashes(tmp_path)
    assert set(before) == {"shop.dat", "shop.dat-wal"}
    made = world(tmp_path)
    assert len(facts(made).tables["orders"]) == 30
    assert hashes(tmp_path) == before


OWN = [s for s in ON_DATABASES if s.name not in ("sqlite-join-query", "sqlite-schema-report")]


@pytest.mark.parametrize("skill", OWN, ids=lambda s: s.name)
def test_every_way_and_mended_slip_satisfies_the_checks(skill: PackSkill, shop: World) -> None:
    for seed in (1, 7):
        assert_passes(first_application(skill, shop, seed, "bytes"), shop)


def test_its_schema_is_not_reported_not_even_after_a_change(shop: World) -> None:
    report = skill_named(SKILLS, "sqlite-schema-report")
    assert refuses(report, shop)
    deleted = first_application(skill_named(SKILLS, "sqlite-delete-rows"), shop)
    assert refuses(report, after(shop, deleted))


def test_rows_come_in_order_of_rowid_even_if_an_index_holds_them_all(tmp_path: Path) -> None:
    make = "CREATE TABLE tags (id INTEGER PRIMARY KEY, tag TEXT)"
    rows = "INSERT INTO tags VALUES (1, 'd'), (2, 'c'), (3, 'b'), (4, 'a'), (5, 'c')"
    made = altered(tmp_path, make, rows, "CREATE INDEX by_tag ON tags (tag)")
    assert facts(made).tables["tags"].column("tag") == ("d", "c", "b", "a", "c")


def test_names_that_are_taken_are_not_given_again(tmp_path: Path) -> None:
    columns = ("id", "customer_id", "day", "amount", "state")
    pairs = [(a,) for a in columns] + [(a, b) for a in columns for b in columns if a != b]
    names = {f"{start}_orders_{'_'.join(pair)}" for start in ("ix", "IDX") for pair in pairs}
    made = altered(
        tmp_path,
        "DROP TABLE customers",
        "DROP INDEX idx_orders_state",
        *(f"CREATE INDEX {name} ON orders (id)" for name in sorted(names)),
    )
    assert made is not None
    assert refuses(skill_named(SKILLS, "sqlite-add-index"), made)


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE UNIQUE INDEX one ON orders (customer_id, day)",),
        ("DROP TABLE orders", "CREATE TABLE orders AS SELECT * FROM customers", "DROP TABLE customers",
         "CREATE TABLE people (name TEXT UNIQUE, town TEXT, id INTEGER)",
         "INSERT INTO people SELECT name, 'Ulm', id FROM orders", "DROP TABLE orders"),
    ],
)  # fmt: skip
def test_a_table_with_constraints_is_read_but_not_updated(tmp_path: Path, statements: tuple[str, ...]) -> None:
    made = altered(tmp_path, *statements)
    assert facts(made).guarded == set(facts(made).tables)
    assert made is not None
    assert refuses(skill_named(SKILLS, "sqlite-update-rows"), made)
    first_application(skill_named(SKILLS, "sqlite-export-table"), made)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER DELETE ON orders BEGIN DELETE FROM customers; END",
        "UPDATE orders SET amount = 'n/a', state = '' WHERE id > 3",
    ],
)
def test_what_skills_cannot_predict_is_left_alone(tmp_path: Path, statement: str) -> None:
    made = altered(tmp_path, "DROP TABLE customers", statement)
    assert made is None


def test_a_table_that_compares_in_its_own_way_is_not_spoken_of(tmp_path: Path) -> None:
    made = altered(
        tmp_path,
        "CREATE TABLE towns (town TEXT COLLATE NOCASE)",
        "INSERT INTO towns SELECT DISTINCT name FROM customers",
    )
    assert "towns" not in facts(made).tables
    assert "towns" in facts(made).others
