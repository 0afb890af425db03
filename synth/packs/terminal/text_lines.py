"""Skills that number or select lines of a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from trajmill.synth.packs.facts import Lines, Text
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act

SENTENCES = ("plain-text", "value-list", "search-hits", "file-listing", "utf8-text")


def text_of(state: State, least: int = 5) -> tuple[str, ...] | None:
    """The focus's lines if there are at least so many of printable text; empty lines may be among them."""
    facts = state.focus.facts
    if isinstance(facts, Lines):
        lines = facts.lines
    elif isinstance(facts, Text) and facts.encoding == "utf-8" and facts.newline == "\n" and facts.text.endswith("\n"):
        lines = tuple(facts.text.removesuffix("\n").split("\n"))
    else:
        return None
    printable = all(line.replace("\t", " ").isprintable() and line == line.rstrip() for line in lines)
    return lines if printable and least <= len(lines) <= 400 else None


def number_lines(state: State, draw: Draw) -> Application | None:
    """Put the line number in front of every line."""
    lines = text_of(state, 3)
    if lines is None:
        return None
    mark, said = draw.pick(
        (("\t", "a tab"), (": ", "a colon and a space"), (". ", "a full stop and a space"), (" ", "one space"))
    )
    kept = [f"{n}{mark}{line}" for n, line in enumerate(lines, 1)]
    output = place_output(state, draw, (f"{brief(state.focus.path)}_numbered", "numbered"), ".txt")
    written = write_lines(state, draw, output, kept, "numbered-text")
    source, target = sh(state.focus.path), sh(output)
    blank = ", blank lines counted as well" if "" in lines else ""
    words = Words(
        (
            f"number the lines of {{it}} from 1 and save the result as `{output}`: the number without padding, "
            f"{said}, then the line{blank}",
            f"write {{it}} to `{output}` with its line number in front of every line, starting at 1, not padded, "
            f"and followed by {said}{blank}",
            f"put a running number, beginning with 1, before each line of {{it}}, with {said} between number and "
            f"text and no leading spaces, and store that in `{output}`{blank}",
            f"make a numbered copy `{output}` of {{it}} in which each line begins with its number (from 1, "
            f"unpadded) and {said}{blank}",
        ),
        (
            f"the lines of {{it}}, each preceded by its number from 1 (no padding) and {said}{blank}",
            f"a numbered copy of {{it}}, each line being its number from 1 (unpadded), {said} and the text of the "
            f"line{blank}",
        ),
        (f"`{output}` has {len(lines)} numbered lines", f"numbered the {len(lines)} lines in `{output}`"),
    )
    shown = "\\t" if mark == "\t" else mark
    separator = "$'\\t'" if mark == "\t" else f"'{mark}'"
    script = (
        f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n    for number, line '
        f"in enumerate(f, 1):\n"
        f'        out.write(f"{{number}}{shown}{{line}}")'
    )
    mistake = Mistake(
        f"cat -n {source} > {target}",
        ("cat -n numbers every line.", "Numbering is what cat -n is for."),
        (
            "The numbers are padded with spaces on the left; they must start at the margin.",
            "cat -n has a layout of its own, with padding that was not asked for.",
        ),
        ("cat",),
    )
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                draw.pick(
                    (
                        f"awk '{{ print NR \"{shown}\" $0 }}' {source} > {target}",
                        f"awk '{{ printf \"%d{shown}%s\\n\", NR, $0 }}' {source} > {target}",
                    )
                ),
                "NR is the line number, so printing it before the line is all there is to do.",
                f"{len(lines)} lines get their number and {said} in front.",
                f"awk does not pad numbers, which suits the format with {said}.",
            ),
            one_act(
                state,
                output,
                "nl",
                ("nl",),
                f"nl -b a -w 1 -s {separator} {source} > {target}",
                "nl can number all lines, also empty ones, with width 1 and the separator I want.",
                f"With minimal width and {said} as separator, the numbering tool gives this format.",
                "I tell nl to count every line and not to pad the numbers.",
            ),
            python_act(
                state,
                output,
                script,
                "enumerate from 1 gives the numbers; the lines keep their ends.",
                f"A loop over the {len(lines)} lines writes number, separator and text.",
                "The format is free in Python, so there is no padding to remove.",
            ),
        ),
        (head_slip(state, output, mistake, [f"{n:6d}\t{line}" for n, line in enumerate(lines, 1)], kept),),
    )


