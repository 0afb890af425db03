"""Skills that copy lines of a text whose encoding matters."""

from __future__ import annotations

import re

from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.encoding_texts import source_text
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act


def line_range(state: State, draw: Draw) -> Application | None:
    """Copy a stretch of lines."""
    text, source = source_text(state), state.focus.path
    lines = text.split("\n")[:-1] if text else []
    if len(lines) < 8:
        return None
    first = draw.rng.randint(1, len(lines) // 2)
    last = draw.rng.randint(first + 2, min(len(lines), first + 40))
    if (first, last) == (1, len(lines)):
        return None
    kept = lines[first - 1 : last]
    output = place_output(state, draw, (f"{brief(source)}_part", "excerpt", f"lines_{first}_{last}"), ".txt")
    written = write_lines(state, draw, output, kept, "plain-text")
    s, o, count = sh(source), sh(output), len(kept)
    command = draw.pick(
        (
            f"sed -n '{first},{last}p' {s} > {o}",
            f"head -n {last} {s} | tail -n {count} > {o}",
            f"awk 'NR >= {first} && NR <= {last}' {s} > {o}",
        )
    )
    script = f"""
from itertools import islice

with open({py(source)}, encoding="utf-8") as f, open({py(output)}, "w", encoding="utf-8") as out:
    out.writelines(islice(f, {first - 1}, {last}))
"""
    tool = command.split()[0]
    ways = [
        one_act(
            state,
            output,
            tool,
            ("head", "tail") if tool == "head" else (tool,),
            command,
            f"Lines {first} to {last} are addressed by number, {count} in all.",
            f"I need {count} of {len(lines)} lines, starting at line {first}.",
            f"Line numbers are known, so I print {first} to {last} and nothing else.",
        ),
        python_act(
            state,
            output,
            script,
            f"islice counts from 0, so lines {first} to {last} are {first - 1} up to {last}.",
            f"A slice of the file object copies the {count} lines as they are.",
            f"I skip the first {first - 1} lines and copy the next {count}.",
        ),
    ]
    off = "\n".join(lines[first : last + 1]) != "\n".join(kept)
    slip = Slip(
        command=f"tail -n +{first + 1} {s} | head -n {count} > {o}",
        why=(
            f"Skip {first} lines and take {count}.",
            f"tail starts behind line {first}, head stops after {count} lines.",
        ),
        look=f"head -n 1 {o}",
        sign=rf"\A(?!{re.escape(kept[0])}(?:\n|\Z))",
        remark=(
            f"The first line here is line {first + 1}; line {first} belongs to the range and is missing.",
            f"Off by one: the stretch has to begin with line {first} itself.",
        ),
        tools=("tail", "head"),
    )
    safe = off and kept[0] != kept[1] and "/" not in output
    return applied(
        written,
        output,
        Words(
            (
                f"copy lines {first} to {last} of {{it}}, both included, to `{output}`",
                f"take the stretch from line {first} up to and including line {last} out of {{it}} and save it as "
                f"`{output}`",
                f"write `{output}` with just the lines {first} through {last} of {{it}}, counted from 1",
                f"cut an excerpt from {{it}}: its lines {first} to {last} (the first line is 1) go to `{output}` "
                "unchanged",
            ),
            (
                f"lines {first} to {last} of {{it}}, both included",
                f"an excerpt of {{it}}: the lines from {first} up to and including {last}",
            ),
            (
                f"`{output}` holds lines {first} to {last}",
                f"copied {count} lines, from line {first} on, to `{output}`",
                f"saved the {count} lines of the excerpt as `{output}`",
            ),
        ),
        ways,
        [slip] if safe else [],
    )


def non_ascii_lines(state: State, draw: Draw) -> Application | None:
    """List the lines that hold a character outside ASCII."""
    text, source = source_text(state), state.focus.path
    lines = text.split("\n")[:-1] if text else []
    kept = [line for line in lines if not line.isascii()]
    if not kept or len(kept) == len(lines):
        return None
    output = place_output(state, draw, ("non_ascii", f"{brief(source)}_special", "special_lines"), ".txt")
    written = write_lines(state, draw, output, kept, "plain-text")
    s, o = sh(source), sh(output)
    command = draw.pick((f"grep -P '[^\\x00-\\x7F]' {s} > {o}", f"LC_ALL=C grep '[^ -~[:cntrl:]]' {s} > {o}"))
    script = f"""
with open({py(source)}, encoding="utf-8") as f, open({py(output)}, "w", encoding="utf-8") as out:
    out.writelines(line for line in f if not line.isascii())
"""
    count = len(kept)
    return applied(
        written,
        output,
        Words(
            (
                "find the lines of {it} with at least one character outside ASCII and write them unchanged, in "
                f"their order, to `{output}`",
                f"copy every line of {{it}} that is not pure ASCII to `{output}`, order kept",
                f"list in `{output}` those lines of {{it}} which contain accented letters or any other character "
                "beyond ASCII, as they are",
                f"write `{output}` with only the lines of {{it}} that hold a non-ASCII character, one below the "
                "other as in the input",
            ),
            (
                "the lines of {it} with at least one character outside ASCII, unchanged and in order",
                "every line of {it} that is not pure ASCII, in order",
            ),
            (
                f"`{output}` has the {count} lines with characters outside ASCII",
                f"found {count} of {len(lines)} lines that are not pure ASCII and copied them to `{output}`",
                f"saved the lines beyond ASCII as `{output}`",
            ),
        ),
        [
            one_act(
                state,
                output,
                "grep",
                ("grep",),
                command,
                "A pattern for bytes above 7F picks the lines that are not pure ASCII.",
                "grep with a negated range finds every character outside ASCII.",
                f"Of {len(lines)} lines I keep those in which something falls outside the ASCII range.",
            ),
            python_act(
                state,
                output,
                script,
                "str.isascii says for each line whether it is pure ASCII.",
                "In Python the test is one method per line, and the lines are copied as they are.",
                "I keep each line that is not ASCII, read and written as UTF-8.",
            ),
        ],
    )


SKILLS = (
    PackSkill("text-utf8-excerpt", "encodings", "Copy a stretch of lines.", ("utf8-text",), "plain-text", line_range),
    PackSkill(
        "text-non-ascii-lines",
        "encodings",
        "List the lines that are not pure ASCII.",
        ("utf8-text",),
        "plain-text",
        non_ascii_lines,
    ),
)
