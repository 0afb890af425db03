"""Skills that write a table with tabs in place of commas, or the other way round."""

from __future__ import annotations

from trajmill.schemas.content.tables import render_table, retyped
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import COMMA, TAB, brief, table_of
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


def to_tabs(state: State, draw: Draw) -> Application | None:
    """Write a comma-separated table with tabs and without quoting."""
    table, source = table_of(state), state.focus.path
    if table is None or any(set('\t\n\r"') & set(f) for row in (table.header, *table.rows) for f in row):
        return None
    tabbed = table.with_dialect(TAB)
    if not tabbed.plain:
        return None
    output = place_output(state, draw, (brief(source), f"{brief(source)}_tabs", "table"), ".tsv")
    written = write_table(state, draw, output, tabbed, "tsv-export")
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, delimiter="\\t", lineterminator="\\n")
    writer.writerows(csv.reader(f))
"""
    joined = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w") as out:
    for row in csv.reader(f):
        print(*row, sep="\\t", file=out)
"""
    quoted = "" if awkable(state) else " and some fields are quoted"
    ways = [
        python_act(
            state,
            output,
            draw.pick((script, joined)),
            "Reading with the csv module and writing with a tab as delimiter converts every field safely.",
            f"I let Python parse the commas and write tabs; there are {len(table.columns)} fields a row{quoted}.",
            "Commas inside fields must survive, so I parse the rows rather than replace characters."
            if quoted
            else "A parser and a writer with another delimiter are all this needs.",
        )
    ]
    slips: list[Slip | None] = []
    if awkable(state):
        s, o = sh(source), sh(output)
        command = draw.pick(
            (
                f"tr ',' '\\t' < {s} > {o}",
                f"sed 's/,/\\t/g' {s} > {o}",
                f"awk -F, 'BEGIN {{ OFS = \"\\t\" }} {{ $1 = $1; print }}' {s} > {o}",
            )
        )
        tool = command.split()[0]
        ways.insert(
            0,
            one_act(
                state,
                output,
                tool,
                (tool,),
                command,
                "No field is quoted or holds a comma, so every comma is a delimiter and can become a tab.",
                f"With {len(table.columns)} plain fields a line, swapping commas for tabs is safe.",
                "Each comma separates two fields here; I replace them all by tabs.",
            ),
        )
    elif any("," in f for row in table.rows for f in row):
        right = lines_of(tabbed)
        source_lines = state.data(source).decode().split("\n")
        mistake = Mistake(
            f"tr ',' '\\t' < {sh(source)} > {sh(output)}",
            ("Every comma becomes a tab.", "tr can turn the commas into tabs."),
            (
                "Commas inside quoted fields were replaced as well, and the quotes are still there. This file "
                "needs a real parser.",
                "The quotes show that some fields hold commas themselves; replacing characters breaks those rows.",
            ),
            ("tr",),
        )
        slips = [head_slip(state, output, mistake, [line.replace(",", "\t") for line in source_lines], right)]
    return applied(
        written,
        output,
        Words(
            (
                f"convert {{it}} to tab-separated values, header included and without quotes, as `{output}`",
                f"write {{it}} again as `{output}` with tabs between the fields; same header, same rows, no quoting",
                f"turn {{it}} into a tab-separated file `{output}`, fields unquoted and everything in the same order",
                "save a copy of {it} in which a tab separates the fields, with header and without quotes, under "
                f"`{output}`",
            ),
            (
                "{it} as tab-separated values with the header and without quotes",
                "a tab-separated copy of {it}: same header and rows, no quoting",
            ),
            (
                f"`{output}` has the same {len(table)} rows with tabs between the fields",
                f"converted the table to tab-separated values in `{output}`",
                f"wrote header and {len(table)} rows to `{output}`, separated by tabs",
            ),
        ),
        ways,
        slips,
    )


