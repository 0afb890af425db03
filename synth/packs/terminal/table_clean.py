"""Skills that deal with repeated rows, missing values and malformed lines of a CSV table."""

from __future__ import annotations

from collections import Counter

from trajmill.schemas.content.tables import Table, make_table, retyped
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, stem
from trajmill.synth.packs.outputs import awkable, write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import COMMA, easy, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    awk,
    head_slip,
    lines_of,
    one_act,
    py,
    python_act,
)


def remove_duplicates(state: State, draw: Draw) -> Application | None:
    """Keep the first of equal rows."""
    table, source = table_of(state), state.focus.path
    if table is None:
        return None
    kept = table.with_rows(dict.fromkeys(table.rows)).with_dialect(COMMA)
    gone = len(table) - len(kept)
    if not gone:
        return None
    output = place_output(
        state, draw, (f"{stem(source)}_unique", f"{stem(source)}_dedup", "unique", "distinct_rows"), ".csv"
    )
    written = write_table(state, draw, output, kept, "csv-clean")
    script = f"""
import csv

seen = set()
with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    for row in csv.reader(f):
        if tuple(row) not in seen:
            seen.add(tuple(row))
            writer.writerow(row)
"""
    short = f"""
import csv

with open({py(source)}, newline="") as f:
    rows = list(csv.reader(f))
with open({py(output)}, "w", newline="") as f:
    csv.writer(f, lineterminator="\\n").writerows(dict.fromkeys(map(tuple, rows)))
"""
    ways = [
        python_act(
            state,
            output,
            draw.pick((script, short)),
            "In Python I remember the rows already written and skip them when they come again.",
            f"Comparing parsed rows finds repetitions among the {len(table)} rows and keeps their order.",
            "A set of the rows seen so far keeps the first of each and the order of the file.",
        )
    ]
    slips: list[Slip | None] = []
    if awkable(state):
        ways.insert(
            0,
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                f"awk '!seen[$0]++' {sh(source)} > {sh(output)}",
                "Equal rows are equal lines here, so awk can print each line the first time only.",
                "Order matters, so instead of sorting I let awk remember the lines it has printed.",
                f"With {len(table) + 1} unquoted lines, an awk array of lines seen is the simplest filter.",
            ),
        )
        slips = [
            _neighbours_only(state, table, source, output, lines_of(kept)),
            _sorted_away(state, table, source, output, lines_of(kept)),
        ]
    return applied(
        written,
        output,
        Words(
            (
                f"remove repeated rows from {{it}} (equal in every column) and save it as `{output}`; the first of "
                "equal rows stays where it is",
                f"write `{output}` with the header of {{it}} and each of its distinct rows once, in the order of "
                "first appearance",
                f"clean {{it}} of duplicates into `{output}`, keeping the header, the first copy of each row and "
                "the order",
                f"make `{output}` from {{it}} by dropping every row that repeats an earlier one completely; header "
                "and order do not change",
            ),
            (
                "the header and each distinct row of {it} once, in the order of first appearance",
                "{it} without rows that repeat an earlier row, otherwise unchanged",
            ),
            (
                f"`{output}` has {len(kept)} distinct rows; {gone} repeated {'row is' if gone == 1 else 'rows are'} "
                "gone",
                f"dropped {gone} of {len(table)} rows as repetitions and saved the rest as `{output}`",
                f"kept the first copy of each row in `{output}`, {len(kept)} rows in all",
            ),
        ),
        ways,
        slips,
    )


