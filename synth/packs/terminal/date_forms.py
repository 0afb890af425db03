"""Tables whose dates are not ISO, and the skill that makes them so."""

from __future__ import annotations

from datetime import date, datetime

from trajmill.schemas.content.tables import Column, Table, make_table, render_table
from trajmill.synth.packs.naming import place_output, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Start, Way
from trajmill.synth.packs.state import State, World
from trajmill.synth.packs.terminal.date_columns import ISO
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, full_columns, table_of
from trajmill.synth.packs.terminal.table_starts import as_comma, csv_path, single_file, table_in
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
from trajmill.synth.sources.material import Material

SHAPES = {
    "%d.%m.%Y": "DD.MM.YYYY",
    "%d/%m/%Y": "DD/MM/YYYY",
    "%m/%d/%Y": "MM/DD/YYYY",
    "%Y/%m/%d": "YYYY/MM/DD",
    "%b %d %Y": "`Jan 5 2000`",
}
"""How each known way of writing a date is described; the last one by an example."""


_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


def date_table(material: Material, draw: Draw) -> World | None:
    """A table with dates that are not ISO: its own, or ISO dates written as DD.MM.YYYY, DD/MM/YYYY or MM/DD/YYYY."""
    found = table_in(material, draw, most=220)
    table = as_comma(found[1]) if found else None
    if table is None:
        return None
    if not any(c.format in SHAPES for c in full_columns(table, "date")):
        columns = [c for c in full_columns(table, "date") if c.format == ISO]
        if not columns:
            return None
        shape = draw.pick(("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y"))
        name = draw.pick(columns).name
        table = _with_column(table, name, [date.fromisoformat(v).strftime(shape) for v in table.column(name)])
        if table.about(name).format != shape:
            return None
    return single_file(csv_path(material, draw), render_table(table), "date-table", table)


def _with_column(table: Table, name: str, values: list[str]) -> Table:
    at = table.index(name)
    rows = (tuple(v if i == at else f for i, f in enumerate(row)) for row, v in zip(table.rows, values, strict=True))
    return make_table(table.header, rows, COMMA)


def dates_to_iso(state: State, draw: Draw) -> Application | None:
    """Write the dates of a column as YYYY-MM-DD."""
    table, source = table_of(state), state.focus.path
    columns = [c for c in full_columns(table, "date") if c.format in SHAPES] if table else []
    if table is None or not columns:
        return None
    column = draw.pick(columns)
    name, shape = column.name, SHAPES[column.format]
    values = [datetime.strptime(v, column.format).date().isoformat() for v in table.column(name)]
    converted = _with_column(table, name, values)
    output = place_output(state, draw, (f"{brief(source)}_iso", f"iso_{slug(name)}", f"{brief(source)}_dates"), ".csv")
    written = write_table(state, draw, output, converted, "iso-date-table")
    now = f"like {shape}" if shape.startswith("`") else f"as {shape}"
    return applied(
        written,
        output,
        Words(
            (
                f"rewrite the dates in the column `{name}` of {{it}}, now written {now}, as YYYY-MM-DD and save the "
                f"whole table as `{output}`",
                f"convert `{name}` in {{it}} to ISO dates (YYYY-MM-DD) in `{output}`; the dates there are written "
                f"{now}, and everything else stays as it is",
                f"write `{output}` as a copy of {{it}} in which `{name}`, written {now} so far, reads YYYY-MM-DD",
                f"make the dates of {{it}} sortable: `{name}` is written {now}; in `{output}` it should be "
                "YYYY-MM-DD, with no other change to header or rows",
            ),
            (
                f"all of {{it}} with the dates in `{name}` (now written {now}) turned into YYYY-MM-DD",
                f"the table of {{it}} with ISO dates (YYYY-MM-DD) in `{name}`, which is written {now} at present",
            ),
            (
                f"`{output}` has ISO dates in `{name}`, from {min(values)} to {max(values)}",
                f"rewrote the {len(values)} dates in `{name}` as YYYY-MM-DD in `{output}`",
                f"converted `{name}` to ISO dates and saved the table as `{output}`",
            ),
        ),
        _iso_ways(state, draw, table, column, source, output),
        _iso_slips(state, table, column, source, output, lines_of(converted)),
    )


