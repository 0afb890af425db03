"""Skills that bring small tables and tallies into another form: Markdown and CSV."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import awkable, literal, write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief, listed, table_of
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def markdown_table(state: State, draw: Draw) -> Application | None:
    """Write a small table as a Markdown table under a heading."""
    table = table_of(state, least=2)
    if table is None or len(table.rows) > 60 or len(table.columns) > 6:
        return None
    cells = [*table.header, *(v for row in table.rows for v in row)]
    if any("|" in c or "\n" in c or c != c.strip() or not c for c in cells):
        return None
    title = draw.pick(("Summary", "Overview", "Figures", "Results"))
    dashes = "| " + " | ".join("---" for _ in table.columns) + " |"
    body = [f"| {' | '.join(row)} |" for row in table.rows]
    lines = [f"# {title}", "", f"| {' | '.join(table.header)} |", dashes, *body]
    output = place_output(
        state, draw, (f"{brief(state.focus.path)}", "report", f"{brief(state.focus.path)}_report"), ".md"
    )
    written = write_lines(state, draw, output, lines, "text-report")
    rule = (
        "Cells have one space on each side and no other padding, every line of the table starts and ends with a "
        "bar, and each dash cell is `---`."
    )
    words = Words(
        (
            f"write {{it}} as a Markdown report to `{output}`: the heading `# {title}`, an empty line, then a "
            f"table with the header row, a row of dashes and all rows in order",
            f"turn {{it}} into Markdown in `{output}`, with `# {title}` on the first line, a blank line after it, "
            f"and below that the whole table (header, dashes, rows) in the same order",
            f"make a report `{output}` in Markdown that starts with the heading `# {title}` and an empty line and "
            f"then shows {{it}} as a pipe table, columns and rows unchanged",
            f"put the contents of {{it}} into `{output}` as a Markdown table under the heading `# {title}`, one "
            f"empty line between the two",
        ),
        (
            f"a Markdown report with the heading `# {title}`, an empty line and {{it}} as a pipe table",
            f"{{it}} as a Markdown table (all columns and rows in order) under the heading `# {title}` and an "
            f"empty line",
        ),
        (
            f"`{output}` shows {len(table.rows)} rows as a Markdown table",
            f"wrote the heading and a table of {len(table.rows)} rows to `{output}`",
        ),
        (rule,),
    )
    source, target = sh(state.focus.path), sh(output)
    script = (
        f'import csv\n\nwith open({literal(state.focus.path)}, newline="") as f:\n    header, *rows = csv.reader(f)\n'
        f'with open({literal(output)}, "w") as out:\n    print("# {title}\\n", file=out)\n'
        '    for row in (header, ["---"] * len(header), *rows):\n        print("| " + " | ".join(row) + " |", file=out)'
    )
    ways = [
        python_act(
            state,
            output,
            script,
            "The csv module gives the cells; joining them with bars makes each line.",
            f"{len(table.columns)} columns need as many dash cells after the header.",
            "Header, dashes and rows all have the same form, so one loop prints them.",
        )
    ]
    slips: tuple[Slip, ...] = ()
    if awkable(state):
        awk = (
            f'awk \'BEGIN {{ print "# {title}\\n" }} {{ gsub(/,/, " | "); print "| " $0 " |" }} NR == 1 {{ print '
            f'"{dashes}" }}\' {source} > {target}'
        )
        sed = (
            f"{{ printf '# {title}\\n\\n'; sed -e 's/,/ | /g' -e 's/^/| /' -e 's/$/ |/' -e '1a {dashes}' "
            f"{source}; }} > {target}"
        )
        ways.append(
            one_act(
                state,
                output,
                "awk",
                ("awk", "sed"),
                draw.pick((awk, sed)),
                "Nothing is quoted, so every comma is a border between cells.",
                f"Commas become bars, and after the first line come {len(table.columns)} dash cells.",
                "The file is plain comma-separated text, so a line editor can build the table.",
            )
        )
        wrong = f"{{ printf '# {title}\\n\\n'; sed -e 's/,/ | /g' -e 's/^/| /' -e 's/$/ |/' {source}; }} > {target}"
        slips = (
            Slip(
                command=mkdir_first(state, output, wrong),
                why=(
                    "Bars instead of commas and at both ends make it a Markdown table.",
                    "Heading first, then each line with bars.",
                ),
                look=f"sed -n 4p {target}",
                sign=r"\A(?!\| ---)",
                remark=(
                    "The row of dashes under the header is missing, so this would not render as a table.",
                    "Line 4 should hold the dashes; I left that row out.",
                ),
                tools=("sed",),
            ),
        )
    return applied(written, output, words, ways, slips)


def tally_to_csv(state: State, draw: Draw) -> Application | None:
    """Turn lines of count and value into a CSV table."""
    facts = state.focus.facts
    if not isinstance(facts, Lines) or len(facts.lines) < 2:
        return None
    pairs = [line.partition(" ") for line in facts.lines]
    if not all(count.isdigit() and value and value == value.strip() for count, _, value in pairs):
        return None
    if len(facts.lines) > 300 or any(set(value) & set(',"|') for _, _, value in pairs):
        return None
    first, second = draw.pick((("value", "count"), ("name", "count"), ("item", "number"), ("entry", "occurrences")))
    table: Table = make_table((first, second), [(value, count) for count, _, value in pairs])
    output = place_output(state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_table", "counts"), ".csv")
    written = write_table(state, draw, output, table, "group-summary")
    head = listed((first, second))
    words = Words(
        (
            f"convert {{it}}, whose lines are a count, a space and a value, to CSV in `{output}` with the header "
            f"{head} (value first, then its count), rows in the same order",
            f"make a CSV table `{output}` from the tally in {{it}}: columns {head}, value before count, order of "
            f"the lines unchanged",
            f"rewrite the lines `COUNT VALUE` of {{it}} as comma-separated rows with the value in front, under the "
            f"header {head}, and save them in order as `{output}`",
            f"save the tally in {{it}} as a two-column CSV file, `{output}`, with header {head}; the count moves "
            f"behind the value, the order stays",
        ),
        (
            f"the tally of {{it}} as CSV with the columns {head}, rows in the same order",
            f"a CSV version of {{it}} with header {head}, value before count",
        ),
        (f"`{output}` has {len(pairs)} rows", f"moved {len(pairs)} counts behind their values in `{output}`"),
    )
    source, target = sh(state.focus.path), sh(output)
    sed = f"{{ echo '{first},{second}'; sed -E 's/^([0-9]+) (.*)$/\\2,\\1/' {source}; }} > {target}"
    awk = (
        f'awk \'BEGIN {{ print "{first},{second}" }} {{ n = $1; sub(/^[0-9]+ /, ""); print $0 "," n }}\' '
        f"{source} > {target}"
    )
    script = (
        f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n    '
        f'print("{first},{second}", file=out)\n'
        '    for line in f:\n        count, value = line.rstrip("\\n").split(" ", 1)\n        '
        'print(f"{value},{count}", file=out)'
    )
    spaced = any(" " in value for _, _, value in pairs)
    at = next((i for i, p in enumerate(pairs) if " " in p[2]), 0)
    slip = Slip(
        command=mkdir_first(
            state, output, f"{{ echo '{first},{second}'; awk '{{ print $2 \",\" $1 }}' {source}; }} > {target}"
        ),
        why=(
            "Field 2 is the value and field 1 the count; I swap them.",
            "awk can print the two fields the other way round.",
        ),
        look=f"sed -n {at + 1}p {source}; sed -n {at + 2}p {target}",
        sign=rf"\A{pairs[at][0]} [^\n]* [^\n]*\n[^ \n]*\n",
        remark=(
            "The value has blanks in it and was cut after the first word. Everything behind the count is the value.",
            "Only the first word of the value arrived. I need the rest of the line, not field 2.",
        ),
        tools=("awk",),
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
                sed,
                "Each line is a number, a space and the rest; swapping both with a comma gives the rows.",
                "The header first, then every line with count and value exchanged.",
                "No value contains a comma or a quote, so nothing needs quoting.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk,
                "I take the count off the front and put it behind the value.",
                "Values contain blanks, so everything after the count is the value."
                if spaced
                else "The count is field 1, the value the rest of the line.",
                "Keeping the rest of the line whole is safer than a second field.",
            ),
            python_act(
                state,
                output,
                script,
                "Splitting once at the first space separates count and value.",
                f"{len(pairs)} lines are rewritten with the value in front.",
                "A split limited to one keeps blanks inside values.",
            ),
        ),
        (slip,) if spaced else (),
    )


SKILLS = (
    PackSkill(
        "text-report-markdown",
        "text",
        "Write a small table as a Markdown report.",
        ("group-summary", "calendar-summary", "sql-result", "csv-ordered", "csv-subset"),
        "text-report",
        markdown_table,
    ),
    PackSkill(
        "text-tally-to-csv",
        "text",
        "Turn a tally of counts and values into a CSV table.",
        ("word-tally", "log-tally"),
        "group-summary",
        tally_to_csv,
    ),
)
