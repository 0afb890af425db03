"""Skills that take one column out of a CSV table as a list."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import full_columns, measured_columns, sayable, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    body,
    head_slip,
    one_act,
    py,
    python_act,
)


def column_values(state: State, draw: Draw) -> Application | None:
    """Write the values of one text column, one per line, in row order."""
    table, source = table_of(state), state.focus.path
    columns = (
        [c for c in full_columns(table, "text", "date", "datetime") if fit_for_lines(table.column(c.name))]
        if table
        else []
    )
    if table is None or not columns:
        return None
    name = draw.pick(columns).name
    values = list(table.column(name))
    output = place_output(state, draw, (f"{slug(name)}_values", f"{slug(name)}_list", f"all_{slug(name)}"), ".txt")
    written = write_lines(state, draw, output, values, "value-list")
    words = Words(
        (
            f"write the values of the column `{name}` of {{it}} to `{output}`, one per line in row order, repeated "
            "ones too and without the column name",
            f"extract the column `{name}` from {{it}} into a plain text file `{output}`: one value per line, no "
            "header, in the order of the rows",
            f"list what {{it}} has under `{name}`, row by row and one value per line, in `{output}`, leaving the "
            "header out",
            f"save just the `{name}` of each row of {{it}} as lines of `{output}`, in order, with all repetitions "
            "and no header line",
        ),
        (
            f"the values of `{name}` in {{it}}, one per line in row order, without the header",
            f"one line per row of {{it}} with its `{name}`, no header, repetitions kept",
        ),
        (
            f"`{output}` lists the {len(values)} values of `{name}`",
            f"extracted `{name}` into `{output}`, {len(values)} lines",
            f"wrote one `{name}` per line to `{output}`",
        ),
    )
    return applied(
        written,
        output,
        words,
        _column_ways(state, draw, table, name, source, output),
        [_header_kept(state, table, name, source, output, values)],
    )


def number_column(state: State, draw: Draw) -> Application | None:
    """Write the numbers of one column, one per line, in row order."""
    table, source = table_of(state), state.focus.path
    columns = measured_columns(table) if table else []
    if table is None or not columns:
        return None
    name = draw.pick(columns).name
    values = list(table.column(name))
    output = place_output(state, draw, (f"{slug(name)}_numbers", f"{slug(name)}", f"{slug(name)}_column"), ".txt")
    written = write_lines(state, draw, output, values, "number-list")
    words = Words(
        (
            f"copy the numbers in the column `{name}` of {{it}} to `{output}`, one per line, written as they are "
            "and without the header",
            f"take `{name}` out of {{it}} as a bare list of numbers: `{output}`, one number per line in row order, no "
            "header",
            f"put every `{name}` of {{it}} on a line of its own in `{output}`, in the order of the rows and without "
            "the column name",
            f"save the figures under `{name}` in {{it}} as `{output}`; one per line, unchanged, the header left out",
        ),
        (
            f"the numbers of the column `{name}` of {{it}}, one per line in row order, without the header",
            f"a plain list of every `{name}` in {{it}}, one per line, as written there",
        ),
        (
            f"`{output}` holds the {len(values)} numbers of `{name}`",
            f"copied {len(values)} numbers from `{name}` to `{output}`",
            f"saved the column `{name}` as a list in `{output}`",
        ),
    )
    return applied(
        written,
        output,
        words,
        _column_ways(state, draw, table, name, source, output),
        [_header_kept(state, table, name, source, output, values)],
    )


def _column_ways(state: State, draw: Draw, table: Table, name: str, source: str, output: str) -> list[Way]:
    field = table.index(name) + 1
    loop = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w") as out:
    for row in csv.DictReader(f):
        print(row[{py(name)}], file=out)
"""
    joined = f"""
import csv

with open({py(source)}, newline="") as f:
    values = [row[{py(name)}] for row in csv.DictReader(f)]
with open({py(output)}, "w") as f:
    f.writelines(value + "\\n" for value in values)
"""
    python = python_act(
        state,
        output,
        draw.pick((loop, joined)),
        f"DictReader takes care of header and quoting; I print `{name}` row by row.",
        f"I read `{name}` by its name in Python and write one value per line.",
        f"With Python I need not count columns to get at `{name}`.",
    )
    if not awkable(state):
        return [python]
    s, o = sh(source), sh(output)
    cut = draw.pick(
        (
            f"{body(draw, source)} | cut -d, -f{field} > {o}",
            f"cut -d, -f{field} {s} | tail -n +2 > {o}",
            f"cut -d, -f{field} {s} | sed 1d > {o}",
        )
    )
    ways = [
        one_act(
            state,
            output,
            "cut",
            ("cut", "tail", "sed"),
            cut,
            f"`{name}` is column {field} and there are no quotes: cut it out and drop the first line.",
            f"cut with field {field} gives the values once the header line is gone.",
            f"One field of plain lines, number {field}, without line 1.",
        ),
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            draw.pick(
                (
                    f"awk -F, 'NR > 1 {{ print ${field} }}' {s} > {o}",
                    f"awk -F ',' 'FNR == 1 {{ next }} {{ print ${field} }}' {s} > {o}",
                )
            ),
            f"awk prints field {field} of each line after the first.",
            f"From line 2 on, field {field} is the value of `{name}`.",
            f"I skip the header in awk and print `{name}`, which is field {field}.",
        ),
        python,
    ]
    return ways if draw.rng.random() < 0.5 else [ways[1], ways[0], python]


def _header_kept(state: State, table: Table, name: str, source: str, output: str, values: list[str]) -> Slip | None:
    if not awkable(state):
        return None
    field = table.index(name) + 1
    mistake = Mistake(
        f"cut -d, -f{field} {sh(source)} > {sh(output)}",
        (f"cut takes field {field} of each line.", f"Column {field} is all I need from the file."),
        (
            f"The first line is the column name `{name}`; the list must hold values only.",
            "The header came along. I have to start at the second line.",
            f"`{name}` itself stands on line 1, which does not belong in the list.",
        ),
        ("cut",),
    )
    return head_slip(state, output, mistake, [name, *values], values)


def fit_for_lines(values: tuple[str, ...]) -> bool:
    """Whether each value can be a line of its own."""
    return all(v == v.strip() and v.isprintable() and sayable(v[:40].strip()) for v in values)


_PRE = COMMA_TABLES


SKILLS = (
    PackSkill("csv-column-values", "tables", "Write a column as lines of text.", _PRE, "value-list", column_values),
    PackSkill(
        "csv-number-column",
        "tables",
        "Write a numeric column as lines.",
        _PRE,
        "number-list",
        number_column,
    ),
)
