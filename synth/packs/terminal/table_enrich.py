"""Skills that add the figures of a group to each of its rows."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief, listed, table_of
from trajmill.synth.packs.terminal.table_join import Join, partner
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


def join_summary(state: State, draw: Draw) -> Application | None:
    """Add a group's figures to each row of the table that the summary was made from."""
    summary = table_of(state, least=2)
    join = partner(state, summary, main_is_focus=False) if summary else None
    if join is None or len(join.added) > 2 or len(join.main) > 300:
        return None
    joined = make_table((*join.main.header, *join.added), [(*row, *join.found(row[join.at])) for row in join.main.rows])
    output = place_output(
        state,
        draw,
        (f"{brief(join.main_path)}_joined", f"{brief(join.main_path)}_with_{slug(join.added[0])}", "joined"),
        ".csv",
    )
    written = write_table(state, draw, output, joined, "csv-joined")
    names, main, key = listed(join.added), join.main_path, join.key
    noun = "column" if len(join.added) == 1 else "columns"
    return applied(
        written,
        output,
        Words(
            (
                f"add {names} from {{it}} to each row of `{main}`, matching on `{key}`, as the last {noun}, and "
                f"save that with the header as `{output}`",
                f"join `{main}` with {{it}} on `{key}`: `{output}` gets all rows of `{main}` in their order, "
                f"followed by {names}",
                f"write `{output}` with the rows of `{main}` as they are and {names} of their `{key}`, taken from "
                "{it}, at the end of each; the header grows accordingly",
                f"extend `{main}` by {names} at the right; the values come from {{it}} and belong to the same "
                f"`{key}`; save header and rows as `{output}`",
            ),
            (
                f"all rows of `{main}` in their order with {names} of their `{key}`, from {{it}}, as the last {noun}",
                f"`{main}` extended at the right by {names} from {{it}}, matched on `{key}`, with a header",
            ),
            (
                f"`{output}` has the {len(join.main)} rows of `{main}` with {names}",
                f"joined {len(join.main)} rows with {len(join.other)} groups on `{key}` in `{output}`",
                f"added {names} to every row and saved the table as `{output}`",
            ),
        ),
        _summary_ways(state, join, output),
        _sorted_join_slip(state, join, output, joined),
    )


def _summary_ways(state: State, join: Join, output: str) -> list[Way]:
    names = ", ".join(py(n) for n in join.added)
    script = f"""
import csv

added = [{names}]
with open({py(join.other_path)}, newline="") as f:
    figures = {{row[{py(join.key)}]: row for row in csv.DictReader(f)}}
with open({py(join.main_path)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.DictReader(f)
    writer = csv.DictWriter(out, [*rows.fieldnames, *added], lineterminator="\\n")
    writer.writeheader()
    for row in rows:
        group = figures[row[{py(join.key)}]]
        writer.writerow(row | {{name: group[name] for name in added}})
"""
    python = python_act(
        state,
        output,
        script,
        f"The summary fits into a dictionary by `{join.key}`; each row of `{join.main_path}` then gets its figures.",
        f"I copy the {len(join.main)} rows in Python and add what the summary says about their `{join.key}`.",
        f"Looking the `{join.key}` up in a dictionary leaves the order of the rows alone.",
    )
    if not (join.plain and awkable(state)):
        return [python]
    k, at = join.other.index(join.key) + 1, join.at + 1
    fields = [join.other.index(n) + 1 for n in join.added]
    value = ' "," '.join(f"${f}" for f in fields)
    program = f'NR == FNR {{ more[${k}] = {value}; next }} {{ print $0 "," more[${at}] }}'
    command = f"awk -F, '{program}' {sh(join.other_path)} {sh(join.main_path)} > {sh(output)}"
    why = (
        f"awk keeps the {len(join.other)} groups in an array and appends the figures to each line of the other file.",
        f"`{join.key}` is field {k} of the summary and field {at} of `{join.main_path}`, header lines included.",
        f"Summary first, table second: awk can then extend each line by its `{join.key}`.",
    )
    return [one_act(state, output, "awk", ("awk",), command, *why), python]


def _sorted_join_slip(state: State, join: Join, output: str, joined: Table) -> list[Slip | None]:
    """The files given in the wrong order."""
    if not (join.plain and awkable(state)):
        return []
    k, at = join.other.index(join.key) + 1, join.at + 1
    fields = [join.other.index(n) + 1 for n in join.added]
    value = ' "," '.join(f"${f}" for f in fields)
    program = f'NR == FNR {{ more[${k}] = {value}; next }} {{ print $0 "," more[${at}] }}'
    first = ",".join(join.other.header)
    if first == ",".join(joined.header):
        return []
    mistake = Mistake(
        f"awk -F, '{program}' {sh(join.main_path)} {sh(join.other_path)} > {sh(output)}",
        (
            f"awk joins the two files on fields {k} and {at}.",
            f"One array for the figures and one pass over the rows, matched on `{join.key}`.",
        ),
        (
            "I gave the files in the wrong order: these are the lines of the summary, not of the table.",
            f"The output has {len(join.other)} groups instead of {len(join.main)} rows, so the summary has to come "
            "first.",
        ),
        ("awk",),
    )
    return [head_slip(state, output, mistake, [f"{first},?", "?"], lines_of(joined))]


SKILLS = (
    PackSkill(
        "csv-join-summary",
        "tables",
        "Add a group's figures to each row of a table.",
        ("group-summary",),
        "csv-joined",
        join_summary,
    ),
)
