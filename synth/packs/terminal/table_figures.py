"""Skills that add up or average a column of a CSV table per group."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from trajmill.schemas.content.tables import Column, Table, make_table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    decimals_words,
    easy,
    fixed,
    measured_columns,
    near_half,
    numbers,
    places,
    summable_columns,
    table_of,
)
from trajmill.synth.packs.terminal.table_groups import Grouping, draw_grouping
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    header_slip,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)

_MOST_DIGITS = 14
"""Totals with more digits are left to exact arithmetic: awk and SQLite add binary floating-point numbers."""


Kind = Literal["sum", "mean"]


def sum_by_group(state: State, draw: Draw) -> Application | None:
    """Add up one column for each value of another."""
    return _figure_by_group(state, draw, "sum")


def mean_by_group(state: State, draw: Draw) -> Application | None:
    """Average one column for each value of another."""
    return _figure_by_group(state, draw, "mean")


def _figure_by_group(state: State, draw: Draw, kind: Kind) -> Application | None:
    table, source = table_of(state, least=4), state.focus.path
    grouping = draw_grouping(table, draw, False) if table else None
    if table is None or grouping is None:
        return None
    columns = summable_columns(table) if kind == "sum" else measured_columns(table)
    columns = [c for c in columns if c.name != grouping.name]
    figures = _figures(table, grouping.name, columns, kind, draw)
    if figures is None:
        return None
    name, column, digits, groups = grouping.name, figures.column, figures.digits, figures.groups
    value = column.name
    label = f"{'total' if kind == 'sum' else 'mean'}_{slug(value, most=40)}"
    if label == name:
        return None
    summary = make_table((name, label), ((g, fixed(groups[g], digits)) for g in grouping.listed(groups)))
    output = place_output(
        state, draw, (f"{slug(value)}_by_{slug(name)}", f"{label[:32]}", f"{kind}_per_{slug(name)}"), ".csv"
    )
    written = write_table(state, draw, output, summary, "group-summary")
    shape = _Shape(kind, grouping, column, table.index(value), label, digits)
    return applied(
        written,
        output,
        _figure_words(draw, shape, output, len(groups), summary),
        _figure_ways(state, draw, table, shape, source, output, groups),
        _figure_slips(state, table, shape, source, output),
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    """A column, its exact figure per group, and the digits to show."""

    column: Column
    digits: int
    groups: dict[str, Decimal]


def _figures(table: Table, name: str, columns: list[Column], kind: Kind, draw: Draw) -> _Figures | None:
    """The figures of one column, such that every way of rounding agrees; None if no column has any."""
    options = [(c, d) for c in columns for d in ((1, 2, 3) if kind == "mean" else (places(table.column(c.name)),))]
    draw.rng.shuffle(options)
    for column, digits in options:
        groups: dict[str, list[Decimal]] = {}
        for group, number in zip(table.column(name), numbers(table, column.name), strict=True):
            groups.setdefault(group, []).append(number)
        exact = {g: Decimal(sum(ns)) / (len(ns) if kind == "mean" else 1) for g, ns in groups.items()}
        if kind == "sum" or not any(near_half(n, digits) for n in exact.values()):
            return _Figures(column, digits, exact)
    return None


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is computed per group and how it is written."""

    kind: Kind
    grouping: Grouping
    column: Column
    at: int
    label: str
    digits: int


def _figure_words(draw: Draw, shape: _Shape, output: str, count: int, summary: Table) -> Words:
    name, value, label = shape.grouping.name, shape.column.name, shape.label
    form = decimals_words(shape.digits)
    exact = (
        f"with {form}"
        if shape.kind == "sum" and shape.digits
        else "as whole numbers"
        if shape.kind == "sum"
        else f"rounded to {form}"
    )
    noun = "sum" if shape.kind == "sum" else "mean"
    verb = "add up" if shape.kind == "sum" else "average"
    return Words(
        (
            f"{verb} `{value}` per `{name}` in {{it}} and write `{output}` with the header `{name},{label}`, "
            f"{exact}, ordered by `{name}`, ascending",
            f"compute the {noun} of `{value}` for each `{name}` of {{it}} ({exact}); put the pairs under the header "
            f"`{name},{label}` into `{output}`, ascending by `{name}`",
            f"create `{output}`, a comma-separated table with the columns `{name}` and `{label}`: the {noun} of "
            f"`{value}` over the rows of {{it}} with that `{name}`, {exact}, sorted by `{name}`",
            f"group {{it}} by `{name}`, take the {noun} of `{value}` in each group {exact}, and save it as "
            f"`{output}` (header `{name},{label}`, groups in ascending order)",
        ),
        (
            f"a comma-separated table with the header `{name},{label}`: the {noun} of `{value}` for each `{name}` "
            f"in {{it}}, {exact}, ascending by `{name}`",
            f"per `{name}` of {{it}} the {noun} of `{value}`, {exact}, under the header `{name},{label}` and in "
            f"ascending order of `{name}`",
        ),
        (
            f"`{output}` gives the {noun} of `{value}` for {count} values of `{name}`",
            f"took the {noun} of `{value}` in each of {count} groups and saved them as `{output}`",
            f"wrote `{label}` per `{name}` to `{output}`; the first group, `{summary.rows[0][0]}`, has "
            f"{summary.rows[0][1]}",
        ),
        shape.grouping.rules(summary.column(name), draw),
    )


