"""Skills that report the missing values of a CSV table."""

from __future__ import annotations

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    head_slip,
    lines_of,
    one_act,
    py,
    python_act,
)


def count_missing(state: State, draw: Draw) -> Application | None:
    """Count the empty cells of every column."""
    table, source = table_of(state), state.focus.path
    if table is None or not any(c.missing for c in table.columns):
        return None
    label = draw.pick(("missing", "empty", "gaps"))
    report = make_table(("column", label), ((c.name, str(c.missing)) for c in table.columns))
    output = place_output(state, draw, (f"{brief(source)}_{label}", f"{label}_values", f"{label}_per_column"), ".csv")
    written = write_table(state, draw, output, report, "group-summary")
    script = f"""
import csv

with open({py(source)}, newline="") as f:
    header, *rows = csv.reader(f)
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow(["column", {py(label)}])
    for name, values in zip(header, zip(*rows)):
        writer.writerow([name, values.count("")])
"""
    ways = [
        python_act(
            state,
            output,
            script,
            "Turned round with zip, each column is a tuple in which I can count empty texts.",
            f"I count the empty fields of the {len(table.columns)} columns in Python, in file order.",
            "The csv module gives empty texts for missing values; those I count per column.",
        )
    ]
    slips: list[Slip | None] = []
    if awkable(state):
        inner = (
            '{ for (i = 1; i <= NF; i++) { if (NR == 1) name[i] = $i; else if ($i == "") n[i]++ } } '
            'END { for (i = 1; i <= NF; i++) print name[i] "," n[i] + 0 }'
        )
        command = f"{{ echo 'column,{label}'; awk -F, '{inner}' {sh(source)}; }} > {sh(output)}"
        ways.append(
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                command,
                "awk takes the names from line 1 and counts empty fields by position in the other lines.",
                f"For each of the {len(table.columns)} fields awk counts how often it is empty.",
                "No quotes in the file: awk sees a missing value as an empty field and can count it.",
            )
        )
        bare = inner.replace("n[i] + 0", "n[i]")
        wrong = [f"column,{label}", *(f"{c.name},{c.missing or ''}" for c in table.columns)]
        mistake = Mistake(
            f"{{ echo 'column,{label}'; awk -F, '{bare}' {sh(source)}; }} > {sh(output)}",
            (
                "I count empty fields per position in awk and print name and count.",
                "One awk array for the names and one for the counts.",
            ),
            (
                "Columns without gaps show nothing instead of 0: the array has no entry for them.",
                "A count of zero came out as an empty field. It has to be printed as a number.",
            ),
            ("awk",),
        )
        slips = [head_slip(state, output, mistake, wrong, lines_of(report))]
    worst = max(table.columns, key=lambda c: c.missing)
    total = sum(c.missing for c in table.columns)
    return applied(
        written,
        output,
        Words(
            (
                f"count the empty cells in each column of {{it}} and write `{output}` with the header "
                f"`column,{label}`, one row per column in the order of the file, zeros included",
                "report missing values: for every column of {it}, in file order, its name and its number of "
                f"empty cells (0 if none) go to `{output}` under the header `column,{label}`",
                f"make a table `{output}` (comma-separated, header `column,{label}`) that says for each column of "
                "{it}, in their order, how many cells are empty, even if none is",
                "measure how complete {it} is: for each column, in file order, put its name and its number of "
                f"empty cells, also where that is 0, into `{output}` under the header `column,{label}`",
            ),
            (
                f"a comma-separated table with the header `column,{label}`: each column of {{it}} in file order and "
                "its number of empty cells, zeros included",
                "the number of empty cells per column of {it}, zeros included, in file order under the header "
                f"`column,{label}`",
            ),
            (
                f"`{output}` shows {total} empty cells in {len(table.columns)} columns"
                if total > 1
                else f"`{output}` shows the one empty cell",
                f"counted the gaps per column in `{output}`; `{worst.name}` has {worst.missing}",
                f"wrote the number of empty cells of all {len(table.columns)} columns to `{output}`",
            ),
        ),
        ways,
        slips,
    )


SKILLS = (
    PackSkill(
        "csv-count-missing", "tables", "Count empty cells per column.", ("csv-gaps",), "group-summary", count_missing
    ),
)
