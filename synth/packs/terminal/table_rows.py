"""Skills that choose or order the rows of a CSV table."""

from __future__ import annotations

from collections import Counter

from trajmill.schemas.content.tables import Column, Table
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug, stem
from trajmill.synth.packs.outputs import awkable, literal, python_way, write_table
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES


def filter_rows(state: State, draw: Draw) -> Application | None:
    """Keep the rows in which one text column has one value."""
    table, source = state.focus.facts, state.focus.path
    if not isinstance(table, Table):
        return None
    choice = _value_to_keep(table, draw)
    if choice is None:
        return None
    column, value = choice
    at = table.index(column.name)
    kept = table.with_rows(tuple(row for row in table.rows if row[at] == value))
    output = place_output(state, draw, (slug(value), f"{stem(source)}_{slug(value)}", f"only_{slug(value)}"), ".csv")
    written = write_table(state, draw, output, kept, "csv-subset")
    name, count = column.name, len(kept.rows)
    return Application(
        outputs=(output,),
        asks=(
            f"keep only the rows of {{it}} whose `{name}` is exactly `{value}` and save them, header included, as `{output}`",
            f"filter {{it}} down to the records with `{value}` in the `{name}` column and write them with the header to `{output}`",
            f"pull the rows where `{name}` equals `{value}` out of {{it}} into `{output}`, keeping the header and the order of the rows",
            f"write a file `{output}` with the header of {{it}} and just those rows that have `{value}` as their `{name}`",
        ),
        results=(
            f"the rows of {{it}} whose `{name}` is exactly `{value}`, with the header and in their original order",
            f"header and rows of {{it}}, reduced to the records with `{value}` under `{name}`",
        ),
        rules=written.rules,
        ways=_filter_ways(state, source, output, name, at, value),
        checks=(written.check,),
        after=written.state,
        done=(
            f"`{output}` holds the header and the {count} rows whose `{name}` is `{value}`",
            f"kept the {count} rows with `{value}` in `{name}` in `{output}`",
        ),
        slips=_filter_slips(state, table, source, output, name, at, value),
    )


def _value_to_keep(table: Table, draw: Draw) -> tuple[Column, str] | None:
    options = []
    for column in table.columns:
        if column.type == "text":
            counts = Counter(table.column(column.name))
            options += [(column, v) for v, n in counts.items() if 2 <= n < len(table.rows) and _sayable(v)]
    return draw.pick(options) if options else None


def _sayable(value: str) -> bool:
    """Whether a value can stand between back quotes in a sentence without doubt about where it ends."""
    return 0 < len(value) <= 40 and value == value.strip() and "`" not in value and value.isprintable()


def _filter_ways(state: State, source: str, output: str, name: str, at: int, value: str) -> tuple[Way, ...]:
    script = f"""
import csv
with open({literal(source)}, newline="") as f, open({literal(output)}, "w", newline="") as out:
    rows = csv.DictReader(f)
    writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\\n")
    writer.writeheader()
    writer.writerows(row for row in rows if row[{literal(name)}] == {literal(value)})
"""
    python = Way(
        "python",
        ("python3",),
        (
            Act(
                mkdir_first(state, output, python_way(script)),
                (
                    f"Python's csv module reads quoting right, so I filter on `{name}` with it.",
                    f"I copy the header and the rows whose `{name}` matches with a short Python script.",
                ),
            ),
        ),
    )
    if not awkable(state):
        return (python,)
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    program = f"'NR == 1 || ${at + 1} == \"{quoted}\"'" if "'" not in value else ""
    if not program:
        return (python,)
    awk = Way(
        "awk",
        ("awk",),
        (
            Act(
                mkdir_first(state, output, f"awk -F, {program} {sh(source)} > {sh(output)}"),
                (
                    f"`{name}` is field {at + 1} and nothing is quoted, so awk can keep the header and the matching rows.",
                    f"No quotes in this file: awk on field {at + 1} will do.",
                ),
            ),
        ),
    )
    return (awk, python)


def _filter_slips(
    state: State, table: Table, source: str, output: str, name: str, at: int, value: str
) -> tuple[Slip, ...]:
    if not awkable(state) or "'" in value or '"' in value or "\\" in value:
        return ()
    header_first = table.columns[0].name
    command = f"awk -F, '${at + 1} == \"{value}\"' {sh(source)} > {sh(output)}"
    return (
        Slip(
            command=mkdir_first(state, output, command),
            why=(
                f"awk can select on field {at + 1} directly.",
                f"I select the rows whose field {at + 1} is the wanted value.",
            ),
            look=f"head -n 2 {sh(output)}",
            sign=r"\A(?!" + _regex(header_first) + r"(,|\n|\r|$))",
            remark=(
                "The header is missing: the condition dropped line 1 as well. I have to let the first line through.",
                f"The file starts with data, not with `{header_first}`. The first line needs to pass the filter too.",
            ),
            tools=("awk",),
        ),
    )


def _regex(text: str) -> str:
    import re

    return re.escape(text)


SKILLS = (
    PackSkill(
        name="csv-filter-rows",
        domain="tables",
        summary="Keep the rows of a table in which a column has a given value.",
        pre=tuple(s for s in COMMA_TABLES if s != "csv-subset"),
        post="csv-subset",
        apply=filter_rows,
    ),
)
