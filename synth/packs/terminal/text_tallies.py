"""Skills that count lines: by value, by first character."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act
from trajmill.synth.packs.terminal.text_lists import lines_of

LISTS = ("value-list", "text-excerpt", "text-edited")


def tallied(counts: Mapping[str, int], separator: str = " ") -> list[str]:
    """``COUNT VALUE`` lines, largest count first, equal counts by value in code point order."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{count}{separator}{value}" for value, count in ordered]


def count_values(state: State, draw: Draw) -> Application | None:
    """Count how often each line occurs."""
    lines = lines_of(state, 6)
    counts = Counter(lines or ())
    if lines is None or len(counts) < 2 or len(counts) == len(lines) or len(counts) > 120:
        return None
    kept = tallied(counts)
    output = place_output(
        state, draw, (f"{brief(state.focus.path)}_counts", f"{brief(state.focus.path)}_tally", "tally"), ".txt"
    )
    written = write_lines(state, draw, output, kept, "word-tally")
    source, target = sh(state.focus.path), sh(output)
    tie = draw.pick(
        (
            "Equal counts are ordered by value, ascending by code point.",
            "Values with the same count follow each other in code point order.",
            "Where counts are equal, the value decides (code point order).",
        )
    )
    words = Words(
        (
            f"count how often each line occurs in {{it}} and write `COUNT VALUE` lines to `{output}`, separated by "
            f"one space without padding, the most frequent first",
            f"tally the lines of {{it}} into `{output}`: each line there holds the count, a single space and the "
            f"value, largest count on top",
            f"find out how many times every value of {{it}} appears and list count and value, one space between "
            f"them and nothing before the count, in `{output}`, in descending order of count",
            f"make a frequency list of {{it}} in `{output}`, one line per distinct value in the form count, space, "
            f"value, highest count first",
        ),
        (
            "how often each line of {it} occurs, as lines of count, one space and value, largest count first",
            "a frequency list of the lines in {it} (`COUNT VALUE`, no padding), most frequent first",
        ),
        (
            f"`{output}` counts {len(counts)} different values in {len(lines)} lines",
            f"the most frequent value is `{kept[0].partition(' ')[2]}` with {kept[0].partition(' ')[0]} "
            f"occurrences, as `{output}` shows",
        ),
        (tie,),
    )
    shell = draw.pick(
        (
            f"LC_ALL=C sort {source} | uniq -c | LC_ALL=C sort -k1,1nr -k2 | sed 's/^ *//' > {target}",
            f"sort {source} | uniq -c | sed -E 's/^ +//' | LC_ALL=C sort -k1,1nr -k2 > {target}",
            f"export LC_ALL=C; sort {source} | uniq -c | sort -k1,1nr -k2 | sed 's/^[[:space:]]*//' > {target}",
        )
    )
    script = draw.pick(
        (
            f"from collections import Counter\n\ncounts = "
            f"Counter(open({literal(state.focus.path)}).read().splitlines())\n"
            f'with open({literal(output)}, "w") as out:\n    for value, count in sorted(counts.items(), key=lambda '
            f"kv: (-kv[1], kv[0])):\n"
            "        print(count, value, file=out)",
            f'counts = {{}}\nfor line in open({literal(state.focus.path)}):\n    value = line.rstrip("\\n")\n    '
            f"counts[value] = counts.get(value, 0) + 1\n"
            f"ordered = sorted(counts, key=lambda value: (-counts[value], value))\nwith open({literal(output)}, "
            f'"w") as out:\n'
            '    out.writelines(f"{counts[value]} {value}\\n" for value in ordered)',
        )
    )
    mistake = Mistake(
        f"sort {source} | uniq -c | sort -k1,1nr -k2 > {target}",
        ("uniq -c counts, and a numeric sort puts the largest first.", "Sort, count, sort by count."),
        (
            "The counts are padded with spaces; they should start at the beginning of the line.",
            "uniq -c pads its numbers. The leading spaces have to go.",
        ),
        ("sort", "uniq"),
    )
    padded = [f"{int(line.partition(' ')[0]):7d} {line.partition(' ')[2]}" for line in kept]
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "coreutils",
                ("sort", "uniq", "sed"),
                shell,
                "Sorting brings equal lines together for counting; the padding of uniq -c must go.",
                "I count neighbours after sorting, order by count and then by value, and strip the spaces.",
                f"{len(lines)} lines are quickly counted with sort and uniq; ties need the value as second key.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk", "sort"),
                f"awk '{{ n[$0]++ }} END {{ for (v in n) print n[v], v }}' {source} | LC_ALL=C sort -k1,1nr -k2 > "
                f"{target}",
                "An array indexed by the line holds the counts, and sort puts them in order.",
                "awk prints count and value with one space already, so only the order is left to do.",
                f"I count the {len(lines)} lines in an array and sort by count, then value.",
            ),
            python_act(
                state,
                output,
                script,
                "A counter over the lines, sorted by falling count and then by value, gives the list.",
                f"I count the {len(lines)} lines in Python, where a pair as sort key settles ties.",
                "Sorting on minus the count and the value does both orders at once.",
            ),
        ),
        (head_slip(state, output, mistake, padded, kept),),
    )