def from_tabs(state: State, draw: Draw) -> Application | None:
    """Write a tab-separated table with commas, quoting where a field needs it."""
    table, source = table_of(state, "\t"), state.focus.path
    if table is None or table.dialect.quoting:
        return None
    commas = retyped(table.with_dialect(COMMA))
    output = place_output(state, draw, (brief(source), f"{brief(source)}_commas", "table"), ".csv")
    written = write_table(state, draw, output, commas, "csv-table")
    needs = not commas.plain
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f, delimiter="\\t", quoting=csv.QUOTE_NONE)
    csv.writer(out, lineterminator="\\n").writerows(rows)
"""
    split = f"""
import csv

with open({py(source)}) as f, open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    for line in f:
        writer.writerow(line.rstrip("\\n").split("\\t"))
"""
    ways = [
        python_act(
            state,
            output,
            draw.pick((script, split)),
            "Python's csv writer puts quotes exactly where a field contains a comma or a quote.",
            f"I split at tabs and let the csv writer decide which of the {len(table.columns)} fields need quotes.",
            "Some values may hold commas, so I write the file with a CSV writer instead of replacing tabs."
            if needs
            else "Splitting at tabs and writing with the csv module gives a clean file.",
        )
    ]
    slips: list[Slip | None] = []
    s, o = sh(source), sh(output)
    if not needs:
        command = draw.pick(
            (
                f"tr '\\t' ',' < {s} > {o}",
                f"sed 's/\\t/,/g' {s} > {o}",
                f"awk -F'\\t' 'BEGIN {{ OFS = \",\" }} {{ $1 = $1 }} 1' {s} > {o}",
            )
        )
        tool = command.split()[0]
        ways.insert(
            0,
            one_act(
                state,
                output,
                tool,
                (tool,),
                command,
                "There is no comma and no quote in the file, so tabs can simply become commas.",
                f"All {len(table.columns)} fields are plain, which makes this a replacement of one character.",
                "Since no value needs quotes, I swap each tab for a comma.",
            ),
        )
    else:
        wrong = [line.replace("\t", ",") for line in lines_of(table)]
        mistake = Mistake(
            f"tr '\\t' ',' < {s} > {o}",
            ("Tabs become commas.", "A character swap turns tabs into commas."),
            (
                "This row has a value with a comma in it and is not quoted, so it has one field too many now.",
                "Values with commas must be quoted; a plain swap of characters broke such a row.",
            ),
            ("tr",),
        )
        slips = [head_slip(state, output, mistake, wrong, render_table(commas).decode().split("\n")[:-1])]
    return applied(
        written,
        output,
        Words(
            (
                f"convert {{it}} from tab-separated to comma-separated values and save it as `{output}`, header "
                "included; quote a field only where a comma or a quote in it makes that necessary",
                f"write {{it}} as a CSV file `{output}`: same header, same rows, commas between the fields and "
                "quotes where a value needs them",
                f"turn the tabs of {{it}} into commas properly, so that `{output}` is valid CSV with the same "
                "header and rows",
                f"make `{output}`, a comma-separated version of {{it}} that keeps header, rows and every value as "
                "it is",
            ),
            (
                "{it} as comma-separated values with the header, quoted where a value needs it",
                "a valid CSV version of {it} with the same header, rows and values",
            ),
            (
                f"`{output}` holds the header and {len(table)} rows as CSV",
                f"converted the tab-separated table to CSV in `{output}`",
                f"wrote the same {len(table)} rows with commas to `{output}`",
            ),
        ),
        ways,
        slips,
    )


_PRE = (*COMMA_TABLES, "group-summary", "calendar-summary")


SKILLS = (
    PackSkill("csv-to-tsv", "tables", "Write a table with tabs instead of commas.", _PRE, "tsv-export", to_tabs),
    PackSkill(
        "tsv-to-csv", "tables", "Write a table with commas instead of tabs.", ("tsv-table",), "csv-table", from_tabs
    ),
)
