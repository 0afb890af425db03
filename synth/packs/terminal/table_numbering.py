"""Skills that number the rows of a CSV table."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import place_output
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    brief,
    easy,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    awk,
    head_slip,
    lines_of,
    one_act,
    py,
    python_act,
)


def number_rows(state: State, draw: Draw) -> Application | None:
    """Append or prepend a running number."""
    table, source = table_of(state), state.focus.path
    if table is None or {c.name.casefold() for c in table.columns} & {"row", "no", "number", "nr"}:
        return None
    label, start = draw.pick(("row", "no", "nr", "number")), draw.pick((1, 1, 1, 0, 100, 1000))
    rows = [(str(i), *row) for i, row in enumerate(table.rows, start)]
    numbered = make_table((label, *table.header), rows)
    output = place_output(state, draw, (f"{brief(source)}_numbered", "numbered", f"{brief(source)}_{label}"), ".csv")
    written = write_table(state, draw, output, numbered, "csv-derived")
    what = f"a new first column `{label}` that numbers the rows from {start} on"
    return applied(
        written,
        output,
        Words(
            (
                f"give the rows of {{it}} numbers from {start} on, in a new first column `{label}`, and save the table "
                f"with its header as `{output}`",
                f"number the rows of {{it}} in their present order, starting at {start}; the number goes into a new "
                f"first column `{label}` and the table into `{output}`",
                f"write `{output}` as a copy of {{it}} with {what}, all else unchanged",
                f"put a running number in front of each row of {{it}} under the column name `{label}`, the first "
                f"row being {start}, and store the table as `{output}`",
            ),
            (
                f"all of {{it}} with {what}",
                f"the table of {{it}} with a running number in front (column `{label}`, first row {start})",
            ),
            (
                f"`{output}` numbers the {len(table)} rows from {start} to {start + len(table) - 1} in `{label}`",
                f"put the numbers {start} to {start + len(table) - 1} in front of the rows in `{output}`",
                f"saved the table with its new first column `{label}` as `{output}`",
            ),
        ),
        _number_ways(state, draw, label, start, len(table), source, output),
        _number_slips(state, label, start, numbered, source, output),
    )


def _number_ways(state: State, draw: Draw, label: str, start: int, count: int, source: str, output: str) -> list[Way]:
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f)
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow([{py(label)}, *next(rows)])
    writer.writerows([number, *row] for number, row in enumerate(rows, {start}))
"""
    python = python_act(
        state,
        output,
        script,
        f"enumerate starting at {start} gives the numbers, and the csv module keeps the fields intact.",
        f"I copy the rows in Python with a counter in front; the header gets `{label}`.",
        f"The header needs `{label}` and the {count} rows a number, which is a short loop.",
    )
    if not awkable(state) or not easy(label):
        return [python]
    offset = "NR - 1" if start == 1 else "NR - 2" if start == 0 else f"NR + {start - 2}"
    program = draw.pick(
        (
            f'NR == 1 {{ print "{label}," $0; next }} {{ print {offset} "," $0 }}',
            f'{{ print (NR == 1 ? "{label}" : {offset}) "," $0 }}',
        )
    )
    shell = one_act(
        state,
        output,
        "awk",
        ("awk",),
        awk(program, source, output).replace("awk -F, ", "awk ", 1),
        f"Each row is one line, so the line number gives its number; line 1 gets the name `{label}`.",
        f"awk can put a number in front of every line: line 2 is row {start}.",
        f"With one record per line, {offset} is the number of the row and the header is line 1.",
    )
    return [shell, python]


def _number_slips(state: State, label: str, start: int, numbered: Table, source: str, output: str) -> list[Slip | None]:
    if not awkable(state):
        return []
    offset = "NR" if start == 1 else "NR - 1" if start == 0 else f"NR + {start - 1}"
    right = lines_of(numbered)
    wrong = [right[0], *(",".join((str(int(row[0]) + 1), *row[1:])) for row in numbered.rows)]
    mistake = Mistake(
        awk(f'NR == 1 {{ print "{label}," $0; next }} {{ print {offset} "," $0 }}', source, output).replace(
            "awk -F, ", "awk ", 1
        ),
        (
            "The line number of awk serves as the number of the row.",
            f"I print {offset} and a comma in front of each line after the header.",
        ),
        (
            f"The first row got {start + 1}, not {start}: the header counts as a line too, so the offset is one too "
            "large.",
            f"Numbers are one too high, because the header is line 1; the first row must be {start}.",
        ),
        ("awk",),
    )
    return [head_slip(state, output, mistake, wrong, right)]


_PRE = tuple(s for s in COMMA_TABLES if s != "csv-derived")
_SUMS = ("group-summary", "calendar-summary")


SKILLS = (
    PackSkill(
        "csv-number-rows", "tables", "Number the rows in a new column.", (*_PRE, *_SUMS), "csv-derived", number_rows
    ),
)
