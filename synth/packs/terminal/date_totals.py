"""Skills that add a column of a CSV table up by year or month."""

from __future__ import annotations

from decimal import Decimal

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.date_columns import iso_column
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
    Words,
    applied,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)

_LENGTH = {"month": 7, "year": 4}

_FORM = {"month": "YYYY-MM", "year": "YYYY"}


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


_ISO = ("iso-date-table",)


SKILLS = (
    PackSkill(
        "dates-sum-by-month", "dates", "Add a column up per month or year.", _ISO, "calendar-summary", sum_by_period
    ),
)
