"""Skills that put the rows of a CSV table into order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from trajmill.schemas.content.tables import Column, Table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    COMMA,
    brief,
    full_columns,
    key_columns,
    numbers,
    table_of,
)
from trajmill.synth.packs.terminal.table_comparison import Order, in_order, order_rule, sql_key
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


def sort_by_column(state: State, draw: Draw) -> Application | None:
    """Sort by one column, with a stated direction and tie rule."""
    table, source = table_of(state, least=4), state.focus.path
    order = _draw_order(table, draw) if table else None
    if table is None or order is None:
        return None
    ordered = table.with_rows(in_order(table, order)).with_dialect(COMMA)
    name, words = order.column.name, order.words
    by = slug(name)
    output = place_output(
        state, draw, (f"{brief(source)}_by_{by}", f"by_{by}", f"sorted_by_{by}", f"{by}_order"), ".csv"
    )
    written = write_table(state, draw, output, ordered, "csv-ordered")
    tie = f"; {order.tie_words}" if order.ties else ""
    what = f"the rows of {{it}} under the same header, sorted by `{name}`, {words}"
    return applied(
        written,
        output,
        Words(
            (
                f"sort {{it}} by `{name}`, {words}, and write it with its header to `{output}`{tie}",
                f"put the rows of {{it}} in the order of `{name}` ({words}), save them below the unchanged header "
                f"as `{output}`{tie}",
                f"create `{output}`, which has the header of {{it}} and then all its rows ordered by `{name}`, "
                f"{words}{tie}",
                f"arrange {{it}} by the column `{name}`, {words}, leave the header on the first line and store the "
                f"outcome in `{output}`{tie}",
            ),
            (what + tie, f"everything in {{it}}, header first, then the rows ordered by `{name}`, {words}{tie}"),
            (
                f"`{output}` has all {len(table)} rows ordered by `{name}`, {words}",
                f"sorted the {len(table)} rows by `{name}` ({words}) into `{output}`",
                f"wrote the rows in the order of `{name}` to `{output}`, header first",
            ),
            order_rule(order.compared_text(table), draw),
        ),
        _sort_ways(state, draw, table, order, source, output),
        _sort_slips(state, table, order, source, output),
    )


def _draw_order(table: Table, draw: Draw) -> Order | None:
    columns = [c for c in full_columns(table, "text", "integer", "decimal", "date") if c.format in ("", "%Y-%m-%d")]
    options = [(c, down) for c in columns for down in (False, True)]
    keys = key_columns(table)
    draw.rng.shuffle(options)
    for column, down in options:
        values = table.column(column.name)
        if len(set(values)) < 3:
            continue
        ties = len(_distinct(table, column)) < len(values)
        tie = draw.pick([None, *keys]) if ties else None
        at, tie_at = table.index(column.name), table.index(tie.name) if tie else -1
        order = Order(column, at, down, tie, tie_at, ties)
        if in_order(table, order) != table.rows:
            return order
    return None


def _distinct(table: Table, column: Column) -> set[Any]:
    return set(numbers(table, column.name)) if column.numeric else set(table.column(column.name))


def _sort_ways(state: State, draw: Draw, table: Table, order: Order, source: str, output: str) -> list[Way]:
    name, at = order.column.name, order.at
    python = python_act(
        state,
        output,
        _sort_script(draw, order, source, output),
        f"Python's sort is stable, so ties on `{name}` come out as asked.",
        f"I read the rows with the csv module and sort them on `{name}`"
        + (" as numbers, not as text." if order.numeric else "."),
        f"A few lines of Python keep the header apart and order the other {len(table)} rows.",
    )
    if not awkable(state):
        return [python]
    ways = [
        one_act(
            state,
            output,
            "coreutils",
            ("head", "tail", "sed", "sort"),
            into(draw, source, output, f"sort -t, {_keys(order)}"),
            f"`{name}` is field {at + 1} and no field is quoted, so sort can work on the body while the header "
            "stays in front.",
            f"The header must not be sorted, so I print it first and sort the rest on field {at + 1}.",
            f"A {'numeric ' if order.numeric else ''}sort on key {at + 1} behind an untouched first line does this.",
        ),
        python,
    ]
    if sql_table(table, source):
        query = f"SELECT * FROM t ORDER BY {sql_key(order.column, order.down)}, {_sql_tie(order)}"
        ways.append(
            one_act(
                state,
                output,
                "sqlite",
                ("sqlite3",),
                sql(source, output, query),
                f"An in-memory SQLite table lets me say ORDER BY `{name}` and the tie rule outright.",
                "No value needs quotes, so I can load the file into SQLite and print it ordered with commas between.",
                f"SQLite imports every column as text, so I order by {'a cast of ' if order.numeric else ''}`{name}`.",
            )
        )
    return ways


def _keys(order: Order) -> str:
    flags = ("n" if order.numeric else "") + ("r" if order.down else "")
    first = f"-k{order.at + 1},{order.at + 1}{flags}"
    if order.tie is None:
        return f"-s {first}"
    return f"{first} -k{order.tie_at + 1},{order.tie_at + 1}{'n' if order.tie.numeric else ''}"


def _sql_tie(order: Order) -> str:
    return "rowid" if order.tie is None else sql_key(order.tie, False)


def _sort_script(draw: Draw, order: Order, source: str, output: str) -> str:
    def value(column: Column, at: int) -> str:
        return f"Decimal(row[{at}])" if column.numeric else f"row[{at}]"

    decimal = order.numeric or (order.tie is not None and order.tie.numeric)
    head = "import csv\n" + ("from decimal import Decimal\n" if decimal else "")
    down = ", reverse=True" if order.down else ""
    sorts = f"rows.sort(key=lambda row: {value(order.column, order.at)}{down})"
    if order.tie is not None:
        sorts = f"rows.sort(key=lambda row: {value(order.tie, order.tie_at)})\n{sorts}"
    read = draw.pick(
        (
            f'with open({py(source)}, newline="") as f:\n    header, *rows = csv.reader(f)',
            f'with open({py(source)}, newline="") as f:\n    reader = csv.reader(f)\n'
            "    header = next(reader)\n    rows = list(reader)",
        )
    )
    return f"""{head}
{read}
{sorts}
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow(header)
    writer.writerows(rows)
