"""Skills that add something to a database: an index, a view, a summary table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from trajmill.schemas.content.tables import make_table
from trajmill.schemas.task import Check
from trajmill.synth.packs.expect import expect_query
from trajmill.synth.packs.facts import Database
from trajmill.synth.packs.naming import sh, slug
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import many
from trajmill.synth.packs.terminal.sqlite_choice import (
    DATABASES,
    cell,
    expect_rows,
    held_table,
    quoted,
    shell_sql,
    sql_type,
    statement_ways,
)
from trajmill.synth.packs.terminal.sqlite_query import condition
from trajmill.synth.packs.terminal.table_choice import listed


def _extended(state: State) -> State:
    """The same tables; the database now has something more."""
    facts = state.focus.facts
    return state.made(state.focus.path, "sqlite-extended", facts)


def _fresh(state: State, name: str) -> bool:
    facts = state.focus.facts
    return isinstance(facts, Database) and name.lower() not in facts.others | {n.lower() for n in facts.tables}


def _master(path: str, kind: str, name: str, table: str) -> Check:
    query = f"SELECT type, tbl_name FROM sqlite_master WHERE name = '{name}'"
    return expect_query(path, query, [[kind, table]])


def add_index(state: State, draw: Draw) -> Application | None:
    """Add an index on one or two columns."""
    held = held_table(state, draw)
    if held is None:
        return None
    columns = draw.some(held.table.header, 1, min(2, len(held.table.header)))
    values = [tuple(r[held.table.index(c)] for c in columns) for r in held.table.rows]
    unique = len(set(values)) == len(values) and all(all(v) for v in values) and draw.rng.random() < 0.6
    name = f"{draw.pick(('idx', 'ix'))}_{held.name}_{slug('_'.join(columns), most=40)}"
    if not _fresh(state, name):
        return None
    kind = "unique index" if unique else "index"
    statement = f"CREATE {'UNIQUE ' if unique else ''}INDEX {name} ON {held.name} ({', '.join(columns)})"
    path = held.path
    order = f"{listed(columns)}, in this order" if len(columns) > 1 else f"`{columns[0]}`"
    info = expect_query(path, f"SELECT name FROM pragma_index_info('{name}') ORDER BY seqno", [[c] for c in columns])
    is_unique = expect_query(
        path, f"SELECT \"unique\" FROM pragma_index_list('{held.name}') WHERE name = '{name}'", [[int(unique)]]
    )
    article, comma = "a" if unique else "an", "," * (len(columns) > 1)
    return Application(
        outputs=(path,),
        asks=(
            f"add {article} {kind} called `{name}` to the table `{held.name}` in the SQLite database {{it}}, on "
            f"{order}",
            f"create the {kind} `{name}` on {order}{comma} of `{held.name}` in {{it}}",
            f"give the table `{held.name}` of {{it}} {article} {kind} over {order}, under the name `{name}`",
            f"index {order}{comma} of `{held.name}` in {{it}}: {article} {kind} with the name `{name}`",
        ),
        results=(),
        rules=(),
        ways=statement_ways(
            path,
            statement,
            (
                "One CREATE INDEX does it; the rows stay as they are.",
                f"The index goes on {' and '.join(columns)}, under the given name.",
                f"sqlite3 builds the {kind} over {len(held.table)} rows.",
            ),
            (
                "The same statement from Python, committed at the end.",
                f"Python's sqlite3 module can create the {kind} as well.",
                "I execute a single CREATE statement and commit.",
            ),
            draw,
        ),
        checks=(_master(path, "index", name, held.name), info, is_unique, expect_rows(held, held.table.rows)),
        after=_extended(state),
        done=(
            f"`{held.name}` in `{path}` has the {kind} `{name}`",
            f"created the {kind} `{name}` on {listed(columns)}",
        ),
    )


def add_view(state: State, draw: Draw) -> Application | None:
    """Add a view of some rows and columns."""
    held = held_table(state, draw, 6)
    found = condition(held.table, draw) if held else None
    if held is None or found is None:
        return None
    table = held.table
    columns = draw.some(table.header, 2, min(4, len(table.header)))
    name = draw.pick((f"{held.name}_selected", f"v_{held.name}", f"{held.name}_view"))
    if not _fresh(state, name):
        return None
    kept = [r for r, hit in zip(table.rows, found.where, strict=True) if hit]
    kinds = held.types()
    wanted = [[cell(r[table.index(c)], kinds[c]) for c in columns] for r in kept]
    shown = [f"CAST({c} AS TEXT)" if kinds[c] == "REAL" else c for c in columns]
    statement = f"CREATE VIEW {name} AS SELECT {', '.join(columns)} FROM {held.name} WHERE {found.sql}"
    path = held.path
    fixed = f"CREATE TABLE {name} AS SELECT {', '.join(columns)} FROM {held.name} WHERE {found.sql}"
    return Application(
        outputs=(path,),
        asks=(
            f"create a view `{name}` in the SQLite database {{it}} that shows {listed(columns)} of the rows of "
            f"`{held.name}` in which {found.said}",
            f"add to {{it}} the view `{name}`: the columns {listed(columns)}, in this order, of all rows of "
            f"`{held.name}` for which {found.said}",
            f"in {{it}}, define `{name}` as a view on `{held.name}` with the columns {listed(columns)}, limited to "
            f"rows where {found.said}",
            f"let {{it}} have a view called `{name}` that gives {listed(columns)} for the rows of `{held.name}` "
            f"where {found.said}",
        ),
        results=(),
        rules=(),
        ways=statement_ways(
            path,
            statement,
            (
                "A view is a stored SELECT, so one statement is enough.",
                f"{many(len(kept), 'row')} of {len(table)} meet the condition at present; the view will follow the "
                "table.",
                f"The view {name} names its columns in the order asked for.",
            ),
            (
                "From Python I run the CREATE VIEW and commit it.",
                f"The view over `{held.name}` is created by one call of execute.",
                "No rows are copied; the statement only stores the query.",
            ),
            draw,
        ),
        checks=(
            _master(path, "view", name, name),
            expect_query(path, f"SELECT {', '.join(shown)} FROM {name}", wanted, ordered=False),
            expect_query(path, f"SELECT name FROM pragma_table_info('{name}') ORDER BY cid", [[c] for c in columns]),
            expect_rows(held, table.rows),
        ),
        after=_extended(state),
        done=(
            f"the view `{name}` in `{path}` shows {many(len(kept), 'row')} of `{held.name}`",
            f"created the view `{name}` over `{held.name}`",
        ),
        slips=(
            Slip(
                command=f"sqlite3 {sh(path)} {shell_sql(fixed)}",
                why=(
                    f"CREATE with AS SELECT makes `{name}` from the query.",
                    "The rows that are wanted go into something of their own.",
                ),
                look=f"sqlite3 {sh(path)} {shell_sql(f'SELECT type FROM sqlite_master WHERE name = {quoted(name)}')}",
                sign=r"\Atable",
                remark=("That is a table with copies, not a view.", "I created a table; a view is what was asked for."),
                undo=f"sqlite3 {sh(path)} {shell_sql(f'DROP TABLE {name}')}",
                tools=("sqlite3",),
            ),
        ),
    )


def add_summary(state: State, draw: Draw) -> Application | None:
    """Add a table with the number of rows per value of a column."""
    held = held_table(state, draw, 6)
    facts = state.focus.facts
    if held is None or not isinstance(facts, Database):
        return None
    table = held.table
    groups = [
        c.name
        for c in table.columns
        if sql_type(c) == "TEXT" and not c.missing and 2 <= len(set(table.column(c.name))) <= min(40, len(table) // 2)
    ]
    if not groups:
        return None
    group = draw.pick(groups)
    name = f"{held.name}_{draw.pick(('counts', 'summary', 'totals'))}"
    figure = draw.pick(("n", "total", "entries"))
    if not _fresh(state, name) or group.lower() == figure or f"{held.name}_" in held.name:
        return None
    counts = Counter(table.column(group))
    rows = [(g, str(n)) for g, n in sorted(counts.items())]
    statement = f"CREATE TABLE {name} AS SELECT {group}, COUNT(*) AS {figure} FROM {held.name} GROUP BY {group}"
    path = held.path
    made = make_table((group, figure), rows)
    after = state.made(path, "sqlite-extended", replace(facts, tables={**facts.tables}))
    return Application(
        outputs=(path,),
        asks=(
            f"add a table `{name}` to the SQLite database {{it}} with the columns `{group}` and `{figure}`: every "
            f"`{group}` of `{held.name}` and how many rows have it",
            f"in {{it}}, make a table `{name}` (`{group}`, `{figure}`) that counts the rows of `{held.name}` per "
            f"`{group}`",
            f"count the rows of `{held.name}` in {{it}} by `{group}` and keep the result in the same database, as a "
            f"table `{name}` with the columns `{group}` and `{figure}`",
            f"store in {{it}}, as the new table `{name}`, one row per `{group}` of `{held.name}` with the number of "
            f"its rows in a column `{figure}`",
        ),
        results=(),
        rules=(),
        ways=statement_ways(
            path,
            statement,
            (
                "CREATE TABLE AS keeps the result of a grouped query in the database.",
                f"{len(counts)} values of {group} give as many rows in the new table.",
                "One statement groups, counts and stores.",
            ),
            (
                "Python runs the CREATE TABLE AS and commits.",
                f"The counts by {group} are made in SQL and stay in the database.",
                f"The new table will have {len(counts)} rows.",
            ),
            draw,
        ),
        checks=(
            _master(path, "table", name, name),
            expect_query(
                path, f"SELECT {group}, {figure} FROM {name} ORDER BY {group}", [[g, int(n)] for g, n in made.rows]
            ),
            expect_rows(held, table.rows),
        ),
        after=after,
        done=(
            f"`{name}` in `{path}` has {len(counts)} rows, one per `{group}`",
            f"counted {len(table)} rows by `{group}` into the table `{name}`",
        ),
    )


SKILLS = (
    PackSkill("sqlite-add-index", "sqlite", "Add an index.", DATABASES, "sqlite-extended", add_index),
    PackSkill("sqlite-add-view", "sqlite", "Add a view.", ("sqlite-database",), "sqlite-extended", add_view),
    PackSkill(
        "sqlite-add-summary", "sqlite", "Add a table of counts.", ("sqlite-database",), "sqlite-extended", add_summary
    ),
)
