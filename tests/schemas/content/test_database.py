"""SQLite files read from bytes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from trajmill.schemas.content.database import merged_database, read_database
from trajmill.schemas.content.notes import ContentError


def database(path: Path, script: str) -> bytes:
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.commit()
    connection.close()
    return path.read_bytes()


def test_tables_come_with_rows_types_and_lost_references(tmp_path: Path) -> None:
    script = (
        "create table item(id integer primary key, price); insert into item values (1, 2), (2, '2.50'), (3, null);"
        "create table sale(item_id); insert into sale values (1), (99), (null);"
        "create view v as select 1; create index i on sale(item_id)"
    )
    found = read_database(database(tmp_path / "a.db", script))
    assert [(t.name, len(t.rows)) for t in found.tables] == [("item", 3), ("sale", 3)]
    assert found.table("item").rows[1] == (2, "2.50")
    assert [c.mixed for c in found.table("item").columns] == [False, True]
    assert (found.views, found.indexes) == (("v",), ("i",))
    assert [(o.table, o.column, o.parent, o.count) for o in found.orphans] == [("sale", "item_id", "item", 1)]


def test_a_cut_file_is_damaged(tmp_path: Path) -> None:
    data = database(tmp_path / "a.db", "create table t(x); insert into t values (1)")
    for cut in (1500, len(data) - 1):
        with pytest.raises(ContentError) as caught:
            read_database(data[:cut])
        assert caught.value.code == "damaged_sqlite"


def test_a_file_without_companions_keeps_its_bytes(tmp_path: Path) -> None:
    data = database(tmp_path / "a.db", "create table t(x)")
    assert merged_database(data) == data


def test_a_file_in_wal_mode_becomes_one_that_opens_read_only(tmp_path: Path) -> None:
    data = database(tmp_path / "a.db", "pragma journal_mode=wal; create table t(x); insert into t values (1)")
    assert data[18] == 2
    merged = merged_database(data)
    assert merged[18] == 1
    assert read_database(merged).table("t").rows == ((1,),)


def test_an_endless_schema_cannot_hang_the_reader(tmp_path: Path) -> None:
    """Views are where a hostile file could hide endless work; they are never run."""
    endless = "with recursive c(x) as (select 1 union all select x+1 from c) select x from c"
    script = f"create table t(x); create view v as {endless}"
    assert read_database(database(tmp_path / "a.db", script)).views == ("v",)
