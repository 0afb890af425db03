"""Skills that take a sample of the rows of a CSV table."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, table_of
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


def every_nth(state: State, draw: Draw) -> Application | None:
    """Keep every n-th row, beginning with the first or the n-th."""
    table, source = table_of(state, least=8), state.focus.path
    if table is None:
        return None
    step = draw.pick([n for n in (2, 3, 4, 5, 7, 10, 20) if n * 3 <= len(table)] or [2])
    first = draw.pick((1, step))
    rows = table.rows[first - 1 :: step]
    kept = table.with_rows(rows).with_dialect(COMMA)
    output = place_output(
        state, draw, (f"{brief(source)}_sample", "sample", f"every_{step}", f"{brief(source)}_thinned"), ".csv"
    )
    written = write_table(state, draw, output, kept, "csv-subset")
    shown = f"row {first}, row {first + step}, row {first + 2 * step} and so on"
    ordinal = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 7: "seventh", 10: "tenth", 20: "twentieth"}[step]
    count = len(rows)
    return applied(
        written,
        output,
        Words(
            (
                f"take every {ordinal} row of {{it}} ({shown}; the header does not count) and save them under the "
                f"header as `{output}`",
                f"thin {{it}} out: `{output}` gets the header and each {ordinal} data row, that is {shown}",
                f"write a sample of {{it}} to `{output}`, made of the header and {shown}, counting data rows from 1",
                f"keep one row in {step} of {{it}}, namely {shown} below the header, in `{output}`",
            ),
            (
                f"the header and every {ordinal} data row of {{it}}: {shown}",
                f"a sample of {{it}} with the header and {shown} (data rows counted from 1)",
            ),
            (
                f"`{output}` holds {count} of {len(table)} rows, every {ordinal} from row {first} on",
                f"took every {ordinal} row and saved {count} rows as `{output}`",
                f"thinned the table to {count} rows in `{output}`",
            ),
        ),
        _nth_ways(state, draw, step, first, source, output),
        _nth_slips(state, table, step, first, source, output, lines_of(kept)),
    )


def _nth_ways(state: State, draw: Draw, step: int, first: int, source: str, output: str) -> list[Way]:
    script = draw.pick(
        (
            f"""
import csv

with open({py(source)}, newline="") as f:
    header, *rows = csv.reader(f)
with open({py(output)}, "w", newline="") as f:
    csv.writer(f, lineterminator="\\n").writerows([header, *rows[{first - 1}::{step}]])
""",
            f"""
import csv
from itertools import islice

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f)
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow(next(rows))
    writer.writerows(islice(rows, {first - 1}, None, {step}))
""",
        )
    )
    python = python_act(
        state,
        output,
        script,
        f"A slice from index {first - 1} with step {step} picks the rows once the header is set aside.",
        f"Python's slicing counts rows, not lines: start {first - 1}, step {step}.",
        f"I keep the header and step through the rows by {step}.",
    )
    if not awkable(state):
        return [python]
    rest = (first + 1) % step
    command = draw.pick(
        (
            f"sed -n '1p;{first + 1}~{step}p' {sh(source)} > {sh(output)}",
            f"awk 'NR == 1 || NR > 1 && NR % {step} == {rest}' {sh(source)} > {sh(output)}",
        )
    )
    tool = command.split()[0]
    shell = one_act(
        state,
        output,
        tool,
        (tool,),
        command,
        f"Row {first} is line {first + 1}, and from there every {step} lines; line 1 is the header.",
        f"With one record per line I can go by line numbers: 1, then {first + 1}, {first + 1 + step} and so on.",
        f"The header shifts rows by one, so the wanted lines start at {first + 1} and step by {step}.",
    )
    return [shell, python]


def _nth_slips(
    state: State, table: Table, step: int, first: int, source: str, output: str, right: list[str]
) -> list[Slip | None]:
    if not awkable(state):
        return []
    lines = lines_of(table)
    wrong = [line for n, line in enumerate(lines, 1) if n == 1 or n % step == first % step]
    mistake = Mistake(
        awk(f"NR == 1 || NR % {step} == {first % step}", source, output).replace("awk -F, ", "awk ", 1),
        (
            f"Line numbers modulo {step} pick the rows, plus the header.",
            f"awk keeps line 1 and each line whose number fits row {first}, modulo {step}.",
        ),
        (
            "These are the wrong rows: the header is line 1, so row numbers are one less than line numbers.",
            f"Off by one, because I counted lines instead of rows: row {first} stands on line {first + 1}.",
        ),
        ("awk",),
    )
    return [head_slip(state, output, mistake, wrong, right)]


_PRE = tuple(s for s in COMMA_TABLES if s != "csv-subset")


SKILLS = (PackSkill("csv-sample-every-nth", "tables", "Keep every n-th row.", _PRE, "csv-subset", every_nth),)