def first_letters(state: State, draw: Draw) -> Application | None:
    """Count the lines by their first character."""
    lines = lines_of(state, 8)
    if lines is None or not all(re.match(r"[A-Za-z]", line) for line in lines):
        return None
    counts = Counter(line[0] for line in lines)
    if len(counts) < 2 or 5 * len(set(lines)) < 4 * len(lines):
        return None
    kept = [f"{counts[c]} {c}" for c in sorted(counts)]
    output = place_output(state, draw, ("by_first_letter", f"{brief(state.focus.path)}_initials", "initials"), ".txt")
    written = write_lines(state, draw, output, kept, "word-tally")
    source, target = sh(state.focus.path), sh(output)
    words = Words(
        (
            f"count the lines of {{it}} by their first character (case matters) and write `COUNT CHARACTER` lines, "
            f"one space between, to `{output}`, sorted by character in code point order",
            f"write to `{output}` how many lines of {{it}} begin with each character: count, a single space, "
            f"character; in code point order of the characters, capitals and small letters apart",
            f"tally the first characters of the lines in {{it}}, without folding case, as lines of count, space "
            f"and character in `{output}`, ordered by character (code points)",
            f"make an overview of the initials in {{it}}: `{output}` has one line per distinct first character "
            f"with its count in front, separated by one space, in code point order",
        ),
        (
            "the number of lines of {it} per first character, as `COUNT CHARACTER`, in code point order of the "
            "characters",
            "a count of the lines in {it} by first character, case kept: lines of count, one space and character, "
            "sorted by character (code points)",
        ),
        (
            f"`{output}` covers {len(counts)} initials",
            f"counted {len(lines)} lines under {len(counts)} first characters",
        ),
    )
    shell = draw.pick(
        (
            f"cut -c1 {source} | LC_ALL=C sort | uniq -c | sed 's/^ *//' > {target}",
            f"cut -c 1 {source} | LC_ALL=C sort | uniq -c | awk '{{ print $1, $2 }}' > {target}",
            f"sed -E 's/^(.).*/\\1/' {source} | LC_ALL=C sort | uniq -c | sed -E 's/^ +//' > {target}",
        )
    )
    script = (
        f"from collections import Counter\n\nwith open({literal(state.focus.path)}) as f:\n    initials = "
        f"Counter(line[0] for line in f)\n"
        f'with open({literal(output)}, "w") as out:\n    for letter in sorted(initials):\n        '
        f"print(initials[letter], letter, file=out)"
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
                ("sort", "uniq", "sed"),
                shell,
                "The first character of each line is all that counts; I cut it off, sort and count.",
                "Sorting the initials by code point also fixes the order of the result.",
                f"{len(lines)} initials, sorted and counted, without the padding.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk", "sort"),
                f"awk '{{ n[substr($0, 1, 1)]++ }} END {{ for (c in n) print n[c], c }}' {source} | LC_ALL=C sort "
                f"-k2 > {target}",
                "substr gives the initial, an array counts it, and sort orders by the character.",
                "I count initials in an array and then sort on the second field.",
                "No line is empty here, so each has a first character.",
            ),
            python_act(
                state,
                output,
                script,
                "A counter of first characters, printed in sorted order, is enough.",
                f"I count line[0] over the {len(lines)} lines.",
                "Sorted by code point, capitals come before small letters, as asked.",
            ),
        ),
    )


SKILLS = (
    PackSkill("text-count-values", "text", "Count how often each line occurs.", LISTS, "word-tally", count_values),
    PackSkill(
        "text-first-letters",
        "text",
        "Count lines by their first character.",
        ("sorted-list", "value-list"),
        "word-tally",
        first_letters,
    ),
)