def _figure_ways(
    state: State, draw: Draw, table: Table, shape: _Shape, source: str, output: str, figures: dict[str, Decimal]
) -> list[Way]:
    name, value, digits = shape.grouping.name, shape.column.name, shape.digits
    mean = shape.kind == "mean"
    numeric_key = shape.grouping.column.type == "integer"
    total = "total[g] / rows[g]" if mean else "total[g]"
    script = f"""
import csv
from collections import defaultdict
from decimal import Decimal

values = defaultdict(list)
with open({py(source)}, newline="") as f:
    for row in csv.DictReader(f):
        values[row[{py(name)}]].append(Decimal(row[{py(value)}]))
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow([{py(name)}, {py(shape.label)}])
    for group in sorted(values{", key=int" * numeric_key}):
        figure = sum(values[group]){" / len(values[group])" * mean}
        writer.writerow([group, f"{{figure:.{digits}f}}"])
"""
    python = python_act(
        state,
        output,
        script,
        f"Decimal keeps `{value}` exact while I collect it per `{name}`.",
        f"I gather the values of `{value}` by `{name}` in Python and write one line per group.",
        f"A dictionary of lists keyed by `{name}` is enough, with Decimal for exact figures.",
    )
    largest = max(abs(n) for n in figures.values()) * len(table)
    if not (awkable(state) and easy(name)) or len(str(int(largest))) + digits > _MOST_DIGITS:
        return [python]
    g, v = shape.grouping.at + 1, shape.at + 1
    counter = f" rows[${g}]++;" if mean else ""
    program = (
        f'NR > 1 {{ total[${g}] += ${v};{counter} }} END {{ for (g in total) printf "%s,%.{digits}f\\n", g, {total} }}'
    )
    pipeline = f"awk -F, '{program}' {sh(source)} | sort {shape.grouping.sort}"
    head, out = f"echo '{name},{shape.label}'", sh(output)
    awk = one_act(
        state,
        output,
        "awk",
        ("awk", "sort"),
        draw.pick(
            (
                f"{{ {head}; {pipeline}; }} > {out}",
                f"{head} > {out} && {pipeline} >> {out}",
                f"({head} && {pipeline}) > {out}",
            )
        ),
        f"I add field {v} up under the key in field {g} with awk, header skipped, and sort the groups.",
        f"`{name}` is field {g} and `{value}` field {v}: one awk array, printed with %.{digits}f, then sort.",
        f"An awk array per group does the arithmetic; printf fixes {decimals_words(digits)} and sort the order.",
    )
    if not sql_table(table, source):
        return [awk, python]
    order = f"CAST({name} AS INTEGER)" if numeric_key else name
    function = "AVG" if mean else "SUM"
    query = (
        f"SELECT {name}, printf('%.{digits}f', {function}(CAST({value} AS REAL))) AS {shape.label} "
        f"FROM t GROUP BY {name} ORDER BY {order}"
    )
    why = (
        f"SQLite groups by `{name}` and has {function} built in; printf gives {decimals_words(digits)}.",
        f"A GROUP BY over the imported file computes this, with `{value}` cast to a number.",
        f"{function} of `{value}` per `{name}` is one query once the file is in SQLite.",
    )
    return [awk, python, one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why)]


def _figure_slips(state: State, table: Table, shape: _Shape, source: str, output: str) -> list[Slip | None]:
    """The header taken for a group whose figure is zero."""
    name, g, v = shape.grouping.name, shape.grouping.at + 1, shape.at + 1
    if not (awkable(state) and easy(name)) or shape.grouping.column.type == "integer":
        return []
    mean = shape.kind == "mean"
    counter = f" rows[${g}]++;" if mean else ""
    total = "total[g] / rows[g]" if mean else "total[g]"
    program = (
        f'{{ total[${g}] += ${v};{counter} }} END {{ for (g in total) printf "%s,%.{shape.digits}f\\n", g, {total} }}'
    )
    zero = fixed(Decimal(0), shape.digits)
    mistake = Mistake(
        f"(echo '{name},{shape.label}'; awk -F, '{program}' {sh(source)} | sort {shape.grouping.sort}) > {sh(output)}",
        (f"awk adds field {v} up per field {g}.", f"One array over the lines gives the figure per `{name}`."),
        (
            f"There is a group `{name}` with {zero}: the header line went into the sums. I have to start at line 2.",
            f"`{name}` is listed as if it were a group, because the header was not skipped.",
        ),
        ("awk", "sort"),
    )
    return [header_slip(state, output, mistake, name, table.column(name))]


_PRE = COMMA_TABLES


SKILLS = (
    PackSkill(
        "csv-sum-by-group", "tables", "Add a column up per value of another.", _PRE, "group-summary", sum_by_group
    ),
    PackSkill(
        "csv-mean-by-group", "tables", "Average a column per value of another.", _PRE, "group-summary", mean_by_group
    ),
)