def _neighbours_only(state: State, table: Table, source: str, output: str, right: list[str]) -> Slip | None:
    lines = lines_of(table)
    collapsed = [line for i, line in enumerate(lines) if i == 0 or line != lines[i - 1]]
    if len(collapsed) == len(right):
        return None
    return Slip(
        command=mkdir_first(state, output, f"uniq {sh(source)} > {sh(output)}"),
        why=("uniq drops repeated lines.", "Repeated lines are what uniq removes, and it keeps the order."),
        look=f"sort {sh(output)} | uniq -d | head -n 3",
        sign=r"\A.*\S",
        remark=(
            "Some rows still occur twice: uniq only compares neighbours, and the copies stand further down.",
            "There are repetitions left, because equal rows are not next to each other in this file.",
        ),
        tools=("uniq", "sort", "head"),
    )


def _sorted_away(state: State, table: Table, source: str, output: str, right: list[str]) -> Slip | None:
    mistake = Mistake(
        f"sort -u {sh(source)} > {sh(output)}",
        ("sort -u leaves one copy of each line.", "Sorting with -u removes the repetitions."),
        (
            "That changed the order, and the header is not safe on top either. The first copies must stay in place.",
            "The lines are sorted now, but the order of the input was to be kept.",
        ),
        ("sort",),
    )
    return head_slip(state, output, mistake, sorted(set(lines_of(table))), right)


def find_duplicates(state: State, draw: Draw) -> Application | None:
    """Report the rows that occur more than once, each once, with their number."""
    table, source = table_of(state), state.focus.path
    if table is None:
        return None
    counts = Counter(table.rows)
    repeated = [row for row in counts if counts[row] > 1]
    label = draw.pick([n for n in ("copies", "count", "times") if n not in table.header])
    if not repeated:
        return None
    report = make_table((label, *table.header), ((str(counts[row]), *row) for row in repeated))
    output = place_output(state, draw, (f"{stem(source)}_duplicates", "duplicates", "repeated_rows"), ".csv")
    written = write_table(state, draw, output, report, "csv-subset")
    script = f"""
import csv
from collections import Counter

with open({py(source)}, newline="") as f:
    header, *rows = csv.reader(f)
counts = Counter(map(tuple, rows))
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow([{py(label)}, *header])
    writer.writerows([n, *row] for row, n in counts.items() if n > 1)
"""
    ways = [
        python_act(
            state,
            output,
            script,
            "A Counter of whole rows keeps the order of first appearance, which is just what the report needs.",
            "I count complete rows in Python and write those with two or more copies.",
            f"Counting the {len(table)} rows as tuples shows which ones are repeated.",
        )
    ]
    if awkable(state) and easy(label):
        program = (
            f'NR == 1 {{ print "{label}," $0; next }} !n[$0]++ {{ order[++k] = $0 }} '
            'END { for (i = 1; i <= k; i++) if (n[order[i]] > 1) print n[order[i]] "," order[i] }'
        )
        ways.append(
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk(program, source, output).replace("awk -F, ", "awk ", 1),
                "awk counts equal lines and remembers their order; at the end it prints those seen more than once.",
                "Two arrays in awk, one for counts and one for order, give the repeated lines.",
                "Lines stand for rows here, so I count them in awk and print the repeated ones with their number.",
            )
        )
    total = len(repeated)
    what = (
        "every row that occurs more than once, listed once, in the order of first appearance, with a new first "
        f"column `{label}` for how often it occurs"
    )
    return applied(
        written,
        output,
        Words(
            (
                f"report the duplicates in {{it}}: write to `{output}`, below a header, {what}",
                f"find rows of {{it}} that are repeated in full and save them as `{output}` with the original "
                f"header extended in front by `{label}`, the number of copies; one line per repeated row, in the "
                "order of first appearance",
                f"list in `{output}` {what}; the header of {{it}} gets the new name in front",
                f"check {{it}} for repeated rows and write a table `{output}` with `{label}` as the first column "
                "and then all columns of the input: one line for each row that has two or more copies, ordered by "
                "first appearance",
            ),
            (
                f"from {{it}} {what}, with a header",
                f"the repeated rows of {{it}}, each once, preceded by their number in `{label}`, with a header and "
                "in the order of first appearance",
            ),
            (
                f"`{output}` lists the {total} rows that occur more than once"
                if total > 1
                else f"`{output}` lists the one row that occurs more than once",
                f"found {total} repeated row{'s' * (total > 1)} and saved {'them' if total > 1 else 'it'} with the "
                f"number of copies in `{output}`",
                f"wrote the repeated rows and their `{label}` to `{output}`",
            ),
        ),
        ways,
    )


