"""Skills that change the wording of a text: replacing a word, changing case."""

from __future__ import annotations

import re

from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act
from trajmill.synth.packs.terminal.text_lines import text_of

_OPENERS = {
    "DEBUG",
    "ERROR",
    "INFO",
    "WARNING",
    "Each",
    "From",
    "Notes",
    "That",
    "There",
    "These",
    "This",
    "When",
    "With",
}
"""Words that begin sentences or say a level, and name nothing."""


def replace_word(state: State, draw: Draw) -> Application | None:
    """Replace one whole word wherever it stands."""
    lines = text_of(state, 5)
    if lines is None or any("/" in line for line in lines):
        return None
    text = "\n".join(lines)
    options = [w for w in sorted(set(re.findall(r"[A-Z][A-Za-z]{3,}", text)) - _OPENERS) if _replaceable(w, text)]
    if not options:
        return None
    word = draw.pick(options)
    new = draw.pick(("REDACTED", "HIDDEN", "WITHHELD", "(removed)", "XXXX"))
    pattern = re.compile(rf"\b{word}\b")
    kept = [pattern.sub(new, line) for line in lines]
    hits = len(pattern.findall(text))
    inside = text.count(word) > hits
    output = place_output(
        state, draw, (f"{brief(state.focus.path)}_{slug(new)}", f"{brief(state.focus.path)}_edited", "edited"), ".txt"
    )
    written = write_lines(state, draw, output, kept, "text-edited")
    source, target = sh(state.focus.path), sh(output)
    longer = ", but leave longer words that contain it alone" if inside else ""
    words = Words(
        (
            f"replace the whole word `{word}` (exactly this spelling) by `{new}` everywhere in {{it}}{longer}, and "
            f"save the text as `{output}`",
            f"write a copy of {{it}} to `{output}` in which each occurrence of the word `{word}`, same capitals "
            f"and as a word of its own, reads `{new}`{longer}",
            f"make `{output}` from {{it}} with `{new}` in every place where the word `{word}` stands in this "
            f"spelling{longer}; all else stays as it is",
            f"substitute `{new}` for every standalone `{word}` in {{it}}, case-sensitively{longer}, with the "
            f"result in `{output}`",
        ),
        (
            f"{{it}} with every whole word `{word}` replaced by `{new}`",
            f"a copy of {{it}} that reads `{new}` wherever the word `{word}` stood",
        ),
        (
            f"`{output}` has `{new}` in place of {hits} {'occurrence' if hits == 1 else 'occurrences'} of `{word}`",
            f"replaced `{word}` {hits} {'time' if hits == 1 else 'times'} in `{output}`",
        ),
    )
    shell = draw.pick(
        (
            f"sed 's/\\b{word}\\b/{new}/g' {source} > {target}",
            f"sed -E 's/\\b{word}\\b/{new}/g' {source} > {target}",
            f"sed 's/\\<{word}\\>/{new}/g' {source} > {target}",
        )
    )
    script = draw.pick(
        (
            f"import re\n\ntext = open({literal(state.focus.path)}).read()\n"
            f'open({literal(output)}, "w").write(re.sub(r"\\b{word}\\b", {literal(new)}, text))',
            f'import re\n\nword = re.compile(r"\\b{word}\\b")\nwith open({literal(state.focus.path)}) as f, '
            f'open({literal(output)}, "w") as out:\n'
            f"    for line in f:\n        out.write(word.sub({literal(new)}, line))",
        )
    )
    first_only = [pattern.sub(new, line, count=1) for line in lines]
    greedy = [line.replace(word, new) for line in lines]
    wrong, command, why, remark = (
        (
            greedy,
            f"sed 's/{word}/{new}/g' {source} > {target}",
            (f"A global substitution of `{word}` does it.", f"sed can swap `{word}` everywhere."),
            (
                "A longer word was hit as well. I need word boundaries around the pattern.",
                f"That also changed words which merely contain `{word}`; it has to stand alone.",
            ),
        )
        if inside
        else (
            first_only,
            f"sed 's/\\b{word}\\b/{new}/' {source} > {target}",
            (f"sed substitutes `{word}` on every line.", f"A substitution with word boundaries swaps `{word}`."),
            (
                f"A line still has `{word}` further on: only the first match was replaced. The g flag is missing.",
                "Just the first occurrence on each line changed; all of them should.",
            ),
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
                "sed",
                ("sed",),
                shell,
                f"Word boundaries keep longer words safe while `{word}` is replaced.",
                f"`{word}` may stand more than once on a line, so the substitution is global.",
                f"I substitute the whole word `{word}` on each of the {len(lines)} lines.",
            ),
            python_act(
                state,
                output,
                script,
                f"A regular expression with \\b on both sides matches `{word}` as a whole word only.",
                f"I run the substitution over the text of {len(lines)} lines and write a new file.",
                f"re.sub replaces every match of the word `{word}`.",
            ),
        ),
        (head_slip(state, output, Mistake(command, why, remark, ("sed",)), wrong, kept),),
    )