"""


def _sort_slips(state: State, table: Table, order: Order, source: str, output: str) -> list[Slip | None]:
    if not awkable(state):
        return []
    right = lines_of(table.with_rows(in_order(table, order)))
    return [
        _as_text(state, table, order, source, output, right) if order.numeric else None,
        _with_header(state, table, order, source, output, right),
    ]


def _as_text(state: State, table: Table, order: Order, source: str, output: str, right: list[str]) -> Slip | None:
    """Numbers compared as text."""
    name, field = order.column.name, order.at + 1
    rows = sorted(table.rows, key=lambda row: row[order.at], reverse=order.down)
    command = (
        f"(head -n 1 {sh(source)}; tail -n +2 {sh(source)} | sort -t, -s -k{field},{field}{'r' * order.down}) > "
        f"{sh(output)}"
    )
    mistake = Mistake(
        command,
        (
            f"I keep the header and sort the rest on field {field}.",
            f"Sorting the body by key {field} puts `{name}` in order.",
        ),
        (
            f"`{name}` was compared as text, character by character. It needs a numeric key.",
            f"These values of `{name}` are not in numeric order: I forgot the n flag on the key.",
            f"That is the order of strings, not of numbers; `{name}` has to be sorted numerically.",
        ),
        ("head", "tail", "sort"),
    )
    return head_slip(state, output, mistake, lines_of(table.with_rows(rows)), right)


def _with_header(state: State, table: Table, order: Order, source: str, output: str, right: list[str]) -> Slip | None:
    """The header sorted among the rows."""
    everything = [table.header, *table.rows]
    if order.numeric:
        rows = sorted(
            everything, key=lambda r: Decimal(0) if r == table.header else Decimal(r[order.at]), reverse=order.down
        )
    else:
        rows = sorted(everything, key=lambda r: r[order.at], reverse=order.down)
    wrong = [",".join(r) for r in rows]
    if wrong[0] == right[0]:
        return None
    mistake = Mistake(
        f"sort -t, {_keys(order)} {sh(source)} > {sh(output)}",
        (
            f"sort with field {order.at + 1} as its key orders the file.",
            f"One sort on `{order.column.name}`, field {order.at + 1}, should be enough.",
        ),
        (
            "The header went in with the rows and is no longer on top. It has to be kept out of the sort.",
            "sort treated line 1 like any other row. I print the header first and sort only what follows.",
            "The first line is data now: the header was sorted along. Only the lines below it may be sorted.",
        ),
        ("sort",),
    )
    return head_slip(state, output, mistake, wrong, right)


SKILLS = (
    PackSkill(
        name="csv-sort-by-column",
        domain="tables",
        summary="Sort the rows of a table by one column.",
        pre=(*(s for s in COMMA_TABLES if s != "csv-ordered"), "group-summary", "calendar-summary"),
        post="csv-ordered",
        apply=sort_by_column,
    ),
)
