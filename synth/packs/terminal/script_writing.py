"""Scripts that compute a figure from a file; and running a script on a file."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from decimal import Decimal

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Script
from trajmill.synth.packs.naming import place_output, sh, slug, stem
from trajmill.synth.packs.outputs import awkable, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.script_making import case_of, parts_of, plain_rule, script_command, scripted
from trajmill.synth.packs.terminal.table_choice import (
    decimals_words,
    fixed,
    numbers,
    places,
    summable_columns,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act
from trajmill.synth.packs.terminal.text_lists import lines_of


def sum_column(state: State, draw: Draw) -> Application | None:
    """A script that prints the sum of a column."""
    table = table_of(state)
    columns = summable_columns(table) if table is not None and awkable(state) else []
    if table is None or not columns:
        return None
    name = draw.pick(columns).name
    at, digits = table.index(name), places(table.column(name))
    script = place_output(state, draw, (f"sum_{slug(name)}", f"add_{slug(name)}", "column_sum"), ".sh")
    cases = [
        case_of([path], path, data, fixed(sum(numbers(part, name), Decimal(0)), digits))
        for path, part, data in parts_of(table, draw)
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
            f"the file is its only argument, the output is just that total {form}",
        ),
        (
            f"an executable Bash script that prints the sum of `{name}` ({form}) of the CSV file given as "
            f"argument, laid out like {{it}}",
        ),
        (
            f"`{script}` sums `{name}`; for the present file it prints {total}",
            f"wrote `{script}` and made it executable",
        ),
        (*plain_rule(draw), "A file without data rows gives a sum of zero, in the same form."),
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
    command = script_command(state, script, bodies[0][1], executable=False)
    slip = Slip(
        command=command,
        why=("The script is one awk command in a file.", f"I put the sum over field {n} into the script."),
        look=f"./{script} {sh(state.focus.path)}",
        sign=r"Permission denied",
        remark=(
            "It cannot be executed: the permission is missing.",
            "I wrote the file but forgot to make it executable.",
        ),
    )
    return scripted(state, draw, script, words, bodies, whys, cases, (), (total,), (slip,))


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
            case_of([f"part{number}.txt"], f"part{number}.txt", "".join(f"{v}\n" for v in part), str(len(set(part))))
        )
    cases.append(case_of(["empty.txt"], "empty.txt", "", "0"))
    total = str(len(set(lines)))
    words = Words(
        (
            f"write an executable Bash script `{script}` that prints how many different lines the text file given "
            f"as its argument has (lines as in {{it}})",
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
                command=script_command(state, script, '#!/bin/bash\nuniq "$1" | wc -l', executable=True),
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
    return scripted(state, draw, script, words, bodies, whys, cases, (), (total,), slips)


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


def _quoted(name: str) -> str:
    return f'"{name}"'


SKILLS = (
    PackSkill(
        "script-sum-column", "scripts", "Write a script that sums a column.", COMMA_TABLES, "shell-script", sum_column
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
