"""Skills that sum a table up by year, month or weekday, or by the span of its dates."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import place_output, sh, slug, stem
from trajmill.synth.packs.outputs import awkable, write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.date_columns import DAYS, iso_column
from trajmill.synth.packs.terminal.table_choice import (
    decimals_words,
    easy,
    fixed,
    numbers,
    places,
    summable_columns,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    body,
    header_slip,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)

_LENGTH = {"month": 7, "year": 4}
_FORM = {"month": "YYYY-MM", "year": "YYYY"}


def count_by_period(state: State, draw: Draw) -> Application | None:
    """Count the rows of each month or year."""
    table, source = table_of(state, least=4), state.focus.path
    name = iso_column(table, draw) if table else None
    if table is None or name is None:
        return None
    kinds = [k for k, n in _LENGTH.items() if _telling([v[:n] for v in table.column(name)])]
    if not kinds:
        return None
    kind = draw.pick(kinds)
    length, label = _LENGTH[kind], draw.pick(("count", "rows", "entries"))
    counts = Counter(v[:length] for v in table.column(name))
    summary = make_table((kind, label), ((p, str(counts[p])) for p in sorted(counts)))
    output = place_output(state, draw, (f"rows_per_{kind}", f"{stem(source)}_by_{kind}", f"{kind}ly_counts"), ".csv")
    written = write_table(state, draw, output, summary, "calendar-summary")
    form, count = _FORM[kind], len(counts)
    return applied(
        written,
        output,
        Words(
            (
                f"count the rows of {{it}} per {kind} of `{name}` and write `{output}` with the header "
                f"`{kind},{label}`, the {kind} as {form}, in ascending order and only for {kind}s that occur",
                f"make a table `{output}` (comma-separated, header `{kind},{label}`) that says for each {kind} "
                f"({form}) in the column `{name}` of {{it}} how many rows it has, oldest first",
                f"tally {{it}} by the {kind} of its `{name}`: one line per {kind} that occurs, as `{form},NUMBER` "
                f"and in order of time, below the header `{kind},{label}` in `{output}`",
                f"write to `{output}` how many rows of {{it}} fall into each {kind} according to `{name}`; columns "
                f"`{kind}` ({form}) and `{label}`, ascending, {kind}s without rows left out",
            ),
            (
                f"a comma-separated table with the header `{kind},{label}`: each {kind} ({form}) that occurs in "
                f"`{name}` of {{it}} and its number of rows, ascending",
                f"the number of rows of {{it}} per {kind} of `{name}` ({form}), ascending, under the header "
                f"`{kind},{label}`",
            ),
            (
                f"`{output}` counts the rows of {count} {kind}s",
                f"counted {len(table)} rows by {kind} in `{output}`, {min(counts)} to {max(counts)}",
                f"wrote the number of rows per {kind} to `{output}`",
            ),
        ),
        _count_ways(state, draw, table, name, kind, label, source, output),
        [_header_counted(state, table, name, kind, label, source, output)],
    )


def _telling(periods: list[str]) -> bool:
    counts = Counter(periods)
    return 2 <= len(counts) <= 120 and len(set(counts.values())) > 1


def _count_ways(
    state: State, draw: Draw, table: Table, name: str, kind: str, label: str, source: str, output: str
) -> list[Way]:
    length, at = _LENGTH[kind], table.index(name)
    script = f"""
import csv
from collections import Counter

with open({py(source)}, newline="") as f:
    counts = Counter(row[{py(name)}][:{length}] for row in csv.DictReader(f))
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow(["{kind}", "{label}"])
    writer.writerows(sorted(counts.items()))
