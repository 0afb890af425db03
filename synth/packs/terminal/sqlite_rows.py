"""Skills that update or delete rows of a database."""

from __future__ import annotations

from dataclasses import replace

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.facts import Database
from trajmill.synth.packs.naming import sh
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import many
from trajmill.synth.packs.terminal.sqlite_choice import (
    Held,
    expect_rows,
    held_table,
    quoted,
    shell_sql,
    sql_type,
    statement_ways,
)
from trajmill.synth.packs.terminal.sqlite_query import condition


def update_rows(state: State, draw: Draw) -> Application | None:
    """Set a text column to a new value where a condition holds."""
    held = held_table(state, draw, 6)
    found = condition(held.table, draw) if held else None
    facts = state.focus.facts
    if held is None or found is None or not isinstance(facts, Database) or held.name in facts.guarded:
        return None
    table = held.table
    columns = [c.name for c in table.columns if sql_type(c) == "TEXT" and not c.format]
    if not columns:
        return None
    column = draw.pick(columns)
    new = draw.pick(("to check", "reviewed", "unknown", "on hold", "N/A"))
    if any(new in row for row in table.rows):
        return None
    at = table.index(column)
    rows = [(*r[:at], new, *r[at + 1 :]) if hit else r for r, hit in zip(table.rows, found.where, strict=True)]
    changed = make_table(table.header, rows)
    if [sql_type(c) for c in changed.columns] != [sql_type(c) for c in table.columns]:
        return None
    statement = f"UPDATE {held.name} SET {column} = {quoted(new)} WHERE {found.sql}"
    count = sum(found.where)
    path = held.path
    after = state.made(path, "sqlite-database", replace(facts, tables={**facts.tables, held.name: changed}))
    return Application(
        outputs=(path,),
        asks=(
            f"set `{column}` to `{new}` in all rows of `{held.name}` in the SQLite database {{it}} for which "
            f"{found.said}",
            f"update {{it}}: in the table `{held.name}`, `{column}` becomes `{new}` where {found.said}, and nothing "
            "else changes",
            f"change the value of `{column}` to `{new}` in the rows of `{held.name}` in {{it}} where {found.said}",
            f"in `{held.name}` of {{it}}, write `{new}` into `{column}` wherever {found.said}",
        ),
        results=(),
        rules=(),
        ways=statement_ways(
            path,
            statement,
            (
                "An UPDATE with that condition changes just these rows.",
                f"The condition on {found.sql.split()[0]} has to be in the statement, or every row would change.",
                f"One of {len(table.header)} columns is set, in some of the {len(table)} rows.",
            ),
            (
                "In Python the UPDATE runs in a transaction, which I commit.",
                f"execute with the UPDATE on `{held.name}`, then commit.",
                "The module sends the same SQL; the change is saved by the commit.",
            ),
            draw,
        ),
        checks=(expect_rows(replace(held, table=changed), rows),),
        after=after,
        done=(
            f"set `{column}` to `{new}` in {many(count, 'row')} of `{held.name}`",
            f"{many(count, 'row')} of `{held.name}` in `{path}` {'has' if count == 1 else 'have'} `{new}` as "
            f"`{column}` now",
        ),
        slips=_wrong_value(held, column, found.sql, new),
    )


def _wrong_value(held: Held, column: str, where: str, new: str) -> tuple[Slip, ...]:
    """An unquoted text in SQL: the statement fails before it changes anything."""
    if not new.isalpha() or new in held.table.header:
        return ()
    return (
        Slip(
            command=f"sqlite3 {sh(held.path)} {shell_sql(f'UPDATE {held.name} SET {column} = {new} WHERE {where}')}",
            why=(f"I set {column} by an UPDATE with the condition.", "An UPDATE on the rows in question."),
            sign="no such column",
            remark=(
                "The new value has no quotes, so SQL looked for a column of that name.",
                "Text needs single quotes in SQL.",
            ),
            tools=("sqlite3",),
        ),
    )


def delete_rows(state: State, draw: Draw) -> Application | None:
    """Delete the rows that meet a condition."""
    held = held_table(state, draw, 8)
    found = condition(held.table, draw) if held else None
    facts = state.focus.facts
    if held is None or found is None or not isinstance(facts, Database):
        return None
    table = held.table
    kept = [r for r, hit in zip(table.rows, found.where, strict=True) if not hit]
    left = table.with_rows(kept)
    if len(kept) < 4 or any(c.missing == len(kept) for c in left.columns):
        return None
    statement = f"DELETE FROM {held.name} WHERE {found.sql}"
    count, path = sum(found.where), held.path
    after = state.made(path, "sqlite-database", replace(facts, tables={**facts.tables, held.name: left}))
    return Application(
        outputs=(path,),
        asks=(
            f"delete the rows of `{held.name}` in the SQLite database {{it}} for which {found.said}; all others stay",
            f"remove from the table `{held.name}` in {{it}} every row where {found.said}, and keep the rest",
            f"clear {{it}} of all rows of `{held.name}` in which {found.said}",
            f"take the rows where {found.said} out of `{held.name}` in {{it}} and leave the remaining ones unchanged",
        ),
        results=(),
        rules=(),
        ways=statement_ways(
            path,
            statement,
            (
                "A DELETE with a WHERE clause removes just those rows.",
                f"The table has {len(table)} rows; only those that meet the condition may go.",
                f"The condition is on {found.sql.split()[0]}, so one statement is enough.",
            ),
            (
                "Python runs the DELETE and commits it.",
                f"A single DELETE on `{held.name}`, then the commit that makes it last.",
                "The deletion has to be committed, or it would be lost at the end of the script.",
            ),
            draw,
        ),
        checks=(expect_rows(replace(held, table=left), kept),),
        after=after,
        done=(
            f"deleted {many(count, 'row')} from `{held.name}`; {len(kept)} are left",
            f"`{held.name}` in `{path}` has {len(kept)} rows now, {count} fewer than before",
        ),
    )


SKILLS = (
    PackSkill(
        "sqlite-update-rows",
        "sqlite",
        "Update rows by a condition.",
        ("sqlite-database",),
        "sqlite-database",
        update_rows,
    ),
    PackSkill(
        "sqlite-delete-rows",
        "sqlite",
        "Delete rows by a condition.",
        ("sqlite-database",),
        "sqlite-database",
        delete_rows,
    ),
)
