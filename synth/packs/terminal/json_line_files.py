"""Skills between a JSON array and JSON Lines."""

from __future__ import annotations

from trajmill.synth.packs.facts import Records
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_json_lines, write_records
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    python_json_way,
    rows_of,
)
from trajmill.synth.packs.terminal.scenarios import JSON_ARRAYS
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act


def to_lines(state: State, draw: Draw) -> Application | None:
    """Write the objects of an array one per line."""
    rows = rows_of(state)
    if rows is None:
        return None
    output = place_output(
        state,
        draw,
        (brief(state.focus.path), f"{brief(state.focus.path)}_lines"),
        draw.pick((".jsonl", ".jsonl", ".ndjson")),
    )
    written = write_json_lines(state, output, [dict(r) for r in rows], "json-lines")
    source, target = sh(state.focus.path), sh(output)
    words = Words(
        (
            f"convert the array in {{it}} to JSON Lines: one object per line, in the same order, in `{output}`",
            f"write each object of {{it}} on a single line of its own to `{output}` (JSON Lines, order unchanged, "
            f"no enclosing array)",
            f"save {{it}} as newline-delimited JSON in `{output}`, one complete object per line and the order kept",
            f"split the JSON array of {{it}} into lines: `{output}` gets one whole object per line, in array order",
        ),
        (
            "the objects of {it} as JSON Lines, one per line in the same order",
            "a newline-delimited JSON version of {it}, one complete object per line",
        ),
        (f"`{output}` has {len(rows)} lines, one object each", f"wrote {len(rows)} objects one per line to `{output}`"),
    )
    quoted = literal(output)
    slip = Slip(
        command=mkdir_first(state, output, f"jq '.[]' {source} > {target}"),
        why=("Iterating over the array prints the objects one after another.", "jq takes the array apart for me."),
        look=f"head -n 2 {target}",
        sign=r"\A\{\s*\n",
        remark=(
            "The objects are spread over several lines. Each must fit on one, so compact output is needed.",
            "A line with only a brace: this is pretty-printed. I need one line per object.",
        ),
        tools=("jq",),
    )
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                draw.pick(
                    (
                        f"jq -c '.[]' {source} > {target}",
                        f"jq --compact-output '.[]' < {source} > {target}",
                        f"cat {source} | jq -c '.[]' > {target}",
                    )
                ),
                f"Compact output puts each of the {len(rows)} objects on one line.",
                "Taking the array apart with compact printing is all that is needed.",
                "The order of an array is kept when its elements are printed one by one.",
            ),
            python_json_way(
                state,
                draw,
                output,
                f'with open({quoted}, "w") as out:\n    for row in rows:\n        '
                + draw.pick(
                    ('out.write(json.dumps(row, ensure_ascii=False) + "\\n")', "print(json.dumps(row), file=out)")
                ),
                (
                    "json.dumps writes an object on one line by default.",
                    f"I load the array and print its {len(rows)} objects one per line.",
                    "A loop over the array with one dump per line keeps the order.",
                ),
                writes=True,
            ),
        ),
        (slip,),
    )


def lines_to_array(state: State, draw: Draw) -> Application | None:
    """Collect the objects of JSON Lines in one array."""
    facts = state.focus.facts
    if not isinstance(facts, Records) or len(facts.rows) < 2:
        return None
    count = len(facts.rows)
    output = place_output(state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_array"), ".json")
    written = write_records(state, output, [dict(r) for r in facts.rows], "json-records")
    source, target = sh(state.focus.path), sh(output)
    words = Words(
        (
            f"collect the objects of {{it}} in one JSON array, in file order, and save it as `{output}`",
            f"convert {{it}} from one object per line to a single JSON array in `{output}`, order unchanged",
            f"wrap the records of {{it}} into an array so that `{output}` is one valid JSON document with the "
            f"records in their order",
            f"make an ordinary JSON file out of {{it}}: `{output}` holds an array of all its objects in the order "
            f"of the lines",
        ),
        (
            "all objects of {it} in one JSON array, in file order",
            "a single JSON array with the records of {it} in the order of the lines",
        ),
        (f"`{output}` is an array of {count} objects", f"collected {count} lines in the array `{output}`"),
    )
    slip = Slip(
        command=mkdir_first(state, output, f"jq . {source} > {target}"),
        why=("jq reads all the objects and prints them again.", "jq accepts several objects in one file."),
        look=f"jq -r type {target} | sort | uniq -c",
        sign=rf"\A\s*{count} object",
        remark=(
            f"{count} separate objects came out, not one array. They have to be slurped together.",
            "The result should be a single array; this is still a row of objects.",
        ),
        tools=("jq",),
    )
    joined = f"{{ echo '['; sed '$!s/$/,/' {source}; echo ']'; }} > {target}"
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                draw.pick(
                    (
                        f"jq -s . {source} > {target}",
                        f"jq --slurp '.' < {source} > {target}",
                        f"jq -n '[inputs]' {source} > {target}",
                    )
                ),
                f"Slurping reads the {count} objects into one array.",
                "Every line is an object of its own; reading them all together gives the array.",
                "jq can gather the stream of objects into an array in file order.",
            ),
            python_json_way(
                state,
                draw,
                output,
                "",
                (
                    f"Each of the {count} lines parses by itself; a list of them is the array.",
                    "I parse line by line and dump the list as one document.",
                    "Reading lines keeps the order, so the list can be dumped as it is.",
                ),
            ),
            *(
                (
                    one_act(
                        state,
                        output,
                        "sed",
                        ("sed",),
                        joined,
                        "One object per line needs only commas between the lines and brackets around them.",
                        "A comma after every line but the last, and brackets around, make it an array.",
                        f"The {count} lines are whole objects, so I can join them as text.",
                    ),
                )
                if state.exact(state.focus.path)
                else ()
            ),
        ),
        (slip,),
    )


SKILLS = (
    PackSkill(
        "json-to-lines", "json", "Write the objects of a JSON array one per line.", JSON_ARRAYS, "json-lines", to_lines
    ),
    PackSkill(
        "lines-to-json",
        "json",
        "Collect JSON Lines in one array.",
        ("json-lines",),
        "json-records",
        lines_to_array,
        not_after=("json-to-lines",),
    ),
)
