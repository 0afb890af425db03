"""Skills that rank the rows of a CSV table by a number."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    COMMA,
    brief,
    measured_columns,
    numbers,
    table_of,
)
from trajmill.synth.packs.terminal.table_comparison import Order, in_order, sql_key
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    head_slip,
    into,
    lines_of,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)


def top_rows(state: State, draw: Draw) -> Application | None:
    """Keep the rows with the largest or smallest values of one numeric column, in that order."""
    table, source = table_of(state, least=8), state.focus.path
    columns = [c for c in measured_columns(table) if len(set(numbers(table, c.name))) > 4] if table else []
    if table is None or not columns:
        return None
    column, down = draw.pick(columns), draw.rng.random() < 0.7
    name, at = column.name, table.index(column.name)
    count = draw.pick([n for n in (3, 4, 5, 6, 7, 8, 10, 12, 15, 20) if n * 2 <= len(table)])
    order = Order(column, at, down, None, -1, True)
    top = in_order(table, order)[:count]
    kept = table.with_rows(top).with_dialect(COMMA)
    side, which = ("top", "largest") if down else ("bottom", "smallest")
    output = place_output(
        state, draw, (f"{side}_{count}", f"{side}{count}_{slug(name)}", f"{brief(source)}_{side}_{count}"), ".csv"
    )
    written = write_table(state, draw, output, kept, "csv-ordered")
    values = numbers(table, name)
    ranked = sorted(values, reverse=down)
    tie = (
        ""
        if len(set(ranked[: count + 1])) == count + 1
        else "; between equal values the row that comes first in the input wins"
    )
    full = f"the {count} rows of {{it}} with the {which} `{name}`"
    return applied(
        written,
        output,
        Words(
            (
                f"find {full} and write them to `{output}` under the same header, {which} first{tie}",
                f"pick out {full}, {which} first, and save them with the header as `{output}`{tie}",
                f"write to `{output}` the header and {full}, ordered from the {which} on{tie}",
                f"make a ranking `{output}`: the header, then {full}, {which} first{tie}",
            ),
            (f"{full}, {which} first, below the header{tie}", f"header and {full}, in order from the {which}{tie}"),
            (
                f"`{output}` lists the {count} rows with the {which} `{name}`, from {top[0][at]} to {top[-1][at]}",
                f"saved the {count} rows with the {which} `{name}` ({top[0][at]} first) in `{output}`",
                f"ranked the rows by `{name}` and kept the first {count} in `{output}`",
            ),
        ),
        _top_ways(state, draw, table, order, count, source, output),
        _top_slips(state, table, order, count, source, output),
    )


def _top_ways(state: State, draw: Draw, table: Table, order: Order, count: int, source: str, output: str) -> list[Way]:
    name, at = order.column.name, order.at
    pick = draw.pick(
        (
            f"best = sorted(rows, key=lambda row: Decimal(row[{py(name)}]), reverse={order.down})[:{count}]",
            f"rows.sort(key=lambda row: Decimal(row[{py(name)}]){', reverse=True' if order.down else ''})\nbest = "
            f"rows[:{count}]",
        )
    )
    script = f"""
import csv
from decimal import Decimal

with open({py(source)}, newline="") as f:
    reader = csv.DictReader(f)
    rows = list(reader)
{pick}
with open({py(output)}, "w", newline="") as f:
    writer = csv.DictWriter(f, reader.fieldnames, lineterminator="\\n")
    writer.writeheader()
    writer.writerows(best)
"""
    python = python_act(
        state,
        output,
        script,
        f"A stable sort on `{name}` and a slice of {count} rows, done in Python.",
        f"In Python I sort by `{name}` as a number; equal values stay in file order.",
        f"I rank all {len(table)} rows by `{name}` with the csv module and keep {count}.",
    )
    if not awkable(state):
        return [python]
    flags = "nr" if order.down else "n"
    shell = one_act(
        state,
        output,
        "coreutils",
        ("head", "tail", "sed", "sort"),
        into(draw, source, output, f"sort -t, -s -k{at + 1},{at + 1}{flags} | head -n {count}"),
        f"Sorted stably on field {at + 1} as a number, the first {count} lines are the answer; the header goes in "
        "front.",
        f"A numeric sort on `{name}` and then {count} lines of it will do, with the header printed first.",
        f"`{name}` is field {at + 1} of unquoted lines: sort, cut off after {count}, header on top.",
    )
    if not sql_table(table, source):
        return [shell, python]
    query = f"SELECT * FROM t ORDER BY {sql_key(order.column, order.down)}, rowid LIMIT {count}"
    why = (
        f"ORDER BY on a cast of `{name}` with LIMIT {count} is quick to write in SQLite.",
        f"SQLite can rank this: rowid keeps the file order between equal values of `{name}`.",
        f"I load the file into an in-memory table and ask for the first {count} by `{name}`.",
    )
    return [shell, python, one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why)]


def _top_slips(state: State, table: Table, order: Order, count: int, source: str, output: str) -> list[Slip | None]:
    if not awkable(state):
        return []
    name, field = order.column.name, order.at + 1
    right = lines_of(table.with_rows(in_order(table, order)[:count]))
    rows = sorted(table.rows, key=lambda row: row[order.at], reverse=order.down)[:count]
    flag = "r" if order.down else ""
    text = Mistake(
        f"(head -n 1 {sh(source)}; tail -n +2 {sh(source)} | sort -t, -s -k{field},{field}{flag} | head -n {count}) "
        f"> {sh(output)}",
        (
            f"Sort on field {field}, then take {count} lines.",
            f"The first {count} lines after a sort on `{name}` are what I need.",
        ),
        (
            f"This ranking of `{name}` follows the digits as text. The key must be numeric.",
            f"Wrong rows: `{name}` was sorted as text, so the number of digits was ignored.",
        ),
        ("head", "tail", "sort"),
    )
    return [head_slip(state, output, text, lines_of(table.with_rows(rows)), right)]


SKILLS = (
    PackSkill(
        name="csv-top-n",
        domain="tables",
        summary="Keep the rows with the largest or smallest values of a column.",
        pre=(*(s for s in COMMA_TABLES if s != "csv-ordered"), "group-summary", "calendar-summary"),
        post="csv-ordered",
        apply=top_rows,
    ),
)
