"""Skills on lists with one value a line: distinct and sorted, counted, compared with a second list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, stem
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act

LISTS = ("value-list", "text-excerpt", "text-edited")


def lines_of(state: State, least: int = 3) -> tuple[str, ...] | None:
    """The focus's lines if there are at least so many and each is clean text, else None."""
    facts = state.focus.facts
    if not isinstance(facts, Lines) or len(facts.lines) < least:
        return None
    clean = all(line and line == line.strip() and line.isprintable() for line in facts.lines)
    return facts.lines if clean else None


def tallied(counts: Mapping[str, int], separator: str = " ") -> list[str]:
    """``COUNT VALUE`` lines, largest count first, equal counts by value in code point order."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{count}{separator}{value}" for value, count in ordered]


def sort_unique(state: State, draw: Draw) -> Application | None:
    """Write the distinct lines in code point order."""
    lines = lines_of(state, 4)
    if lines is None:
        return None
    kept = sorted(set(lines))
    if len(kept) < 2 or list(lines) == kept:
        return None
    output = place_output(
        state, draw, (f"{stem(state.focus.path)}_sorted", f"unique_{stem(state.focus.path)}", "distinct"), ".txt"
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


def count_values(state: State, draw: Draw) -> Application | None:
    """Count how often each line occurs."""
    lines = lines_of(state, 6)
    counts = Counter(lines or ())
    if lines is None or len(counts) < 2 or len(counts) == len(lines) or len(counts) > 120:
        return None
    kept = tallied(counts)
    output = place_output(
        state, draw, (f"{stem(state.focus.path)}_counts", f"{stem(state.focus.path)}_tally", "tally"), ".txt"
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
    lines = lines_of(state, 5)
    if lines is None or not all(re.match(r"[A-Za-z0-9]", line) for line in lines):
        return None
    counts = Counter(line[0] for line in lines)
    if len(counts) < 2:
        return None
    kept = [f"{counts[c]} {c}" for c in sorted(counts)]
    output = place_output(state, draw, ("by_first_letter", f"{stem(state.focus.path)}_initials", "initials"), ".txt")
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
            "a count of the lines in {it} by first character (case kept), sorted by character",
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
        "text-sort-unique",
        "text",
        "Sort the distinct lines of a list.",
        ("value-list", "text-excerpt"),
        "sorted-list",
        sort_unique,
    ),
    PackSkill("text-count-values", "text", "Count how often each line occurs.", LISTS, "word-tally", count_values),
    PackSkill(
        "text-first-letters",
        "text",
        "Count lines by their first character.",
        ("sorted-list", "value-list"),
        "word-tally",
        first_letters,
    ),
    PackSkill(
        "text-compare-lists",
        "text",
        "Find the lines that two lists share or that only one has.",
        ("value-list",),
        "sorted-list",
        compare_lists,
    ),
)
