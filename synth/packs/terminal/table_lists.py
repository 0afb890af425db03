"""Skills that take one column out of a CSV table as a list."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import full_columns, numeric_columns, sayable, table_of
from trajmill.synth.packs.terminal.table_order import BY_CODE
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    body,
    head_slip,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)


def column_values(state: State, draw: Draw) -> Application | None:
    """Write the values of one text column, one a line, in row order."""
    table, source = table_of(state), state.focus.path
    columns = (
        [c for c in full_columns(table, "text", "date", "datetime") if _lines(table.column(c.name))] if table else []
    )
    if table is None or not columns:
        return None
    name = draw.pick(columns).name
    values = list(table.column(name))
    output = place_output(state, draw, (f"{slug(name)}_values", f"{slug(name)}_list", f"{slug(name)}s"), ".txt")
    written = write_lines(state, draw, output, values, "value-list")
    words = Words(
        (
            f"write the values of the column `{name}` of {{it}} to `{output}`, one per line in row order, repeated "
            "ones too and without the column name",
            f"extract the column `{name}` from {{it}} into a plain text file `{output}`: one value a line, no "
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
    """Write the numbers of one column, one a line, in row order."""
    table, source = table_of(state), state.focus.path
    columns = numeric_columns(table) if table else []
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
            f"take `{name}` out of {{it}} as a bare list of numbers: `{output}`, one number a line in row order, no "
            "header",
            f"put every `{name}` of {{it}} on a line of its own in `{output}`, in the order of the rows and without "
            "the column name",
            f"save the figures under `{name}` in {{it}} as `{output}`; one a line, unchanged, the header left out",
        ),
        (
            f"the numbers of the column `{name}` of {{it}}, one per line in row order, without the header",
            f"a plain list of every `{name}` in {{it}}, one a line, as written there",
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
        f"I read `{name}` by its name in Python and write one value a line.",
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


def distinct_values(state: State, draw: Draw) -> Application | None:
    """Write the distinct values of one column, sorted."""
    table, source = table_of(state), state.focus.path
    if table is None:
        return None
    columns = [
        c
        for c in full_columns(table, "text")
        if 2 < len(set(table.column(c.name))) < len(table) and _lines(table.column(c.name))
    ]
    if not columns:
        return None
    name = draw.pick(columns).name
    at, values = table.index(name), sorted(set(table.column(name)))
    output = place_output(state, draw, (f"distinct_{slug(name)}", f"{slug(name)}_unique", f"all_{slug(name)}"), ".txt")
    written = write_lines(state, draw, output, values, "sorted-list")
    count = len(values)
    words = Words(
        (
            f"list the different values of `{name}` in {{it}}, each once and sorted, one per line without a header, "
            f"in `{output}`",
            f"write to `{output}` every distinct `{name}` that occurs in {{it}}, in ascending order, one a line and "
            "without the column name",
            f"collect the values of the column `{name}` of {{it}} without repetition, sort them ascending and save "
            f"them line by line as `{output}` (no header)",
            f"find out which values {{it}} has under `{name}`; `{output}` gets each of them once, sorted, one per "
            "line, header left out",
        ),
        (
            f"the distinct values of `{name}` in {{it}}, sorted, one per line, without a header",
            f"each `{name}` of {{it}} once, in ascending order, one a line",
        ),
        (
            f"`{output}` lists the {count} different values of `{name}`",
            f"found {count} distinct values of `{name}` and wrote them sorted to `{output}`",
            f"saved each `{name}` once, {count} in all, in `{output}`",
        ),
        (draw.pick(BY_CODE),),
    )
    return applied(
        written,
        output,
        words,
        _distinct_ways(state, draw, table, name, at, source, output),
        _distinct_slips(state, draw, table, name, at, source, output, values),
    )


def _distinct_ways(state: State, draw: Draw, table: Table, name: str, at: int, source: str, output: str) -> list[Way]:
    script = draw.pick(
        (
            f"""
import csv

with open({py(source)}, newline="") as f:
    values = {{row[{py(name)}] for row in csv.DictReader(f)}}
with open({py(output)}, "w") as f:
    for value in sorted(values):
        f.write(f"{{value}}\\n")
""",
            f"""
import csv

seen = set()
with open({py(source)}, newline="") as f:
    for row in csv.DictReader(f):
        seen.add(row[{py(name)}])
with open({py(output)}, "w") as out:
    print(*sorted(seen), sep="\\n", file=out)
""",
        )
    )
    python = python_act(
        state,
        output,
        script,
        f"A set of the `{name}` values, sorted by Python, goes out line by line.",
        f"Python's sorted compares by character code, as asked, and a set removes the repetitions of `{name}`.",
        f"I collect `{name}` in a set while reading and write it sorted.",
    )
    if not awkable(state):
        return [python]
    o = sh(output)
    tail = draw.pick((f"sort -u > {o}", f"sort | uniq > {o}"))
    ways = [
        one_act(
            state,
            output,
            "coreutils",
            ("cut", "sort", "uniq", "tail", "sed"),
            f"{body(draw, source)} | cut -d, -f{at + 1} | {tail}",
            f"Without the header, field {at + 1} sorted and made unique is the list.",
            f"I cut out `{name}` (field {at + 1}) below the header and let sort remove the repetitions.",
            f"`{name}` is field {at + 1} of unquoted lines, so a short pipe of cut and sort is enough.",
        ),
        python,
    ]
    if sql_table(table, source):
        command = sql(source, output, f"SELECT DISTINCT {name} FROM t ORDER BY {name}").replace("-header ", "", 1)
        why = (
            f"SELECT DISTINCT on `{name}` with ORDER BY gives the list, printed without a header.",
            f"SQLite compares text by bytes, so DISTINCT and ORDER BY on `{name}` fit.",
            "One query over the imported file does it; no header this time.",
        )
        ways.append(one_act(state, output, "sqlite", ("sqlite3",), command, *why))
    return ways


def _distinct_slips(
    state: State, draw: Draw, table: Table, name: str, at: int, source: str, output: str, right: list[str]
) -> list[Slip | None]:
    if not awkable(state):
        return []
    column = table.column(name)
    runs = [v for i, v in enumerate(column) if i == 0 or v != column[i - 1]]
    unsorted = Mistake(
        f"{body(draw, source)} | cut -d, -f{at + 1} | uniq > {sh(output)}",
        (f"I take field {at + 1} without the header and make it unique.", f"uniq leaves each `{name}` once."),
        (
            "uniq only drops neighbours that are equal, and nothing is sorted. The values have to be sorted first.",
            "The list is neither sorted nor free of repetitions, since uniq works on neighbouring lines.",
        ),
        ("cut", "uniq", "tail", "sed"),
    )
    return [head_slip(state, output, unsorted, runs, right)]


def _lines(values: tuple[str, ...]) -> bool:
    """Whether each value can be a line of its own."""
    return all(v == v.strip() and v.isprintable() and sayable(v[:40].strip()) for v in values)


_PRE = COMMA_TABLES

SKILLS = (
    PackSkill("csv-column-values", "tables", "Write a column as lines of text.", _PRE, "value-list", column_values),
    PackSkill(
        "csv-number-column",
        "tables",
        "Write a numeric column as lines.",
        (*_PRE, "group-summary"),
        "number-list",
        number_column,
    ),
    PackSkill(
        "csv-distinct-values", "tables", "Write the distinct values of a column.", _PRE, "sorted-list", distinct_values
    ),
)
