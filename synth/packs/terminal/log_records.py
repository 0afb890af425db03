"""Skills that take records out of a log: by level, by source, as JSON Lines, as CSV or as bare messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trajmill.schemas.content.tables import make_table
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Log, LogRecord
from trajmill.synth.packs.naming import place_output, sh, slug, stem
from trajmill.synth.packs.outputs import Written, literal, write_json_lines, write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.log_layout import START, Layout, all_lines, layout_of
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act


def filter_level(state: State, draw: Draw) -> Application | None:
    """Keep the records of one level with the lines that belong to them."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    levels = sorted({r.level for r in records})
    options = [v for v in levels if 2 <= sum(r.level == v for r in records) < len(records)]
    if not options:
        return None
    level = draw.pick(options + [v for v in options if v in ("ERROR", "WARNING")] * 2)
    return _excerpt(state, draw, layout, records, "level", level)


def filter_source(state: State, draw: Draw) -> Application | None:
    """Keep the records of one source with the lines that belong to them."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    options = [
        v for v in sorted({r.source for r in records}) if 2 <= sum(r.source == v for r in records) < len(records)
    ]
    return _excerpt(state, draw, layout, records, "source", draw.pick(options)) if options else None


def _excerpt(
    state: State, draw: Draw, layout: Layout, records: Sequence[LogRecord], part: str, value: str
) -> Application:
    kept = tuple(r for r in records if getattr(r, part) == value)
    tag = slug(value)
    output = place_output(
        state, draw, (tag, f"{stem(state.focus.path)}_{tag}", f"{tag}_records"), draw.pick((".log", ".log", ".txt"))
    )
    written = _as_log(write_lines(state, draw, output, all_lines(kept), "log-excerpt"), output, kept)
    traces = any(r.more for r in records)
    own = any(r.more for r in kept)
    whole = ", each with the lines below it that belong to it" if own else ""
    rule = ("A line that does not begin with a date belongs to the record above it.",) if traces else ()
    noun = f"of level `{value}`" if part == "level" else f"from the source `{value}`"
    words = Words(
        (
            f"copy all records {noun} from {{it}} to `{output}`, unchanged and in order{whole}",
            f"extract the log records {noun} out of {{it}} and save them as `{output}`, in their order{whole}",
            f"reduce {{it}} to the records {noun}{whole}, and write what is left to `{output}`",
            f"put every record whose {part} is `{value}` from {{it}} into `{output}` and keep the order{whole}",
        ),
        (f"the records {noun} in {{it}}, unchanged and in order{whole}", f"all log records of {{it}} {noun}{whole}"),
        (
            f"`{output}` holds the {len(kept)} records {noun}",
            f"extracted {len(kept)} of {len(records)} records to `{output}`",
        ),
        rule,
    )
    field, mark = (
        (layout.level_field, layout.level_mark) if part == "level" else (layout.source_field, layout.source_mark)
    )
    shown = mark.format(value)
    source, target = sh(state.focus.path), sh(output)
    wrong_command = f"grep -F {value} {source} > {target}"
    wrong = [line for line in all_lines(records) if value in line]
    mistake = Mistake(
        wrong_command,
        (f"All lines that mention `{value}` are the ones I need.", f"A search for `{value}` selects the records."),
        (
            f"Other records came along, because `{value}` also occurs in messages. I need to test the field itself."
            if any(value in r.line for r in records if r not in kept)
            else "The lines below each record are missing, as they do not name it. I have to keep them together.",
            f"Searching anywhere in the line is too crude here; the {part} has a place of its own.",
        ),
        ("grep",),
    )
    return applied(
        written,
        output,
        words,
        _excerpt_ways(state, draw, layout, output, part, value, shown, field, traces),
        (head_slip(state, output, mistake, wrong, all_lines(kept)),),
    )


def _excerpt_ways(
    state: State,
    draw: Draw,
    layout: Layout,
    output: str,
    part: str,
    value: str,
    shown: str,
    field: int,
    traces: bool,
) -> tuple[Way, ...]:
    source, target = sh(state.focus.path), sh(output)
    program = f'{START} {{ keep = (${field} == "{shown}") }} keep' if traces else f'${field} == "{shown}"'
    at = field - 1
    if traces:
        body = (
            f'keep = False\nwith open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n    '
            f"for line in f:\n"
            f"        if line[:4].isdigit():\n            keep = line.split()[{at}] == {literal(shown)}\n        "
            f"if keep:\n            out.write(line)"
        )
    else:
        body = draw.pick(
            (
                f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n'
                f"    out.writelines(line for line in f if line.split()[{at}] == {literal(shown)})",
                f"with open({literal(state.focus.path)}) as f:\n    kept = [line for line in f if "
                f"line.split(maxsplit={at + 1})[{at}] == {literal(shown)}]\n"
                f'with open({literal(output)}, "w") as out:\n    out.writelines(kept)',
            )
        )
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            f"awk '{program}' {source} > {target}",
            f"The {part} is field {field}, so I test that and not the whole line"
            + ("; lines without a date go with their record." if traces else "."),
            f"A flag set at every dated line carries the {part} over to the lines below it."
            if traces
            else f"One record per line here, with the {part} in field {field}.",
            f"`{value}` may also occur in a message; field {field} is what counts.",
        ),
        python_act(
            state,
            output,
            body,
            f"I split each {'dated ' if traces else ''}line and compare its {part}, the word at index {at}.",
            "Lines that do not start with a year belong to the record before, so I remember whether to keep it."
            if traces
            else f"Every line is a record, so a test of its {part} is enough.",
            f"Comparing the exact field avoids hits of `{value}` in messages.",
        ),
    ]
    if not traces:
        lead = r"[^ ]+ " * (field - 1)
        escaped = shown.replace("[", r"\[").replace("]", r"\]").replace(".", r"\.")
        ways.append(
            one_act(
                state,
                output,
                "grep",
                ("grep",),
                f"grep -E '^{lead}{escaped} ' {source} > {target}",
                f"Anchored at the start, the pattern looks at the {part} only and not at the message.",
                f"I pin the pattern to field {field}, counted from the start of the line.",
                f"A pattern from the beginning of the line keeps messages that mention `{value}` out.",
            )
        )
    return tuple(ways)


def to_json_lines(state: State, draw: Draw) -> Application | None:
    """One object per record with time, level, source and message."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    rows: list[dict[str, Json]] = [
        {"time": r.time, "level": r.level, "source": r.source, "message": r.message} for r in records
    ]
    output = place_output(state, draw, (stem(state.focus.path), f"{stem(state.focus.path)}_records"), ".jsonl")
    written = write_json_lines(state, output, rows, "json-lines")
    words = Words(
        (
            f"turn {{it}} into JSON Lines in `{output}`: one object per record with the keys `time`, `level`, "
            f"`source` and `message`, all text",
            f"parse the records of {{it}} (each begins with {layout.words}) into objects with `time`, `level`, "
            f"`source` and `message` and write them one a line to `{output}`",
            f"save the records of {{it}} as JSON objects, one per line, in `{output}`; the fields are `time`, "
            f"`level`, `source` and `message`, taken over as text without brackets or colon around level and source",
            f"make {{it}} readable for machines: `{output}` holds one JSON object per log record, in order, with "
            f"the text fields `time`, `level`, `source`, `message`",
        ),
        (
            "the records of {it} as JSON Lines with `time`, `level`, `source` and `message`",
            "one JSON object per record of {it} (`time`, `level`, `source`, `message`), in order",
        ),
        (f"`{output}` has {len(rows)} objects", f"parsed {len(rows)} log records into `{output}`"),
        _shape_rules(layout, records),
    )
    script = (
        f'import json\nimport re\n\nrecord = re.compile(r"{layout.pattern}")\n'
        f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n    for line in f:\n'
        '        match = record.fullmatch(line.rstrip("\\n"))\n        if match:\n'
        '            print(json.dumps(dict(zip(("time", "level", "source", "message"), match.groups()))), file=out)'
    )
    program = _jq_capture(layout)
    return applied(
        written,
        output,
        words,
        (
            python_act(
                state,
                output,
                script,
                "A regular expression with four groups takes each record's first line apart.",
                f"All {len(records)} records share one layout, so a single pattern parses them.",
                "json.dumps takes care of quotes in the messages.",
            ),
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                f"jq -R -c '{program}' {sh(state.focus.path)} > {sh(output)}",
                "jq can read raw lines and capture the four parts by name.",
                f"One capture with named groups fits all {len(records)} records.",
                "Lines that do not match simply give no object.",
            ),
        ),
    )


