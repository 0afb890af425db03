"""Skills that work on a tab-separated table directly."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import COMMA, TAB, brief, full_columns, listed, sayable, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    awk,
    awk_text,
    head_slip,
    one_act,
    py,
    python_act,
)


def select_from_tabs(state: State, draw: Draw) -> Application | None:
    """Take some columns of a tab-separated table over into a CSV file."""
    table, source = table_of(state, "\t"), state.focus.path
    if table is None or table.dialect.quoting or len(table.columns) < 3:
        return None
    names = list(draw.some(table.header, 2, min(4, len(table.columns) - 1)))
    draw.rng.shuffle(names)
    chosen = table.selected(names).with_dialect(COMMA)
    output = place_output(state, draw, (f"{brief(source)}_columns", "selected", f"{brief(source)}_extract"), ".csv")
    written = write_table(state, draw, output, chosen, "csv-projection")
    shown, count = listed(names), len(names)
    return applied(
        written,
        output,
        Words(
            (
                f"take the columns {shown}, in this order, from the tab-separated table in {{it}} and save them with "
                f"their header as the CSV file `{output}`",
                f"write `{output}`, comma-separated and with a header, with just the columns {shown} of {{it}} (the "
                "fields are separated by tabs), in exactly that order",
                f"make a CSV file `{output}` of {count} columns of {{it}}, whose fields are separated by tabs: "
                f"{shown}, "
                "in the order named, with header and all rows",
                f"extract {shown} from {{it}} (tab-separated) to `{output}`, in that order, with commas and the header",
            ),
            (
                f"a CSV file with the columns {shown} of {{it}}, in this order, with header and all rows",
                f"all rows of {{it}}, reduced to {shown} in that order, comma-separated under a header",
            ),
            (
                f"`{output}` has the {count} columns {shown} with commas",
                f"took {shown} over into `{output}`",
                f"wrote {count} of the {len(table.columns)} columns to `{output}` as CSV",
            ),
        ),
        _select_ways(state, draw, table, chosen, names, source, output),
        [_with_commas(state, chosen, table, names, source, output)],
    )


def _select_ways(
    state: State, draw: Draw, table: Table, chosen: Table, names: list[str], source: str, output: str
) -> list[Way]:
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.DictReader(f, delimiter="\\t", quoting=csv.QUOTE_NONE)
    writer = csv.DictWriter(out, [{", ".join(py(n) for n in names)}], extrasaction="ignore", lineterminator="\\n")
    writer.writeheader()
    writer.writerows(rows)
"""
    python = python_act(
        state,
        output,
        script,
        f"I read with the tab as delimiter and let the CSV writer pick {listed(names)}.",
        "The csv module handles both sides: tabs coming in, commas going out.",
        f"DictWriter can ignore all columns but the {len(names)} that are wanted.",
    )
    if not chosen.plain:
        return [python]
    places = [table.index(n) + 1 for n in names]
    fields = ", ".join(f"${p}" for p in places)
    command = f"awk -F'\\t' 'BEGIN {{ OFS = \",\" }} {{ print {fields} }}' {sh(source)} > {sh(output)}"
    shell = one_act(
        state,
        output,
        "awk",
        ("awk",),
        command,
        f"Split at tabs, these are fields {', '.join(map(str, places))}; awk prints them with commas.",
        f"None of the wanted values holds a comma, so awk can join fields {', '.join(map(str, places))} with one.",
        f"awk takes {listed(names)} by position and changes the delimiter on the way.",
    )
    return [shell, python]


def _with_commas(state: State, chosen: Table, table: Table, names: list[str], source: str, output: str) -> Slip | None:
    """The delimiter of the output left as it was."""
    if not chosen.plain:
        return None
    fields = ", ".join(f"${table.index(n) + 1}" for n in names)
    mistake = Mistake(
        f"awk -F'\\t' '{{ print {fields} }}' {sh(source)} > {sh(output)}",
        (f"awk splits at tabs and prints fields {fields}.", f"I print {listed(names)} by position."),
        (
            "awk put blanks between the fields; the output separator has to be a comma.",
            "The fields are separated by spaces, since I did not set OFS.",
        ),
        ("awk",),
    )
    wrong = [" ".join(row) for row in (chosen.header, *chosen.rows)]
    return head_slip(state, output, mistake, wrong, [",".join(row) for row in (chosen.header, *chosen.rows)])


