"""Skills that count words: the most frequent ones, and how much text there is."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act
from trajmill.synth.packs.terminal.text_lines import text_of
from trajmill.synth.packs.terminal.text_tallies import tallied

PROSE = ("plain-text", "value-list", "text-excerpt", "text-edited")


def top_words(state: State, draw: Draw) -> Application | None:
    """The most frequent words with their counts."""
    lines = text_of(state, 6)
    if lines is None or not all(line.isascii() for line in lines) or "".join(lines).isupper():
        return None
    counts = Counter(w for line in lines for w in re.findall(r"[a-z]+", line.lower()))
    if _are_paths(lines) or len(counts) < 12 or counts.total() < 2 * len(lines):
        return None
    most = draw.pick((5, 8, 10))
    kept = tallied(counts)[:most]
    if kept[0].startswith("1 "):
        return None
    output = place_output(state, draw, ("top_words", f"{brief(state.focus.path)}_words", "frequent_words"), ".txt")
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
                "Words with equal counts go by alphabet, which also decides which of them make the list.",
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
            f"the {most} most frequent words of {{it}}, one per line as `COUNT WORD` without padding, largest count "
            "first",
            f"the {most} commonest words in {{it}}, most frequent first, one per line as count, one space, word",
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
        ("Splitting into words, counting and sorting gives the list.", "One word per line, then the usual counting."),
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
                "One word per line in small letters, then count, order by count and word, and cut.",
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


def text_report(state: State, draw: Draw) -> Application | None:
    """Lines, words and distinct lines of a text."""
    lines = text_of(state, 4)
    if lines is None or any(c.isspace() and c != " " for line in lines for c in line) or _are_paths(lines):
        return None
    figures = (len(lines), sum(len(line.split()) for line in lines), len(set(lines)))
    shown = [f"lines: {figures[0]}", f"words: {figures[1]}", f"distinct lines: {figures[2]}"]
    output = place_output(state, draw, (f"{brief(state.focus.path)}_report", "text_report", "overview"), ".txt")
    written = write_lines(state, draw, output, shown, "text-report")
    source, target = sh(state.focus.path), sh(output)
    words = Words(
        (
            f"report the size of {{it}} in `{output}` as three lines, `lines: N`, `words: N` and `distinct lines: "
            f"N`, where words are separated by blanks",
            f"count lines, words (separated by white space) and different lines of {{it}} and write the figures to "
            f"`{output}` in the form `lines: N`, `words: N`, `distinct lines: N`, one per line",
            f"write three figures about {{it}} to `{output}`, one per line and in this order: `lines: N`, `words: N`, "
            f"`distinct lines: N`; a word is whatever stands between blanks",
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


def _are_paths(lines: Sequence[str]) -> bool:
    """Whether most lines are paths, in which words say nothing."""
    return sum("/" in line for line in lines) > len(lines) // 2


SKILLS = (
    PackSkill("text-top-words", "text", "List the most frequent words of a text.", PROSE, "word-tally", top_words),
    PackSkill(
        "text-report-summary",
        "text",
        "Report the numbers of lines, words and distinct lines of a text.",
        PROSE,
        "text-report",
        text_report,
    ),
)
