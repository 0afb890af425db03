"""Skills that bring a table with semicolons and decimal commas into the usual form."""

from __future__ import annotations

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, table_of
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


def from_semicolons(state: State, draw: Draw) -> Application | None:
    """Write a table with semicolons and decimal commas in the usual form."""
    table, source = table_of(state, ";"), state.focus.path
    if table is None or not table.named("decimal_comma"):
        return None
    decimals = [i for i, c in enumerate(table.columns) if c.type == "decimal_comma"]
    rows = [tuple(f.replace(",", ".") if i in decimals else f for i, f in enumerate(row)) for row in table.rows]
    usual = make_table(table.header, rows, COMMA)
    output = place_output(
        state,
        draw,
        (f"{brief(source)}_commas", f"{brief(source)}_standard", "standard", f"{brief(source)}_points"),
        ".csv",
    )
    written = write_table(state, draw, output, usual, "csv-table")
    names = [table.columns[i].name for i in decimals]
    places = ", ".join(map(str, decimals))
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f, delimiter=";")
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow(next(rows))
    for row in rows:
        for i in ({places}{"," * (len(decimals) == 1)}):
            row[i] = row[i].replace(",", ".")
        writer.writerow(row)
"""
    count = len(names)
    noun = "column" if count == 1 else "columns"
    ways = [
        python_act(
            state,
            output,
            script,
            f"I parse with the semicolon and touch only the {noun} with decimal commas, {count} in number.",
            "The csv module reads semicolons when told so; the decimal commas I replace by position.",
            f"Replacing commas only in the decimal {noun} leaves commas in text alone.",
        )
    ]
    plain = awkable(state) and all(
        "," not in f
        for row in (table.header, *table.rows)
        for i, f in enumerate(row)
        if row is table.header or i not in decimals
    )
    s, o = sh(source), sh(output)
    slips: list[Slip | None] = []
    if plain:
        ways.insert(
            0,
            one_act(
                state,
                output,
                "sed",
                ("sed", "tr"),
                draw.pick(
                    (f"sed 's/,/./g; s/;/,/g' {s} > {o}", f"tr ',;' '.,' < {s} > {o}", f"tr , . < {s} | tr ';' , > {o}")
                ),
                "Commas occur only as decimal commas, so they become points first and the semicolons commas after "
                "that.",
                "All commas here are decimal commas; changed in the right order, two replacements do it.",
                "The text columns have no comma, so I can replace commas by points and then semicolons by commas.",
            ),
        )
        wrong = [line.replace(";", ",").replace(",", ".") for line in lines_of(table)]
        mistake = Mistake(
            f"sed 's/;/,/g; s/,/./g' {s} > {o}",
            ("Semicolons become commas and decimal commas points.", "Two replacements, one for each sign."),
            (
                "Wrong order: the new commas were turned into points too, so the fields are gone.",
                "There is no delimiter left. The decimal commas have to be replaced before the semicolons.",
            ),
            ("sed",),
        )
        slips = [head_slip(state, output, mistake, wrong, lines_of(usual))]
    return applied(
        written,
        output,
        Words(
            (
                f"convert {{it}} to ordinary CSV as `{output}`: commas between the fields and decimal points in the "
                "numbers instead of semicolons and decimal commas",
                f"write {{it}} to `{output}` with `,` as the delimiter and `.` as the decimal sign; at present they "
                "are `;` and `,`, header and rows stay the same",
                f"rewrite {{it}} (semicolons, decimal commas) as `{output}`, comma-separated and with decimal "
                "points, without changing anything else",
                "bring {it} into the usual form, that is comma as separator and a point in decimal numbers, and "
                f"save it with its header as `{output}`",
            ),
            (
                "{it} as comma-separated values with decimal points, header included",
                "the table of {it} with commas for the semicolons and points for the decimal commas",
            ),
            (
                f"`{output}` has the same {len(table)} rows with commas and decimal points",
                f"converted {len(table)} rows with decimal commas in {count} {noun} into `{output}`",
                f"changed delimiter and decimal sign; the usual CSV is `{output}`",
            ),
        ),
        ways,
        slips,
    )


SKILLS = (
    PackSkill(
        "csv-from-semicolon",
        "tables",
        "Write a table with semicolons and decimal commas as ordinary CSV.",
        ("csv-semicolon",),
        "csv-table",
        from_semicolons,
    ),
)