def filter_tabs(state: State, draw: Draw) -> Application | None:
    """Keep the rows of a tab-separated table with one value in a column."""
    table, source = table_of(state, "\t", least=4), state.focus.path
    if table is None or table.dialect.quoting:
        return None
    options = [
        (c.name, v)
        for c in full_columns(table, "text", "boolean", "integer")
        for v in sorted(set(table.column(c.name)))
        if 2 <= table.column(c.name).count(v) < len(table) and sayable(v)
    ]
    if not options:
        return None
    name, value = draw.pick(options)
    at = table.index(name)
    kept = table.with_rows(row for row in table.rows if row[at] == value).with_dialect(TAB)
    output = place_output(state, draw, (f"{brief(source)}_{slug(value)}", f"{slug(name)}_{slug(value)}"), ".tsv")
    written = write_table(state, draw, output, kept, "tsv-export")
    count = len(kept)
    script = f"""
with open({py(source)}) as f, open({py(output)}, "w") as out:
    out.write(next(f))
    for line in f:
        if line.rstrip("\\n").split("\\t")[{at}] == {py(value)}:
            out.write(line)
"""
    ways = [
        python_act(
            state,
            output,
            script,
            f"Without quoting, splitting each line at tabs shows `{name}`; matching lines go through unchanged.",
            f"I compare field {at} of the split line, counted from 0, and copy whole lines.",
            "The lines need not be rebuilt, only tested and copied.",
        )
    ]
    if "'" not in value and '"' not in value and "\\" not in value:
        program = f"NR == 1 || ${at + 1} == {awk_text(value)}"
        ways.insert(
            0,
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk(program, source, output, delimiter="\t"),
                f"With the tab as separator, `{name}` is field {at + 1}; line 1 passes as the header.",
                f"awk tests field {at + 1} of each line and prints the line as it is.",
                f"Tabs never occur inside a value here, so field {at + 1} is safe to compare.",
            ),
        )
    return applied(
        written,
        output,
        Words(
            (
                f"keep the header and those rows of {{it}} whose `{name}` is exactly `{value}`, tab-separated as they "
                f"are, in `{output}`",
                f"filter {{it}} (tab-separated) for `{value}` in the column `{name}` and write header and matching "
                f"rows to `{output}`, with tabs again",
                f"pull the rows with `{value}` under `{name}` out of {{it}} into `{output}`; header first, tabs "
                "between "
                "the fields, order unchanged",
                f"write `{output}`, a tab-separated file with the header of {{it}} and only the rows that have "
                f"`{value}` as their `{name}`",
            ),
            (
                f"header and rows of {{it}} whose `{name}` is exactly `{value}`, tab-separated",
                f"the tab-separated rows of {{it}} with `{value}` under `{name}`, below the header",
            ),
            (
                f"`{output}` has the {count} rows whose `{name}` is `{value}`",
                f"kept {count} of {len(table)} rows in `{output}`, still tab-separated",
                f"saved the rows with `{value}` in `{name}` as `{output}`",
            ),
        ),
        ways,
    )


SKILLS = (
    PackSkill(
        "tsv-select-columns",
        "tables",
        "Take columns of a tab-separated table over into a CSV file.",
        ("tsv-table", "tsv-export"),
        "csv-projection",
        select_from_tabs,
    ),
    PackSkill(
        "tsv-filter-rows",
        "tables",
        "Keep the rows of a tab-separated table with one value in a column.",
        ("tsv-table",),
        "tsv-export",
        filter_tabs,
    ),
)