"""
    python = python_act(
        state,
        output,
        script,
        f"The first {length} characters of an ISO date are its {kind}, and a Counter does the rest.",
        f"I count the {kind}s of `{name}` with a Counter and write them sorted.",
        f"ISO dates cut to {length} characters sort by time, so sorting the counter's items is right.",
    )
    if not awkable(state):
        return [python]
    o, head = sh(output), f"echo '{kind},{label}'"
    awk = (
        f"awk -F, 'NR > 1 {{ n[substr(${at + 1}, 1, {length})]++ }} END {{ for (p in n) print p \",\" n[p] }}' "
        f"{sh(source)} | sort"
    )
    cut = (
        f"{body(draw, source)} | cut -d, -f{at + 1} | cut -c1-{length} | sort | uniq -c | awk '{{ print $2 \",\" $1 }}'"
    )
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk", "sort"),
            draw.pick((f"{{ {head}; {awk}; }} > {o}", f"{head} > {o} && {awk} >> {o}")),
            f"substr of field {at + 1} gives the {kind}; awk counts, sort puts the {kind}s in order.",
            f"I use the first {length} characters of `{name}` as the key of an awk array.",
            f"`{name}` is field {at + 1}; cut to its {kind} it can be counted below the new header.",
        ),
        one_act(
            state,
            output,
            "coreutils",
            ("cut", "sort", "uniq", "awk", "tail", "sed"),
            f"({head}; {cut}) > {o}",
            f"Field {at + 1}, shortened to {length} characters, sorted and counted by uniq.",
            f"Two cuts leave the {kind} of each row; then sort and uniq -c count them.",
            f"The {kind} is at the front of `{name}`, so a pipe of cut, sort and uniq counts it.",
        ),
        python,
    ]
    if sql_table(table, source):
        query = f"SELECT substr({name}, 1, {length}) AS {kind}, COUNT(*) AS {label} FROM t GROUP BY 1 ORDER BY 1"
        why = (
            f"GROUP BY the first {length} characters of `{name}` counts per {kind}.",
            f"SQLite can group by a substring, which here is the {kind}.",
            f"One query with COUNT(*) per {kind}, ordered, is easy to check.",
        )
        ways.append(one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why))
    return ways


def _header_counted(
    state: State, table: Table, name: str, kind: str, label: str, source: str, output: str
) -> Slip | None:
    if not awkable(state) or not easy(name):
        return None
    length, at = _LENGTH[kind], table.index(name)
    command = (
        f"(echo '{kind},{label}'; cut -d, -f{at + 1} {sh(source)} | cut -c1-{length} | sort | uniq -c "
        f"| awk '{{ print $2 \",\" $1 }}') > {sh(output)}"
    )
    mistake = Mistake(
        command,
        (
            f"I shorten field {at + 1} to {length} characters, sort and count.",
            f"cut gives the {kind}s, uniq -c their numbers.",
        ),
        (
            f"`{name[:length]}` appears as a {kind}: the header was counted too. It must be skipped.",
            "One of these groups is the column name, since I forgot to leave the first line out.",
        ),
        ("cut", "sort", "uniq", "awk"),
    )
    return header_slip(state, output, mistake, name[:length], ())


def sum_by_period(state: State, draw: Draw) -> Application | None:
    """Add a column up per month or year."""
    table, source = table_of(state, least=4), state.focus.path
    name = iso_column(table, draw) if table else None
    columns = summable_columns(table) if table else []
    if table is None or name is None or not columns:
        return None
    kinds = [k for k, n in _LENGTH.items() if 2 <= len({v[:n] for v in table.column(name)}) < len(table)]
    if not kinds:
        return None
    kind, value = draw.pick(kinds), draw.pick(columns).name
    length, digits = _LENGTH[kind], places(table.column(value))
    totals: dict[str, Decimal] = {}
    for day, number in zip(table.column(name), numbers(table, value), strict=True):
        totals[day[:length]] = totals.get(day[:length], Decimal(0)) + number
    label = f"total_{slug(value, most=40)}"
    summary = make_table((kind, label), ((p, fixed(totals[p], digits)) for p in sorted(totals)))
    output = place_output(
        state, draw, (f"{slug(value)}_per_{kind}", f"{slug(value)}_by_{kind}", f"{kind}ly_totals"), ".csv"
    )
    written = write_table(state, draw, output, summary, "calendar-summary")
    form, exact = _FORM[kind], f"with {decimals_words(digits)}" if digits else "as whole numbers"
    best = max(totals, key=lambda p: totals[p])
    return applied(
        written,
        output,
        Words(
            (
                f"add up `{value}` per {kind} of `{name}` in {{it}} and write `{output}` with the header "
                f"`{kind},{label}`, the {kind} as {form}, totals {exact}, in order of time",
                f"compute the total `{value}` of each {kind} in {{it}} (by `{name}`) and save the pairs, {exact} "
                f"and ascending by {kind} ({form}), under the header `{kind},{label}` as `{output}`",
                f"make a table `{output}` with the columns `{kind}` ({form}) and `{label}`: the sum of `{value}` "
                f"over the rows of {{it}} whose `{name}` falls into that {kind}, {exact}, oldest first",
                f"sum {{it}} up by the {kind} of `{name}`: `{output}` gets the header `{kind},{label}` and for each "
                f"{kind} ({form}) that occurs the total of `{value}` {exact}, ascending",
            ),
            (
                f"a comma-separated table with the header `{kind},{label}`: the sum of `{value}` per {kind} "
                f"({form}) of `{name}` in {{it}}, {exact}, ascending",
                f"the total of `{value}` in {{it}} for each {kind} of `{name}` ({form}), {exact}, in order of time "
                f"under the header `{kind},{label}`",
            ),
            (
                f"`{output}` gives the total `{value}` of {len(totals)} {kind}s",
                f"added `{value}` up by {kind} in `{output}`; the highest total is that of {best}",
                f"wrote the totals per {kind} to `{output}`, {min(totals)} to {max(totals)}",
            ),
        ),
        _sum_ways(state, draw, table, name, value, kind, label, digits, totals, source, output),
    )


def _sum_ways(
    state: State,
    draw: Draw,
    table: Table,
    name: str,
    value: str,
    kind: str,
    label: str,
    digits: int,
    totals: dict[str, Decimal],
    source: str,
    output: str,
) -> list[Way]:
    length, at, v = _LENGTH[kind], table.index(name), table.index(value) + 1
    script = f"""
