"""Skills that sum a CSV table up by the values of one column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from trajmill.schemas.content.tables import Column, Table, make_table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    decimals_words,
    easy,
    fixed,
    group_columns,
    measured_columns,
    near_half,
    numbers,
    places,
    summable_columns,
    table_of,
)
from trajmill.synth.packs.terminal.table_order import BY_CODE
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

_MOST_DIGITS = 14
"""Totals with more digits are left to exact arithmetic: awk and SQLite add binary floating-point numbers."""


@dataclass(frozen=True, slots=True)
class _Grouping:
    """The column that makes the groups, and in which order they are listed."""

    column: Column
    at: int
    by_size: bool

    @property
    def name(self) -> str:
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

    def rules(self, draw: Draw) -> tuple[str, ...]:
        return () if self.column.type == "integer" else (draw.pick(BY_CODE),)


def count_by_group(state: State, draw: Draw) -> Application | None:
    """Count the rows of each value of a column."""
    table, source = table_of(state, least=4), state.focus.path
    grouping = _draw_grouping(table, draw, draw.rng.random() < 0.5) if table else None
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
        f"largest `{label}` first and equal ones by `{name}`, ascending"
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
            grouping.rules(draw),
        ),
        _count_ways(state, draw, table, grouping, label, source, output),
        _count_slips(state, draw, table, grouping, label, source, output, lines_of(summary)),
    )


def _draw_grouping(table: Table, draw: Draw, by_size: bool) -> _Grouping | None:
    columns = [c for c in group_columns(table) if c.name.casefold() not in ("n", "count", "rows", "number")]
    if not columns:
        return None
    column = draw.pick(columns)
    return _Grouping(column, table.index(column.name), by_size)


def _count_ways(
    state: State, draw: Draw, table: Table, grouping: _Grouping, label: str, source: str, output: str
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
    grouping: _Grouping,
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
    grouping: _Grouping,
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


Kind = Literal["sum", "mean"]


def sum_by_group(state: State, draw: Draw) -> Application | None:
    """Add up one column for each value of another."""
    return _figure_by_group(state, draw, "sum")


def mean_by_group(state: State, draw: Draw) -> Application | None:
    """Average one column for each value of another."""
    return _figure_by_group(state, draw, "mean")


def _figure_by_group(state: State, draw: Draw, kind: Kind) -> Application | None:
    table, source = table_of(state, least=4), state.focus.path
    grouping = _draw_grouping(table, draw, False) if table else None
    if table is None or grouping is None:
        return None
    columns = summable_columns(table) if kind == "sum" else measured_columns(table)
    columns = [c for c in columns if c.name != grouping.name]
    figures = _figures(table, grouping.name, columns, kind, draw)
    if figures is None:
        return None
    name, column, digits, groups = grouping.name, figures.column, figures.digits, figures.groups
    value = column.name
    label = f"{'total' if kind == 'sum' else 'mean'}_{slug(value, most=40)}"
    if label == name:
        return None
    summary = make_table((name, label), ((g, fixed(groups[g], digits)) for g in grouping.listed(groups)))
    output = place_output(
        state, draw, (f"{slug(value)}_by_{slug(name)}", f"{label[:32]}", f"{kind}_per_{slug(name)}"), ".csv"
    )
    written = write_table(state, draw, output, summary, "group-summary")
    shape = _Shape(kind, grouping, column, table.index(value), label, digits)
    return applied(
        written,
        output,
        _figure_words(draw, shape, output, len(groups), summary),
        _figure_ways(state, draw, table, shape, source, output, groups),
        _figure_slips(state, table, shape, source, output),
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    """A column, its exact figure per group, and the digits to show."""

    column: Column
    digits: int
    groups: dict[str, Decimal]


def _figures(table: Table, name: str, columns: list[Column], kind: Kind, draw: Draw) -> _Figures | None:
    """The figures of one column, such that every way of rounding agrees; None if no column has any."""
    options = [(c, d) for c in columns for d in ((1, 2, 3) if kind == "mean" else (places(table.column(c.name)),))]
    draw.rng.shuffle(options)
    for column, digits in options:
        groups: dict[str, list[Decimal]] = {}
        for group, number in zip(table.column(name), numbers(table, column.name), strict=True):
            groups.setdefault(group, []).append(number)
        exact = {g: Decimal(sum(ns)) / (len(ns) if kind == "mean" else 1) for g, ns in groups.items()}
        if kind == "sum" or not any(near_half(n, digits) for n in exact.values()):
            return _Figures(column, digits, exact)
    return None


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is computed per group and how it is written."""

    kind: Kind
    grouping: _Grouping
    column: Column
    at: int
    label: str
    digits: int


