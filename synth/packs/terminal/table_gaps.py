"""Skills that remove or fill missing values in a CSV table."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table, retyped
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Words,
    applied,
    awk,
    lines_of,
    one_act,
    py,
    python_act,
)


def drop_incomplete(state: State, draw: Draw) -> Application | None:
    """Leave out every row that has an empty cell."""
    table, source = table_of(state), state.focus.path
    if table is None:
        return None
    kept = retyped(table.with_rows(row for row in table.rows if all(row))).with_dialect(COMMA)
    gone = len(table) - len(kept)
    if not gone or not kept.rows:
        return None
    output = place_output(
        state, draw, (f"{brief(source)}_complete", "complete", "complete_rows", f"{brief(source)}_full"), ".csv"
    )
    written = write_table(state, draw, output, kept, "csv-clean")
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    for row in csv.reader(f):
        if all(row):
            writer.writerow(row)
"""
    ways = [
        python_act(
            state,
            output,
            draw.pick(
                (
                    script,
                    script.replace(
                        "        if all(row):\n            writer.writerow(row)",
                        '        if "" not in row:\n            writer.writerow(row)',
                    ),
                )
            ),
            "A row read by the csv module is complete if none of its fields is an empty text.",
            "I test each parsed row for empty fields in Python and write only the complete ones.",
            f"The script copies the header and those of the {len(table)} rows that have no empty field.",
        )
    ]
    slips: list[Slip | None] = []
    if awkable(state):
        s, o = sh(source), sh(output)
        pattern = draw.pick((f"grep -vE '^,|,,|,$' {s} > {o}", f"sed -E '/^,|,,|,$/d' {s} > {o}"))
        ways.insert(
            0,
            one_act(
                state,
                output,
                pattern.split()[0],
                (pattern.split()[0],),
                pattern,
                "An empty cell shows as a comma at the start or end of the line or as two commas in a row.",
                "Without quoting, a missing value is `,,` or a comma at either end, so a pattern finds the lines "
                "to leave out.",
                "I drop lines with a leading, trailing or doubled comma; the header has none of these.",
            ),
        )
        program = '{ for (i = 1; i <= NF; i++) if ($i == "") next; print }'
        ways.append(
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk(program, source, output),
                "awk can look at each field of a line and skip the line at the first empty one.",
                "I loop over the fields in awk and print only lines without an empty field.",
                "Field by field is the surest test for missing values in these unquoted lines.",
            )
        )
        slips = [_doubled_only(state, table, source, output, lines_of(kept))]
    return applied(
        written,
        output,
        Words(
            (
                "leave out every row of {it} in which a cell is empty and save the complete rows with the header "
                f"as `{output}`",
                f"write the rows of {{it}} that have a value in every column to `{output}`, with the header and in "
                "the same order",
                "strip {it} of incomplete rows (at least one empty cell) and store what remains, header "
                f"included, in `{output}`",
                f"keep just those rows of {{it}} where nothing is missing; `{output}` gets them below the unchanged "
                "header",
            ),
            (
                "header and complete rows of {it}, without any row that has an empty cell",
                "the rows of {it} that have a value in every column, with the header and in their order",
            ),
            (
                f"`{output}` has the {len(kept)} complete rows; {gone} had an empty cell",
                f"left {gone} of {len(table)} rows out because a value was missing, and saved the rest in `{output}`",
                f"wrote the {len(kept)} rows without gaps to `{output}`",
            ),
        ),
        ways,
        slips,
    )


def _doubled_only(state: State, table: Table, source: str, output: str, right: list[str]) -> Slip | None:
    wrong = [line for line in lines_of(table) if ",," not in line]
    left = [line for line in wrong if line.endswith(",") or line.startswith(",")]
    if not left:
        return None
    return Slip(
        command=mkdir_first(state, output, f"grep -v ',,' {sh(source)} > {sh(output)}"),
        why=("Two commas in a row mark an empty cell.", "A missing value shows as `,,`, so I leave those lines out."),
        look=f"grep -cE '^,|,$' {sh(output)}",
        sign=r"\A[1-9]",
        remark=(
            "Rows with a gap in the first or last column are still there, since they have no doubled comma.",
            "That test misses empty cells at the ends of a line. I have to cover those as well.",
        ),
        tools=("grep",),
    )


