"""Reports on a log: how long it spans, and a table of its sources."""

from __future__ import annotations

from collections import Counter

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.log_layout import START, layout_of
from trajmill.synth.packs.terminal.log_tallies import LOGS
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def time_span(state: State, draw: Draw) -> Application | None:
    """First and last time and the number of records."""
    found = layout_of(state, 4)
    if found is None:
        return None
    layout, records = found
    times = [r.time for r in records]
    if times != sorted(times) or times[0] == times[-1]:
        return None
    shown = [f"first: {times[0]}", f"last: {times[-1]}", f"records: {len(records)}"]
    output = place_output(state, draw, ("time_span", f"{brief(state.focus.path)}_span", "span"), ".txt")
    written = write_lines(state, draw, output, shown, "text-report")
    traces = any(r.more for r in records)
    rules = ("Only lines that begin with a date are records.",) if traces else ()
    words = Words(
        (
            f"report the span of {{it}} in `{output}` as three lines: `first: TIME`, `last: TIME` and `records: "
            f"N`, with the times as they stand in the log",
            f"write the time of the first record, the time of the last one and the number of records of {{it}} to "
            f"`{output}`, labelled `first: `, `last: ` and `records: `, one per line",
            f"look up when {{it}} begins and ends and how many records it has, and save this as the lines `first: "
            f"TIME`, `last: TIME`, `records: N` in `{output}`, times copied unchanged",
            f"put three lines about {{it}} into `{output}`: `first: ` and the time of the earliest record, `last: "
            f"` and that of the latest, `records: ` and their number (times spelled as in the log)",
        ),
        (
            "three lines on {it}: `first: TIME`, `last: TIME`, `records: N`, times as in the log",
            "first time, last time and number of records of {it}, as `first: `, `last: ` and `records: ` lines",
        ),
        (
            f"`{output}` spans {times[0]} to {times[-1]}",
            f"the log has {len(records)} records from {times[0]} to {times[-1]}, as noted in `{output}`",
        ),
        rules,
    )
    source, target = sh(state.focus.path), sh(output)
    time = "$1" if layout.level_field == 2 else '$1 " " $2'
    guard = f"{START} " if traces else ""
    program = (
        f'{guard}{{ if (!n++) first = {time}; last = {time} }} END {{ printf "first: %s\\nlast: '
        f'%s\\nrecords: %d\\n", first, last, n }}'
    )
    fields = "1" if layout.level_field == 2 else "1,2"
    dated = f"grep -E '^[0-9]{{4}}-' {source}" if traces else f"cat {source}"
    shell = (
        f'{{ echo "first: $({dated} | head -n 1 | cut -d \' \' -f {fields})"; echo "last: $({dated} | tail -n 1 | '
        f"cut -d ' ' -f {fields})\"; "
        f'echo "records: $({dated} | wc -l)"; }} > {target}'
    )
    width = len(times[0])
    script = (
        f"with open({literal(state.focus.path)}) as f:\n    times = [line[:{width}] for line in "
        f"f{' if line[:4].isdigit()' if traces else ''}]\n"
        f'with open({literal(output)}, "w") as out:\n    print("first:", times[0], file=out)\n    print("last:", '
        f"times[-1], file=out)\n"
        '    print("records:", len(times), file=out)'
    )
    total = sum(1 + len(r.more) for r in records)
    slip = Slip(
        command=mkdir_first(
            state,
            output,
            f'{{ echo "first: $(head -n 1 {source} | cut -d \' \' -f {fields})"; echo "last: $(tail -n 1 {source} '
            f"| cut -d ' ' -f {fields})\"; "
            f'echo "records: $(wc -l < {source})"; }} > {target}',
        ),
        why=("First line, last line and a line count are all I need.", "head, tail and wc give the three figures."),
        look=f"cat {target}",
        sign=rf"records: {total}\b",
        remark=(
            f"{total} counts lines, not records: the log has lines that belong to a record above.",
            "Lines of a stack trace were counted as records. I have to look at dated lines only.",
        ),
        tools=("head", "tail", "cut", "wc"),
    )
    same_width = all(len(t) == width for t in times)
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            f"awk '{program}' {source} > {target}",
            "The log is in order of time, so the first and the last record bound it.",
            f"One pass keeps the first and the latest time and counts {'dated lines' if traces else 'lines'}.",
            "I note the time of the first record once and overwrite the last as I go.",
        ),
        one_act(
            state,
            output,
            "coreutils",
            ("head", "tail", "cut", "wc", "grep"),
            shell,
            f"{'Dated lines' if traces else 'Lines'} are records; the time is "
            f"{'the first word' if fields == '1' else 'the first two words'} of each.",
            "The records are in order of time, so first and last line of them are enough.",
            "Three small pipelines give first, last and number.",
        ),
    ]
    if same_width:
        ways.append(
            python_act(
                state,
                output,
                script,
                f"A time takes the first {width} characters of a record.",
                f"I collect the times of all {len(records)} records; first, last and length follow.",
                "Slicing the time off each record is simple, as all have the same width.",
            )
        )
    return applied(written, output, words, ways, (slip,) if traces and total != len(records) else ())


