"""Skills on JSON Lines in which some lines are broken: name them, or keep what is whole."""

from __future__ import annotations

from trajmill.schemas.content.json_exact import parse_value
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, python_way, write_json_lines, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def find_broken(state: State, draw: Draw) -> Application | None:
    """Write the numbers of the lines that are no JSON."""
    lines = _lines(state)
    broken = [n for n, line in enumerate(lines, 1) if not _whole(line)]
    if not broken or len(broken) == len(lines):
        return None
    output = place_output(state, draw, ("broken_lines", f"{brief(state.focus.path)}_broken", "bad_lines"), ".txt")
    written = write_lines(state, draw, output, [f"line {n}" for n in broken], "text-report")
    words = Words(
        (
            f"check {{it}} line by line and report in `{output}` which lines are not valid JSON, one per line in "
            f"the form `line 7`, counted from 1 and in order",
            f"write the numbers of all lines of {{it}} that do not parse as JSON to `{output}`; each entry reads "
            f"`line N`, with N counted from 1, in ascending order",
            f"find the broken lines of {{it}} and list them in `{output}`, one per line and in file order, each "
            f"written as the word `line`, a space and its number (the first line is 1)",
            f"make a short report `{output}` of the lines in {{it}} that are not valid JSON: one entry `line N` for "
            f"each, N starting at 1, ascending",
        ),
        (
            "the numbers of the lines in {it} that are not valid JSON, each as `line N` (counted from 1), in order",
            "a report of the broken lines of {it}, one `line N` per line in ascending order",
        ),
        (
            f"`{output}` names the {len(broken)} broken {'line' if len(broken) == 1 else 'lines'} out of {len(lines)}",
            f"found {len(broken)} broken {'line' if len(broken) == 1 else 'lines'} among {len(lines)} and listed "
            f"{'it' if len(broken) == 1 else 'them'} in `{output}`",
        ),
    )
    source, target = literal(state.focus.path), literal(output)
    script = draw.pick(
        (
            f'import json\n\nwith open({source}) as f, open({target}, "w") as out:\n    for number, line in '
            f"enumerate(f, 1):\n"
            '        try:\n            json.loads(line)\n        except ValueError:\n            print("line", '
            "number, file=out)",
            "import json\n\n\ndef whole(line):\n    try:\n        json.loads(line)\n    except "
            "json.JSONDecodeError:\n        return False\n    return True\n\n\n"
            f"lines = open({source}).read().splitlines()\nbroken = [n for n, line in enumerate(lines, 1) if not "
            f"whole(line)]\n"
            f'with open({target}, "w") as out:\n    out.writelines(f"line {{n}}\\n" for n in broken)',
        )
    )
    program = draw.pick(
        (
            'select(try (fromjson | false) catch true) | "line \\(input_line_number)"',
            'try (fromjson | empty) catch "line \\(input_line_number)"',
        )
    )
    return applied(
        written,
        output,
        words,
        (
            python_act(
                state,
                output,
                script,
                f"Parsing each of the {len(lines)} lines by itself shows which ones fail, without stopping at the "
                f"first.",
                "One try per line: where the parser complains, I note the number.",
                "A broken line must not end the search, so I catch the error line by line.",
            ),
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                f"jq -R -r '{program}' {sh(state.focus.path)} > {sh(output)}",
                "Reading raw lines and parsing each inside a try finds all the broken ones.",
                "With raw input jq goes on after a failure and still knows the line number.",
                f"I let jq test all {len(lines)} lines one at a time.",
            ),
        ),
        _zero_slip(state, output, broken[0]),
    )


def _zero_slip(state: State, output: str, first: int) -> tuple[Slip, ...]:
    """Line numbers counted from 0."""
    script = (
        f'import json\n\nwith open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n'
        "    for number, line in enumerate(f):\n        try:\n            json.loads(line)\n"
        '        except ValueError:\n            print(f"line {number}", file=out)'
    )
    number = f"awk '{{ sub(/line /, \"\"); print; exit }}' {sh(output)}"
    look = (
        f'sed -n "$({number})p" {sh(state.focus.path)} | python3 -c \'import json, sys; '
        f'json.loads(sys.stdin.read()); print("valid")\' 2>&1 | tail -n 1'
    )
    return (
        Slip(
            command=mkdir_first(state, output, python_way(script)),
            why=(
                "I parse line by line and note the numbers of the failures.",
                "A loop with a try shows which lines fail.",
            ),
            look=look,
            sign=r"\Avalid",
            remark=(
                "The first line I listed is fine: the numbers are off by one, because the count began at 0.",
                f"That line parses. Counting has to start at 1, so the first broken one is line {first}.",
            ),
            tools=("python3", "awk", "sed"),
        ),
    )