def drop_incomplete(state: State, draw: Draw) -> Application | None:
    """Leave out every row that has an empty cell."""
    table, source = table_of(state), state.focus.path
    if table is None:
        return None
    kept = retyped(table.with_rows(row for row in table.rows if all(row))).with_dialect(COMMA)
    gone = len(table) - len(kept)
    if not gone or not kept.rows:
        return None
    output = place_output(
        state, draw, (f"{stem(source)}_complete", "complete", "complete_rows", f"{stem(source)}_full"), ".csv"
    )
    written = write_table(state, draw, output, kept, "csv-clean")
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    for row in csv.reader(f):
        if all(row):
            writer.writerow(row)
"""
    ways = [
        python_act(
            state,
            output,
            draw.pick(
                (
                    script,
                    script.replace(
                        "        if all(row):\n            writer.writerow(row)",
                        '        if "" not in row:\n            writer.writerow(row)',
                    ),
                )
            ),
            "A row read by the csv module is complete if none of its fields is an empty text.",
            "I test each parsed row for empty fields in Python and write only the complete ones.",
            f"The script copies the header and those of the {len(table)} rows that have no empty field.",
        )
    ]
    slips: list[Slip | None] = []
    if awkable(state):
        s, o = sh(source), sh(output)
        pattern = draw.pick((f"grep -vE '^,|,,|,$' {s} > {o}", f"sed -E '/^,|,,|,$/d' {s} > {o}"))
        ways.insert(
            0,
            one_act(
                state,
                output,
                pattern.split()[0],
                (pattern.split()[0],),
                pattern,
                "An empty cell shows as a comma at the start or end of the line or as two commas in a row.",
                "Without quoting, a missing value is `,,` or a comma at either end, so a pattern finds the lines "
                "to leave out.",
                "I drop lines with a leading, trailing or doubled comma; the header has none of these.",
            ),
        )
        program = '{ for (i = 1; i <= NF; i++) if ($i == "") next; print }'
        ways.append(
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk(program, source, output),
                "awk can look at each field of a line and skip the line at the first empty one.",
                "I loop over the fields in awk and print only lines without an empty field.",
                "Field by field is the surest test for missing values in these unquoted lines.",
            )
        )
        slips = [_doubled_only(state, table, source, output, lines_of(kept))]
    return applied(
        written,
        output,
        Words(
            (
                "leave out every row of {it} in which a cell is empty and save the complete rows with the header "
                f"as `{output}`",
                f"write the rows of {{it}} that have a value in every column to `{output}`, with the header and in "
                "the same order",
                "strip {it} of incomplete rows (at least one empty cell) and store what remains, header "
                f"included, in `{output}`",
                f"keep just those rows of {{it}} where nothing is missing; `{output}` gets them below the unchanged "
                "header",
            ),
            (
                "header and complete rows of {it}, without any row that has an empty cell",
                "the rows of {it} that have a value in every column, with the header and in their order",
            ),
            (
                f"`{output}` has the {len(kept)} complete rows; {gone} had an empty cell",
                f"left {gone} of {len(table)} rows out because a value was missing, and saved the rest in `{output}`",
                f"wrote the {len(kept)} rows without gaps to `{output}`",
            ),
        ),
        ways,
        slips,
    )


def _doubled_only(state: State, table: Table, source: str, output: str, right: list[str]) -> Slip | None:
    wrong = [line for line in lines_of(table) if ",," not in line]
    left = [line for line in wrong if line.endswith(",") or line.startswith(",")]
    if not left:
        return None
    return Slip(
        command=mkdir_first(state, output, f"grep -v ',,' {sh(source)} > {sh(output)}"),
        why=("Two commas in a row mark an empty cell.", "A missing value shows as `,,`, so I leave those lines out."),
        look=f"grep -cE '^,|,$' {sh(output)}",
        sign=r"\A[1-9]",
        remark=(
            "Rows with a gap in the first or last column are still there, since they have no doubled comma.",
            "That test misses empty cells at the ends of a line. I have to cover those as well.",
        ),
        tools=("grep",),
    )


def fill_gaps(state: State, draw: Draw) -> Application | None:
    """Fill the empty cells of each column that has some."""
    table, source = table_of(state), state.focus.path
    gaps = [c for c in table.columns if c.missing] if table else []
    if table is None or not gaps or len(gaps) > 3:
        return None
    word = draw.pick(("n/a", "unknown", "missing", "-", "none"))
    filler = {c.name: draw.pick(("0", "-1")) if c.numeric else word for c in gaps}
    same = len(set(filler.values())) == 1
    places = {table.index(n): v for n, v in filler.items()}
    filled = retyped(
        table.with_rows(tuple(f or places.get(i, "") for i, f in enumerate(row)) for row in table.rows)
    ).with_dialect(COMMA)
    output = place_output(state, draw, (f"{stem(source)}_filled", "filled", "no_gaps"), ".csv")
    written = write_table(state, draw, output, filled, "csv-clean")
    count = sum(c.missing for c in gaps)
    what = " and ".join(f"`{v}` where `{n}` is empty" for n, v in filler.items())
    mapping = ", ".join(f"{py(n)}: {py(v)}" for n, v in filler.items())
    script = f"""
