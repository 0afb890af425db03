"""Skills that derive a column from the dates of a CSV table."""

from __future__ import annotations

from datetime import date

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import place_output
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief, easy, full_columns, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Words,
    applied,
    awk,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)

ISO = "%Y-%m-%d"


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def iso_column(table: Table, draw: Draw) -> str | None:
    """The name of a column of ISO dates without gaps, or None."""
    names = [c.name for c in full_columns(table, "date") if c.format == ISO]
    return draw.pick(names) if names else None


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
    return place_output(state, draw, (f"{brief(source)}_{label}", f"with_{label}", f"{brief(source)}_extended"), ".csv")


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


SKILLS = (
    PackSkill("dates-weekday-column", "dates", "Add the weekday of a date.", _ISO, "csv-derived", weekday_column),
    PackSkill(
        "dates-period-column", "dates", "Add year, month or quarter of a date.", _ISO, "csv-derived", period_column
    ),
)
