"""Skills on the words of a text: the most frequent ones, replacing one, capitals, and how much there is."""

from __future__ import annotations

import itertools
import re
from collections import Counter

from trajmill.synth.packs.naming import place_output, sh, slug, stem
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act
from trajmill.synth.packs.terminal.text_lines import text_of
from trajmill.synth.packs.terminal.text_lists import tallied

PROSE = ("plain-text", "value-list", "text-excerpt", "text-edited")


def top_words(state: State, draw: Draw) -> Application | None:
    """The most frequent words with their counts."""
    lines = text_of(state, 6)
    if lines is None or not all(line.isascii() for line in lines):
        return None
    counts = Counter(w for line in lines for w in re.findall(r"[a-z]+", line.lower()))
    if len(counts) < 12:
        return None
    most = draw.pick((5, 8, 10))
    kept = tallied(counts)[:most]
    if kept[0].startswith("1 "):
        return None
    output = place_output(state, draw, ("top_words", f"{stem(state.focus.path)}_words", "frequent_words"), ".txt")
    written = write_lines(state, draw, output, kept, "word-tally")
    source, target = sh(state.focus.path), sh(output)
    rules = (
        draw.pick(
            (
                "A word is a run of the letters a to z; capitals count as small letters.",
                "Words are runs of letters from a to z, in lower case; everything else separates them.",
            )
        ),
        draw.pick(
            (
                "Equal counts are ordered alphabetically, also at the cut-off.",
                "Words with equal counts go by alphabet, which also decides who makes the list.",
            )
        ),
    )
    words = Words(
        (
            f"list the {most} most frequent words of {{it}} in `{output}`, one per line as `COUNT WORD` with a "
            f"single space and no padding, largest count first",
            f"count the words in {{it}} and write the {most} commonest to `{output}`: count, one space, word in "
            f"lower case, in descending order of count and without padding",
            f"find out which {most} words occur most often in {{it}} and save them with their counts in "
            f"`{output}`, as count, space, word, the highest count on top",
            f"make a word frequency list of {{it}}, cut to {most} lines `COUNT WORD` (single space, nothing in "
            f"front), in falling order, and store it as `{output}`",
        ),
        (
            f"the {most} most frequent words of {{it}} as `COUNT WORD`, largest count first",
            f"the {most} commonest words in {{it}} with their counts (count, one space, word)",
        ),
        (
            f"the most frequent word is `{kept[0].split()[1]}` ({kept[0].split()[0]} times); `{output}` lists {most}",
            f"`{output}` lists the top {most} of {len(counts)} different words",
        ),
        rules,
    )
    cleaned = "sed 's/^ *//'"
    shell = draw.pick(
        (
            f"tr 'A-Z' 'a-z' < {source} | tr -cs 'a-z' '\\n' | grep . | sort | uniq -c | sort -k1,1nr -k2 | head "
            f"-n {most} | {cleaned} > {target}",
            f"grep -oE '[A-Za-z]+' {source} | tr 'A-Z' 'a-z' | sort | uniq -c | sort -k1,1nr -k2 | {cleaned} | "
            f"head -n {most} > {target}",
            f"grep -oE '[A-Za-z]+' {source} | tr '[:upper:]' '[:lower:]' | LC_ALL=C sort | uniq -c | LC_ALL=C sort "
            f"-k1,1nr -k2 | head -n {most} | awk '{{ print $1, $2 }}' > {target}",
        )
    )
    script = (
        f"import re\nfrom collections import Counter\n\nwith open({literal(state.focus.path)}) as f:\n"
        '    counts = Counter(re.findall(r"[a-z]+", f.read().lower()))\n'
        f"top = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:{most}]\n"
        f'with open({literal(output)}, "w") as out:\n    for word, count in top:\n        print(count, word, file=out)'
    )
    cased = tallied(Counter(w for line in lines for w in re.findall(r"[A-Za-z]+", line)))[:most]
    mistake = Mistake(
        f"grep -oE '[A-Za-z]+' {source} | sort | uniq -c | sort -k1,1nr -k2 | head -n {most} | {cleaned} > {target}",
        ("Splitting into words, counting and sorting gives the list.", "One word a line, then the usual counting."),
        (
            "Capitals were kept apart, so words at the start of a sentence are not counted with the others.",
            "I forgot to fold capitals into small letters before counting.",
        ),
        ("grep", "sort", "uniq", "head", "sed"),
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
                ("tr", "grep", "sort", "uniq", "head", "sed"),
                shell,
                "One word a line in small letters, then count, order by count and word, and cut.",
                f"The {len(lines)} lines need to be split into words before anything can be counted.",
                "Ties matter at the cut-off, so the word is the second sort key.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk", "sort", "head"),
                f'awk \'{{ gsub(/[^A-Za-z]+/, " "); $0 = tolower($0); for (i = 1; i <= NF; i++) n[$i]++ }} END {{ '
                f"for (w in n) print n[w], w }}' {source} | LC_ALL=C sort -k1,1nr -k2 | head -n {most} > {target}",
                "If everything but letters becomes a space, the fields of each line are the words.",
                "An array counts the lower-case words; sort and head do the rest.",
                "awk can fold case and count in one pass, and it prints without padding.",
            ),
            python_act(
                state,
                output,
                script,
                "A regular expression finds the words, a Counter counts them, and a pair as key settles ties.",
                "most_common leaves ties in order of appearance, so I sort by count and word myself.",
                f"The whole text of {len(lines)} lines fits into memory, so I count words at once.",
            ),
        ),
        (head_slip(state, output, mistake, cased, kept),),
    )