def _figure_words(draw: Draw, shape: _Shape, output: str, count: int, summary: Table) -> Words:
    name, value, label = shape.grouping.name, shape.column.name, shape.label
    form = decimals_words(shape.digits)
    exact = (
        f"with {form}"
        if shape.kind == "sum" and shape.digits
        else "as whole numbers"
        if shape.kind == "sum"
        else f"rounded to {form}"
    )
    noun = "sum" if shape.kind == "sum" else "mean"
    verb = "add up" if shape.kind == "sum" else "average"
    return Words(
        (
            f"{verb} `{value}` per `{name}` in {{it}} and write `{output}` with the header `{name},{label}`, "
            f"{exact}, ordered by `{name}`, ascending",
            f"compute the {noun} of `{value}` for each `{name}` of {{it}} ({exact}); put the pairs under the header "
            f"`{name},{label}` into `{output}`, ascending by `{name}`",
            f"create `{output}`, a comma-separated table with the columns `{name}` and `{label}`: the {noun} of "
            f"`{value}` over the rows of {{it}} with that `{name}`, {exact}, sorted by `{name}`",
            f"group {{it}} by `{name}`, take the {noun} of `{value}` in each group {exact}, and save it as "
            f"`{output}` (header `{name},{label}`, groups in ascending order)",
        ),
        (
            f"a comma-separated table with the header `{name},{label}`: the {noun} of `{value}` for each `{name}` "
            f"in {{it}}, {exact}, ascending by `{name}`",
            f"per `{name}` of {{it}} the {noun} of `{value}`, {exact}, under the header `{name},{label}` and in "
            f"ascending order of `{name}`",
        ),
        (
            f"`{output}` gives the {noun} of `{value}` for {count} values of `{name}`",
            f"took the {noun} of `{value}` in each of {count} groups and saved them as `{output}`",
            f"wrote `{label}` per `{name}` to `{output}`; the first group, `{summary.rows[0][0]}`, has "
            f"{summary.rows[0][1]}",
        ),
        shape.grouping.rules(draw),
    )


def _figure_ways(
    state: State, draw: Draw, table: Table, shape: _Shape, source: str, output: str, figures: dict[str, Decimal]
) -> list[Way]:
    name, value, digits = shape.grouping.name, shape.column.name, shape.digits
    mean = shape.kind == "mean"
    numeric_key = shape.grouping.column.type == "integer"
    total = "total[g] / rows[g]" if mean else "total[g]"
    script = f"""
import csv
from collections import defaultdict
from decimal import Decimal

values = defaultdict(list)
with open({py(source)}, newline="") as f:
    for row in csv.DictReader(f):
        values[row[{py(name)}]].append(Decimal(row[{py(value)}]))
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow([{py(name)}, {py(shape.label)}])
    for group in sorted(values{", key=int" * numeric_key}):
        figure = sum(values[group]){" / len(values[group])" * mean}
        writer.writerow([group, f"{{figure:.{digits}f}}"])
"""
    python = python_act(
        state,
        output,
        script,
        f"Decimal keeps `{value}` exact while I collect it per `{name}`.",
        f"I gather the values of `{value}` by `{name}` in Python and write one line a group.",
        f"A dictionary of lists keyed by `{name}` is enough, with Decimal for exact figures.",
    )
    largest = max(abs(n) for n in figures.values()) * len(table)
    if not (awkable(state) and easy(name)) or len(str(int(largest))) + digits > _MOST_DIGITS:
        return [python]
    g, v = shape.grouping.at + 1, shape.at + 1
    counter = f" rows[${g}]++;" if mean else ""
    program = (
        f'NR > 1 {{ total[${g}] += ${v};{counter} }} END {{ for (g in total) printf "%s,%.{digits}f\\n", g, {total} }}'
    )
    pipeline = f"awk -F, '{program}' {sh(source)} | sort {shape.grouping.sort}"
    head, out = f"echo '{name},{shape.label}'", sh(output)
    awk = one_act(
        state,
        output,
        "awk",
        ("awk", "sort"),
        draw.pick(
            (
                f"{{ {head}; {pipeline}; }} > {out}",
                f"{head} > {out} && {pipeline} >> {out}",
                f"({head} && {pipeline}) > {out}",
            )
        ),
        f"I add field {v} up under the key in field {g} with awk, header skipped, and sort the groups.",
        f"`{name}` is field {g} and `{value}` field {v}: one awk array, printed with %.{digits}f, then sort.",
        f"An awk array per group does the arithmetic; printf fixes {decimals_words(digits)} and sort the order.",
    )
    if not sql_table(table, source):
        return [awk, python]
    order = f"CAST({name} AS INTEGER)" if numeric_key else name
    function = "AVG" if mean else "SUM"
    query = (
        f"SELECT {name}, printf('%.{digits}f', {function}(CAST({value} AS REAL))) AS {shape.label} "
        f"FROM t GROUP BY {name} ORDER BY {order}"
    )
    why = (
        f"SQLite groups by `{name}` and has {function} built in; printf gives {decimals_words(digits)}.",
        f"A GROUP BY over the imported file computes this, with `{value}` cast to a number.",
        f"{function} of `{value}` per `{name}` is one query once the file is in SQLite.",
    )
    return [awk, python, one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why)]


