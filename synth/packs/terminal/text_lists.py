"""Lists with one value per line, and the skill that sorts them."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def lines_of(state: State, least: int = 3) -> tuple[str, ...] | None:
    """The focus's lines if there are at least so many and each is clean text, else None."""
    facts = state.focus.facts
    if not isinstance(facts, Lines) or len(facts.lines) < least:
        return None
    clean = all(line and line == line.strip() and line.isprintable() for line in facts.lines)
    return facts.lines if clean else None


def sort_unique(state: State, draw: Draw) -> Application | None:
    """Write the distinct lines in code point order."""
    lines = lines_of(state, 4)
    if lines is None:
        return None
    kept = sorted(set(lines))
    if len(kept) < 2 or len(kept) == len(lines):
        return None
    output = place_output(
        state, draw, (f"{brief(state.focus.path)}_sorted", f"unique_{brief(state.focus.path)}", "distinct"), ".txt"
    )
    written = write_lines(state, draw, output, kept, "sorted-list")
    source, target = sh(state.focus.path), sh(output)
    words = Words(
        (
            f"sort the lines of {{it}} in code point order and save them without repeats as `{output}`",
            f"write the distinct lines of {{it}} to `{output}`, once each and in ascending code point order (C locale)",
            f"make a sorted list of the distinct lines in {{it}}, ordered by code point, and store it in `{output}`",
            f"bring {{it}} into order: `{output}` is to list the different lines once each, sorted as in the C locale",
        ),
        (
            "the distinct lines of {it}, sorted in code point order",
            "a sorted list (C locale) of the different lines in {it}, each once",
        ),
        (
            f"`{output}` lists {len(kept)} distinct lines out of {len(lines)} in order",
            f"sorted the {len(kept)} different lines into `{output}`",
        ),
    )
    shell = draw.pick(
        (
            f"LC_ALL=C sort -u {source} > {target}",
            f"LC_ALL=C sort {source} | uniq > {target}",
            f"LC_ALL=C sort -u -o {target} {source}",
            f"export LC_ALL=C; sort {source} | uniq > {target}",
        )
    )
    script = draw.pick(
        (
            f"with open({literal(state.focus.path)}) as f:\n    values = set(f.read().splitlines())\n"
            f'with open({literal(output)}, "w") as out:\n    for value in sorted(values):\n        print(value, '
            f"file=out)",
            f'values = {{line.rstrip("\\n") for line in open({literal(state.focus.path)})}}\n'
            f'open({literal(output)}, "w").write("\\n".join(sorted(values)) + "\\n")',
        )
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
                ("sort", "uniq"),
                shell,
                f"Sorting the {len(lines)} lines in the C locale also brings equal ones together.",
                "The C locale gives code point order, whatever the session's language.",
                "Equal lines become neighbours once sorted, so the repeats are easy to drop.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk", "sort"),
                f"awk '!seen[$0]++' {source} | LC_ALL=C sort > {target}",
                f"First I let each of the {len(lines)} lines through once, then sort what is left.",
                "An array of seen lines drops the repeats before sorting.",
                "Whole lines are the values, so I can use each as an array key.",
            ),
            python_act(
                state,
                output,
                script,
                "Python compares text by code point, so a sorted set is exactly the list.",
                f"A set of the {len(lines)} lines removes repeats, and sorted() orders it.",
                "I read the lines into a set and write them back in order.",
            ),
        ),
        _uniq_slip(state, output, lines),
    )


def _uniq_slip(state: State, output: str, lines: Sequence[str]) -> tuple[Slip, ...]:
    """Uniq without sorting first."""
    apart = [v for i, v in enumerate(lines) if v in lines[:i] and lines[i - 1] != v]
    target = sh(output)
    if not apart:
        return ()
    return (
        Slip(
            command=mkdir_first(state, output, f"uniq {sh(state.focus.path)} > {target}"),
            why=("uniq removes repeated lines.", "Dropping the repeats is a job for uniq."),
            look=f"sort {target} | uniq -d | head -n 3",
            sign=r"\A\S",
            remark=(
                "Some values are still there twice: only neighbouring repeats were removed, as the lines were not "
                "sorted.",
                "There are repeats left. The lines have to be sorted before equal ones can be merged.",
            ),
            tools=("uniq",),
        ),
    )


SKILLS = (
    PackSkill(
        "text-sort-unique",
        "text",
        "Sort the distinct lines of a list.",
        ("value-list", "text-excerpt"),
        "sorted-list",
        sort_unique,
    ),
)
