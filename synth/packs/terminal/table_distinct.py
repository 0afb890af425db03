"""Skills that list the distinct values of a column of a CSV table."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import full_columns, table_of
from trajmill.synth.packs.terminal.table_comparison import order_rule
from trajmill.synth.packs.terminal.table_lists import fit_for_lines
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


def distinct_values(state: State, draw: Draw) -> Application | None:
    """Write the distinct values of one column, sorted."""
    table, source = table_of(state), state.focus.path
    if table is None:
        return None
    columns = [
        c
        for c in full_columns(table, "text")
        if 2 < len(set(table.column(c.name))) < len(table) and fit_for_lines(table.column(c.name))
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
            f"write to `{output}` every distinct `{name}` that occurs in {{it}}, in ascending order, one per line and "
            "without the column name",
            f"collect the values of the column `{name}` of {{it}} without repetition, sort them ascending and save "
            f"them line by line as `{output}` (no header)",
            f"find out which values {{it}} has under `{name}`; `{output}` gets each of them once, sorted, one per "
            "line, header left out",
        ),
        (
            f"the distinct values of `{name}` in {{it}}, sorted, one per line, without a header",
            f"each `{name}` of {{it}} once, in ascending order, one per line",
        ),
        (
            f"`{output}` lists the {count} different values of `{name}`",
            f"found {count} distinct values of `{name}` and wrote them sorted to `{output}`",
            f"saved each `{name}` once, {count} in all, in `{output}`",
        ),
        order_rule(values, draw),
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


_PRE = COMMA_TABLES


SKILLS = (
    PackSkill(
        "csv-distinct-values", "tables", "Write the distinct values of a column.", _PRE, "sorted-list", distinct_values
    ),
)
