"""Skills that deal with repeated rows of a CSV table."""

from __future__ import annotations

from collections import Counter

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, easy, table_of
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
        state, draw, (f"{brief(source)}_unique", f"{brief(source)}_dedup", "unique", "distinct_rows"), ".csv"
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
    output = place_output(state, draw, (f"{brief(source)}_duplicates", "duplicates", "repeated_rows"), ".csv")
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


SKILLS = (
    PackSkill(
        "csv-remove-duplicates", "tables", "Remove repeated rows.", ("csv-duplicated",), "csv-clean", remove_duplicates
    ),
    PackSkill(
        "csv-find-duplicates", "tables", "Report repeated rows.", ("csv-duplicated",), "csv-subset", find_duplicates
    ),
)
