"""What a database in focus offers: tables with SQL types, values spelled as SQLite and Python print them alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from trajmill.schemas.content.tables import Column, Table, make_table
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Check
from trajmill.synth.packs.expect import expect_query
from trajmill.synth.packs.facts import Database
from trajmill.synth.packs.naming import sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Act, Draw, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_ways import one_act, py

DATABASES = ("sqlite-database", "sqlite-extended")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_TAKEN = frozenset(
    [
        "order",
        "group",
        "index",
        "table",
        "select",
        "from",
        "where",
        "values",
        "set",
        "default",
        "key",
        "to",
        "by",
        "as",
        "in",
        "is",
        "on",
        "or",
        "and",
        "not",
        "null",
        "case",
        "end",
        "desc",
        "asc",
        "limit",
        "join",
        "union",
        "check",
        "column",
        "create",
        "delete",
        "update",
        "insert",
        "into",
        "primary",
        "references",
        "unique",
        "date",
        "year",
        "count",
        "type",
        "rowid",
        "oid",
        "open",
        "close",
        "left",
        "right",
        "natural",
        "cross",
        "using",
        "all",
        "distinct",
        "having",
        "exists",
        "between",
        "like",
    ]
) - {"date", "year", "count", "type", "open", "close"}


@dataclass(frozen=True, slots=True)
class Held:
    """One table of the database in focus."""

    path: str
    name: str
    table: Table

    def types(self) -> dict[str, str]:
        """SQL type by column, in order."""
        return {c.name: sql_type(c) for c in self.table.columns}


def held_table(state: State, draw: Draw, least: int = 4) -> Held | None:
    """A table of the database in focus that has rows enough and whose names need no quotes; None if there is none."""
    facts = state.focus.facts
    if not isinstance(facts, Database):
        return None
    fit = [n for n, t in facts.tables.items() if speakable(n) and all(map(speakable, t.header)) and len(t) >= least]
    if not fit:
        return None
    name = draw.pick(fit)
    return Held(state.focus.path, name, facts.tables[name])


def speakable(name: str) -> bool:
    """Whether a name can stand in SQL without quotes."""
    return bool(_NAME.fullmatch(name)) and name.lower() not in _TAKEN


def sql_type(column: Column) -> str:
    """``INTEGER``, ``REAL`` or ``TEXT``."""
    return {"integer": "INTEGER", "decimal": "REAL"}.get(column.type, "TEXT")


def stored(table: Table) -> Table | None:
    """The table as a database gives it back: numbers of REAL columns as SQLite and Python both print them.

    None if a number is too long or too large for that, or an integer does not fit.
    """
    rows: list[tuple[str, ...]] = []
    kinds = [sql_type(c) for c in table.columns]
    for row in table.rows:
        kept = [printed(value, kind) for value, kind in zip(row, kinds, strict=True)]
        if any(value is None for value in kept):
            return None
        rows.append(tuple(value or "" for value in kept))
    made = make_table(table.header, rows)
    return made if [sql_type(c) for c in made.columns] == kinds else None


def printed(value: str, kind: str) -> str | None:
    """A value as SQLite and Python both print it; None if they might differ, or an integer does not fit."""
    if not value or kind == "TEXT":
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:
        return None
    if kind == "INTEGER":
        return value if str(int(number)) == value and abs(number) < 2**53 else None
    text = str(float(number))
    plain = "e" not in text and len(text.replace("-", "").replace(".", "").lstrip("0")) <= 14
    return text if plain and Decimal(text) == number and (number != 0 or text == "0.0") else None


def cell(value: str, kind: str) -> Json:
    """A stored value as a check names it: REAL as text."""
    if not value:
        return None
    return int(value) if kind == "INTEGER" else value


def select_all(held: Held) -> str:
    """A query for all rows in order of storage, REAL as text."""
    shown = [f"CAST({n} AS TEXT)" if kind == "REAL" else n for n, kind in held.types().items()]
    return f"SELECT {', '.join(shown)} FROM {held.name} ORDER BY rowid"


def expect_rows(held: Held, rows: Sequence[Sequence[str]]) -> Check:
    """The table holds these rows in this order of storage."""
    kinds = list(held.types().values())
    wanted = [[cell(v, k) for v, k in zip(row, kinds, strict=True)] for row in rows]
    return expect_query(held.path, select_all(held), wanted)


def quoted(value: str) -> str:
    """A text as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"


def shell_sql(statement: str) -> str:
    """SQL as one shell word in double quotes."""
    return '"' + re.sub(r'(["\\$`])', r"\\\1", statement) + '"'


def query_ways(
    state: State,
    draw: Draw,
    path: str,
    output: str,
    query: str,
    table: Table,
    why: Sequence[str],
    why_python: Sequence[str],
) -> list[Way]:
    """Ways to write the result of a query as CSV: sqlite3, if it writes the form that is compared, and Python."""
    header = list(table.header)
    script = draw.pick(
        (
            f"""
import csv
import sqlite3

rows = sqlite3.connect({py(path)}).execute({py(query)})
with open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow(column[0] for column in rows.description)
    writer.writerows(rows)
""",
            f"""
import csv
import sqlite3

with sqlite3.connect({py(path)}) as db, open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow({header})
    for row in db.execute({py(query)}):
        writer.writerow(row)
""",
        )
    )
    ways = [one_act(state, output, "python", ("python3",), python_way(script), *why_python)]
    plain = not any(set(',"\n\r') & set(f) for row in (table.header, *table.rows) for f in row)
    if plain:
        form = draw.pick(("-header -separator ,", "-header -list -separator ,"))
    elif draw.strictness == "content":
        form = "-header -csv"
    else:
        return ways
    command = f"sqlite3 {form} {sh(path)} {shell_sql(query)} > {sh(output)}"
    return [one_act(state, output, "sqlite3", ("sqlite3",), command, *why), *ways]


def statement_ways(
    path: str, statement: str, why: Sequence[str], why_python: Sequence[str], draw: Draw
) -> tuple[Way, ...]:
    """Ways to run statements that change the database: the sqlite3 command and Python."""
    script = draw.pick(
        (
            f"import sqlite3\n\nwith sqlite3.connect({py(path)}) as db:\n    db.execute({py(statement)})",
            f"import sqlite3\n\ndb = sqlite3.connect({py(path)})\ndb.execute({py(statement)})\ndb.commit()\ndb.close()",
        )
    )
    command = draw.pick(
        (f"sqlite3 {sh(path)} {shell_sql(statement)}", f"echo {shell_sql(statement + ';')} | sqlite3 {sh(path)}")
    )
    return (
        Way("sqlite3", ("sqlite3", "echo"), (Act(command, tuple(why)),)),
        Way("python", ("python3",), (Act(python_way(script), tuple(why_python)),)),
    )