def _figure_slips(state: State, table: Table, shape: _Shape, source: str, output: str) -> list[Slip | None]:
    """The header taken for a group whose figure is zero."""
    name, g, v = shape.grouping.name, shape.grouping.at + 1, shape.at + 1
    if not (awkable(state) and easy(name)) or shape.grouping.column.type == "integer":
        return []
    mean = shape.kind == "mean"
    counter = f" rows[${g}]++;" if mean else ""
    total = "total[g] / rows[g]" if mean else "total[g]"
    program = (
        f'{{ total[${g}] += ${v};{counter} }} END {{ for (g in total) printf "%s,%.{shape.digits}f\\n", g, {total} }}'
    )
    zero = fixed(Decimal(0), shape.digits)
    mistake = Mistake(
        f"(echo '{name},{shape.label}'; awk -F, '{program}' {sh(source)} | sort {shape.grouping.sort}) > {sh(output)}",
        (f"awk adds field {v} up per field {g}.", f"One array over the lines gives the figure per `{name}`."),
        (
            f"There is a group `{name}` with {zero}: the header line went into the sums. I have to start at line 2.",
            f"`{name}` is listed as if it were a group, because the header was not skipped.",
        ),
        ("awk", "sort"),
    )
    return [header_slip(state, output, mistake, name, table.column(name))]


def extreme_by_group(state: State, draw: Draw) -> Application | None:
    """Keep, for each value of a column, the row with the largest or smallest number in another."""
    table, source = table_of(state, least=4), state.focus.path
    grouping = _draw_grouping(table, draw, False) if table else None
    if table is None or grouping is None:
        return None
    columns = [c for c in table.columns if c.numeric and not c.missing and c.name != grouping.name]
    if not columns:
        return None
    column, most = draw.pick(columns), draw.rng.random() < 0.6
    name, value, at = grouping.name, column.name, table.index(column.name)
    best: dict[str, tuple[Decimal, tuple[str, ...]]] = {}
    ties = False
    for row, number in zip(table.rows, numbers(table, value), strict=True):
        kept = best.get(row[grouping.at])
        ties = ties or (kept is not None and kept[0] == number)
        if kept is None or (number > kept[0] if most else number < kept[0]):
            best[row[grouping.at]] = (number, row)
    order = grouping.listed({g: number for g, (number, _) in best.items()})
    chosen = table.with_rows(best[g][1] for g in order)
    word = "largest" if most else "smallest"
    side = "max" if most else "min"
    output = place_output(
        state, draw, (f"{side}_{slug(value)}_by_{slug(name)}", f"{word}_per_{slug(name)}", f"{side}_rows"), ".csv"
    )
    written = write_table(state, draw, output, chosen, "csv-subset")
    tie = "; of equal rows the first in the input counts" if ties else ""
    count = len(order)
    return applied(
        written,
        output,
        Words(
            (
                f"keep for each `{name}` in {{it}} only the row with the {word} `{value}` and write these rows, "
                f"ordered by `{name}`, ascending, with the header to `{output}`{tie}",
                f"find the row with the {word} `{value}` of every `{name}` in {{it}}; save them below the header as "
                f"`{output}`, ascending by `{name}`{tie}",
                f"write `{output}`: the header of {{it}}, then one whole row per `{name}`, the one whose `{value}` "
                f"is {word}, in ascending order of `{name}`{tie}",
                f"reduce {{it}} to one row per `{name}`, the one with the {word} `{value}`, sort by `{name}` and "
                f"store that with the header in `{output}`{tie}",
            ),
            (
                f"for each `{name}` of {{it}} the whole row with the {word} `{value}`, ordered by `{name}`, "
                f"ascending, below the header{tie}",
                f"header and one row per `{name}` of {{it}}: the one with the {word} `{value}`, in ascending order "
                f"of `{name}`{tie}",
            ),
            (
                f"`{output}` holds the row with the {word} `{value}` for each of {count} values of `{name}`",
                f"kept {count} of the {len(table)} rows, one per `{name}`, in `{output}`",
                f"saved the rows with the {word} `{value}` per `{name}` as `{output}`",
            ),
            grouping.rules(draw),
        ),
        _extreme_ways(state, draw, grouping, column, at, most, source, output),
        [_extreme_slip(state, table, grouping, column, at, most, source, output, lines_of(chosen))],
    )


