"""What two lists share, and what only one of them has."""

from __future__ import annotations

from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act
from trajmill.synth.packs.terminal.text_lists import (
    lines_of,
)


def compare_lists(state: State, draw: Draw) -> Application | None:
    """Distinct lines that a second list has too, or has not."""
    lines = lines_of(state, 4)
    others = _second_lists(state, set(lines or ()))
    if lines is None or not others:
        return None
    other = draw.pick(sorted(others))
    common = draw.pick((True, False))
    mine, theirs = set(lines), set(others[other])
    kept = sorted(mine & theirs if common else mine - theirs)
    names = ("common", "in_both", "shared") if common else ("missing", "not_listed", "only_here")
    output = place_output(state, draw, names, ".txt")
    written = write_lines(state, draw, output, kept, "sorted-list")
    what = f"also occur in `{other}`" if common else f"do not occur in `{other}`"
    where = f"both in {{it}} and in `{other}`" if common else f"in {{it}} but not in `{other}`"
    words = Words(
        (
            f"compare {{it}} with `{other}`: write the lines that occur {where} to `{output}`, each once, in code "
            f"point order",
            f"list in `{output}` the distinct lines of {{it}} that {what}, sorted by code point; only whole lines "
            f"count as equal",
            f"find every line that stands {where} and save these, sorted as in the C locale and without repeats, "
            f"as `{output}`",
            f"check the lines of {{it}} against `{other}` and keep those that {what}, each once and in code point "
            f"order, in `{output}`",
        ),
        (
            f"the distinct lines of {{it}} that {what}, in code point order",
            f"a sorted list of the lines found {where}, each once",
        ),
        (
            f"`{output}` lists the {len(kept)} lines that {what}",
            f"{len(kept)} of {len(mine)} distinct lines {what}",
        ),
    )
    a, b, target = sh(state.focus.path), sh(other), sh(output)
    flags = "-12" if common else "-23"
    test = "$0 in there" if common else "!($0 in there)"
    grep = "" if common else "v"
    operator = "&" if common else "-"
    script = (
        f"first = set(open({literal(state.focus.path)}).read().splitlines())\n"
        f"second = set(open({literal(other)}).read().splitlines())\n"
        f'with open({literal(output)}, "w") as out:\n    for line in sorted(first {operator} second):\n        '
        f"print(line, file=out)"
    )
    mistake = Mistake(
        f"grep -Fx{'v' if common else ''}f {b} {a} | LC_ALL=C sort -u > {target}",
        (
            "Fixed whole-line patterns from the second file do the comparison.",
            "grep can take the second list as patterns.",
        ),
        (
            "These are just the wrong ones: I selected the opposite set of lines.",
            "The selection is inverted; I want the other half.",
        ),
        ("grep", "sort"),
    )
    wrong = sorted(mine - theirs if common else mine & theirs)
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "comm",
                ("comm", "sort"),
                f"LC_ALL=C comm {flags} <(LC_ALL=C sort -u {a}) <(LC_ALL=C sort -u {b}) > {target}",
                "With both lists sorted in the same locale, comm splits them into what is shared and what is not.",
                "comm needs sorted input, so I sort both lists on the fly.",
                "Two sorted lists without repeats can be compared column by column.",
            ),
            one_act(
                state,
                output,
                "grep",
                ("grep", "sort"),
                draw.pick(
                    (
                        f"grep -Fx{grep}f {b} {a} | LC_ALL=C sort -u > {target}",
                        f"LC_ALL=C sort -u {a} | grep -Fx{grep}f {b} > {target}",
                    )
                ),
                "Taking the second list as fixed, whole-line patterns avoids partial matches.",
                f"`{other}` serves as the pattern list; whole lines only.",
                "Fixed strings matter here, since values may hold characters special to a regular expression.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk", "sort"),
                f"awk 'NR == FNR {{ there[$0]; next }} {test}' {b} {a} | LC_ALL=C sort -u > {target}",
                f"I remember the lines of `{other}` first and test the others against them.",
                "Reading one list into an array makes the test for each line of the other simple.",
                "Neither file needs to be sorted for this; the result is sorted at the end.",
            ),
            python_act(
                state,
                output,
                script,
                "Set arithmetic in Python gives the lines directly.",
                "Both lists fit into sets; the rest is one operator and a sort.",
                f"The {len(mine)} distinct lines here against those of `{other}`: sets do that.",
            ),
        ),
        (head_slip(state, output, mistake, wrong, kept),),
    )


def _second_lists(state: State, mine: set[str]) -> dict[str, tuple[str, ...]]:
    """Other plain lists of the workspace that share some lines with this one, but not all."""
    found = {}
    for path in state.tree.entries:
        entry = state.tree.file(path)
        if path == state.focus.path or entry is None or not path.endswith(".txt"):
            continue
        lines = tuple(entry.data.decode("utf-8", "replace").splitlines())
        clean = all(line and line == line.strip() for line in lines)
        if clean and mine & set(lines) and mine - set(lines) and set(lines) != mine:
            found[path] = lines
    return found


SKILLS = (
    PackSkill(
        "text-compare-lists",
        "text",
        "Find the lines that two lists share or that only one has.",
        ("value-list",),
        "sorted-list",
        compare_lists,
    ),
)
