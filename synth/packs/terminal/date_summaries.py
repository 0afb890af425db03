"""Skills that count the rows of a CSV table by year or month."""

from __future__ import annotations

from collections import Counter

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.date_columns import iso_column
from trajmill.synth.packs.terminal.table_choice import (
    brief,
    easy,
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
    output = place_output(state, draw, (f"rows_per_{kind}", f"{brief(source)}_by_{kind}", f"{kind}ly_counts"), ".csv")
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


_ISO = ("iso-date-table",)


SKILLS = (
    PackSkill(
        "dates-count-by-month", "dates", "Count rows per month or year.", _ISO, "calendar-summary", count_by_period
    ),
)
