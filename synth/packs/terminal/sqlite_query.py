"""Asking a database for chosen rows and columns, and conditions that suit a table."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import many
from trajmill.synth.packs.terminal.sqlite_choice import (
    DATABASES,
    Held,
    held_table,
    query_ways,
    quoted,
    shell_sql,
    sql_type,
)
from trajmill.synth.packs.terminal.table_choice import listed, sayable
from trajmill.synth.packs.terminal.table_ways import Words, applied


class Condition:
    """A condition on one column, in words and in SQL, and the rows that meet it."""

    __slots__ = ("said", "sql", "where")

    def __init__(self, said: str, sql: str, where: Sequence[bool]) -> None:
        self.said = said
        self.sql = sql
        self.where = where


def condition(table: Table, draw: Draw) -> Condition | None:
    """A condition that some rows meet and others do not, none of them by an empty value; or None."""
    options = []
    for column in table.columns:
        values = table.column(column.name)
        kind = sql_type(column)
        filled = sorted({v for v in values if v})
        if kind == "TEXT":
            for value in filled:
                share = values.count(value)
                if 2 <= share <= len(values) * 0.7 and sayable(value) and "'" not in value:
                    hits = [v == value for v in values]
                    options.append(Condition(f"`{column.name}` is `{value}`", f"{column.name} = {quoted(value)}", hits))
                    break
            continue
        if len(filled) < 4:
            continue
        numbers = sorted(Decimal(v) for v in filled)
        for at in (len(numbers) // 3, len(numbers) // 2, 2 * len(numbers) // 3):
            limit = numbers[at]
            above = [bool(v) and Decimal(v) > limit for v in values]
            below = [bool(v) and Decimal(v) < limit for v in values]
            if 2 <= sum(above) < len(values):
                options.append(Condition(f"`{column.name}` is greater than {limit}", f"{column.name} > {limit}", above))
            if 2 <= sum(below) < len(values):
                options.append(Condition(f"`{column.name}` is less than {limit}", f"{column.name} < {limit}", below))
    return draw.pick(options) if options else None


def query_filter(state: State, draw: Draw) -> Application | None:
    """Select rows by a condition and columns by name, in a stated order."""
    held = held_table(state, draw, 6)
    found = condition(held.table, draw) if held else None
    if held is None or found is None or len(held.table.columns) < 2:
        return None
    table = held.table
    columns = draw.some(table.header, 2, min(4, len(table.header)))
    rows = [r for r, hit in zip(table.rows, found.where, strict=True) if hit]
    if len(rows) > 300:
        return None
    order = _order(table, rows, draw)
    if order is None:
        return None
    key, words, sql = order
    if key is not None:
        at = table.index(key)
        numeric = sql_type(table.about(key)) != "TEXT"
        rows = sorted(
            rows, key=lambda r: (Decimal(r[at]), "") if numeric else (Decimal(0), r[at]), reverse=sql.endswith("DESC")
        )
    places = [table.index(c) for c in columns]
    result = make_table(columns, [tuple(r[i] for i in places) for r in rows])
    output = place_output(state, draw, ("result", f"{held.name}_selected", "query_result"), ".csv")
    written = write_table(state, draw, output, result, "sql-result")
    query = f"SELECT {', '.join(columns)} FROM {held.name} WHERE {found.sql} ORDER BY {sql}"
    count = len(rows)
    missing = any(not f for r in result.rows for f in r)
    nulls = any(c.missing for c in table.columns)
    slip = _everything(state, output, held, columns, sql, result)
    return applied(
        written,
        output,
        Words(
            (
                f"from the table `{held.name}` in the SQLite database {{it}}, select {listed(columns)} of the rows "
                f"in which {found.said}, {words}, and save the result as `{output}` (CSV with a header)",
                f"query {{it}}: the columns {listed(columns)} of `{held.name}` where {found.said}, {words}; write "
                f"them with a header to the CSV file `{output}`",
                (
                    f"write a CSV file `{output}` with {listed(columns)} (header included) of all rows of the table "
                    f"`{held.name}` in {{it}} whose value says that {found.said}, {words}"
                ).replace("whose value says that", "for which"),
                f"get the rows of `{held.name}` from {{it}} for which {found.said}, reduced to {listed(columns)} and "
                f"{words}, as `{output}`, comma-separated with the column names on top",
            ),
            (
                f"{listed(columns)} of the rows of `{held.name}` in {{it}} for which {found.said}, {words}, as CSV "
                "with a header",
            ),
            (
                f"`{output}` has {many(count, 'row')} of {len(table)}, those in which {found.said}",
                f"selected {many(count, 'row')} from `{held.name}` into `{output}`",
            ),
            ("NULL becomes an empty field.",) if missing or (nulls and draw.rng.random() < 0.3) else (),
        ),
        query_ways(
            state,
            draw,
            held.path,
            output,
            query,
            result,
            (
                "Condition, columns and order all fit into one SELECT.",
                f"The condition is on {found.sql.split()[0]}; sqlite3 can write the result with a header.",
                f"{len(table)} rows are in the table; the WHERE clause picks those that are wanted.",
            ),
            (
                "From Python the query is the same, and csv writes its result.",
                f"I run one SELECT over `{held.name}` and write header and rows.",
                "sqlite3 in Python gives the rows, the csv module takes care of quotes.",
            ),
        ),
        (slip,),
    )


def _order(table: Table, rows: Sequence[tuple[str, ...]], draw: Draw) -> tuple[str | None, str, str] | None:
    """A column to order by without ties or gaps, in words and SQL; else the rowid."""
    options: list[tuple[str | None, str, str]] = []
    for column in table.columns:
        values = [r[table.index(column.name)] for r in rows]
        if len(set(values)) == len(values) and all(values):
            kind = sql_type(column)
            if kind != "TEXT":
                options.append((column.name, f"in descending order of `{column.name}`", f"{column.name} DESC"))
            options.append((column.name, f"in ascending order of `{column.name}`", column.name))
    if not options or draw.rng.random() < 0.3:
        return (None, "in order of rowid", "rowid")
    return draw.pick(options)


def _everything(state: State, output: str, held: Held, columns: Sequence[str], sql: str, result: Table) -> Slip | None:
    """The condition forgotten: more rows than there should be."""
    command = (
        f"sqlite3 -header -separator , {sh(held.path)} "
        f"{shell_sql(f'SELECT {chr(44).join(columns)} FROM {held.name} ORDER BY {sql}')} > {sh(output)}"
    )
    right = len(result) + 1
    if any("\n" in f for r in held.table.rows for f in r):
        return None
    return Slip(
        command=mkdir_first(state, output, command),
        why=(
            f"I select {listed(columns)} from `{held.name}`.",
            "The columns and the order are clear, so here is the query.",
        ),
        look=f"wc -l {sh(output)}",
        sign=rf"\A\s*(?!{right}\b)\d+",
        remark=(
            f"Those are all {len(held.table)} rows; I left the condition out.",
            "Far too many rows: the WHERE clause is missing.",
        ),
        tools=("sqlite3", "wc"),
    )


SKILLS = (
    PackSkill(
        "sqlite-query-filter", "sqlite", "Select rows and columns by a query.", DATABASES, "sql-result", query_filter
    ),
)
