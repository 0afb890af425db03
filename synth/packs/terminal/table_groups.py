"""How a table is divided into groups, and skills that count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from trajmill.schemas.content.tables import Column, Table, make_table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    easy,
    group_columns,
    table_of,
)
from trajmill.synth.packs.terminal.table_comparison import order_rule
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    body,
    head_slip,
    header_slip,
    lines_of,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)


@dataclass(frozen=True, slots=True)
class Grouping:
    """The column that makes the groups, and in which order they are listed."""

    column: Column
    at: int
    by_size: bool

    @property
    def name(self) -> str:
        """Of the column."""
        return self.column.name

    @property
    def sort(self) -> str:
        """Options of sort for lines ``GROUP,FIGURE``."""
        plain = "-k1,1n" if self.column.type == "integer" else "-k1,1"
        return f"-t, -k2,2nr {plain}" if self.by_size else f"-t, {plain}"

    def listed(self, groups: dict[str, Decimal]) -> list[str]:
        """The groups in their order."""
        names = sorted(groups, key=int) if self.column.type == "integer" else sorted(groups)
        return sorted(names, key=lambda g: -groups[g]) if self.by_size else names

    def rules(self, groups: Iterable[str], draw: Draw) -> tuple[str, ...]:
        """How the names of the groups are compared, if that makes a difference."""
        return () if self.column.type == "integer" else order_rule(groups, draw)


def count_by_group(state: State, draw: Draw) -> Application | None:
    """Count the rows of each value of a column."""
    table, source = table_of(state, least=4), state.focus.path
    grouping = draw_grouping(table, draw, draw.rng.random() < 0.5) if table else None
    if table is None or grouping is None:
        return None
    name = grouping.name
    label = draw.pick([n for n in ("count", "rows", "n", "number") if n != name])
    counts = Counter(table.column(name))
    order = grouping.listed({g: Decimal(n) for g, n in counts.items()})
    summary = make_table((name, label), ((g, str(counts[g])) for g in order))
    output = place_output(
        state, draw, (f"{slug(name)}_counts", f"count_by_{slug(name)}", f"rows_per_{slug(name)}"), ".csv"
    )
    written = write_table(state, draw, output, summary, "group-summary")
    how = (
        f"largest `{label}` first, equal ones by `{name}`, ascending"
        if grouping.by_size
        else f"ordered by `{name}`, ascending"
    )
    top = max(order, key=lambda g: counts[g])
    return applied(
        written,
        output,
        Words(
            (
                f"count how many rows of {{it}} each `{name}` has and write `{output}` with the header "
                f"`{name},{label}`, {how}",
                f"make a small table `{output}` with the columns `{name}` and `{label}`: one row for each `{name}` "
                f"in {{it}} with its number of rows, {how}",
                f"tally the rows of {{it}} by `{name}` into `{output}` (comma-separated, header `{name},{label}`), "
                f"{how}",
                f"for every distinct `{name}` in {{it}}, put a line with the value and its number of rows into "
                f"`{output}`, below the header `{name},{label}` and {how}",
            ),
            (
                f"a comma-separated table with the header `{name},{label}`: each `{name}` of {{it}} and its number "
                f"of rows, {how}",
                f"the number of rows of {{it}} per `{name}`, under the header `{name},{label}`, {how}",
            ),
            (
                f"`{output}` counts the rows of {len(order)} different `{name}` values",
                f"counted {len(table)} rows in {len(order)} groups of `{name}` in `{output}`",
                f"tallied `{name}` in `{output}`; `{top}` has the most rows, {counts[top]}"
                if list(counts.values()).count(counts[top]) == 1
                else f"tallied the {len(order)} values of `{name}` in `{output}`",
            ),
            grouping.rules(order, draw),
        ),
        _count_ways(state, draw, table, grouping, label, source, output),
        _count_slips(state, draw, table, grouping, label, source, output, lines_of(summary)),
    )


def draw_grouping(table: Table, draw: Draw, by_size: bool) -> Grouping | None:
    """Groups of two rows or more by a drawn column, or None; ``by_size``: listed with the largest first."""
    columns = [c for c in group_columns(table) if c.name.casefold() not in ("n", "count", "rows", "number")]
    if not columns:
        return None
    column = draw.pick(columns)
    return Grouping(column, table.index(column.name), by_size)


def _count_ways(
    state: State, draw: Draw, table: Table, grouping: Grouping, label: str, source: str, output: str
) -> list[Way]:
    name, field = grouping.name, grouping.at + 1
    group = "int(row[0])" if grouping.column.type == "integer" else "row[0]"
    key = f"(-row[1], {group})" if grouping.by_size else group
    read = draw.pick(
        (
            f"counts = Counter(row[{py(name)}] for row in csv.DictReader(f))",
            f"counts = Counter()\n    for row in csv.DictReader(f):\n        counts[row[{py(name)}]] += 1",
        )
    )
    script = f"""
import csv
from collections import Counter
from collections.abc import Iterable

with open({py(source)}, newline="") as f:
    {read}
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow([{py(name)}, {py(label)}])
    writer.writerows(sorted(counts.items(), key=lambda row: {key}))