def _iso_ways(state: State, draw: Draw, table: Table, column: Column, source: str, output: str) -> list[Way]:
    name, at = column.name, table.index(column.name)
    script = f"""
import csv
from datetime import datetime

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.DictReader(f)
    writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\\n")
    writer.writeheader()
    for row in rows:
        row[{py(name)}] = datetime.strptime(row[{py(name)}], {py(column.format)}).strftime("%Y-%m-%d")
        writer.writerow(row)
"""
    python = python_act(
        state,
        output,
        script,
        f"strptime with {column.format} checks each date in `{name}` while converting it.",
        f"I parse `{name}` as a real date in Python, so an impossible one would stop the script.",
        f"datetime reads the present form of `{name}` and writes the ISO one.",
    )
    if not awkable(state):
        return [python]
    field = f"${at + 1}"
    step = {
        "%d.%m.%Y": f'split({field}, d, "."); {field} = d[3] "-" d[2] "-" d[1]',
        "%d/%m/%Y": f'split({field}, d, "/"); {field} = d[3] "-" d[2] "-" d[1]',
        "%m/%d/%Y": f'split({field}, d, "/"); {field} = d[3] "-" d[1] "-" d[2]',
        "%Y/%m/%d": f'gsub("/", "-", {field})',
        "%b %d %Y": f'split({field}, d, " "); m = (index("{_MONTHS}", d[1]) + 2) / 3; '
        f'{field} = sprintf("%s-%02d-%02d", d[3], m, d[2])',
    }[column.format]
    program = draw.pick(
        (f"BEGIN {{ OFS = FS }} NR > 1 {{ {step} }} {{ print }}", f"BEGIN {{ OFS = FS }} NR > 1 {{ {step} }} 1")
    )
    shell = one_act(
        state,
        output,
        "awk",
        ("awk",),
        awk(program, source, output),
        f"awk can take field {at + 1} apart and put year, month and day together in the new order.",
        f"`{name}` is field {at + 1} of unquoted lines; from line 2 on I rearrange its parts.",
        f"Only field {at + 1} changes, and the header line is left alone.",
    )
    return [shell, python]


def _iso_slips(
    state: State, table: Table, column: Column, source: str, output: str, right: list[str]
) -> list[Slip | None]:
    """Day and month swapped, or the parts left in their order."""
    if not awkable(state) or column.format not in ("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y"):
        return []
    name, at = column.name, table.index(column.name)
    sign = "." if "." in column.format else "/"
    day_first = column.format.startswith("%d")
    order = '"-" d[1] "-" d[2]' if day_first else '"-" d[2] "-" d[1]'
    program = f'BEGIN {{ OFS = FS }} NR > 1 {{ split(${at + 1}, d, "{sign}"); ${at + 1} = d[3] {order} }} {{ print }}'
    wrong_rows = []
    for row in table.rows:
        a, b, year = row[at].split(sign)
        value = f"{year}-{a}-{b}" if day_first else f"{year}-{b}-{a}"
        wrong_rows.append(tuple(value if i == at else f for i, f in enumerate(row)))
    mistake = Mistake(
        awk(program, source, output),
        (
            f"I split field {at + 1} at `{sign}` and put the year in front.",
            f"Year first and then the other two parts of `{name}`.",
        ),
        (
            "Day and month are the wrong way round: "
            + ("the first part of the input is the day." if day_first else "the first part of the input is the month."),
            f"These are not the right dates, since the input is {SHAPES[column.format]}. The last two parts have to "
            "be swapped.",
        ),
        ("awk",),
    )
    return [head_slip(state, output, mistake, [right[0], *(",".join(r) for r in wrong_rows)], right)]


STARTS = (Start("date-table", date_table),)


SKILLS = (
    PackSkill("dates-to-iso", "dates", "Write dates as YYYY-MM-DD.", ("date-table",), "iso-date-table", dates_to_iso),
)