def source_table(state: State, draw: Draw) -> Application | None:
    """A table of sources with their records and how many of them have one level."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    sources = sorted({r.source for r in records})
    levels = [v for v in sorted({r.level for r in records}) if any(r.level != v for r in records)]
    if len(sources) < 2 or not levels:
        return None
    level = draw.pick([v for v in levels if v in ("ERROR", "WARNING", "WARN")] or levels)
    column = f"{level.lower()}s" if level in ("ERROR", "WARNING") else level.lower()
    counts = Counter(r.source for r in records)
    marked = Counter(r.source for r in records if r.level == level)
    table = make_table(("source", "records", column), [(s, str(counts[s]), str(marked[s])) for s in sources])
    output = place_output(state, draw, ("sources", f"{brief(state.focus.path)}_sources", "source_summary"), ".csv")
    written = write_table(state, draw, output, table, "group-summary")
    traces = any(r.more for r in records)
    rules = ("Only lines that begin with a date are records.",) if traces else ()
    head = f"`source`, `records`, `{column}`"
    words = Words(
        (
            f"summarise {{it}} by source in the CSV file `{output}` with the columns {head}: name, number of "
            f"records, and how many of them have the level `{level}`; sorted by source in code point order, zeros "
            f"included",
            f"write a CSV table `{output}` (header {head}) with one row per source of {{it}}, its number of "
            f"records and the number at level `{level}`, 0 if there are none, in code point order of the sources",
            f"count for each source in {{it}} all records and those of level `{level}`, and save the figures as "
            f"`{output}`, comma-separated with the header {head}, rows in code point order of `source`",
            f"make `{output}`, a CSV overview of {{it}} with the columns {head}; `{column}` counts the records of "
            f"level `{level}` (0 where none), and the rows go by source, code points ascending",
        ),
        (
            f"a CSV table of {{it}} by source ({head}; `{column}` counts level `{level}`), in code point order of "
            f"the sources",
            f"records and `{level}` records per source of {{it}} as CSV with the columns {head}, sorted by source",
        ),
        (
            f"`{output}` covers {len(sources)} sources and {sum(marked.values())} records of level `{level}`",
            f"summarised {len(records)} records by {len(sources)} sources in `{output}`",
        ),
        rules,
    )
    source, target = sh(state.focus.path), sh(output)
    guard = f"{START} " if traces else ""
    shown = layout.level_mark.format(level)
    program = (
        f'{guard}{{ s = {layout.source_of()}; n[s]++; if (${layout.level_field} == "{shown}") e[s]++ }} END '
        f'{{ for (s in n) print s "," n[s] "," e[s] + 0 }}'
    )
    array = f"{{ echo 'source,records,{column}'; awk '{program}' {source} | LC_ALL=C sort -t, -k1,1; }} > {target}"
    script = (
        "import csv\nimport re\nfrom collections import Counter\n\n"
        f'record = re.compile(r"{layout.pattern}")\nrecords, marked = Counter(), Counter()\n'
        f"with open({literal(state.focus.path)}) as f:\n    for line in f:\n        match = "
        f'record.fullmatch(line.rstrip("\\n"))\n'
        "        if match:\n            _, level, source, _ = match.groups()\n            records[source] += 1\n"
        f"            marked[source] += level == {literal(level)}\n"
        f'with open({literal(output)}, "w", newline="") as out:\n    writer = csv.writer(out, lineterminator="\\n")\n'
        f'    writer.writerow(["source", "records", "{column}"])\n'
        "    writer.writerows([name, records[name], marked[name]] for name in sorted(records))"
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
                ("awk", "sort"),
                array,
                "Two arrays keyed by source hold the counts; adding 0 turns an empty one into a zero.",
                f"I count per source and, where the level field is `{level}`, a second time.",
                "The header goes first, and only the rows below it are sorted.",
            ),
            python_act(
                state,
                output,
                script,
                f"Two Counters, one for all records and one for level `{level}`, give the columns.",
                "I match each record's layout once and count its source and level.",
                f"The {len(sources)} sources come out sorted, with zeros where a level never occurs.",
            ),
        ),
    )


SKILLS = (
    PackSkill("log-time-span", "logs", "Report first and last time of a log.", LOGS, "text-report", time_span),
    PackSkill(
        "log-source-table", "logs", "Tabulate records and one level by source.", LOGS, "group-summary", source_table
    ),
)
