"""Skills that write a table for people to read."""

from __future__ import annotations

from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import awkable, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import brief, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Words,
    applied,
    awk,
    one_act,
    py,
    python_act,
)


def to_markdown(state: State, draw: Draw) -> Application | None:
    """Write a small table in Markdown."""
    table, source = table_of(state, least=1), state.focus.path
    if table is None or len(table) > 40 or len(table.columns) > 8:
        return None
    cells = [f for row in (table.header, *table.rows) for f in row]
    if any("|" in f or "\n" in f or f != f.strip() for f in cells):
        return None
    lines = [f"| {' | '.join(row)} |" for row in (table.header, *table.rows)]
    rule = "|" + "---|" * len(table.columns)
    lines.insert(1, rule)
    output = place_output(state, draw, (brief(source), "table", "report", f"{brief(source)}_table"), ".md")
    written = write_lines(state, draw, output, lines, "text-report")
    script = draw.pick(
        (
            f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w") as out:
    for number, row in enumerate(csv.reader(f)):
        print("| " + " | ".join(row) + " |", file=out)
        if number == 0:
            print("|" + "---|" * len(row), file=out)
""",
            f"""
import csv

with open({py(source)}, newline="") as f:
    rows = list(csv.reader(f))
lines = [f"| {{' | '.join(row)}} |" for row in rows]
lines.insert(1, "|" + "---|" * len(rows[0]))
with open({py(output)}, "w") as f:
    f.write("\\n".join(lines) + "\\n")
""",
        )
    )
    ways = [
        python_act(
            state,
            output,
            script,
            "Each row becomes a line with bars; after the header comes the rule.",
            f"I read the {len(table)} rows with the csv module and print them between bars.",
            f"The rule below the header needs one part for each of the {len(table.columns)} columns.",
        )
    ]
    if awkable(state):
        program = f'BEGIN {{ OFS = " | " }} {{ $1 = $1; print "| " $0 " |" }} NR == 1 {{ print "{rule}" }}'
        sed = f"sed -e 's/,/ | /g' -e 's/^/| /' -e 's/$/ |/' -e '1a\\\n{rule}' {sh(source)} > {sh(output)}"
        command = draw.pick((awk(program, source, output), sed))
        tool = command.split()[0]
        ways.insert(
            0,
            one_act(
                state,
                output,
                tool,
                (tool,),
                command,
                "Fields without quotes can be joined with bars directly, and the rule goes after line 1.",
                f"The {len(table.columns)} fields of each line get bars between and around them.",
                "No field holds a bar or a comma, so the lines can be rewritten one by one.",
            ),
        )
    empty = any(not f for f in cells)
    rule_text = f"Each line reads `| a | b |` with one space around every cell; the second line is `{rule}`."
    words = Words(
        (
            f"turn {{it}} into a Markdown table and save it as `{output}`",
            f"write `{output}`, a Markdown table with the header and all rows of {{it}}",
            f"present {{it}} as a Markdown table in `{output}`, header first and rows in the same order",
            f"make a Markdown version of {{it}} for the documentation and call it `{output}`",
        ),
        ("a Markdown table with the header and all rows of {it}", "{it} as a Markdown table"),
        (
            f"`{output}` shows the {len(table)} rows as a Markdown table",
            f"wrote header and {len(table)} rows in Markdown to `{output}`",
            f"saved the Markdown table as `{output}`",
        ),
        (rule_text,),
    )
    return None if empty else applied(written, output, words, ways)


_PRE = (*COMMA_TABLES, "group-summary", "calendar-summary")


SKILLS = (PackSkill("csv-to-markdown", "tables", "Write a small table in Markdown.", _PRE, "text-report", to_markdown),)
