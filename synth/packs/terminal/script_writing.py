"""Skills that write an executable Bash script for files like one that is there, and run it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal

from trajmill.schemas.content.tables import Table, render_table
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Check
from trajmill.synth.packs.expect import expect_modes, expect_run
from trajmill.synth.packs.facts import Script
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug, stem
from trajmill.synth.packs.outputs import awkable, write_lines
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    decimals_words,
    easy,
    fixed,
    numbers,
    places,
    summable_columns,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act
from trajmill.synth.packs.terminal.text_lists import lines_of

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
_MODE = 0o755


def count_matching(state: State, draw: Draw) -> Application | None:
    """A script that counts the rows in which a column has the value given as second argument."""
    chosen = _column_with_values(state, draw)
    if chosen is None:
        return None
    table, name, at, values = chosen
    script = place_output(state, draw, (f"count_{slug(name)}", "count_rows", f"count_by_{slug(name)}"), ".sh")
    column = table.column(name)
    hidden = _parts(table, draw)
    cases = [
        _case([path, v], path, data, str(sum(row[at] == v for row in part.rows)))
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
        _plain_rule(draw),
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
        command=_write(state, script, wrong, executable=True),
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
    return _scripted(state, draw, script, words, bodies, whys, cases, (example,), prints, (slip,))


def filter_by_argument(state: State, draw: Draw) -> Application | None:
    """A script that prints the header and the rows in which a column has the value given as second argument."""
    chosen = _column_with_values(state, draw)
    if chosen is None:
        return None
    table, name, at, values = chosen
    script = place_output(state, draw, (f"filter_{slug(name)}", "select_rows", f"by_{slug(name)}"), ".sh")
    cases = []
    for path, part, data in _parts(table, draw):
        for value in values:
            kept = part.with_rows(tuple(row for row in part.rows if row[at] == value))
            cases.append(_case([path, value], path, data, render_table(kept).decode()))
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
        _plain_rule(draw),
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
        command=_write(state, script, wrong, executable=True),
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
    return _scripted(state, draw, script, words, bodies, whys, cases, (example,), prints, (slip,))


def sum_column(state: State, draw: Draw) -> Application | None:
    """A script that prints the sum of a column."""
    table = table_of(state)
    columns = summable_columns(table) if table is not None and awkable(state) else []
    if table is None or not columns:
        return None
    name = draw.pick(columns).name
    at, digits = table.index(name), places(table.column(name))
    script = place_output(state, draw, (f"sum_{slug(name)}", f"total_{slug(name)}", "column_sum"), ".sh")
    cases = [
        _case([path], path, data, fixed(sum(numbers(part, name), Decimal(0)), digits))
        for path, part, data in _parts(table, draw)
    ]
    total = fixed(sum(numbers(table, name), Decimal(0)), digits)
    form = f"with {decimals_words(digits)}" if digits else "as a whole number"
    words = Words(
        (
            f"write an executable Bash script `{script}` that takes a CSV file like {{it}} as its argument and "
            f"prints the sum of the column `{name}` {form}",
            f"create `{script}`, an executable Bash script: called with the path of a CSV file that has the "
            f"columns of {{it}}, it prints the total of `{name}` {form} and nothing else",
            f"make a script `{script}` in Bash, with execute permission, which adds up `{name}` in the CSV file "
            f"given as first argument (columns as in {{it}}) and prints the sum {form}",
            f"provide an executable Bash script, `{script}`, to total `{name}` over any file laid out like {{it}}; "
            f"the file is its only argument, the output one number {form}",
        ),
        (
            f"an executable Bash script that prints the sum of `{name}` ({form}) of the CSV file given as "
            f"argument, laid out like {{it}}",
        ),
        (
            f"`{script}` sums `{name}`; for the present file it prints {total}",
            f"wrote `{script}` and made it executable",
        ),
        (*_plain_rule(draw), "A file without data rows gives a sum of zero, in the same form."),
    )
    n = at + 1
    if digits:
        python = (
            "#!/bin/bash\nexec python3 - \"$1\" <<'PY'\nimport csv\nimport sys\nfrom decimal import Decimal\n\n"
            f'with open(sys.argv[1], newline="") as f:\n    total = sum((Decimal(row[{_quoted(name)}]) for row in '
            f'csv.DictReader(f)), Decimal(0))\nprint(f"{{total:.{digits}f}}")\nPY'
        )
    else:
        python = (
            "#!/bin/bash\nexec python3 - \"$1\" <<'PY'\nimport csv\nimport sys\n\n"
            f'with open(sys.argv[1], newline="") as f:\n    print(sum(int(row[{_quoted(name)}]) for row in '
            f"csv.DictReader(f)))\nPY"
        )
    bodies = (
        ("awk", f'#!/bin/bash\nawk -F, \'NR > 1 {{ sum += ${n} }} END {{ printf "%.{digits}f\\n", sum }}\' "$1"'),
        ("python", python),
    )
    whys = {
        "awk": (
            f"`{name}` is field {n}; printf fixes the form of the number.",
            "Line 1 is the header and adds nothing.",
            f"An awk sum over field {n} prints zero too if there are no rows.",
        ),
        "python": (
            f"The csv module finds `{name}` by its header.",
            "Exact arithmetic in Python avoids surprises in the last digit.",
            f"Python in the script adds up `{name}` and formats the result.",
        ),
    }
    command = _write(state, script, bodies[0][1], executable=False)
    slip = Slip(
        command=command,
        why=("The script is one awk command in a file.", f"I put the sum over field {n} into the script."),
        look=f"./{script} {sh(state.focus.path)}; ls {sh(script)} > /dev/null",
        sign=r"Permission denied",
        remark=(
            "It cannot be executed: the permission is missing.",
            "I wrote the file but forgot to make it executable.",
        ),
    )
    return _scripted(state, draw, script, words, bodies, whys, cases, (), (total,), (slip,))


def count_distinct(state: State, draw: Draw) -> Application | None:
    """A script that prints how many different lines a text file has."""
    lines = lines_of(state, 5)
    if lines is None or len(set(lines)) == len(lines) or len(set(lines)) < 2:
        return None
    script = place_output(state, draw, ("distinct_lines", "count_distinct", "unique_count"), ".sh")
    cases: list[Mapping[str, Json]] = []
    for number in range(3):
        part = [*draw.some(lines, 2, len(lines) - 1), lines[0], lines[number]]
        cases.append(
            _case([f"part{number}.txt"], f"part{number}.txt", "".join(f"{v}\n" for v in part), str(len(set(part))))
        )
    cases.append(_case(["empty.txt"], "empty.txt", "", "0"))
    total = str(len(set(lines)))
    words = Words(
        (
            f"write an executable Bash script `{script}` that prints how many different lines the text file given "
            f"as its argument has (lines as in {{it}}, 0 for an empty file)",
            f"create `{script}`, a Bash script with execute permission, which is given a text file like {{it}} and "
            f"prints the number of distinct lines in it, a bare number",
            f"make an executable script `{script}` in Bash: called with a file such as {{it}}, it prints the count "
            f"of its distinct lines without any padding",
            f"provide the executable Bash script `{script}`; its one argument is a list like {{it}}, its output "
            f"the number of different lines and nothing else",
        ),
        ("an executable Bash script that prints the number of distinct lines of the file given as argument",),
        (
            f"`{script}` counts distinct lines; for the present list it prints {total}",
            f"wrote `{script}` and made it executable",
        ),
        ("An empty file has 0 distinct lines.",),
    )
    bodies = (
        ("awk", "#!/bin/bash\nawk '!seen[$0]++ { n++ } END { print n + 0 }' \"$1\""),
        ("coreutils", "#!/bin/bash\nset -eu\nsort -u \"$1\" | wc -l | tr -d ' '"),
        (
            "bash",
            '#!/bin/bash\ndeclare -A seen\nwhile IFS= read -r line; do\n    seen["x$line"]=1\ndone < "$1"\necho '
            '"${#seen[@]}"',
        ),
    )
    whys = {
        "awk": (
            "An array of seen lines counts each line once; adding 0 covers an empty file.",
            "awk needs no sorting for this.",
            "Each new line raises the count by one.",
        ),
        "coreutils": (
            "Sorting without repeats and counting what is left is enough.",
            "tr removes any padding that a line count might have.",
            "The distinct lines are those that survive a unique sort.",
        ),
        "bash": (
            "An associative array keyed by the line has one entry per distinct line.",
            "A letter in front of the key keeps empty lines from being an invalid key.",
            "Plain Bash can do it with an array as a set.",
        ),
    }
    apart = any(v in lines[:i] and lines[i - 1] != v for i, v in enumerate(lines))
    runs = 1 + sum(a != b for a, b in itertools.pairwise(lines))
    slips = (
        (
            Slip(
                command=_write(state, script, '#!/bin/bash\nuniq "$1" | wc -l', executable=True),
                why=("uniq drops repeats, and the rest is counted.", "I count what uniq lets through."),
                look=f"./{script} {sh(state.focus.path)}",
                sign=rf"\A\s*{runs}\b",
                remark=(
                    f"{runs} is too many: uniq only merges neighbours, and this list is not sorted.",
                    "Repeats that are apart were counted again. The lines need sorting first.",
                ),
                tools=("uniq", "wc"),
            ),
        )
        if apart
        else ()
    )
    return _scripted(state, draw, script, words, bodies, whys, cases, (), (total,), slips)


def run_script(state: State, draw: Draw) -> Application | None:
    """Run the script on a file and keep its output."""
    facts = state.focus.facts
    if not isinstance(facts, Script) or not facts.input or not facts.prints or not state.holds(facts.input):
        return None
    script = state.focus.path
    output = place_output(state, draw, (f"{stem(script)}_output", "output", "script_result"), ".txt")
    written = write_lines(state, draw, output, facts.prints, "text-report")
    path = facts.input
    given = f"`{path}`" + "".join(f" and the value `{value}`" for value in facts.arguments)
    words = Words(
        (
            f"run {{it}} with {given} and save what it prints as `{output}`",
            f"execute {{it}}, giving it {given}, and keep its standard output in `{output}`",
            f"call {{it}} on {given} and redirect the output to `{output}`",
            f"apply {{it}} to {given}, with the result written to `{output}`",
        ),
        (f"what {{it}} prints for {given}", f"the output of {{it}} when run with {given}"),
        (
            f"`{output}` holds the output of `{script}`",
            f"ran `{script}` and saved {len(facts.prints)} {'line' if len(facts.prints) == 1 else 'lines'} in "
            f"`{output}`",
        ),
    )
    arguments = " ".join(map(sh, (path, *facts.arguments)))
    target = sh(output)
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "direct",
                (),
                f"./{sh(script)} {arguments} > {target}",
                "The script is executable, so I call it by its path.",
                f"Its output goes straight to `{output}`.",
                "Running it on the real file also shows that it works.",
            ),
            one_act(
                state,
                output,
                "bash",
                ("bash",),
                draw.pick(
                    (f"bash {sh(script)} {arguments} > {target}", f"bash ./{sh(script)} {arguments} | tee {target}")
                ),
                "Bash can run the script whatever its permissions.",
                f"I run it on `{path}` and store what it prints.",
                "The script prints to standard output, which I redirect.",
            ),
        ),
    )


def _column_with_values(state: State, draw: Draw) -> tuple[Table, str, int, tuple[str, ...]] | None:
    """A text column of a plain table, two of its values and one that does not occur."""
    table = table_of(state)
    if table is None or not awkable(state) or len(table.rows) < 6:
        return None
    options = []
    for name in table.named("text"):
        counts = Counter(table.column(name))
        common = sorted(v for v, n in counts.items() if 2 <= n < len(table.rows) and easy(v) and not v[0].isdigit())
        if len(common) >= 2:
            options.append((name, common))
    if not options:
        return None
    name, common = draw.pick(options)
    first, second = draw.some(common, 2, 2)
    return table, name, table.index(name), (first, second, "no-such-value")


def _parts(table: Table, draw: Draw) -> list[tuple[str, Table, str]]:
    """Other files like the table: some of its rows, and none."""
    parts = []
    for number in range(2):
        rows = draw.some(table.rows, 3, min(40, len(table.rows)))
        part = table.with_rows(rows)
        parts.append((f"part{number}.csv", part, render_table(part).decode()))
    empty = table.with_rows(())
    return [*parts, ("none.csv", empty, render_table(empty).decode())]


def _case(args: Sequence[str], path: str, data: str, stdout: str) -> Mapping[str, Json]:
    return {"args": list(args), "files": {path: data}, "stdout": stdout.rstrip("\n")}


def _plain_rule(draw: Draw) -> tuple[str, ...]:
    return (
        draw.pick(
            (
                "No field of such a file is quoted or contains a comma.",
                "The files have a header and never any quotes.",
                "Fields are never quoted, and the first line is always the header.",
            )
        ),
    )


def _scripted(
    state: State,
    draw: Draw,
    script: str,
    words: Words,
    bodies: Sequence[tuple[str, str]],
    whys: Mapping[str, tuple[str, ...]],
    cases: Sequence[Mapping[str, Json]],
    arguments: tuple[str, ...],
    prints: tuple[str, ...],
    slips: Sequence[Slip],
) -> Application:
    ways = []
    for name, body in bodies:
        tools = {"awk": ("awk", "chmod"), "python": ("python3", "chmod")}.get(name, ("chmod",))
        test = f"./{sh(script)} {' '.join([sh(state.focus.path), *map(sh, arguments)])}"
        ways.append(
            Way(
                name,
                tools,
                (
                    Act(_write(state, script, body, executable=True), whys[name]),
                    Act(
                        test if len(prints) < 8 else f"{test} | head -n 5",
                        (
                            f"A run on `{state.focus.path}` shows whether the script works.",
                            "I try it on the real file before calling it done.",
                            "Now a test with the file at hand.",
                            f"Let me see what it prints for `{state.focus.path}`.",
                        ),
                    ),
                ),
            )
        )
    facts = Script(bodies[0][1], state.focus.path, arguments, prints)
    checks: tuple[Check, ...] = (expect_run(script, cases), expect_modes({script: _MODE}))
    draw.rng.shuffle(ways)
    return Application(
        outputs=(script,),
        asks=words.asks,
        results=words.results,
        rules=words.rules,
        ways=tuple(ways),
        checks=checks,
        after=state.made(script, "shell-script", facts),
        done=words.done,
        slips=tuple(slips),
    )


def _write(state: State, script: str, body: str, *, executable: bool) -> str:
    command = f"cat > {sh(script)} <<'END'\n{body}\nEND"
    permit = f"\nchmod +x {sh(script)}" if executable else f"\nchmod 644 {sh(script)}"
    return mkdir_first(state, script, command) + permit


def _filled(script: str, field: int) -> str:
    return script.strip().replace("FIELD", str(field))


def _quoted(name: str) -> str:
    return f'"{name}"'


SKILLS = (
    *(
        PackSkill(name, "scripts", summary, COMMA_TABLES, "shell-script", apply)
        for name, summary, apply in (
            ("script-count-matching", "Write a script that counts rows with a given value.", count_matching),
            ("script-filter-by-argument", "Write a script that selects rows by an argument.", filter_by_argument),
            ("script-sum-column", "Write a script that sums a column.", sum_column),
        )
    ),
    PackSkill(
        "script-count-distinct",
        "scripts",
        "Write a script that counts distinct lines.",
        ("value-list", "text-excerpt", "text-edited"),
        "shell-script",
        count_distinct,
    ),
    PackSkill(
        "script-run",
        "scripts",
        "Run a script on a file and keep its output.",
        ("shell-script",),
        "text-report",
        run_script,
    ),
)
