"""Skills that rewrite, derive from or filter by a date column of a CSV table, and how such tables are set up."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime

from trajmill.schemas.content.tables import Column, Table, make_table, render_table
from trajmill.synth.packs.naming import place_output, slug, stem
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Start, Way
from trajmill.synth.packs.state import State, World
from trajmill.synth.packs.terminal.table_choice import COMMA, easy, full_columns, table_of
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
    sql,
    sql_table,
)
from trajmill.synth.sources.material import Material

ISO = "%Y-%m-%d"
SHAPES = {
    "%d.%m.%Y": "DD.MM.YYYY",
    "%d/%m/%Y": "DD/MM/YYYY",
    "%m/%d/%Y": "MM/DD/YYYY",
    "%Y/%m/%d": "YYYY/MM/DD",
    "%b %d %Y": "`Jan 5 2000`",
}
"""How each known way of writing a date is described; the last one by an example."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
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
    output = place_output(state, draw, (f"{stem(source)}_iso", f"iso_{slug(name)}", f"{stem(source)}_dates"), ".csv")
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
                f"all of {{it}} with the dates in `{name}` (now written {now}) as YYYY-MM-DD",
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


def iso_column(table: Table, draw: Draw) -> str | None:
    """The name of a column of ISO dates without gaps, or None."""
    names = [c.name for c in full_columns(table, "date") if c.format == ISO]
    return draw.pick(names) if names else None


