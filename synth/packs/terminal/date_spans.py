"""Skills that report the span of the dates of a CSV table."""

from __future__ import annotations

from datetime import date

from trajmill.synth.packs.naming import place_output, slug
from trajmill.synth.packs.outputs import awkable, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.date_columns import iso_column
from trajmill.synth.packs.terminal.table_choice import (
    brief,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import (
    Words,
    applied,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)


def span_report(state: State, draw: Draw) -> Application | None:
    """Report the first and the last date and the days between."""
    table, source = table_of(state), state.focus.path
    name = iso_column(table, draw) if table else None
    if table is None or name is None:
        return None
    days = sorted(table.column(name))
    first, last = days[0], days[-1]
    if first == last:
        return None
    between = (date.fromisoformat(last) - date.fromisoformat(first)).days
    distinct = len(set(days))
    lines = [f"first: {first}", f"last: {last}", f"days: {between}", f"distinct: {distinct}"]
    output = place_output(state, draw, (f"{slug(name)}_span", "span", f"{brief(source)}_period", "dates"), ".txt")
    written = write_lines(state, draw, output, lines, "text-report")
    script = f"""
import csv
from datetime import date

with open({py(source)}, newline="") as f:
    days = {{date.fromisoformat(row[{py(name)}]) for row in csv.DictReader(f)}}
first, last = min(days), max(days)
with open({py(output)}, "w") as out:
    print(f"first: {{first}}", f"last: {{last}}", sep="\\n", file=out)
    print(f"days: {{(last - first).days}}", f"distinct: {{len(days)}}", sep="\\n", file=out)
"""
    ways = [
        python_act(
            state,
            output,
            script,
            "Subtracting two dates in Python gives the days between them; a set counts the different ones.",
            f"I read `{name}` into a set of dates and print the four figures.",
            "Month lengths and leap years are best left to datetime.",
        )
    ]
    if awkable(state) and sql_table(table, source):
        query = (
            f"SELECT 'first: ' || MIN({name}) FROM t UNION ALL SELECT 'last: ' || MAX({name}) FROM t "
            f"UNION ALL SELECT 'days: ' || CAST(julianday(MAX({name})) - julianday(MIN({name})) AS INTEGER) FROM t "
            f"UNION ALL SELECT 'distinct: ' || COUNT(DISTINCT {name}) FROM t"
        )
        ways.append(
            one_act(
                state,
                output,
                "sqlite",
                ("sqlite3",),
                sql(source, output, query).replace("-header ", "", 1),
                "SQLite has MIN, MAX and julianday, and the parts of the report can be put together with UNION ALL.",
                f"Each line of the report is one small query on `{name}`.",
                "The difference of two julian days is the number of days between the dates.",
            )
        )
    form = (
        "`first: YYYY-MM-DD`, `last: YYYY-MM-DD`, `days: N` (days from the first to the last, which is their "
        "difference) and `distinct: N` (different dates)"
    )
    return applied(
        written,
        output,
        Words(
            (
                f"report the span of `{name}` in {{it}} as `{output}`, four lines: {form}",
                f"write a short text `{output}` on the dates in `{name}` of {{it}}; its lines are {form}",
                f"summarise the column `{name}` of {{it}} in `{output}` with these four lines, in this order: {form}",
                f"look up the earliest and the latest `{name}` in {{it}} and put {form}, one below the other, into "
                f"`{output}`",
            ),
            (
                f"four lines on `{name}` in {{it}}: {form}",
                f"a report on the dates of {{it}} (`{name}`) with the lines {form}",
            ),
            (
                f"`{output}` says that `{name}` runs from {first} to {last}",
                f"reported the span of `{name}` in `{output}`: {between} days",
                f"wrote first and last date, days between and the number of distinct dates to `{output}`",
            ),
        ),
        ways,
    )


_ISO = ("iso-date-table",)


SKILLS = (PackSkill("dates-span", "dates", "Report first and last date.", _ISO, "text-report", span_report),)
