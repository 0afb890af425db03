"""Skills that keep one row of each group of a CSV table."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from trajmill.schemas.content.tables import Column, Table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    numbers,
    table_of,
)
from trajmill.synth.packs.terminal.table_groups import Grouping, draw_grouping
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    head_slip,
    lines_of,
    one_act,
    py,
    python_act,
)


def extreme_by_group(state: State, draw: Draw) -> Application | None:
    """Keep, for each value of a column, the row with the largest or smallest number in another."""
    table, source = table_of(state, least=4), state.focus.path
    grouping = draw_grouping(table, draw, False) if table else None
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
            grouping.rules(order, draw),
        ),
        _extreme_ways(state, draw, grouping, column, at, most, source, output),
        [_extreme_slip(state, table, grouping, column, at, most, source, output, lines_of(chosen))],
    )


def _extreme_ways(
    state: State, draw: Draw, grouping: Grouping, column: Column, at: int, most: bool, source: str, output: str
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
    grouping: Grouping,
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
        "csv-extreme-by-group",
        "tables",
        "Keep the row with the largest or smallest value of each group.",
        tuple(s for s in _PRE if s != "csv-subset"),
        "csv-subset",
        extreme_by_group,
    ),
)