def grep_lines(state: State, draw: Draw) -> Application | None:
    """Keep the lines that contain a word, with or without regard to case."""
    lines = text_of(state, 6)
    if lines is None:
        return None
    counts = Counter(w for line in lines for w in set(re.findall(r"[A-Za-z]{4,}", line)))
    options = [w for w in sorted(counts) if 2 <= sum(w in line for line in lines) < len(lines)]
    if not options:
        return None
    word = draw.pick(options)
    exact = [line for line in lines if word in line]
    folded = [line for line in lines if word.lower() in line.lower()]
    ascii_only = all(line.isascii() for line in lines)
    ignore = ascii_only and len(folded) > len(exact) and len(folded) < len(lines) and draw.rng.random() < 0.7
    kept = folded if ignore else exact
    output = place_output(
        state, draw, (f"{slug(word)}_lines", f"with_{slug(word)}", f"{brief(state.focus.path)}_{slug(word)}"), ".txt"
    )
    written = write_lines(state, draw, output, kept, "text-excerpt")
    case = "in capitals or small letters" if ignore else "spelled exactly like that"
    source, target = sh(state.focus.path), sh(output)
    words = Words(
        (
            f"copy the lines of {{it}} that contain `{word}` ({case}, also inside a longer word) to `{output}`, in "
            f"their order",
            f"extract every line with `{word}` anywhere in it, {case}, from {{it}} and save these lines unchanged "
            f"as `{output}`",
            f"find the lines in {{it}} where the text `{word}` occurs, {case} and as part of a word too, and write "
            f"them in order to `{output}`",
            f"reduce {{it}} to the lines that have `{word}` in them ({case}; parts of words count) and keep the "
            f"result in `{output}`",
        ),
        (
            f"the lines of {{it}} that contain `{word}` ({case}), unchanged and in order",
            f"every line of {{it}} with `{word}` in it, {case}",
        ),
        (
            f"`{output}` holds the {len(kept)} of {len(lines)} lines with `{word}`",
            f"found `{word}` in {len(kept)} lines and saved them as `{output}`",
        ),
    )
    flag = "i" if ignore else ""
    test = f'index(tolower($0), "{word.lower()}")' if ignore else f'index($0, "{word}")'
    python = f"{literal(word.lower())} in line.lower()" if ignore else f"{literal(word)} in line"
    script = draw.pick(
        (
            f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n    '
            f"out.writelines(line for line in f if {python})",
            f"with open({literal(state.focus.path)}) as f:\n    found = [line for line in f if {python}]\n"
            f'with open({literal(output)}, "w") as out:\n    out.write("".join(found))',
        )
    )
    shell = draw.pick(
        (
            f"grep -F{flag} {word} {source} > {target}",
            f"grep -{flag}F -e {word} {source} > {target}",
            f"sed -n '/{word}/{'I' if ignore else ''}p' {source} > {target}",
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
                "grep",
                ("grep", "sed"),
                shell,
                f"`{word}` is plain text without special characters, so a simple search "
                f"{'that ignores case ' if ignore else ''}is enough.",
                f"I select the lines with `{word}` out of {len(lines)}.",
                "Lines are kept whole and in order by a line filter.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                draw.pick((f"awk '{test}' {source} > {target}", f"awk '{test} > 0 {{ print }}' {source} > {target}")),
                f"index finds `{word}` anywhere in the line{', once case is folded' if ignore else ''}.",
                f"awk prints each line in which `{word}` has a position.",
                f"No pattern is needed to look for fixed text such as `{word}`.",
            ),
            python_act(
                state,
                output,
                script,
                f"Python's `in` looks for `{word}` anywhere in the line.",
                f"I copy the lines that contain `{word}`{' after lowering their case' if ignore else ''}.",
                f"A filter over the {len(lines)} lines leaves those with `{word}`.",
            ),
        ),
        _case_slip(state, output, word, len(exact), len(folded)) if ignore else (),
    )


def _case_slip(state: State, output: str, word: str, found: int, wanted: int) -> Sequence[Slip]:
    target = sh(output)
    return (
        Slip(
            command=mkdir_first(state, output, f"grep -F {word} {sh(state.focus.path)} > {target}"),
            why=(f"A fixed-string search for `{word}` selects the lines.", f"I look for `{word}` in every line."),
            look=f"wc -l < {target}; grep -ci {word} {sh(state.focus.path)}",
            sign=rf"\A\s*{found}\n",
            remark=(
                f"{found} lines, but there are {wanted} when case is ignored. I searched with case.",
                f"The count differs from a search without regard to case ({wanted}). I must ignore case.",
            ),
            tools=("grep",),
        ),
    )


NUMBERABLE = ("value-list", "sorted-list", "plain-text", "text-excerpt", "text-edited")


SKILLS = (
    PackSkill(
        "text-number-lines", "text", "Put its number before each line.", NUMBERABLE, "numbered-text", number_lines
    ),
    PackSkill("text-grep-lines", "text", "Keep the lines that contain a text.", SENTENCES, "text-excerpt", grep_lines),
)