def _jq_capture(layout: Layout) -> str:
    parts = iter(("time", "level", "source", "message"))
    pieces, previous = [], ""
    for char in layout.pattern:
        opens = char == "(" and previous != "\\"
        pieces.append(f"(?<{next(parts)}>" if opens else char)
        previous = char
    pattern = "^" + "".join(pieces).replace("\\", "\\\\") + "$"
    return f'capture("{pattern}")'


def _shape_rules(layout: Layout, records: Sequence[LogRecord], *, parts: bool = True) -> tuple[str, ...]:
    rules = [f"A record begins with {layout.words}; the message is the rest of the line."]
    marks = "Each bracket is" if layout.source_mark == "[{}]" else "The colon is"
    marks = "The colon after the source, like each bracket, is" if layout.level_mark == "[{}]" else marks
    if parts:
        rules.append(f"{marks} a mark and belongs to no value.")
    if any(r.more for r in records):
        rules.append("Lines that do not begin with a date are left out.")
    return tuple(rules)


def to_csv(state: State, draw: Draw) -> Application | None:
    """A table of the records with time, level, source and message."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    table = make_table(
        ("time", "level", "source", "message"), [(r.time, r.level, r.source, r.message) for r in records]
    )
    output = place_output(state, draw, (stem(state.focus.path), f"{stem(state.focus.path)}_table", "records"), ".csv")
    written = write_table(state, draw, output, table, "csv-table")
    words = Words(
        (
            f"convert {{it}} to a CSV file `{output}` with the header `time,level,source,message` and one row per "
            f"record",
            f"write the records of {{it}} as comma-separated rows to `{output}`, columns `time`, `level`, `source` "
            f"and `message` under a header, in order",
            f"parse {{it}} into the table `{output}` (CSV with header; columns `time`, `level`, `source`, "
            f"`message`), a row for each record",
            f"save a spreadsheet version of {{it}} in `{output}`: CSV, header line `time,level,source,message`, "
            f"records in their order",
        ),
        (
            "the records of {it} as CSV with the columns `time`, `level`, `source` and `message`",
            "a CSV table of {it} (`time`, `level`, `source`, `message`; header included), one row per record",
        ),
        (f"`{output}` has {len(records)} rows", f"wrote {len(records)} records as rows to `{output}`"),
        _shape_rules(layout, records),
    )
    first = (
        f'import csv\nimport re\n\nrecord = re.compile(r"{layout.pattern}")\n'
        f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w", newline="") as out:\n'
        '    writer = csv.writer(out, lineterminator="\\n")\n    writer.writerow(["time", "level", "source", '
        '"message"])\n'
        '    for line in f:\n        match = record.fullmatch(line.rstrip("\\n"))\n        if match:\n            '
        "writer.writerow(match.groups())"
    )
    second = (
        f"import csv\nimport re\n\ntext = open({literal(state.focus.path)}).read()\nrows = "
        f're.findall(r"^{layout.pattern}$", text, re.MULTILINE)\n'
        f'with open({literal(output)}, "w", newline="") as out:\n    writer = csv.writer(out, lineterminator="\\n")\n'
        '    writer.writerow(("time", "level", "source", "message"))\n    writer.writerows(rows)'
    )
    commas = sum("," in r.message for r in records)
    return applied(
        written,
        output,
        words,
        (
            python_act(
                state,
                output,
                draw.pick((first, second)),
                f"{'Messages contain commas, so' if commas else 'To be safe with quotes,'} the csv module should "
                f"write the rows.",
                f"One regular expression splits all {len(records)} records into four parts.",
                "The four groups of the pattern are the four columns.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                _awk_csv(layout, state.focus.path, output),
                "awk prints the fields and quotes the message where it contains a comma or a quote.",
                "The first fields are fixed, and the message is everything after them.",
                "I cut the message off after the source and quote it only if needed.",
            ),
        ),
    )


def _awk_csv(layout: Layout, source: str, output: str) -> str:
    time = "$1" if layout.level_field == 2 else '$1 " " $2'
    lead = "[^ ]+ " * layout.source_field
    program = (
        'BEGIN { print "time,level,source,message" } '
        f'{START} {{ m = $0; sub(/^{lead}/, "", m); if (m ~ /[,"]/) {{ gsub(/"/, "\\"\\"", m); m = "\\"" m "\\"" }} '
        f'print {time} "," {layout.level_of()} "," {layout.source_of()} "," m }}'
    )
    return f"awk '{program}' {sh(source)} > {sh(output)}"


def list_messages(state: State, draw: Draw) -> Application | None:
    """The bare messages, one a line."""
    found = layout_of(state, 3)
    if found is None:
        return None
    layout, records = found
    if any(not r.message or r.message != r.message.strip() for r in records):
        return None
    messages = [r.message for r in records]
    output = place_output(state, draw, ("messages", f"{stem(state.focus.path)}_messages"), ".txt")
    written = write_lines(state, draw, output, messages, "plain-text")
    words = Words(
        (
            f"write the bare messages of all records in {{it}} to `{output}`, one a line and in order, without "
            f"time, level and source",
            f"strip time, level and source from the records of {{it}} and save what remains, the messages, as "
            f"`{output}`, one per line",
            f"list the message of every record of {{it}} in `{output}`, a line each, nothing in front of it",
            f"extract only the message part of each record in {{it}} to the text file `{output}`, in the order of "
            f"the log",
        ),
        (
            "the messages of all records in {it}, one per line, in order",
            "the message part of each record of {it}, a line each",
        ),
        (f"`{output}` lists {len(messages)} messages", f"extracted {len(messages)} messages to `{output}`"),
        _shape_rules(layout, records, parts=False),
    )
    source, target = sh(state.focus.path), sh(output)
    lead = "[^ ]+ " * layout.source_field
    traces = any(r.more for r in records)
    script = (
        f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n    for line in f:\n'
        + ("        if line[:4].isdigit():\n    " if traces else "")
        + f'        out.write(line.split(" ", {layout.source_field})[{layout.source_field}])'
    )
    sed = f"sed -n -E 's/^[0-9]{{4}}-[^ ]* {'[^ ]+ ' * (layout.source_field - 1)}//p' {source} > {target}"
    cut = f"cut -d ' ' -f {layout.source_field + 1}- {source} > {target}"
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "coreutils",
                ("sed", "cut"),
                sed if traces else draw.pick((sed, cut)),
                f"The message starts at field {layout.source_field + 1}, right after the source.",
                "Everything up to and including the source is cut off the front of each record.",
                f"{layout.source_field} blank-separated words come before the message.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                f"awk '{START} {{ sub(/^{lead}/, \"\"); print }}' {source} > {target}",
                "I remove the leading words of each dated line and print the rest.",
                f"A substitution drops the first {layout.source_field} words, whatever blanks the message has.",
                "Only dated lines are records, so the pattern in front selects them.",
            ),
            python_act(
                state,
                output,
                script,
                f"Splitting at most {layout.source_field} times leaves the message in one piece.",
                "The message may contain blanks, so I limit the number of splits.",
                f"For each of the {len(records)} records I keep what follows the source.",
            ),
        ),
    )


def _as_log(written: Written, path: str, records: tuple[LogRecord, ...]) -> Written:
    focus = Artefact(path, "log-excerpt", Log(records))
    return replace(written, state=replace(written.state, focus=focus))


SKILLS = (
    PackSkill(
        "log-filter-level", "logs", "Keep the log records of one level.", ("log-file",), "log-excerpt", filter_level
    ),
    PackSkill(
        "log-filter-source", "logs", "Keep the log records of one source.", ("log-file",), "log-excerpt", filter_source
    ),
    PackSkill(
        "log-to-jsonl", "logs", "Parse a log into JSON Lines.", ("log-file", "log-excerpt"), "json-lines", to_json_lines
    ),
    PackSkill("log-to-csv", "logs", "Parse a log into a CSV table.", ("log-file", "log-excerpt"), "csv-table", to_csv),
    PackSkill(
        "log-list-messages",
        "logs",
        "List the messages of a log.",
        ("log-file", "log-excerpt"),
        "plain-text",
        list_messages,
    ),
)
