"""Skills that keep the rows of a period."""

from __future__ import annotations

from calendar import monthrange
from datetime import date

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.date_columns import iso_column
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
    sql,
    sql_table,
)


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
        (f"{brief(source)}_{first.year}_{last.year}", f"{brief(source)}_period", "period", f"from_{slug(low)}"),
        ".csv",
    )
    written = write_table(state, draw, output, kept, "csv-subset")
    span = f"from {low} to {high} (both days included)"
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


_ISO = ("iso-date-table",)


SKILLS = (PackSkill("dates-filter-range", "dates", "Keep the rows of a period.", _ISO, "csv-subset", filter_range),)