import csv
from collections import defaultdict
from decimal import Decimal

totals = defaultdict(Decimal)
with open({py(source)}, newline="") as f:
    for row in csv.DictReader(f):
        totals[row[{py(name)}][:{length}]] += Decimal(row[{py(value)}])
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow(["{kind}", {py(label)}])
    for period in sorted(totals):
        writer.writerow([period, f"{{totals[period]:.{digits}f}}"])
"""
    python = python_act(
        state,
        output,
        script,
        f"Decimal keeps the totals of `{value}` exact; the {kind} is the start of `{name}`.",
        f"A defaultdict keyed by {kind} sums `{value}` row by row.",
        f"I take the first {length} characters of `{name}` as the key and add `{value}` up.",
    )
    largest = max(abs(t) for t in totals.values())
    if not (awkable(state) and easy(label)) or len(str(int(largest))) + digits > 13:
        return [python]
    program = (
        f"NR > 1 {{ total[substr(${at + 1}, 1, {length})] += ${v} }} "
        f'END {{ for (p in total) printf "%s,%.{digits}f\\n", p, total[p] }}'
    )
    pipeline, o = f"awk -F, '{program}' {sh(source)} | sort", sh(output)
    head = f"echo '{kind},{label}'"
    awk = one_act(
        state,
        output,
        "awk",
        ("awk", "sort"),
        draw.pick((f"{{ {head}; {pipeline}; }} > {o}", f"{head} > {o} && {pipeline} >> {o}")),
        f"awk adds field {v} up under the {kind} cut from field {at + 1}; sort orders the {kind}s.",
        f"An array keyed by the {kind} of `{name}` collects `{value}`, printed with {decimals_words(digits)}.",
        f"The {kind} is the first {length} characters of field {at + 1}, the number is field {v}.",
    )
    if not sql_table(table, source):
        return [awk, python]
    query = (
        f"SELECT substr({name}, 1, {length}) AS {kind}, printf('%.{digits}f', SUM(CAST({value} AS REAL))) AS {label} "
        "FROM t GROUP BY 1 ORDER BY 1"
    )
    why = (
        f"SUM over a GROUP BY on the {kind} is one query in SQLite.",
        f"I group by the first {length} characters of `{name}` and format the sums of `{value}`.",
        f"SQLite adds `{value}` per {kind}, once the text is cast to a number.",
    )
    return [awk, python, one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why)]


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
    output = place_output(state, draw, ("weekdays", f"{stem(source)}_weekdays", "rows_per_weekday"), ".csv")
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
    output = place_output(state, draw, (f"{slug(name)}_span", "span", f"{stem(source)}_period", "dates"), ".txt")
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

SKILLS = (
    PackSkill(
        "dates-count-by-month", "dates", "Count rows per month or year.", _ISO, "calendar-summary", count_by_period
    ),
    PackSkill(
        "dates-sum-by-month", "dates", "Add a column up per month or year.", _ISO, "calendar-summary", sum_by_period
    ),
    PackSkill("dates-count-by-weekday", "dates", "Count rows per weekday.", _ISO, "calendar-summary", count_by_weekday),
    PackSkill("dates-span", "dates", "Report first and last date.", _ISO, "text-report", span_report),
)
