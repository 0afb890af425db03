"""Cutting a range of lines out of a text."""

from __future__ import annotations

from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act
from trajmill.synth.packs.terminal.text_lines import (
    text_of,
)


def slice_lines(state: State, draw: Draw) -> Application | None:
    """Cut out a range of lines."""
    lines = text_of(state, 8)
    if lines is None:
        return None
    first = draw.rng.randint(2, len(lines) // 2)
    last = draw.rng.randint(first + 2, len(lines) - 1)
    kept = lines[first - 1 : last]
    if not any(kept):
        return None
    output = place_output(state, draw, (f"lines_{first}_{last}", f"{brief(state.focus.path)}_part", "excerpt"), ".txt")
    written = write_lines(state, draw, output, kept, "text-excerpt")
    count = len(kept)
    words = Words(
        (
            f"copy lines {first} to {last} of {{it}}, both included, to `{output}`",
            f"take the lines from number {first} through number {last} of {{it}} (counting from 1) and save these "
            f"{count} lines as `{output}`",
            f"write an excerpt of {{it}} to `{output}` that begins with line {first} and ends with line {last}",
            f"save the {count} lines {first}-{last} of {{it}}, the first line of the file being 1, in `{output}`",
        ),
        (
            f"lines {first} to {last} of {{it}}, both included",
            f"the excerpt of {{it}} from line {first} through line {last}",
        ),
        (f"`{output}` holds lines {first} to {last}", f"cut out {count} lines for `{output}`"),
    )
    source, target = sh(state.focus.path), sh(output)
    shell = draw.pick(
        (
            f"sed -n '{first},{last}p' {source} > {target}",
            f"sed -n '{first},{last}p;{last}q' {source} > {target}",
            f"head -n {last} {source} | tail -n +{first} > {target}",
            f"head -n {last} {source} | tail -n {count} > {target}",
            f"tail -n +{first} {source} | head -n {count} > {target}",
        )
    )
    script = draw.pick(
        (
            f"lines = open({literal(state.focus.path)}).readlines()\n"
            f'with open({literal(output)}, "w") as out:\n    out.writelines(lines[{first - 1}:{last}])',
            f"from itertools import islice\n\nwith open({literal(state.focus.path)}) as f, open({literal(output)}, "
            f'"w") as out:\n'
            f"    out.writelines(islice(f, {first - 1}, {last}))",
        )
    )
    slip = Slip(
        command=mkdir_first(state, output, f"head -n {last} {source} | tail -n {count - 1} > {target}"),
        why=(
            f"The first {last} lines, and of these the last {last} minus {first}, are the range.",
            f"{last} minus {first} is {count - 1}, so I take that many from the end of the first {last}.",
        ),
        look=f"wc -l < {target}",
        sign=rf"\A\s*{count - 1}\b",
        remark=(
            f"Only {count - 1} lines: with both ends included there must be {count}.",
            f"One line is missing. From {first} to {last} inclusive there are {count}.",
        ),
        tools=("head", "tail"),
    )
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "coreutils",
                ("sed", "head", "tail"),
                shell,
                f"Both ends belong to the range, so it has {count} lines.",
                f"I print lines {first} to {last} and nothing else.",
                f"The range is given by line numbers, {count} lines in all.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                draw.pick(
                    (
                        f"awk 'NR >= {first} && NR <= {last}' {source} > {target}",
                        f"awk 'NR > {last} {{ exit }} NR >= {first}' {source} > {target}",
                    )
                ),
                f"A condition on the line number selects {first} to {last}.",
                "awk counts lines from 1 as well, so the bounds can be used as they are.",
                f"{count} lines between the two bounds pass the test.",
            ),
            python_act(
                state,
                output,
                script,
                f"Python counts from 0, so the slice runs from {first - 1} to {last}.",
                f"Line {first} is at index {first - 1}; the end of a slice is excluded, which fits {last}.",
                f"A slice of the list of lines gives the {count} lines.",
            ),
        ),
        (slip,),
    )


SKILLS = (
    PackSkill(
        "text-slice-lines",
        "text",
        "Cut a range of lines out of a text.",
        ("plain-text", "value-list", "sorted-list", "text-edited", "file-listing"),
        "text-excerpt",
        slice_lines,
        not_after=("text-utf8-excerpt",),
    ),
)