def replace_word(state: State, draw: Draw) -> Application | None:
    """Replace one whole word wherever it stands."""
    lines = text_of(state, 5)
    if lines is None:
        return None
    text = "\n".join(lines)
    options = [w for w in sorted(set(re.findall(r"[A-Za-z]{4,}", text))) if _replaceable(w, text)]
    if not options:
        return None
    word = draw.pick(options)
    new = draw.pick(("REDACTED", "HIDDEN", "WITHHELD", "(removed)", "TBD", "N.N."))
    pattern = re.compile(rf"\b{word}\b")
    kept = [pattern.sub(new, line) for line in lines]
    hits = len(pattern.findall(text))
    inside = text.count(word) > hits
    output = place_output(
        state, draw, (f"{stem(state.focus.path)}_{slug(new)}", f"{stem(state.focus.path)}_edited", "edited"), ".txt"
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
    if kept == list(lines):
        return None
    output = place_output(
        state,
        draw,
        (f"{stem(state.focus.path)}_{'upper' if up else 'lower'}", "capitals" if up else "lower_case"),
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


def text_report(state: State, draw: Draw) -> Application | None:
    """Lines, words and distinct lines of a text."""
    lines = text_of(state, 4)
    if lines is None or any(c.isspace() and c != " " for line in lines for c in line):
        return None
    figures = (len(lines), sum(len(line.split()) for line in lines), len(set(lines)))
    shown = [f"lines: {figures[0]}", f"words: {figures[1]}", f"distinct lines: {figures[2]}"]
    output = place_output(state, draw, (f"{stem(state.focus.path)}_report", "text_report", "overview"), ".txt")
    written = write_lines(state, draw, output, shown, "text-report")
    source, target = sh(state.focus.path), sh(output)
    words = Words(
        (
            f"report the size of {{it}} in `{output}` as three lines, `lines: N`, `words: N` and `distinct lines: "
            f"N`, where words are separated by blanks",
            f"count lines, words (separated by white space) and different lines of {{it}} and write the figures to "
            f"`{output}` in the form `lines: N`, `words: N`, `distinct lines: N`, one per line",
            f"write three figures on {{it}} to `{output}`, one a line and labelled `lines: `, `words: ` and "
            f"`distinct lines: ` in this order; a word is whatever stands between blanks",
            f"measure {{it}} and save `{output}` with exactly these lines, numbers filled in: `lines: N`, `words: "
            f"N` (split at white space), `distinct lines: N`",
        ),
        (
            "three lines `lines: N`, `words: N` and `distinct lines: N` about {it} (words split at white space)",
            "a short report on {it}: `lines: N`, `words: N`, `distinct lines: N`",
        ),
        (
            f"`{output}` reports {figures[0]} lines, {figures[1]} words and {figures[2]} distinct lines",
            f"counted {figures[1]} words in {figures[0]} lines for `{output}`",
        ),
    )
    shell = draw.pick(
        (
            f'{{ echo "lines: $(wc -l < {source})"; echo "words: $(wc -w < {source})"; echo "distinct lines: '
            f'$(sort -u {source} | wc -l)"; }} > {target}',
            f'printf \'lines: %d\\nwords: %d\\ndistinct lines: %d\\n\' "$(wc -l < {source})" "$(wc -w < {source})" '
            f'"$(sort {source} | uniq | wc -l)" > {target}',
        )
    )
    script = (
        f"with open({literal(state.focus.path)}) as f:\n    lines = f.read().splitlines()\n"
        f'with open({literal(output)}, "w") as out:\n    print("lines:", len(lines), file=out)\n'
        '    print("words:", sum(len(line.split()) for line in lines), file=out)\n    print("distinct lines:", '
        "len(set(lines)), file=out)"
    )
    mistake = Mistake(
        f'{{ echo "lines: $(wc -l < {source})"; echo "words: $(wc -w < {source})"; echo "distinct lines: $(uniq '
        f'{source} | wc -l)"; }} > {target}',
        ("wc counts lines and words, uniq the different lines.", "Three small counts make up the report."),
        (
            "Without sorting, uniq merges neighbours only, so the last figure is too high.",
            "The number of distinct lines is off: equal lines that are apart were counted twice.",
        ),
        ("wc", "uniq"),
    )
    runs = 1 + sum(a != b for a, b in itertools.pairwise(lines))
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "coreutils",
                ("wc", "sort"),
                shell,
                "wc has lines and words; distinct lines come from a sorted list without repeats.",
                "Three counts under their labels make the report.",
                "Redirecting the file into wc leaves its name out of the output.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                f"awk '{{ w += NF; if (!seen[$0]++) d++ }} END {{ printf \"lines: %d\\nwords: %d\\ndistinct lines: "
                f"%d\\n\", NR, w, d }}' {source} > {target}",
                "NR, NF and an array of seen lines give all three figures in one pass.",
                "awk splits at blanks by default, so NF is the number of words on a line.",
                "A single pass is enough: lines, fields, and lines not seen before.",
            ),
            python_act(
                state,
                output,
                script,
                "A list of lines, split() and a set are all I need.",
                "split() without arguments separates at white space, as the words are defined.",
                f"The {len(lines)} lines fit in memory, so I count everything in Python.",
            ),
        ),
        (head_slip(state, output, mistake, [*shown[:2], f"distinct lines: {runs}"], shown),),
    )


SKILLS = (
    PackSkill("text-top-words", "text", "List the most frequent words of a text.", PROSE, "word-tally", top_words),
    PackSkill(
        "text-replace-word",
        "text",
        "Replace a whole word throughout a text.",
        ("plain-text", "value-list", "text-excerpt", "text-report", "sorted-list", "utf8-text"),
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
    PackSkill(
        "text-report-summary",
        "text",
        "Report the numbers of lines, words and distinct lines of a text.",
        (*PROSE, "sorted-list", "search-hits", "file-listing", "numbered-text"),
        "text-report",
        text_report,
    ),
)