def fill_gaps(state: State, draw: Draw) -> Application | None:
    """Fill the empty cells of each column that has some."""
    table, source = table_of(state), state.focus.path
    gaps = [c for c in table.columns if c.missing] if table else []
    if table is None or not gaps or len(gaps) > 3:
        return None
    word = draw.pick(("n/a", "unknown", "missing", "-", "none"))
    filler = {c.name: draw.pick(("0", "-1")) if c.numeric else word for c in gaps}
    same = len(set(filler.values())) == 1
    places = {table.index(n): v for n, v in filler.items()}
    filled = retyped(
        table.with_rows(tuple(f or places.get(i, "") for i, f in enumerate(row)) for row in table.rows)
    ).with_dialect(COMMA)
    output = place_output(state, draw, (f"{brief(source)}_filled", "filled", "no_gaps"), ".csv")
    written = write_table(state, draw, output, filled, "csv-clean")
    count = sum(c.missing for c in gaps)
    what = " and ".join(f"`{v}` where `{n}` is empty" for n, v in filler.items())
    mapping = ", ".join(f"{py(n)}: {py(v)}" for n, v in filler.items())
    script = f"""
import csv

defaults = {{{mapping}}}
with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.DictReader(f)
    writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({{name: value or defaults[name] for name, value in row.items()}})
"""
    if len(gaps) < len(table.columns):
        script = script.replace("defaults[name]", 'defaults.get(name, "")')
    names = " and ".join(f"`{n}`" for n in filler)
    ways = [
        python_act(
            state,
            output,
            script,
            f"A dictionary of defaults for {names} lets me fill empty cells while copying the rows.",
            f"Only {names} can be empty, so the script puts the default in where the text is empty.",
            f"In Python an empty cell is a false value, so `value or default` fills {names}.",
        )
    ]
    if awkable(state):
        sets = " ".join(f'if (${i + 1} == "") ${i + 1} = "{v}";' for i, v in places.items())
        ways.insert(
            0,
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk(f"BEGIN {{ OFS = FS }} {{ {sets} print }}", source, output),
                f"awk can set field {' and '.join(str(i + 1) for i in places)} when it is empty and print every line.",
                f"The gaps are in {names}; with OFS set, awk writes the lines back with commas.",
                f"{names} by position, tested for an empty text: that is all awk has to do here.",
            ),
        )
    return applied(
        written,
        output,
        Words(
            (
                f"fill the gaps in {{it}} and save it as `{output}`: {what}",
                f"write `{output}` as a copy of {{it}} with {what}, everything else unchanged",
                f"replace empty cells in {{it}}, putting {what}; header, rows and order stay, and the file is "
                f"`{output}`",
                f"complete {{it}} with {what} and store the table in `{output}`",
            ),
            (f"{{it}} with its empty cells filled: {what}", f"the table of {{it}} with {what} and no other change"),
            (
                f"`{output}` has no gaps any more; {count} empty {'cell was' if count == 1 else 'cells were'} filled",
                f"filled {count} empty "
                f"{'cell' if count == 1 else 'cells'}{f' with `{next(iter(filler.values()))}`' if same else ''} in "
                f"`{output}`",
                f"completed {names} and saved the {len(table)} rows as `{output}`",
            ),
        ),
        ways,
    )


SKILLS = (
    PackSkill(
        "csv-drop-incomplete", "tables", "Leave out rows with empty cells.", ("csv-gaps",), "csv-clean", drop_incomplete
    ),
    PackSkill("csv-fill-gaps", "tables", "Fill empty cells with stated values.", ("csv-gaps",), "csv-clean", fill_gaps),
)