import csv

defaults = {{{mapping}}}
with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.DictReader(f)
    writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({{name: value or defaults[name] for name, value in row.items()}})
"""
    if len(gaps) < len(table.columns):
        script = script.replace("defaults[name]", 'defaults.get(name, "")')
    names = " and ".join(f"`{n}`" for n in filler)
    ways = [
        python_act(
            state,
            output,
            script,
            f"A dictionary of defaults for {names} lets me fill empty cells while copying the rows.",
            f"Only {names} can be empty, so the script puts the default in where the text is empty.",
            f"In Python an empty cell is a false value, so `value or default` fills {names}.",
        )
    ]
    if awkable(state):
        sets = " ".join(f'if (${i + 1} == "") ${i + 1} = "{v}";' for i, v in places.items())
        ways.insert(
            0,
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk(f"BEGIN {{ OFS = FS }} {{ {sets} print }}", source, output),
                f"awk can set field {' and '.join(str(i + 1) for i in places)} when it is empty and print every line.",
                f"The gaps are in {names}; with OFS set, awk writes the lines back with commas.",
                f"{names} by position, tested for an empty text: that is all awk has to do here.",
            ),
        )
    return applied(
        written,
        output,
        Words(
            (
                f"fill the gaps in {{it}} and save it as `{output}`: {what}",
                f"write `{output}` as a copy of {{it}} with {what}, everything else unchanged",
                f"replace empty cells in {{it}}, putting {what}; header, rows and order stay, and the file is "
                f"`{output}`",
                f"complete {{it}} with {what} and store the table in `{output}`",
            ),
            (f"{{it}} with its empty cells filled: {what}", f"the table of {{it}} with {what} and no other change"),
            (
                f"`{output}` has no gaps any more; {count} empty {'cell was' if count == 1 else 'cells were'} filled",
                f"filled {count} empty "
                f"{'cell' if count == 1 else 'cells'}{f' with `{next(iter(filler.values()))}`' if same else ''} in "
                f"`{output}`",
                f"completed {names} and saved the {len(table)} rows as `{output}`",
            ),
        ),
        ways,
    )


def count_missing(state: State, draw: Draw) -> Application | None:
    """Count the empty cells of every column."""
    table, source = table_of(state), state.focus.path
    if table is None or not any(c.missing for c in table.columns):
        return None
    label = draw.pick(("missing", "empty", "gaps"))
    report = make_table(("column", label), ((c.name, str(c.missing)) for c in table.columns))
    output = place_output(state, draw, (f"{stem(source)}_{label}", f"{label}_values", f"{label}_per_column"), ".csv")
    written = write_table(state, draw, output, report, "group-summary")
    script = f"""
