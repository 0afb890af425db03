"""Skills that deal with lines of a CSV table that have too few or too many fields."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import (
    Words,
    applied,
    one_act,
    py,
    python_act,
)


def find_malformed(state: State, draw: Draw) -> Application | None:
    """List the numbers of the lines whose number of fields is not the header's."""
    table, source = state.focus.facts, state.focus.path
    if not isinstance(table, Table) or state.tree.file(source) is None:
        return None
    lines = state.data(source).decode().splitlines()
    width = len(table.columns)
    bad = [n for n, line in enumerate(lines, 1) if len(line.split(",")) != width]
    if not bad:
        return None
    output = place_output(state, draw, ("bad_lines", "malformed", f"{brief(source)}_errors", "line_numbers"), ".txt")
    written = write_lines(state, draw, output, [str(n) for n in bad], "text-report")
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w") as out:
    rows = csv.reader(f)
    width = len(next(rows))
    for row in rows:
        if len(row) != width:
            print(rows.line_num, file=out)
"""
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            draw.pick(
                (
                    f"awk -F, 'NR == 1 {{ width = NF }} NF != width {{ print NR }}' {sh(source)} > {sh(output)}",
                    f"awk -F, 'NF != {width} {{ print NR }}' {sh(source)} > {sh(output)}",
                )
            ),
            f"The header has {width} fields; awk prints the number of every line with more or fewer.",
            f"NF must be {width} on each line, so awk shows me where it is not.",
            "I compare the number of fields of each line with that of line 1.",
        ),
        python_act(
            state,
            output,
            script,
            "The csv reader knows its line number, so I print it where a row is too short or too long.",
            f"I read the rows in Python and write the line numbers of those without {width} fields.",
            f"A reader that does not complain about odd rows lets me compare each length with {width}.",
        ),
    ]
    count = len(bad)
    slip = Slip(
        command=mkdir_first(
            state, output, f"tail -n +2 {sh(source)} | awk -F, 'NF != {width} {{ print NR }}' > {sh(output)}"
        ),
        why=(
            "I skip the header and print the lines with a wrong number of fields.",
            f"Below the header every line needs {width} fields.",
        ),
        look=f"awk -F, 'NR == FNR {{ want[$1]; next }} FNR in want && NF == {width} "
        f'{{ print FNR, "has {width} fields" }}\' {sh(output)} {sh(source)}',
        sign=rf"(?m)^\d+ has {width} fields",
        remark=(
            "These lines are fine: without the header the numbers are one too small. Counting must start at line 1.",
            "The numbers are off by one, because the header was cut off before counting.",
        ),
        tools=("tail", "awk"),
    )
    shifted = any(n - 1 not in bad for n in bad)
    return applied(
        written,
        output,
        Words(
            (
                "find the lines of {it} that do not have as many fields as the header and write their line "
                f"numbers to `{output}`, one per line in ascending order, the header being line 1",
                f"write to `{output}` the numbers of all malformed lines in {{it}} (too few or too many fields "
                "compared with the header), one number per line, counting the header as line 1",
                "check {it} for lines with a wrong number of fields: their line numbers, counted from 1 at the "
                f"header, go to `{output}`, one below the other",
                f"list in `{output}` where {{it}} is broken, that is the number of each line whose count of "
                "comma-separated fields differs from the header's; line 1 is the header, one number per line",
            ),
            (
                "the line numbers (header is line 1) of all lines in {it} whose number of fields differs from the "
                "header's, one per line, ascending",
                "the numbers of the lines of {it} that have too few or too many fields, one per line in ascending "
                "order, the header counting as line 1",
            ),
            (
                f"`{output}` lists {count} malformed line{'s' * (count > 1)}, the first at line {bad[0]}",
                f"found {count} line{'s' * (count > 1)} without {width} fields and wrote "
                f"{'their numbers' if count > 1 else 'its number'} to `{output}`",
                f"saved the numbers of the lines that do not have {width} fields in `{output}`",
            ),
        ),
        ways,
        [slip] if shifted else [],
    )


def drop_malformed(state: State, draw: Draw) -> Application | None:
    """Leave out the lines whose number of fields is not the header's."""
    table, source = state.focus.facts, state.focus.path
    if not isinstance(table, Table) or state.tree.file(source) is None:
        return None
    rows = [line.split(",") for line in state.data(source).decode().splitlines()]
    width = len(table.columns)
    good = [row for row in rows[1:] if len(row) == width]
    gone = len(rows) - 1 - len(good)
    if not gone or len(good) < 3:
        return None
    clean = make_table(table.header, good)
    output = place_output(state, draw, (f"{brief(source)}_valid", "well_formed", f"{brief(source)}_clean"), ".csv")
    written = write_table(state, draw, output, clean, "csv-table")
    script = f"""
import csv

with open({py(source)}, newline="") as f:
    rows = list(csv.reader(f))
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerows(row for row in rows if len(row) == len(rows[0]))
"""
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            draw.pick(
                (
                    f"awk -F, 'NF == {width}' {sh(source)} > {sh(output)}",
                    f"awk -F, 'NR == 1 {{ width = NF }} NF == width' {sh(source)} > {sh(output)}",
                )
            ),
            f"awk prints only lines with exactly {width} fields, the header among them.",
            f"The header has {width} fields, so I let through the lines that have the same.",
            f"Every line with {width} fields is fine; the others I leave out.",
        ),
        python_act(
            state,
            output,
            script,
            f"I keep the rows that have the header's {width} fields and write them back.",
            "Comparing each row's length with the header's sorts out the broken ones.",
            "In Python a row that is too short or too long is easy to tell by its length.",
        ),
    ]
    return applied(
        written,
        output,
        Words(
            (
                "remove the malformed lines from {it}, those whose number of fields differs from the header's, "
                f"and save the rest as `{output}`",
                f"write `{output}` with the header of {{it}} and only the rows that have as many fields as the "
                "header, in the same order",
                "clean {it}: some lines have a field too few or too many; leave those out and store everything "
                f"else in `{output}`",
                f"save as `{output}` just the well-formed part of {{it}}, that is the header and each line with the "
                "same number of comma-separated fields",
            ),
            (
                "header and rows of {it} without the lines whose number of fields differs from the header's",
                "the well-formed rows of {it} (as many fields as the header), in their order, with the header",
            ),
            (
                f"`{output}` has the {len(good)} well-formed rows; {gone} malformed "
                f"line{' was' if gone == 1 else 's were'} left out",
                f"left {gone} line{'s' * (gone > 1)} without {width} fields out of `{output}`",
                f"kept the {len(good)} rows with {width} fields in `{output}`",
            ),
        ),
        ways,
    )


SKILLS = (
    PackSkill(
        "csv-find-malformed",
        "tables",
        "List the lines with a wrong number of fields.",
        ("csv-ragged",),
        "text-report",
        find_malformed,
    ),
    PackSkill(
        "csv-drop-malformed",
        "tables",
        "Leave out lines with a wrong number of fields.",
        ("csv-ragged",),
        "csv-table",
        drop_malformed,
    ),
)
