"""SQLite databases set up from real records, alone or with a lookup table, and the user's own databases as they are."""

from __future__ import annotations

import re

from trajmill.schemas.content.database import Cell, DbTable
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.tables import Table, make_table
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Database
from trajmill.synth.packs.naming import folder_of, place_input, sh, slug, stem
from trajmill.synth.packs.outputs import literal
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.json_lists import line_like
from trajmill.synth.packs.terminal.json_material import material_rows
from trajmill.synth.packs.terminal.json_ways import spelled
from trajmill.synth.packs.terminal.sqlite_choice import printed, quoted, speakable, sql_type, stored
from trajmill.synth.packs.terminal.table_choice import sayable
from trajmill.synth.sources.material import Material

_SCRIPT = ".tables.sql"
_MOST_ROWS = 2_000
_MOST_BYTES = 1 << 20
"""Every task on an own database holds the file."""
_ODD = re.compile(r"\b(COLLATE|GENERATED|AS|WITHOUT|STRICT)\b", re.IGNORECASE)
"""In the statement that made a table: values compare, are kept or come about in another way than skills predict."""
_GUARDED = re.compile(r"\b(UNIQUE|CHECK|PRIMARY)\b", re.IGNORECASE)
_OWN_KEY = re.compile(r"\bINTEGER\s+PRIMARY\s+KEY\b", re.IGNORECASE)
"""A key that is the rowid: no skill sets a number."""

_STORED_AS = {"INTEGER": {"integer"}, "REAL": {"integer", "real"}, "TEXT": {"text"}}
"""What SQLite may hold in a column; a DECIMAL column holds whole numbers as integers."""


def database_start(material: Material, draw: Draw) -> World | None:
    """A database with a table of real records and, half of the time, a second one that a column of it refers to."""
    table = records_table(material, draw)
    if table is None:
        return None
    name = slug(stem(material.name))
    if not speakable(name):
        return None
    tables = {name: table}
    if draw.rng.random() < 0.5:
        tables = _with_lookup(name, table, draw) or tables
    path = place_input(f"{name}{draw.pick(('.db', '.sqlite', '.sqlite3'))}", draw)
    return database_world(path, tables)


def database_world(path: str, tables: dict[str, Table]) -> World:
    """A workspace with a database of these tables, whose values are in stored form."""
    facts = Database(tables)
    tree = Tree({_SCRIPT: FileEntry(_sql(tables).encode())})
    make = f"mkdir -p {sh(folder_of(path))} && " if folder_of(path) else ""
    setup = (
        f"{make}python3 -c 'import sqlite3; db = sqlite3.connect({literal(path)}); "
        f"db.executescript(open({literal(_SCRIPT)}).read()); db.close()' && rm {_SCRIPT}"
    )
    state = State(Tree({}), Artefact(path, "sqlite-database", facts), opaque={path: facts})
    return World(tree, state, (setup,), ("python3", "rm", "mkdir"))


def own_database(material: Material, draw: Draw) -> World | None:
    """A database of the user's as it is, if it has a table whose values are all of one kind per column.

    Skills speak only of such tables; whatever else it holds stays as it is.
    """
    if material.kind != "sqlite" or not material.found.usable:
        return None
    try:
        database = material.database()
    except ContentError:
        return None
    tables = {t.name: made for t in database.tables if (made := _own_table(t)) is not None}
    if not tables or len(material.data) > _MOST_BYTES or database.triggers:
        return None
    path = place_input(material.name, draw)
    named = (*database.indexes, *database.views, *database.virtual, *(t.name for t in database.tables))
    statements = {t.name: _OWN_KEY.sub("", t.sql) for t in database.tables}
    guarded = frozenset(name for name in tables if database.unique or _GUARDED.search(statements[name]))
    facts = Database(tables, frozenset(n.lower() for n in named if n not in tables), guarded, own=True)
    tree = Tree({path: FileEntry(material.data)})
    return World(tree, State(tree, Artefact(path, "sqlite-database", facts)))


def records_table(material: Material, draw: Draw) -> Table | None:
    """Real records as a table in stored form whose names need no quotes in SQL, or None."""
    rows = material_rows(material, draw, 14, 120)
    if rows is None or not all(r[k] is None or line_like(spelled(r[k])) for r in rows for k in r):
        return None
    names = {k: k if speakable(k) else slug(k) for k in rows[0]}
    if len({n.lower() for n in names.values()}) < len(names) or not all(map(speakable, names.values())):
        return None
    values = [["" if r[k] is None else spelled(r[k]) for k in names] for r in rows]
    return stored(make_table(tuple(names.values()), values))


def _with_lookup(name: str, table: Table, draw: Draw) -> dict[str, Table] | None:
    """The table with one text column replaced by numbers, and the table that tells what they mean."""
    options = []
    for column in table.columns:
        values = table.column(column.name)
        if column.type == "text" and 2 <= len(set(values)) <= 12 and all(map(sayable, values)):
            options.append(column.name)
    if not options:
        return None
    chosen = draw.pick(options)
    at = table.index(chosen)
    numbers = {value: str(i) for i, value in enumerate(sorted(set(table.column(chosen))), 1)}
    reference, lookup = f"{chosen}_id", f"{chosen.lower()}_list"
    if reference in table.header or lookup == name or not speakable(lookup):
        return None
    header = [reference if n == chosen else n for n in table.header]
    main = stored(make_table(header, [(*r[:at], numbers[r[at]], *r[at + 1 :]) for r in table.rows]))
    names = make_table(("id", chosen), [(number, value) for value, number in numbers.items()])
    return {name: main, lookup: names} if main is not None else None


def create_table(name: str, table: Table) -> str:
    """The statement that makes the table."""
    columns = ", ".join(f"{c.name} {sql_type(c)}" for c in table.columns)
    return f"CREATE TABLE {name} ({columns})"


def _sql(tables: dict[str, Table]) -> str:
    lines = ["BEGIN;"]
    for name, table in tables.items():
        lines.append(f"{create_table(name, table)};")
        kinds = [sql_type(c) for c in table.columns]
        for row in table.rows:
            values = (("NULL" if not v else quoted(v) if k == "TEXT" else v) for v, k in zip(row, kinds, strict=True))
            lines.append(f"INSERT INTO {name} VALUES ({', '.join(values)});")
    return "\n".join((*lines, "COMMIT;", ""))


def _own_table(table: DbTable) -> Table | None:
    if not speakable(table.name) or not 4 <= len(table.rows) <= _MOST_ROWS or _ODD.search(table.sql):
        return None
    if not all(speakable(c.name) for c in table.columns) or any("blob" in c.stored for c in table.columns):
        return None
    rows = [[_text(v) for v in row] for row in table.rows]
    if any(v is None for row in rows for v in row):
        return None
    made = make_table([c.name for c in table.columns], [[v or "" for v in row] for row in rows])
    held = ({kind for kind in c.stored if kind != "null"} for c in table.columns)
    fits = all(kinds and kinds <= _STORED_AS[sql_type(c)] for c, kinds in zip(made.columns, held, strict=True))
    return made if fits else None


def _text(value: Cell) -> str | None:
    """A cell as text; None for what cannot be told from a missing value or has no one spelling."""
    if value is None:
        return ""
    if isinstance(value, bytes) or value == "":
        return None
    if isinstance(value, str):
        return value if line_like(value) else None
    return printed(str(value), "INTEGER" if isinstance(value, int) else "REAL")


STARTS = (Start("sqlite-database", database_start), Start("sqlite-database", own_database, own="sqlite"))