"""
    python = python_act(
        state,
        output,
        script,
        f"A Counter over the `{name}` column gives the figures, and the header is read apart.",
        f"I count `{name}` in Python and sort the pairs as asked.",
        f"DictReader skips the header by itself, so counting `{name}` is one line.",
    )
    if not (awkable(state) and easy(name)):
        return [python]
    head = f"echo '{name},{label}'"
    out = sh(output)
    awk = f"awk -F, 'NR > 1 {{ n[${field}]++ }} END {{ for (g in n) print g \",\" n[g] }}' {sh(source)}"
    uniq = f"{body(draw, source)} | cut -d, -f{field} | sort | uniq -c | sed -E 's/^ *([0-9]+) (.*)$/\\2,\\1/'"
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk", "sort"),
            draw.pick(
                (
                    f"{{ {head}; {awk} | sort {grouping.sort}; }} > {out}",
                    f"{head} > {out} && {awk} | sort {grouping.sort} >> {out}",
                )
            ),
            f"An awk array keyed by field {field} counts the rows from line 2 on; sort brings the groups into order.",
            f"`{name}` is field {field}: I count its values in awk, skip the header, and sort what comes out.",
            f"One pass with an array over field {field}, then a sort, below the new header `{name},{label}`.",
        ),
        one_act(
            state,
            output,
            "coreutils",
            ("cut", "sort", "uniq", "sed", "tail"),
            f"{{ {head}; {uniq} | sort {grouping.sort}; }} > {out}"
            if grouping.by_size or grouping.column.type == "integer"
            else f"({head}; {uniq}) > {out}",
            f"The values of field {field}, sorted and counted by uniq, only need count and value swapped.",
            f"uniq -c counts equal neighbours, so I cut out `{name}`, sort, count and turn the pairs round.",
            f"I take `{name}` without the header line, let uniq count it and bring it into the form value, count.",
        ),
        python,
    ]
    if sql_table(table, source) and label != "n":
        first = f"CAST({name} AS INTEGER)" if grouping.column.type == "integer" else name
        query = (
            f"SELECT {name}, COUNT(*) AS {label} FROM t GROUP BY {name} ORDER BY {'2 DESC, ' * grouping.by_size}{first}"
        )
        why = (
            f"GROUP BY `{name}` with COUNT(*) is the natural way to say this.",
            f"I load the file into SQLite and group by `{name}`; the header comes from the column names.",
            f"SQLite can count per `{name}` and order the groups in one query.",
        )
        ways.append(one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why))
    return ways


def _count_slips(
    state: State,
    draw: Draw,
    table: Table,
    grouping: Grouping,
    label: str,
    source: str,
    output: str,
    right: list[str],
) -> list[Slip | None]:
    name, field = grouping.name, grouping.at + 1
    if not (awkable(state) and easy(name)) or grouping.column.type == "integer":
        return []
    swap = "sed -E 's/^ *([0-9]+) (.*)$/\\2,\\1/'"
    head, out = f"echo '{name},{label}'", sh(output)
    counted = Mistake(
        f"({head}; cut -d, -f{field} {sh(source)} | sort | uniq -c | {swap} | sort {grouping.sort}) > {out}",
        (f"I cut out field {field}, sort it and let uniq count.", f"cut, sort and uniq -c give the tally of `{name}`."),
        (
            f"The column name `{name}` was counted as a value. The header line must be skipped before counting.",
            f"There is a group called `{name}`: that is the header, which I forgot to leave out.",
        ),
        ("cut", "sort", "uniq", "sed"),
    )
    groups = set(table.column(name))
    return [
        header_slip(state, output, counted, name, groups),
        _unsorted_slip(state, draw, table, grouping, label, source, output, right),
    ]


def _unsorted_slip(
    state: State,
    draw: Draw,
    table: Table,
    grouping: Grouping,
    label: str,
    source: str,
    output: str,
    right: list[str],
) -> Slip | None:
    """Counting with uniq what has not been sorted."""
    name = grouping.name
    runs: list[tuple[str, int]] = []
    for value in table.column(name):
        if runs and runs[-1][0] == value:
            runs[-1] = (value, runs[-1][1] + 1)
        else:
            runs.append((value, 1))
    if grouping.by_size:
        runs.sort(key=lambda run: (-run[1], run[0]))
    else:
        runs.sort(key=lambda run: (run[0], f"{run[0]},{run[1]}"))
    if len(runs) == len(set(table.column(name))):
        return None
    swap = "sed -E 's/^ *([0-9]+) (.*)$/\\2,\\1/'"
    command = (
        f"{{ echo '{name},{label}'; {body(draw, source)} | cut -d, -f{grouping.at + 1} | uniq -c | {swap} "
        f"| sort {grouping.sort}; }} > {sh(output)}"
    )
    mistake = Mistake(
        command,
        (
            f"I take field {grouping.at + 1} of the rows, count it with uniq and order the counts.",
            f"uniq -c counts the values of `{name}`, and a sort puts them in order.",
        ),
        (
            "The same group shows up more than once or too small: uniq only counts neighbours, so the values must "
            "be sorted first.",
            f"These counts are too low, because equal values of `{name}` were not next to each other when uniq saw "
            "them.",
        ),
        ("cut", "sort", "uniq", "sed", "tail"),
    )
    return head_slip(state, output, mistake, [f"{name},{label}", *(f"{g},{n}" for g, n in runs)], right)


_PRE = COMMA_TABLES


SKILLS = (
    PackSkill(
        "csv-count-by-group", "tables", "Count the rows per value of a column.", _PRE, "group-summary", count_by_group
    ),
)
