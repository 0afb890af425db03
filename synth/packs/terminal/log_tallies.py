"""Skills that count the records of a log: by level, by source, by hour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from trajmill.synth.packs.facts import LogRecord
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.log_layout import START, layout_of
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act
from trajmill.synth.packs.terminal.text_tallies import tallied

LOGS = ("log-file", "log-excerpt")


@dataclass(frozen=True, slots=True)
class _Count:
    """What is counted and how tools get at it."""

    noun: str
    values: tuple[str, ...]
    awk: str
    index: int
    clean: str
    """Python code that takes the marks off ``word``."""
    by_value: bool
    """Ordered by value instead of by count."""


def by_level(state: State, draw: Draw) -> Application | None:
    """Count the records of each level."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    clean = 'word.strip("[]")' if layout.level_mark == "[{}]" else "word"
    values = tuple(r.level for r in records)
    return _tally(
        state, draw, records, _Count("level", values, layout.level_of(), layout.level_field - 1, clean, False)
    )


def by_source(state: State, draw: Draw) -> Application | None:
    """Count the records of each source."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    clean = 'word.rstrip(":")' if layout.source_mark == "{}:" else 'word.strip("[]")'
    values = tuple(r.source for r in records)
    return _tally(
        state, draw, records, _Count("source", values, layout.source_of(), layout.source_field - 1, clean, False)
    )


def by_hour(state: State, draw: Draw) -> Application | None:
    """Count the records of each hour of the one day that the log covers."""
    found = layout_of(state)
    if found is None or len({r.time[:10] for r in found[1]}) != 1:
        return None
    _layout, records = found
    values = tuple(r.time[11:13] for r in records)
    return _tally(state, draw, records, _Count("hour", values, "substr($0, 12, 2)", -1, "line[11:13]", True))


def _tally(state: State, draw: Draw, records: Sequence[LogRecord], count: _Count) -> Application | None:
    counts = Counter(count.values)
    if len(counts) < 2:
        return None
    kept = [f"{counts[v]} {v}" for v in sorted(counts)] if count.by_value else tallied(counts)
    noun = count.noun
    output = place_output(state, draw, (f"{noun}s", f"by_{noun}", f"{brief(state.focus.path)}_{noun}s"), ".txt")
    written = write_lines(state, draw, output, kept, "log-tally")
    traces = any(r.more for r in records)
    order = "earliest hour first" if count.by_value else "largest count first"
    shown = "two-digit hour" if count.by_value else noun
    rules: tuple[str, ...] = () if count.by_value else (f"Equal counts are ordered by {noun} name (code points).",)
    rules += ("Lines that do not begin with a date belong to the record above and are not counted.",) if traces else ()
    words = Words(
        (
            f"count the records of {{it}} per {noun} and write `COUNT {noun.upper()}` lines to `{output}`, one "
            f"space between and no padding, {order}",
            f"tally the log records in {{it}} by {noun}: `{output}` gets one line for each {shown} that occurs, "
            f"its count in front and a single space between, {order}",
            f"find out how many records {{it}} has for each {noun} and save lines of count, space and {shown} in "
            f"`{output}`, {order}, without leading spaces",
            f"make an overview `{output}` of {{it}} with the number of records per {noun}, written as count, one "
            f"space, {shown}; {order}",
        ),
        (
            f"the number of records in {{it}} per {noun}, as count, one space and {shown}, {order}",
            f"a tally of {{it}} by {noun} (`COUNT {noun.upper()}`, {order})",
        ),
        (
            f"`{output}` counts {len(records)} records over {len(counts)} {noun}s",
            f"{len(records)} records fall into {len(counts)} {noun}s, as `{output}` shows",
        ),
        rules,
    )
    source, target = sh(state.focus.path), sh(output)
    guard = f"{START} " if traces else ""
    order_by = "LC_ALL=C sort -k2" if count.by_value else "LC_ALL=C sort -k1,1nr -k2"
    array = f"awk '{guard}{{ n[{count.awk}]++ }} END {{ for (k in n) print n[k], k }}' {source} | {order_by} > {target}"
    tail = "" if count.by_value else "LC_ALL=C sort -k1,1nr -k2 | "
    piped = f"awk '{guard}{{ print {count.awk} }}' {source} | sort | uniq -c | {tail}sed 's/^ *//' > {target}"
    skip = "        if not line[:4].isdigit():\n            continue\n" if traces else ""
    get = (
        f"        counts[{count.clean}] += 1\n"
        if count.index < 0
        else f"        word = line.split()[{count.index}]\n        counts[{count.clean}] += 1\n"
    )
    key = "sorted(counts.items())" if count.by_value else "sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))"
    script = (
        f"from collections import Counter\n\ncounts = Counter()\nwith open({literal(state.focus.path)}) as f:\n    "
        f"for line in f:\n{skip}{get}"
        f'with open({literal(output)}, "w") as out:\n    for name, count in {key}:\n        print(count, name, '
        f"file=out)"
    )
    where = "characters 12 and 13 of the line" if count.by_value else f"word {count.index + 1} of each record"
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "awk",
                ("awk", "sort"),
                array,
                f"The key is {where}; an array counts it and sort orders the result.",
                f"Counting in an array by {noun} avoids the padding of uniq -c.",
                f"Only dated lines are records, so I count the {noun}s of those."
                if traces
                else f"Every line is a record, so I count the {noun} of each.",
            ),
            one_act(
                state,
                output,
                "coreutils",
                ("awk", "sort", "uniq", "sed"),
                piped,
                f"I print the {noun} of every record, then sort and count as usual.",
                f"One {noun} per line can be counted with sort and uniq, then stripped of padding.",
                f"The {noun} is {where}, so I pull it out first.",
            ),
            python_act(
                state,
                output,
                script,
                f"A Counter over the {noun}s of {len(records)} records does it.",
                f"I take {where} and count it in Python.",
                f"Lines without a date are skipped, and I count the others by {noun}."
                if traces
                else f"All lines are records, so each adds one to its {noun}.",
            ),
        ),
        _tally_slips(state, output, records, count, counts, kept, traces),
    )


def _tally_slips(
    state: State,
    output: str,
    records: Sequence[LogRecord],
    count: _Count,
    counts: Counter[str],
    kept: Sequence[str],
    traces: bool,
) -> tuple[Slip | None, ...]:
    source, target = sh(state.focus.path), sh(output)
    if count.noun == "level":
        level = max(counts, key=lambda v: sum(v in r.line and r.level != v for r in records))
        found = sum(level in line for r in records for line in (r.line, *r.more))
        if found == counts[level]:
            return ()
        names = " ".join(sorted(counts))
        loop = (
            f'for level in {names}; do echo "$(grep -c $level {source}) $level"; done | LC_ALL=C sort -k1,1nr '
            f"-k2 > {target}"
        )
        return (
            Slip(
                command=mkdir_first(state, output, loop),
                why=(
                    "Counting the lines that mention each level gives the tally.",
                    "grep -c per level is the shortest way.",
                ),
                look=f"awk '{{ s += $1 }} END {{ print s }}' {target}",
                sign=rf"\A(?!{len(records)}\b)\d+",
                remark=(
                    f"The counts add up to more than the {len(records)} records: some messages mention another level.",
                    f"There are {len(records)} records, but the counts say otherwise, since the search hit "
                    f"messages as well.",
                ),
                tools=("grep", "sort", "awk"),
            ),
        )
    mistake = Mistake(
        f"awk '{START} {{ print {count.awk} }}' {source} | sort | uniq -c > {target}",
        (
            f"Printing the {count.noun} of each record and counting gives the list.",
            "sort and uniq -c count the values.",
        ),
        (
            "The counts are padded with spaces and should not be.",
            "uniq -c leaves spaces in front of its numbers; I have to strip them.",
        ),
        ("awk", "sort", "uniq"),
    )
    padded = [f"{counts[v]:7d} {v}" for v in sorted(counts)]
    return (head_slip(state, output, mistake, padded, kept),)


SKILLS = (
    PackSkill("log-count-by-level", "logs", "Count log records by level.", LOGS, "log-tally", by_level),
    PackSkill("log-count-by-source", "logs", "Count log records by source.", LOGS, "log-tally", by_source),
    PackSkill("log-count-by-hour", "logs", "Count log records by hour.", LOGS, "log-tally", by_hour),
)