import csv

with open({py(source)}, newline="") as f:
    header, *rows = csv.reader(f)
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerow(["column", {py(label)}])
    for name, values in zip(header, zip(*rows)):
        writer.writerow([name, values.count("")])
"""
    ways = [
        python_act(
            state,
            output,
            script,
            "Turned round with zip, each column is a tuple in which I can count empty texts.",
            f"I count the empty fields of the {len(table.columns)} columns in Python, in file order.",
            "The csv module gives empty texts for missing values; those I count per column.",
        )
    ]
    slips: list[Slip | None] = []
    if awkable(state):
        inner = (
            '{ for (i = 1; i <= NF; i++) { if (NR == 1) name[i] = $i; else if ($i == "") n[i]++ } } '
            'END { for (i = 1; i <= NF; i++) print name[i] "," n[i] + 0 }'
        )
        command = f"{{ echo 'column,{label}'; awk -F, '{inner}' {sh(source)}; }} > {sh(output)}"
        ways.append(
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                command,
                "awk takes the names from line 1 and counts empty fields by position in the other lines.",
                f"For each of the {len(table.columns)} fields awk counts how often it is empty.",
                "No quotes in the file: awk sees a missing value as an empty field and can count it.",
            )
        )
        bare = inner.replace("n[i] + 0", "n[i]")
        wrong = [f"column,{label}", *(f"{c.name},{c.missing or ''}" for c in table.columns)]
        mistake = Mistake(
            f"{{ echo 'column,{label}'; awk -F, '{bare}' {sh(source)}; }} > {sh(output)}",
            (
                "I count empty fields per position in awk and print name and count.",
                "One awk array for the names and one for the counts.",
            ),
            (
                "Columns without gaps show nothing instead of 0: the array has no entry for them.",
                "A count of zero came out as an empty field. It has to be printed as a number.",
            ),
            ("awk",),
        )
        slips = [head_slip(state, output, mistake, wrong, lines_of(report))]
    worst = max(table.columns, key=lambda c: c.missing)
    total = sum(c.missing for c in table.columns)
    return applied(
        written,
        output,
        Words(
            (
                f"count the empty cells in each column of {{it}} and write `{output}` with the header "
                f"`column,{label}`, one row per column in the order of the file, zeros included",
                "report missing values: for every column of {it}, in file order, its name and its number of "
                f"empty cells (0 if none) go to `{output}` under the header `column,{label}`",
                f"make a table `{output}` (comma-separated, header `column,{label}`) that says for each column of "
                "{it}, in their order, how many cells are empty, even if none is",
                "measure how complete {it} is: for each column, in file order, put its name and its number of "
                f"empty cells, also where that is 0, into `{output}` under the header `column,{label}`",
            ),
            (
                f"a comma-separated table with the header `column,{label}`: each column of {{it}} in file order and "
                "its number of empty cells, zeros included",
                "the number of empty cells per column of {it}, zeros included, in file order under the header "
                f"`column,{label}`",
            ),
            (
                f"`{output}` shows {total} empty cells in {len(table.columns)} columns"
                if total > 1
                else f"`{output}` shows the one empty cell",
                f"counted the gaps per column in `{output}`; `{worst.name}` has {worst.missing}",
                f"wrote the number of empty cells of all {len(table.columns)} columns to `{output}`",
            ),
        ),
        ways,
        slips,
    )


def find_malformed(state: State, draw: Draw) -> Application | None:
    """List the numbers of the lines whose number of fields is not the header's."""
    table, source = state.focus.facts, state.focus.path
    if not isinstance(table, Table) or state.tree.file(source) is None:
        return None
    lines = state.data(source).decode().splitlines()
    width = len(table.columns)
    bad = [n for n, line in enumerate(lines, 1) if len(line.split(",")) != width]
    if not bad:
        return None
    output = place_output(state, draw, ("bad_lines", "malformed", f"{stem(source)}_errors", "line_numbers"), ".txt")
    written = write_lines(state, draw, output, [str(n) for n in bad], "number-list")
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w") as out:
    rows = csv.reader(f)
    width = len(next(rows))
    for row in rows:
        if len(row) != width:
            print(rows.line_num, file=out)