def _replaceable(word: str, text: str) -> bool:
    """Some line changes, not all do, and no occurrence touches a character about which tools disagree."""
    around = [text[m.start() - 1 : m.start()] + text[m.end() : m.end() + 1] for m in re.finditer(word, text)]
    clear = all(a.isascii() and not set(a) & set("_0123456789") for a in around)
    whole = len(re.findall(rf"\b{word}\b", text))
    return (
        clear
        and whole > 0
        and sum(bool(re.search(rf"\b{word}\b", line)) for line in text.split("\n")) < text.count("\n")
    )


def upper_case(state: State, draw: Draw) -> Application | None:
    """Turn small letters into capitals, or the other way round."""
    lines = text_of(state, 3)
    if lines is None or not all(line.isascii() for line in lines):
        return None
    up = draw.pick((True, False))
    kept = [line.upper() if up else line.lower() for line in lines]
    changed = sum(new != old for new, old in zip(kept, lines, strict=True))
    letters = sum(c.isalpha() for line in lines for c in line)
    mostly_other = 2 * letters < sum(map(len, lines))
    if 2 * changed < len(lines) or mostly_other or any("/" in line for line in lines):
        return None
    output = place_output(
        state,
        draw,
        (f"{brief(state.focus.path)}_{'upper' if up else 'lower'}", "capitals" if up else "lower_case"),
        ".txt",
    )
    written = write_lines(state, draw, output, kept, "text-edited")
    source, target = sh(state.focus.path), sh(output)
    to = "capital" if up else "small"
    words = Words(
        (
            f"write {{it}} in {to} letters throughout to `{output}`, the lines otherwise unchanged",
            f"convert all letters of {{it}} to {'upper' if up else 'lower'} case and save the text as `{output}`",
            f"make a version of {{it}} called `{output}` with {to} letters only, all other characters and the "
            f"order of lines kept",
            f"turn every {'small' if up else 'capital'} letter of {{it}} into a {to} one, leave all else alone, "
            f"and store the result in `{output}`",
        ),
        (f"{{it}} with all letters in {'upper' if up else 'lower'} case", f"a copy of {{it}} in {to} letters"),
        (
            f"`{output}` has the {len(lines)} lines in {to} letters",
            f"changed the case of {len(lines)} lines in `{output}`",
        ),
    )
    a, b = ("a-z", "A-Z") if up else ("A-Z", "a-z")
    c, d = ("lower", "upper") if up else ("upper", "lower")
    shell = draw.pick(
        (
            f"tr '{a}' '{b}' < {source} > {target}",
            f"tr '[:{c}:]' '[:{d}:]' < {source} > {target}",
            f"sed 's/.*/\\{'U' if up else 'L'}&/' {source} > {target}",
            f"cat {source} | tr {a} {b} > {target}",
        )
    )
    method = "upper" if up else "lower"
    script = draw.pick(
        (
            f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n    '
            f"out.write(f.read().{method}())",
            f"from pathlib import Path\n\nPath({literal(output)}).write_text(Path({literal(state.focus.path)}).read"
            f"_text().{method}())",
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
                "tr",
                ("tr", "sed"),
                shell,
                "The text is plain ASCII, so mapping letter to letter is enough.",
                f"Translating the letters leaves the {len(lines)} lines as they are otherwise.",
                "Only the case changes, character by character.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                f"awk '{{ print to{method}($0) }}' {source} > {target}",
                f"awk has to{method} for whole lines.",
                f"Each of the {len(lines)} lines goes through to{method}.",
                "A line at a time is fine, as no line depends on another.",
            ),
            python_act(
                state,
                output,
                script,
                f"str.{method} changes the case of the whole text at once.",
                "The file is small enough to be read and written in one go.",
                f"I read the text, call {method}() and write it under the new name.",
            ),
        ),
    )


SKILLS = (
    PackSkill(
        "text-replace-word",
        "text",
        "Replace a whole word throughout a text.",
        ("plain-text", "value-list", "text-excerpt", "utf8-text"),
        "text-edited",
        replace_word,
    ),
    PackSkill(
        "text-change-case",
        "text",
        "Turn a text into capital or small letters.",
        ("value-list", "sorted-list", "plain-text", "text-excerpt"),
        "text-edited",
        upper_case,
    ),
)
