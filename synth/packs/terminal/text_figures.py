"""A JSON object of figures as lines of a report."""

from __future__ import annotations

from trajmill.synth.packs.facts import Document
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import is_number, one_spelling, spelled, tame
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def figures_report(state: State, draw: Draw) -> Application | None:
    """Write an object of figures as a bulleted list."""
    facts = state.focus.facts
    if not isinstance(facts, Document) or not isinstance(facts.value, dict) or not 2 <= len(facts.value) <= 40:
        return None
    items = sorted(facts.value.items())
    if not all(is_number(v) and one_spelling(v) and tame(k) and ":" not in k for k, v in items):
        return None
    bullet = draw.pick(("- ", "* "))
    lines = [f"{bullet}{key}: {spelled(value)}" for key, value in items]
    output = place_output(state, draw, (f"{brief(state.focus.path)}", "report", "figures"), draw.pick((".md", ".txt")))
    written = write_lines(state, draw, output, lines, "text-report")
    form = f"`{bullet}NAME: VALUE`"
    words = Words(
        (
            f"list the entries of {{it}} as bullet points in `{output}`, one line {form} per key, in code point "
            f"order of the keys",
            f"write a short report `{output}` from {{it}} with a line of the form {form} for each entry, sorted by "
            f"name (code points)",
            f"turn the figures in {{it}} into a plain list in `{output}`: each line reads {form}, and the names "
            f"are in ascending code point order",
            f"put every key of {{it}} with its value on a line of its own in `{output}`, in the form {form}, keys "
            f"sorted by code point",
        ),
        (
            f"the entries of {{it}} as lines {form}, in code point order of the names",
            f"a bulleted list of the figures in {{it}}, one {form} per line, sorted by name",
        ),
        (f"`{output}` lists {len(items)} figures", f"reported {len(items)} entries in `{output}`"),
    )
    source, target = sh(state.focus.path), sh(output)
    program = draw.pick(
        (
            f'to_entries | sort_by(.key)[] | "{bullet}\\(.key): \\(.value)"',
            f'. as $all | keys[] | "{bullet}\\(.): \\($all[.])"',
        )
    )
    script = (
        f'import json\n\nfigures = json.load(open({literal(state.focus.path)}))\nwith open({literal(output)}, "w") '
        f"as out:\n"
        f'    for name in sorted(figures):\n        print(f"{bullet}{{name}}: {{figures[name]}}", file=out)'
    )
    slip = Slip(
        command=mkdir_first(state, output, f"jq '{program}' {source} > {target}"),
        why=(
            "One string per entry, printed in order of the keys, gives the list.",
            "jq can build the lines by interpolation.",
        ),
        look=f"head -n 2 {target}",
        sign=r'\A"',
        remark=(
            "The lines are still JSON strings in quotes; they should be bare text.",
            "There are quotes around each line, which do not belong in a list.",
        ),
        tools=("jq",),
    )
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                f"jq -r '{program}' {source} > {target}",
                f"The {len(items)} keys in order, each with its value in a string, printed raw.",
                "String interpolation builds each line, and raw output leaves the quotes off.",
                "The object is flat, so a line per key is all there is to it.",
            ),
            python_act(
                state,
                output,
                script,
                "I print one line per key in sorted order.",
                f"Python writes the {len(items)} numbers as they are in the file.",
                "sorted() gives code point order of the names.",
            ),
        ),
        (slip,),
    )


SKILLS = (
    PackSkill(
        "json-summary-report",
        "text",
        "Write a JSON object of figures as a bulleted list.",
        ("json-summary",),
        "text-report",
        figures_report,
    ),
)
