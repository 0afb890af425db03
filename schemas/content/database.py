"""SQLite files read from bytes: a private copy, read-only, bounded in size and time; views and triggers never run."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from trajmill.schemas.content.notes import ContentError

Cell = int | float | str | bytes | None

MOST_BYTES = 64 << 20
_MOST_STEPS = 2_000
"""Times that SQLite may report progress, each after 10,000 of its instructions: a few seconds."""
_JOURNAL_AT = 18
_PLAIN_INDEX = re.compile(r"\s*CREATE\s+INDEX\b", re.IGNORECASE)
"""Offset of the two header bytes that say whether the file is in WAL mode (2) or not (1)."""


@dataclass(frozen=True, slots=True)
class DbColumn:
    """A column of a table."""

    name: str
    declared: str
    """Declared type, or empty."""
    primary_key: bool
    stored: tuple[str, ...]
    """Storage classes that occur, sorted: ``blob``, ``integer``, ``null``, ``real``, ``text``."""

    @property
    def mixed(self) -> bool:
        """Values of several kinds, null not counted."""
        return len([s for s in self.stored if s != "null"]) > 1


@dataclass(frozen=True, slots=True)
class DbTable:
    """A table with all its rows, in the order in which it stores them."""

    name: str
    columns: tuple[DbColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sql: str


@dataclass(frozen=True, slots=True)
class Orphans:
    """Rows that refer to a row which is not there."""

    table: str
    column: str
    parent: str
    count: int


@dataclass(frozen=True, slots=True)
class Database:
    """What a SQLite file holds."""

    tables: tuple[DbTable, ...]
    views: tuple[str, ...]
    indexes: tuple[str, ...]
    triggers: tuple[str, ...]
    virtual: tuple[str, ...]
    """Virtual tables; their rows are not read."""
    orphans: tuple[Orphans, ...]
    unique: tuple[str, ...] = ()
    """Those of ``indexes`` that allow every value once only."""

    def table(self, name: str) -> DbTable:
        """The table of this name. Raises KeyError."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)


def read_database(data: bytes) -> Database:
    """Read a database file without companions. Raises ContentError ``damaged_sqlite`` or ``too_large``."""
    _whole(data)
    with _opened(data) as connection:
        return _read(connection)


def merged_database(data: bytes, *, wal: bytes = b"", journal: bytes = b"") -> bytes:
    """The one file that SQLite sees in a database and its companions: WAL merged, a hot journal rolled back.

    The bytes are unchanged where there is no companion and the file is not in WAL mode; else the result is an
    ordinary file with a rollback journal. Raises ContentError ``damaged_sqlite`` or ``too_large``.
    """
    wal_mode = data[_JOURNAL_AT : _JOURNAL_AT + 2] != b"\x01\x01"
    if not wal and not journal and not wal_mode:
        return data
    _bound(len(data) + len(wal) + len(journal))
    with tempfile.TemporaryDirectory(prefix="trajmill-") as folder:
        path = Path(folder) / "copy.db"
        path.write_bytes(data)
        if wal:
            path.with_name("copy.db-wal").write_bytes(wal)
        if journal:
            path.with_name("copy.db-journal").write_bytes(journal)
        with _damage_named(), closing(sqlite3.connect(path, isolation_level=None)) as connection:
            _guard(connection)
            connection.execute("PRAGMA journal_mode=DELETE").fetchall()
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        return path.read_bytes()


def _whole(data: bytes) -> None:
    """SQLite reads a file that lost its end as long as nothing there is asked for; the header says how long it was."""
    page_size = int.from_bytes(data[16:18], "big")
    promised = int.from_bytes(data[28:32], "big") * (65_536 if page_size == 1 else page_size)
    if data[24:28] == data[92:96] and promised > len(data):
        detail = f"The file has {len(data)} bytes where its header promises {promised}"
        raise ContentError("damaged_sqlite", f"byte {len(data)}", detail)


