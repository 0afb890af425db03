"""Skills that sum a CSV table up by weekday."""

from __future__ import annotations

from collections import Counter
from datetime import date

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.date_columns import DAYS, iso_column
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


def count_by_weekday(state: State, draw: Draw) -> Application | None:
    """Count the rows of each weekday, Monday to Sunday, zeros included."""
    table, source = table_of(state, least=7), state.focus.path
    name = iso_column(table, draw) if table else None
    if table is None or name is None:
        return None
    label = draw.pick(("count", "rows", "entries"))
    counts = Counter(DAYS[date.fromisoformat(v).weekday()] for v in table.column(name))
    if len(set(counts.values())) < 2:
        return None
    summary = make_table(("weekday", label), ((d, str(counts[d])) for d in DAYS))
    output = place_output(state, draw, ("weekdays", f"{brief(source)}_weekdays", "rows_per_weekday"), ".csv")
    written = write_table(state, draw, output, summary, "calendar-summary")
    script = draw.pick(
        (
            f"""
import csv
from calendar import day_name
from collections import Counter
from datetime import date

with open({py(source)}, newline="") as f:
    counts = Counter(date.fromisoformat(row[{py(name)}]).weekday() for row in csv.DictReader(f))
with open({py(output)}, "w") as out:
    print("weekday,{label}", file=out)
    for number, name in enumerate(day_name):
        print(f"{{name}},{{counts[number]}}", file=out)
""",
            f"""
import csv
from datetime import date

days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
counts = dict.fromkeys(days, 0)
with open({py(source)}, newline="") as f:
    for row in csv.DictReader(f):
        counts[days[date.fromisoformat(row[{py(name)}]).weekday()]] += 1
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow(["weekday", "{label}"])
    writer.writerows(counts.items())
""",
        )
    )
    ways = [
        python_act(
            state,
            output,
            script,
            f"date.fromisoformat gives the weekday of each `{name}`; days without rows must show 0.",
            "Python's calendar knows the names of the days in order, so I count by their number.",
            f"I count the weekdays of `{name}` and write all seven, Monday first.",
        )
    ]
    if sql_table(table, source):
        values = ", ".join(f"({i},{(i + 1) % 7},'{d}')" for i, d in enumerate(DAYS))
        query = (
            f"WITH days(place, number, weekday) AS (VALUES {values}) "
            f"SELECT weekday, COUNT(t.rowid) AS {label} FROM days LEFT JOIN t ON strftime('%w', {name}) = "
            "CAST(number AS TEXT) "
            "GROUP BY place ORDER BY place"
        )
        if awkable(state):
            ways.append(
                one_act(
                    state,
                    output,
                    "sqlite",
                    ("sqlite3",),
                    sql(source, output, query),
                    "A list of the seven days, left-joined with the rows, keeps days that have none.",
                    f"SQLite computes the weekday of `{name}` with strftime; the join brings in the names.",
                    "With a small table of days the order from Monday on is fixed and zeros appear.",
                )
            )
    top = max(DAYS, key=lambda d: counts[d])
    return applied(
        written,
        output,
        Words(
            (
                f"count the rows of {{it}} per weekday of `{name}` and write all seven days, Monday to Sunday with "
                f"English names and 0 where there is none, to `{output}` under the header `weekday,{label}`",
                f"make a table `{output}` with the columns `weekday` and `{label}` and a row for each day from "
                f"Monday to Sunday: how many rows of {{it}} have a `{name}` on that day, zero included",
                f"find out on which days of the week the dates in `{name}` of {{it}} fall; `{output}` has the "
                f"header `weekday,{label}` and seven rows, Monday first, with English names and counts (0 if none)",
                f"tally the weekdays of `{name}` in {{it}}: Monday to Sunday in this order, English names, zeros "
                f"shown, comma-separated below `weekday,{label}` in `{output}`",
            ),
            (
                f"a comma-separated table with the header `weekday,{label}` and seven rows, Monday to Sunday "
                f"(English names): the number of rows of {{it}} whose `{name}` falls on that day, zeros included",
                f"the number of rows of {{it}} per weekday of `{name}`, Monday first, all seven days by their "
                f"English names, under the header `weekday,{label}`",
            ),
            (
                f"`{output}` has a row for each of the seven days",
                f"counted {len(table)} dates by weekday in `{output}`; {top} has {counts[top]}",
                f"wrote the tally of weekdays to `{output}`",
            ),
        ),
        ways,
    )


_ISO = ("iso-date-table",)


SKILLS = (
    PackSkill("dates-count-by-weekday", "dates", "Count rows per weekday.", _ISO, "calendar-summary", count_by_weekday),
)