def repair(state: State, draw: Draw) -> Application | None:
    """Keep the lines that are whole."""
    lines = _lines(state)
    rows: list[dict[str, Json]] = [parse_value(line) for line in lines if _whole(line)]
    if len(rows) < 3 or len(rows) == len(lines) or not all(isinstance(r, dict) for r in rows):
        return None
    output = place_output(
        state, draw, (f"{brief(state.focus.path)}_clean", f"{brief(state.focus.path)}_valid", "repaired"), ".jsonl"
    )
    written = write_json_lines(state, output, rows, "json-lines")
    gone = len(lines) - len(rows)
    words = Words(
        (
            f"drop the lines of {{it}} that are not valid JSON and save the others, in order, as JSON Lines in "
            f"`{output}`",
            f"copy every line of {{it}} that parses as JSON to `{output}`, one object per line in the same order, "
            f"and leave the damaged lines out",
            f"make a clean version of {{it}} called `{output}`: JSON Lines with the valid records only, their "
            f"order kept",
            f"rescue what can be read from {{it}}: all records whose line is valid JSON go to `{output}`, one per "
            f"line and in order, the broken lines are left out",
        ),
        (
            "the valid records of {it} as JSON Lines, in order, without the broken lines",
            "a copy of {it} reduced to the lines that are valid JSON",
        ),
        (
            f"`{output}` keeps {len(rows)} of {len(lines)} lines; {gone} broken "
            f"{'one was' if gone == 1 else 'ones were'} dropped",
            f"saved the {len(rows)} whole records as `{output}`",
        ),
    )
    source, target = literal(state.focus.path), literal(output)
    script = draw.pick(
        (
            f'import json\n\nwith open({source}) as f, open({target}, "w") as out:\n    for line in f:\n        try:\n'
            "            json.loads(line)\n        except ValueError:\n            continue\n        out.write(line)",
            f"import json\n\nkept = []\nfor line in open({source}):\n    try:\n        kept.append(json.loads(line))\n"
            f"    except json.JSONDecodeError:\n        pass\n"
            f'with open({target}, "w") as out:\n    for record in kept:\n        print(json.dumps(record, '
            f"ensure_ascii=False), file=out)",
        )
    )
    good = next(i for i, line in enumerate(lines) if not _whole(line))
    slip = Slip(
        command=mkdir_first(
            state, output, f"jq -c . {sh(state.focus.path)} > {sh(output)} 2> /dev/null; wc -l < {sh(output)}"
        ),
        why=(
            "jq reads JSON Lines and can print every record compactly.",
            "Passing the file through jq leaves valid JSON only.",
        ),
        sign=r"\A\s*\d+\b",
        remark=(
            f"jq stopped at the damage: there are {len(rows)} whole lines, far from what came out. Each line must "
            f"be tried by itself.",
            "The first broken line ended the run, and everything after it is missing. I need to go on past it.",
        ),
        tools=("jq",),
    )
    return applied(
        written,
        output,
        words,
        (
            python_act(
                state,
                output,
                script,
                f"I try to parse each of the {len(lines)} lines and skip those that fail.",
                "A try around every line keeps the good ones and passes over the rest.",
                "Line by line the damage stays local, so nothing else gets lost.",
            ),
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                draw.pick(
                    (
                        f"jq -R -c 'fromjson?' {sh(state.focus.path)} > {sh(output)}",
                        f"jq -R -c 'try fromjson catch empty' {sh(state.focus.path)} > {sh(output)}",
                        f"jq -c -R '. as $line | try ($line | fromjson) catch empty' < {sh(state.focus.path)} > "
                        f"{sh(output)}",
                    )
                ),
                "Raw input with a tolerant parse per line passes over the broken ones.",
                "Parsing each raw line in a try drops only what cannot be read.",
                "jq would stop at a broken line unless every line is parsed on its own.",
            ),
        ),
        (slip,) if good * 2 < len(rows) else (),
    )


def _lines(state: State) -> tuple[str, ...]:
    facts = state.focus.facts
    return facts.lines if isinstance(facts, Lines) else ()


def _whole(line: str) -> bool:
    try:
        parse_value(line)
    except ContentError:
        return False
    return True


SKILLS = (
    PackSkill(
        "json-lines-find-broken",
        "json",
        "Report which lines of a JSON Lines file are not valid JSON.",
        ("json-lines-torn",),
        "text-report",
        find_broken,
    ),
    PackSkill(
        "json-lines-repair",
        "json",
        "Keep the valid lines of a JSON Lines file.",
        ("json-lines-torn",),
        "json-lines",
        repair,
    ),
)