@contextmanager
def _opened(data: bytes) -> Iterator[sqlite3.Connection]:
    _bound(len(data))
    with tempfile.TemporaryDirectory(prefix="trajmill-") as folder:
        path = Path(folder) / "copy.db"
        path.write_bytes(data)
        uri = f"{path.as_uri()}?mode=ro&immutable=1"
        with _damage_named(), closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            _guard(connection)
            yield connection


@contextmanager
def _damage_named() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise ContentError("damaged_sqlite", "", f"SQLite cannot read the file: {error}") from error


def _bound(size: int) -> None:
    if size > MOST_BYTES:
        raise ContentError("too_large", "", f"{size} bytes of SQLite, at most {MOST_BYTES} are read")


def _guard(connection: sqlite3.Connection) -> None:
    """No functions from the schema, no huge values, an end after a bounded number of steps."""
    steps = 0

    def progress() -> int:
        nonlocal steps
        steps += 1
        return int(steps > _MOST_STEPS)

    connection.set_progress_handler(progress, 10_000)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 16 << 20)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")


def _read(connection: sqlite3.Connection) -> Database:
    verdict = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict is None or verdict[0] != "ok":
        raise ContentError("damaged_sqlite", "", f"SQLite's check says: {verdict[0] if verdict else 'nothing'}")
    everything = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master ORDER BY name").fetchall()
    things = [thing for thing in everything if not str(thing[1]).startswith("sqlite_")]
    tables = [(name, sql) for kind, name, sql in things if kind == "table"]
    virtual = tuple(name for name, sql in tables if sql.upper().lstrip().startswith("CREATE VIRTUAL"))
    read = tuple(_table(connection, name, sql) for name, sql in tables if name not in virtual)
    return Database(
        tables=read,
        views=_names(things, "view"),
        indexes=_names(things, "index"),
        triggers=_names(things, "trigger"),
        virtual=virtual,
        orphans=tuple(_orphans(read)),
        unique=tuple(n for kind, n, sql in things if kind == "index" and not _PLAIN_INDEX.match(sql)),
    )


def _names(things: list[tuple[str, str, str]], kind: str) -> tuple[str, ...]:
    return tuple(name for one, name, _ in things if one == kind)


def _table(connection: sqlite3.Connection, name: str, sql: str) -> DbTable:
    described = connection.execute(f"PRAGMA table_info({_quoted(name)})").fetchall()
    names = [str(row[1]) for row in described]
    chosen = ", ".join(_quoted(n) for n in names)
    rows = tuple(tuple(row) for row in connection.execute(f"SELECT {chosen} FROM {_quoted(name)} NOT INDEXED"))
    stored = [tuple(sorted({_storage(row[i]) for row in rows})) for i in range(len(names))]
    columns = (
        DbColumn(str(row[1]), str(row[2]), bool(row[5]), kinds) for row, kinds in zip(described, stored, strict=True)
    )
    return DbTable(name, tuple(columns), rows, sql)


def _storage(value: Cell) -> str:
    if value is None:
        return "null"
    return {int: "integer", float: "real", str: "text", bytes: "blob"}[type(value)]


def _orphans(tables: tuple[DbTable, ...]) -> Iterator[Orphans]:
    """A column ``item_id`` refers to ``id`` of a table ``item``, as it is by custom, declared or not."""
    keys = {
        t.name.casefold(): (t.name, {row[i] for row in t.rows})
        for t in tables
        for i, c in enumerate(t.columns)
        if c.name.casefold() == "id" and c.primary_key
    }
    for table in tables:
        for i, column in enumerate(table.columns):
            stem = column.name.casefold().removesuffix("_id")
            parent = keys.get(stem) or keys.get(stem + "s")
            if parent is None or stem == column.name.casefold():
                continue
            lost = sum(1 for row in table.rows if row[i] is not None and row[i] not in parent[1])
            if lost:
                yield Orphans(table.name, column.name, parent[0], lost)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