def _extreme_ways(
    state: State, draw: Draw, grouping: _Grouping, column: Column, at: int, most: bool, source: str, output: str
) -> list[Way]:
    name, value = grouping.name, column.name
    sign = ">" if most else "<"
    numeric_key = grouping.column.type == "integer"
    script = f"""
import csv
from decimal import Decimal

best = {{}}
with open({py(source)}, newline="") as f:
    reader = csv.DictReader(f)
    for row in reader:
        group, number = row[{py(name)}], Decimal(row[{py(value)}])
        if group not in best or number {sign} best[group][0]:
            best[group] = (number, row)
with open({py(output)}, "w", newline="") as f:
    writer = csv.DictWriter(f, reader.fieldnames, lineterminator="\\n")
    writer.writeheader()
    writer.writerows(best[group][1] for group in sorted(best{", key=int" * numeric_key}))
"""
    python = python_act(
        state,
        output,
        script,
        f"I remember the best row per `{name}` while reading; a strict comparison keeps the first of equals.",
        f"One pass in Python with a dictionary by `{name}`, comparing `{value}` as a number.",
        f"A dictionary of the best `{value}` so far per `{name}`, then written in order.",
    )
    if not awkable(state):
        return [python]
    g, v = grouping.at + 1, at + 1
    group_key = f"-k{g},{g}{'n' * numeric_key}"
    value_key = f"-k{v},{v}n{'r' * most}"
    s, out = sh(source), sh(output)
    pipeline = f"sort -t, -s {group_key} {value_key} | awk -F, '!seen[${g}]++'"
    command = draw.pick(
        (
            f"{{ head -n 1 {s}; tail -n +2 {s} | {pipeline}; }} > {out}",
            f"head -n 1 {s} > {out} && sed 1d {s} | {pipeline} >> {out}",
        )
    )
    shell = one_act(
        state,
        output,
        "coreutils",
        ("head", "tail", "sed", "sort", "awk"),
        command,
        f"Sorted by field {g} and then by field {v} as a number, the first line of each group is the one to keep.",
        f"A stable sort brings the wanted row of each `{name}` to the front of its group; awk keeps the first.",
        f"I sort the body by `{name}` and `{value}`, then let only the first line of each group through.",
    )
    return [shell, python]


def _extreme_slip(
    state: State,
    table: Table,
    grouping: _Grouping,
    column: Column,
    at: int,
    most: bool,
    source: str,
    output: str,
    right: Sequence[str],
) -> Slip | None:
    """The value compared as text."""
    if not awkable(state) or grouping.column.type == "integer":
        return None
    rows = sorted(table.rows, key=lambda row: row[at], reverse=most)
    first: dict[str, tuple[str, ...]] = {}
    for row in rows:
        first.setdefault(row[grouping.at], row)
    wrong = lines_of(table.with_rows(first[g] for g in sorted(first)))
    g, v, s = grouping.at + 1, at + 1, sh(source)
    mistake = Mistake(
        f"{{ head -n 1 {s}; tail -n +2 {s} | sort -t, -s -k{g},{g} -k{v},{v}{'r' * most} | awk -F, '!seen[${g}]++'; "
        f"}} > {sh(output)}",
        (
            f"Sorting by fields {g} and {v} puts the row I want first in each group.",
            f"After a sort on `{grouping.name}` and `{column.name}` the first row per group is the right one.",
        ),
        (
            f"`{column.name}` was sorted as text, so some groups show the wrong row. The second key has to be numeric.",
            f"That is not the right row of each group: the key on `{column.name}` lacks the n flag.",
        ),
        ("head", "tail", "sort", "awk"),
    )
    return head_slip(state, output, mistake, wrong, right)


_PRE = COMMA_TABLES

SKILLS = (
    PackSkill(
        "csv-count-by-group", "tables", "Count the rows per value of a column.", _PRE, "group-summary", count_by_group
    ),
    PackSkill(
        "csv-sum-by-group", "tables", "Add a column up per value of another.", _PRE, "group-summary", sum_by_group
    ),
    PackSkill(
        "csv-mean-by-group", "tables", "Average a column per value of another.", _PRE, "group-summary", mean_by_group
    ),
    PackSkill(
        "csv-extreme-by-group",
        "tables",
        "Keep the row with the largest or smallest value of each group.",
        tuple(s for s in _PRE if s != "csv-subset"),
        "csv-subset",
        extreme_by_group,
    ),
)