"""
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            draw.pick(
                (
                    f"awk -F, 'NR == 1 {{ width = NF }} NF != width {{ print NR }}' {sh(source)} > {sh(output)}",
                    f"awk -F, 'NF != {width} {{ print NR }}' {sh(source)} > {sh(output)}",
                )
            ),
            f"The header has {width} fields; awk prints the number of every line with more or fewer.",
            f"NF must be {width} on each line, so awk shows me where it is not.",
            "I compare the number of fields of each line with that of line 1.",
        ),
        python_act(
            state,
            output,
            script,
            "The csv reader knows its line number, so I print it where a row is too short or too long.",
            f"I read the rows in Python and write the line numbers of those without {width} fields.",
            f"A reader that does not complain about odd rows lets me compare each length with {width}.",
        ),
    ]
    count = len(bad)
    slip = Slip(
        command=mkdir_first(
            state, output, f"tail -n +2 {sh(source)} | awk -F, 'NF != {width} {{ print NR }}' > {sh(output)}"
        ),
        why=(
            "I skip the header and print the lines with a wrong number of fields.",
            f"Below the header every line needs {width} fields.",
        ),
        look=f"awk -F, 'NR == FNR {{ want[$1]; next }} FNR in want && NF == {width} "
        f'{{ print FNR, "has {width} fields" }}\' {sh(output)} {sh(source)}',
        sign=rf"(?m)^\d+ has {width} fields",
        remark=(
            "These lines are fine: without the header the numbers are one too small. Counting must start at line 1.",
            "The numbers are off by one, because the header was cut off before counting.",
        ),
        tools=("tail", "awk"),
    )
    shifted = any(n - 1 not in bad for n in bad)
    return applied(
        written,
        output,
        Words(
            (
                "find the lines of {it} that do not have as many fields as the header and write their line "
                f"numbers to `{output}`, one per line in ascending order, the header being line 1",
                f"write to `{output}` the numbers of all malformed lines in {{it}} (too few or too many fields "
                "compared with the header), one number a line, counting the header as line 1",
                "check {it} for lines with a wrong number of fields: their line numbers, counted from 1 at the "
                f"header, go to `{output}`, one below the other",
                f"list in `{output}` where {{it}} is broken, that is the number of each line whose count of "
                "comma-separated fields differs from the header's; line 1 is the header, one number per line",
            ),
            (
                "the line numbers (header is line 1) of all lines in {it} whose number of fields differs from the "
                "header's, one per line, ascending",
                "one number a line: which lines of {it} have too few or too many fields, the header counting as line 1",
            ),
            (
                f"`{output}` lists {count} malformed line{'s' * (count > 1)}, the first at line {bad[0]}",
                f"found {count} line{'s' * (count > 1)} without {width} fields and wrote "
                f"{'their numbers' if count > 1 else 'its number'} to `{output}`",
                f"saved the numbers of the lines that do not have {width} fields in `{output}`",
            ),
        ),
        ways,
        [slip] if shifted else [],
    )


def drop_malformed(state: State, draw: Draw) -> Application | None:
    """Leave out the lines whose number of fields is not the header's."""
    table, source = state.focus.facts, state.focus.path
    if not isinstance(table, Table) or state.tree.file(source) is None:
        return None
    rows = [line.split(",") for line in state.data(source).decode().splitlines()]
    width = len(table.columns)
    good = [row for row in rows[1:] if len(row) == width]
    gone = len(rows) - 1 - len(good)
    if not gone or len(good) < 3:
        return None
    clean = make_table(table.header, good)
    output = place_output(state, draw, (f"{stem(source)}_valid", "well_formed", f"{stem(source)}_clean"), ".csv")
    written = write_table(state, draw, output, clean, "csv-table")
    script = f"""
import csv

with open({py(source)}, newline="") as f:
    rows = list(csv.reader(f))
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerows(row for row in rows if len(row) == len(rows[0]))
"""
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            draw.pick(
                (
                    f"awk -F, 'NF == {width}' {sh(source)} > {sh(output)}",
                    f"awk -F, 'NR == 1 {{ width = NF }} NF == width' {sh(source)} > {sh(output)}",
                )
            ),
            f"awk prints only lines with exactly {width} fields, the header among them.",
            f"The header has {width} fields, so I let through the lines that have the same.",
            f"Every line with {width} fields is fine; the others I leave out.",
        ),
        python_act(
            state,
            output,
            script,
            f"I keep the rows that have the header's {width} fields and write them back.",
            "Comparing each row's length with the header's sorts out the broken ones.",
            "In Python a row that is too short or too long is easy to tell by its length.",
        ),
    ]
    return applied(
        written,
        output,
        Words(
            (
                "remove the malformed lines from {it}, those whose number of fields differs from the header's, "
                f"and save the rest as `{output}`",
                f"write `{output}` with the header of {{it}} and only the rows that have as many fields as the "
                "header, in the same order",
                "clean {it}: some lines have a field too few or too many; leave those out and store everything "
                f"else in `{output}`",
                f"save as `{output}` just the well-formed part of {{it}}, that is the header and each line with the "
                "same number of comma-separated fields",
            ),
            (
                "header and rows of {it} without the lines whose number of fields differs from the header's",
                "the well-formed rows of {it} (as many fields as the header), in their order, with the header",
            ),
            (
                f"`{output}` has the {len(good)} well-formed rows; {gone} malformed "
                f"line{' was' if gone == 1 else 's were'} left out",
                f"left {gone} line{'s' * (gone > 1)} without {width} fields out of `{output}`",
                f"kept the {len(good)} rows with {width} fields in `{output}`",
            ),
        ),
        ways,
    )


SKILLS = (
    PackSkill(
        "csv-remove-duplicates", "tables", "Remove repeated rows.", ("csv-duplicated",), "csv-clean", remove_duplicates
    ),
    PackSkill(
        "csv-find-duplicates", "tables", "Report repeated rows.", ("csv-duplicated",), "csv-subset", find_duplicates
    ),
    PackSkill(
        "csv-drop-incomplete", "tables", "Leave out rows with empty cells.", ("csv-gaps",), "csv-clean", drop_incomplete
    ),
    PackSkill("csv-fill-gaps", "tables", "Fill empty cells with stated values.", ("csv-gaps",), "csv-clean", fill_gaps),
    PackSkill(
        "csv-count-missing", "tables", "Count empty cells per column.", ("csv-gaps",), "group-summary", count_missing
    ),
    PackSkill(
        "csv-find-malformed",
        "tables",
        "List the lines with a wrong number of fields.",
        ("csv-ragged",),
        "number-list",
        find_malformed,
    ),
    PackSkill(
        "csv-drop-malformed",
        "tables",
        "Leave out lines with a wrong number of fields.",
        ("csv-ragged",),
        "csv-table",
        drop_malformed,
    ),
)
