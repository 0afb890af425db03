"""Skills that take the records of a log apart: JSON Lines, CSV, bare messages."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.schemas.content.tables import make_table
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import LogRecord
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import literal, write_json_lines, write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.log_layout import START, Layout, layout_of
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def to_json_lines(state: State, draw: Draw) -> Application | None:
    """One object per record with time, level, source and message."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    rows: list[dict[str, Json]] = [
        {"time": r.time, "level": r.level, "source": r.source, "message": r.message} for r in records
    ]
    output = place_output(state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_records"), ".jsonl")
    written = write_json_lines(state, output, rows, "json-lines")
    words = Words(
        (
            f"turn {{it}} into JSON Lines in `{output}`: one object per record with the keys `time`, `level`, "
            f"`source` and `message`, all text",
            f"parse the records of {{it}} (each begins with {layout.words}) into objects with `time`, `level`, "
            f"`source` and `message` and write them one per line to `{output}`",
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
    output = place_output(state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_table", "records"), ".csv")
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
    """The bare messages, one per line."""
    found = layout_of(state, 3)
    if found is None:
        return None
    layout, records = found
    if any(not r.message or r.message != r.message.strip() for r in records):
        return None
    messages = [r.message for r in records]
    output = place_output(state, draw, ("messages", f"{brief(state.focus.path)}_messages"), ".txt")
    written = write_lines(state, draw, output, messages, "plain-text")
    words = Words(
        (
            f"write the bare messages of all records in {{it}} to `{output}`, one per line and in order, without "
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


SKILLS = (
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