def filter_range(state: State, draw: Draw) -> Application | None:
    """Keep the rows whose date lies between two dates."""
    table, source = table_of(state, least=5), state.focus.path
    name = iso_column(table, draw) if table else None
    if table is None or name is None:
        return None
    at, days = table.index(name), sorted(set(table.column(name)))
    if len(days) < 4:
        return None
    first = date.fromisoformat(days[draw.rng.randrange(0, len(days) // 2)])
    last = date.fromisoformat(days[draw.rng.randrange(len(days) // 2, len(days))])
    if draw.rng.random() < 0.6:
        first, last = first.replace(day=1), _month_end(last)
    low, high = first.isoformat(), last.isoformat()
    rows = tuple(row for row in table.rows if low <= row[at] <= high)
    if not rows or len(rows) == len(table):
        return None
    kept = table.with_rows(rows).with_dialect(COMMA)
    output = place_output(
        state,
        draw,
        (f"{stem(source)}_{first.year}_{last.year}", f"{stem(source)}_period", "period", f"from_{slug(low)}"),
        ".csv",
    )
    written = write_table(state, draw, output, kept, "csv-subset")
    span = f"from {low} to {high}, both days included"
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.DictReader(f)
    writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\\n")
    writer.writeheader()
    writer.writerows(row for row in rows if "{low}" <= row[{py(name)}] <= "{high}")
"""
    ways = [
        python_act(
            state,
            output,
            script,
            "ISO dates sort like text, so a chained comparison in Python selects the period.",
            f"I copy the header and the rows whose `{name}` lies in the period with the csv module.",
            f"Comparing `{name}` as text is enough here, because year, month and day come in this order.",
        )
    ]
    if awkable(state):
        test = f'${at + 1} >= "{low}" && ${at + 1} <= "{high}"'
        ways.insert(
            0,
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk(draw.pick((f"NR == 1 || ({test})", f"NR == 1 {{ print; next }} {test}")), source, output),
                f"Dates in field {at + 1} compare as text in awk; line 1 passes in any case.",
                f"`{name}` is field {at + 1} and ISO, so two comparisons of text pick the rows.",
                f"I keep line 1 and every line whose field {at + 1} lies between the two dates.",
            ),
        )
        if sql_table(table, source):
            query = f"SELECT * FROM t WHERE {name} BETWEEN '{low}' AND '{high}' ORDER BY rowid"
            why = (
                f"BETWEEN includes both ends, which is what is asked of `{name}`.",
                "SQLite compares ISO dates rightly as text; I import the file and select the period.",
                f"A WHERE clause on `{name}` with both limits does this.",
            )
            ways.append(one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why))
    count = len(rows)
    return applied(
        written,
        output,
        Words(
            (
                f"keep the rows of {{it}} whose `{name}` lies in the period {span}, and write them with the header "
                f"to `{output}`",
                f"select from {{it}} everything dated {span} (column `{name}`); save it below the header as "
                f"`{output}`, order unchanged",
                f"cut {{it}} down to the time {span}: rows with `{name}` in that span go to `{output}`, header "
                "included",
                f"write `{output}` with the header of {{it}} and those rows that have a `{name}` {span}",
            ),
            (
                f"the rows of {{it}} with `{name}` {span}, in their order and with the header",
                f"header and rows of {{it}} whose `{name}` is {span}",
            ),
            (
                f"`{output}` has the {count} rows dated {low} to {high}",
                f"kept {count} of {len(table)} rows, {low} to {high}, in `{output}`",
                f"saved the period from {low} to {high} as `{output}`",
            ),
        ),
        ways,
        [_open_end(state, table, name, at, low, high, source, output, lines_of(kept))],
    )


def _open_end(
    state: State, table: Table, name: str, at: int, low: str, high: str, source: str, output: str, right: list[str]
) -> Slip | None:
    """The first day left out."""
    if not awkable(state) or low not in table.column(name):
        return None
    rows = [row for row in table.rows if low < row[at] < high]
    mistake = Mistake(
        awk(f'NR == 1 || (${at + 1} > "{low}" && ${at + 1} < "{high}")', source, output),
        (
            f"I compare field {at + 1} with both dates and let line 1 through.",
            f"Rows with `{name}` after {low} and before {high}, plus the header.",
        ),
        (
            f"{low} itself is missing, though both days belong to the period. The comparisons must allow equality.",
            f"The limits were left out: a row dated {low} should be there.",
        ),
        ("awk",),
    )
    return head_slip(state, output, mistake, lines_of(table.with_rows(rows)), right)


def _month_end(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def weekday_column(state: State, draw: Draw) -> Application | None:
    """Append the weekday of each date."""
    table, source = table_of(state), state.focus.path
    name = iso_column(table, draw) if table else None
    label = _free(table, draw, ("weekday", "day_of_week", "day_name")) if table else None
    if table is None or name is None or label is None:
        return None
    short = draw.rng.random() < 0.4
    at = table.index(name)
    days = [DAYS[date.fromisoformat(v).weekday()][: 3 if short else None] for v in table.column(name)]
    form = "three letters, Mon to Sun" if short else "the full English name, Monday to Sunday"
    code = "%a" if short else "%A"
    output = output_name(state, draw, source, label)
    script = draw.pick(
        (
            f"""
import csv
from datetime import date

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f)
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow([*next(rows), {py(label)}])
    for row in rows:
        writer.writerow([*row, date.fromisoformat(row[{at}]).strftime("{code}")])
""",
            f"""
import csv
from datetime import datetime

with open({py(source)}, newline="") as f:
    reader = csv.DictReader(f)
    rows = [row | {{{py(label)}: datetime.strptime(row[{py(name)}], "%Y-%m-%d").strftime("{code}")}} for row in reader]
with open({py(output)}, "w", newline="") as f:
    writer = csv.DictWriter(f, [*reader.fieldnames, {py(label)}], lineterminator="\\n")
    writer.writeheader()
    writer.writerows(rows)
""",
        )
    )
    wider = make_table((*table.header, label), ((*row, d) for row, d in zip(table.rows, days, strict=True)))
    written = write_table(state, draw, output, wider, "csv-derived")
    ways = [
        python_act(
            state,
            output,
            script,
            f"Python knows the calendar: strftime with {code} gives the weekday of each `{name}`.",
            f"I parse `{name}` as a date and append its weekday to every row.",
            f"The weekday of {table.rows[0][at]} and the rest is computed with datetime.",
        )
    ]
    if awkable(state) and sql_table(table, source):
        names = " ".join(f"WHEN '{i}' THEN '{DAYS[i - 1][: 3 if short else None]}'" for i in (1, 2, 3, 4, 5, 6))
        last = DAYS[6][: 3 if short else None]
        query = f"SELECT *, CASE strftime('%w', {name}) {names} ELSE '{last}' END AS {label} FROM t ORDER BY rowid"
        why = (
            "SQLite's strftime gives the weekday as a number, 0 for Sunday, which CASE turns into a name.",
            f"A CASE over strftime('%w', {name}) adds the weekday in one query.",
            f"SQLite can do the calendar too: `{name}` is ISO, so strftime reads it.",
        )
        ways.append(one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why))
    return applied(
        written,
        output,
        Words(
            (
                f"add the weekday of `{name}` to {{it}} as a last column `{label}` ({form}) and save the table as "
                f"`{output}`",
                f"extend {{it}} by a column `{label}` at the end with the day of the week of each `{name}`, written "
                f"as {form}; the output is `{output}`",
                f"write `{output}`, a copy of {{it}} with one more column at the right, `{label}`: on which weekday "
                f"`{name}` falls ({form})",
                f"work out the weekday for every `{name}` in {{it}} and append it as `{label}`, {form}; header and "
                f"all rows go to `{output}`",
            ),
            (
                f"all of {{it}} with a last column `{label}`: the weekday of `{name}` ({form})",
                f"the table of {{it}} extended by `{label}`, the day of the week of `{name}`, as {form}",
            ),
            (
                f"`{output}` has the weekday of each `{name}` in `{label}`",
                f"added `{label}` to {len(table)} rows in `{output}`; the first is {days[0]}",
                f"computed the weekdays and saved the table as `{output}`",
            ),
        ),
        ways,
    )


def output_name(state: State, draw: Draw, source: str, label: str) -> str:
    """A path for a table with one more column."""
    return place_output(state, draw, (f"{stem(source)}_{label}", f"with_{label}", f"{stem(source)}_extended"), ".csv")


def period_column(state: State, draw: Draw) -> Application | None:
    """Append year, month or quarter of each date."""
    table, source = table_of(state), state.focus.path
    name = iso_column(table, draw) if table else None
    if table is None or name is None:
        return None
    kind = draw.pick(("year", "month", "quarter"))
    if kind in {n.casefold() for n in table.header}:
        return None
    at, label = table.index(name), kind
    values = [_period(v, kind) for v in table.column(name)]
    if len(set(values)) < 2:
        return None
    output = output_name(state, draw, source, label)
    wider = make_table((*table.header, label), ((*row, v) for row, v in zip(table.rows, values, strict=True)))
    written = write_table(state, draw, output, wider, "csv-derived")
    form = {"year": "four digits", "month": "YYYY-MM", "quarter": "such as 2012-Q3"}[kind]
    code = {
        "year": f"row[{at}][:4]",
        "month": f"row[{at}][:7]",
        "quarter": f'f"{{row[{at}][:4]}}-Q{{(int(row[{at}][5:7]) + 2) // 3}}"',
    }[kind]
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f)
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow([*next(rows), {py(label)}])
    for row in rows:
        writer.writerow([*row, {code}])
"""
    ways = [
        python_act(
            state,
            output,
            script,
            f"`{name}` is ISO, so the {kind} can be read off its first characters.",
            f"I append the {kind} of each `{name}` with a short loop over the rows.",
            f"Slicing `{name}` is enough to get the {kind}; no date arithmetic is needed.",
        )
    ]
    if awkable(state) and easy(label):
        field = f"${at + 1}"
        part = {
            "year": f"substr({field}, 1, 4)",
            "month": f"substr({field}, 1, 7)",
            "quarter": f'substr({field}, 1, 4) "-Q" int((substr({field}, 6, 2) + 2) / 3)',
        }[kind]
        program = draw.pick(
            (
                f'{{ print $0 "," (NR == 1 ? "{label}" : {part}) }}',
                f'NR == 1 {{ print $0 ",{label}"; next }} {{ print $0 "," {part} }}',
            )
        )
        ways.insert(
            0,
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk(program, source, output),
                f"substr on field {at + 1} gives the {kind}, which awk appends to the line.",
                f"Year and month stand at fixed places in `{name}`, so awk can cut them out.",
                f"I leave each line as it is and add the {kind} of field {at + 1}.",
            ),
        )
    return applied(
        written,
        output,
        Words(
            (
                f"add a last column `{label}` with the {kind} of `{name}` ({form}) to {{it}} and save the table as "
                f"`{output}`",
                f"write `{output}` as a copy of {{it}} with the {kind} in which each `{name}` falls ({form}) as an "
                f"extra column `{label}` at the end",
                f"extend {{it}} at the right by `{label}`, the {kind} taken from `{name}` ({form}), and store it as "
                f"`{output}`",
                f"derive the {kind} from `{name}` for all rows of {{it}}; it goes into a new last column `{label}` "
                f"({form}), the table into `{output}`",
            ),
            (
                f"all of {{it}} with a last column `{label}`: the {kind} of `{name}` ({form})",
                f"the table of {{it}} extended by the {kind} of `{name}` in `{label}` ({form})",
            ),
            (
                f"`{output}` has the new column `{label}` with {len(set(values))} different values",
                f"derived the {kind} of each `{name}` and saved the table as `{output}`",
                f"appended `{label}` to {len(table)} rows in `{output}`",
            ),
        ),
        ways,
    )


def _period(value: str, kind: str) -> str:
    if kind == "quarter":
        return f"{value[:4]}-Q{(int(value[5:7]) + 2) // 3}"
    return value[:4] if kind == "year" else value[:7]


def _free(table: Table, draw: Draw, names: tuple[str, ...]) -> str | None:
    free = [n for n in names if n not in {h.casefold() for h in table.header}]
    return draw.pick(free) if free else None


_ISO = ("iso-date-table",)

STARTS = (Start("date-table", date_table),)

SKILLS = (
    PackSkill("dates-to-iso", "dates", "Write dates as YYYY-MM-DD.", ("date-table",), "iso-date-table", dates_to_iso),
    PackSkill("dates-filter-range", "dates", "Keep the rows of a period.", _ISO, "csv-subset", filter_range),
    PackSkill("dates-weekday-column", "dates", "Add the weekday of a date.", _ISO, "csv-derived", weekday_column),
    PackSkill(
        "dates-period-column", "dates", "Add year, month or quarter of a date.", _ISO, "csv-derived", period_column
    ),
)
