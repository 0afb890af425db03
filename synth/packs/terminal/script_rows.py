"""Scripts that count or select rows by an argument."""

from __future__ import annotations

from collections import Counter

from trajmill.schemas.content.tables import Table, render_table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.script_making import case_of, parts_of, plain_rule, script_command, scripted
from trajmill.synth.packs.terminal.table_choice import (
    easy,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import Words

_COUNT_AWK = """#!/bin/bash
# usage: FILE VALUE
awk -F, -v want="$2" 'NR > 1 && $FIELD "" == want { n++ } END { print n + 0 }' "$1"
"""


_COUNT_COREUTILS = """#!/bin/bash
set -u
tail -n +2 "$1" | cut -d, -fFIELD | grep -Fxc -e "$2" || true
"""


_COUNT_BASH = """#!/bin/bash
file=$1 want=$2 count=0
while IFS=, read -r -a fields; do
    if [ "${fields[FIELD]-}" = "$want" ]; then count=$((count + 1)); fi
done < <(tail -n +2 "$file")
echo "$count"
"""


_COUNT_WRONG = """#!/bin/bash
awk -F, -v want="$2" '$FIELD == want { n++ } END { print n }' "$1"
"""


_FILTER_AWK = """#!/bin/bash
awk -F, -v want="$2" 'NR == 1 || $FIELD "" == want' "$1"
"""


_FILTER_PYTHON = """#!/bin/bash
exec python3 - "$1" "$2" <<'PY'
import sys

path, want = sys.argv[1:]
with open(path) as f:
    print(next(f), end="")
    for line in f:
        if line.rstrip("\\n").split(",")[FIELD] == want:
            print(line, end="")
PY
"""


_FILTER_BASH = """#!/bin/bash
head -n 1 "$1"
tail -n +2 "$1" | while IFS= read -r line; do
    IFS=, read -r -a fields <<< "$line"
    if [[ "${fields[FIELD]-}" == "$2" ]]; then
        printf '%s\\n' "$line"
    fi
done
"""


_FILTER_WRONG = """#!/bin/bash
awk -F, -v want="$2" '$FIELD == want' "$1"
"""


def count_matching(state: State, draw: Draw) -> Application | None:
    """A script that counts the rows in which a column has the value given as second argument."""
    chosen = _column_with_values(state, draw)
    if chosen is None:
        return None
    table, name, at, values = chosen
    script = place_output(state, draw, (f"count_{slug(name)}", "count_rows", f"count_by_{slug(name)}"), ".sh")
    column = table.column(name)
    hidden = parts_of(table, draw)
    cases = [
        case_of([path, v], path, data, str(sum(row[at] == v for row in part.rows)))
        for path, part, data in hidden
        for v in values
    ]
    example = values[0]
    prints = (str(column.count(example)),)
    usage = f"`{script} FILE VALUE`"
    words = Words(
        (
            f"write an executable Bash script `{script}` that is called with a CSV file like {{it}} and a value, "
            f"{usage}, and prints how many data rows have exactly this value in the column `{name}` (0 if none)",
            f"create the executable script `{script}` (Bash): its first argument is a CSV file with the same "
            f"columns as {{it}}, the second a value; it prints just the number of rows whose `{name}` equals the "
            f"value, 0 included",
            f"make a Bash script `{script}`, ready to be executed, which prints the count of data rows with "
            f"`{name}` equal to its second argument in the CSV file named by its first; files have the columns of "
            f"{{it}}, and the count may be 0",
            f"provide `{script}`, an executable Bash script for files laid out like {{it}}: {usage} prints the "
            f"number of rows in which `{name}` is exactly VALUE, and 0 where there are none",
        ),
        (
            f"an executable Bash script, {usage}, that prints how many rows of a CSV file like {{it}} have VALUE "
            f"in `{name}` (0 if none)",
        ),
        (
            f"`{script}` counts rows by `{name}`; for `{example}` it prints {prints[0]}",
            f"wrote the script `{script}` and made it executable",
        ),
        plain_rule(draw),
    )
    n = at + 1
    bodies = (
        ("awk", _filled(_COUNT_AWK, n)),
        ("coreutils", _filled(_COUNT_COREUTILS, n)),
        ("bash", _filled(_COUNT_BASH, at)),
    )
    whys = {
        "awk": (
            f"`{name}` is field {n}; adding 0 prints a zero where nothing matches.",
            "Passing the value with -v keeps it apart from the program text.",
            "The header is line 1 and must not be counted.",
        ),
        "coreutils": (
            f"Field {n} without the header, compared as a fixed whole line, gives the count.",
            "grep -c prints 0 by itself, but its exit status then needs to be caught.",
            f"I cut out `{name}` and count exact matches.",
        ),
        "bash": (
            "A read loop splits the fields at commas, which is safe without quotes.",
            f"`{name}` has index {at} in the array of fields.",
            "A counter in plain Bash starts at 0, so no match prints 0.",
        ),
    }
    wrong = _filled(_COUNT_WRONG, n)
    slip = Slip(
        command=script_command(state, script, wrong, executable=True),
        why=(
            f"Counting the lines whose field {n} equals the value is one line of awk.",
            "A short awk program in a script does it.",
        ),
        look=f"./{script} {sh(state.focus.path)} no-such-value | od -c | head -n 1",
        sign=r"\A0000000\s+\\n",
        remark=(
            "For a value that does not occur it prints an empty line where 0 is wanted.",
            "Without a match the variable stays empty; it has to become 0.",
        ),
        tools=("awk", "od"),
    )
    return scripted(state, draw, script, words, bodies, whys, cases, (example,), prints, (slip,))


def filter_by_argument(state: State, draw: Draw) -> Application | None:
    """A script that prints the header and the rows in which a column has the value given as second argument."""
    chosen = _column_with_values(state, draw)
    if chosen is None:
        return None
    table, name, at, values = chosen
    script = place_output(state, draw, (f"filter_{slug(name)}", "select_rows", f"by_{slug(name)}"), ".sh")
    cases = []
    for path, part, data in parts_of(table, draw):
        for value in values:
            kept = part.with_rows(tuple(row for row in part.rows if row[at] == value))
            cases.append(case_of([path, value], path, data, render_table(kept).decode()))
    example = values[0]
    shown = render_table(table.with_rows(tuple(row for row in table.rows if row[at] == example))).decode()
    usage = f"`{script} FILE VALUE`"
    words = Words(
        (
            f"write an executable Bash script `{script}`, used as {usage}, that prints the header of a CSV file "
            f"like {{it}} and those of its rows in which `{name}` is exactly VALUE",
            f"create `{script}`, a Bash script with execute permission: given a CSV file with the columns of "
            f"{{it}} and a value, it prints the header line and then the rows whose `{name}` equals the value, in "
            f"order",
            f"make an executable script `{script}` in Bash that filters files like {{it}}: first argument the "
            f"file, second the value wanted in `{name}`; output is the header plus the matching rows",
            f"provide the executable Bash script `{script}` so that {usage} prints, for a CSV file laid out like "
            f"{{it}}, its header followed by all rows with VALUE as their `{name}` (the header alone if there are "
            f"none)",
        ),
        (
            f"an executable Bash script, {usage}, that prints the header and the rows of a CSV file like {{it}} "
            f"with VALUE in `{name}`",
        ),
        (
            f"`{script}` prints the header and the rows with a given `{name}`",
            f"wrote `{script}`, which filters by `{name}`, and made it executable",
        ),
        plain_rule(draw),
    )
    n = at + 1
    bodies = (
        ("awk", _filled(_FILTER_AWK, n)),
        ("python", _filled(_FILTER_PYTHON, at)),
        ("bash", _filled(_FILTER_BASH, at)),
    )
    whys = {
        "awk": (
            f"Line 1 always passes, other lines if field {n} equals the argument.",
            "An empty string appended to the field makes the comparison one of text.",
            f"`{name}` is field {n}, and the value comes in through -v.",
        ),
        "python": (
            f"Python inside the script splits each line and compares index {at}.",
            "The arguments are handed on to Python, so no quoting of values is needed.",
            "Reading the first line separately prints the header in any case.",
        ),
        "bash": (
            "The header is printed first, then a loop tests each remaining line.",
            f"`{name}` is at index {at} once a line is split at commas.",
            "Keeping the whole line aside lets me print it unchanged.",
        ),
    }
    wrong = _filled(_FILTER_WRONG, n)
    slip = Slip(
        command=script_command(state, script, wrong, executable=True),
        why=(
            f"awk compares field {n} with the argument and prints what matches.",
            "One comparison in awk is the whole filter.",
        ),
        look=f"./{script} {sh(state.focus.path)} no-such-value | wc -l",
        sign=r"\A\s*0\b",
        remark=(
            "Not even the header comes out; line 1 has to be printed always.",
            "Without a match there is no output at all, but the header is wanted.",
        ),
        tools=("awk",),
    )
    prints = tuple(shown.splitlines())
    return scripted(state, draw, script, words, bodies, whys, cases, (example,), prints, (slip,))


def _column_with_values(state: State, draw: Draw) -> tuple[Table, str, int, tuple[str, ...]] | None:
    """A text column of a plain table, two of its values and one that does not occur."""
    table = table_of(state)
    if table is None or not awkable(state) or len(table.rows) < 6:
        return None
    options = []
    for name in table.named("text"):
        counts = Counter(table.column(name))
        common = sorted(v for v, n in counts.items() if 2 <= n < len(table.rows) and easy(v) and v[0].isalpha())
        if len(common) >= 2:
            options.append((name, common))
    if not options:
        return None
    name, common = draw.pick(options)
    first, second = draw.some(common, 2, 2)
    return table, name, table.index(name), (first, second, "no-such-value")


def _filled(script: str, field: int) -> str:
    return script.strip().replace("FIELD", str(field))


SKILLS = (
    PackSkill(
        "script-count-matching",
        "scripts",
        "Write a script that counts rows with a given value.",
        COMMA_TABLES,
        "shell-script",
        count_matching,
    ),
    PackSkill(
        "script-filter-by-argument",
        "scripts",
        "Write a script that selects rows by an argument.",
        COMMA_TABLES,
        "shell-script",
        filter_by_argument,
    ),
)
