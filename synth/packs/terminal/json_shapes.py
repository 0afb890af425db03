"""Skills that give JSON records another shape: keyed by a field, one a line, or back as an array."""

from __future__ import annotations

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document, Records
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug, stem
from trajmill.synth.packs.outputs import literal, write_json, write_json_lines, write_lines, write_records
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    field_of,
    is_lines,
    jq_way,
    python_json_way,
    rows_of,
    tame,
    text_fields,
)
from trajmill.synth.packs.terminal.scenarios import JSON_ARRAYS
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def index_by_key(state: State, draw: Draw) -> Application | None:
    """Turn the array into an object that finds each record by a field whose values are all different."""
    rows = rows_of(state)
    if rows is None or len(rows[0]) < 2:
        return None
    keys = [k for k in text_fields(rows) if len({row[k] for row in rows}) == len(rows)]
    if not keys:
        return None
    name = draw.pick(keys)
    value: dict[str, Json] = {row[name]: dict(row) for row in rows}
    base = stem(state.focus.path)
    output = place_output(state, draw, (f"{base}_by_{slug(name)}", f"{base}_index", f"by_{slug(name)}"), ".json")
    written = write_json(state, output, value, "json-index")
    field, key = field_of(name), literal(name)
    words = Words(
        (
            f"index {{it}} by `{name}`: write a JSON object to `{output}` whose keys are the values of `{name}` "
            f"and whose values are the complete records",
            f"build `{output}`, one JSON object in which each record of {{it}}, with all its fields, stands under "
            f"its `{name}`",
            f"make the records of {{it}} quick to look up: `{output}` is to be a JSON object from `{name}` to the "
            f"whole record",
            f"turn the records of {{it}} into a lookup object keyed by `{name}` (values: the unchanged records) "
            f"and save it as JSON in `{output}`",
        ),
        (
            f"a JSON object that maps each `{name}` in {{it}} to its complete record",
            f"the records of {{it}} as one JSON object keyed by `{name}`, every record with all its fields",
        ),
        (
            f"`{output}` finds each of the {len(rows)} records by its `{name}`",
            f"indexed {len(rows)} records by `{name}` in `{output}`",
        ),
    )
    slurp = "-s " if is_lines(state) else ""
    target = sh(output)
    slip = Slip(
        command=mkdir_first(state, output, f"jq {slurp}'group_by({field})' {sh(state.focus.path)} > {target}"),
        why=(
            f"group_by on `{name}` arranges the records by key.",
            f"Grouping by `{name}` should give one entry per value.",
        ),
        look=f"jq -r type {target}",
        sign=r"\Aarray",
        remark=(
            "It is still an array: grouping does not make keys. I need an object.",
            f"An array of groups has no keys to look up. The `{name}` must become the key.",
        ),
        tools=("jq",),
    )
    return applied(
        written,
        output,
        words,
        (
            jq_way(
                state,
                draw,
                output,
                draw.pick(
                    (
                        f"map({{({field}): .}}) | add",
                        f"INDEX({field})",
                        f"reduce .[] as $row ({{}}; .[$row{field}] = $row)",
                        f"map({{key: {field}, value: .}}) | from_entries",
                    )
                ),
                (
                    f"Each `{name}` occurs once, so it can serve as the key.",
                    f"I key every record by its `{name}` and merge them into one object.",
                    f"`{name}` is text and different in all {len(rows)} records, fit to be the key.",
                ),
            ),
            python_json_way(
                state,
                draw,
                output,
                draw.pick(
                    (
                        f"result = {{row[{key}]: row for row in rows}}",
                        f"result = {{}}\nfor row in rows:\n    result[row[{key}]] = row",
                    )
                ),
                (
                    f"A dictionary from `{name}` to the record is exactly the shape wanted.",
                    f"The values of `{name}` are all different, so no record gets lost in a dictionary.",
                    f"I load the {len(rows)} records and key them by `{name}`.",
                ),
            ),
        ),
        (slip,),
    )


def index_to_records(state: State, draw: Draw) -> Application | None:
    """Turn an object of records back into an array, in order of the keys."""
    value = _index(state)
    if value is None:
        return None
    rows = [value[key] for key in sorted(value)]
    base = stem(state.focus.path)
    output = place_output(state, draw, (f"{base}_list", f"{base}_records", "entries"), ".json")
    written = write_records(state, output, rows, "json-records")
    source = state.focus.path
    words = Words(
        (
            f"turn {{it}} back into a JSON array in `{output}`: only the records, without the outer keys, in code "
            f"point order of those keys",
            f"collect the records in {{it}} in the JSON array `{output}`, sorted by the key they stand under (code "
            f"point order), the keys themselves left out",
            f"write the values of the object in {{it}} as a JSON array to `{output}`, arranged by their keys in "
            f"ascending code point order",
            f"unpack the lookup object in {{it}} to a plain JSON array, `{output}`, with the records in code point "
            f"order of their keys",
        ),
        (
            "a JSON array of the records in {it}, in code point order of their keys",
            "the values of {it} as a JSON array, sorted by key (code point order)",
        ),
        (f"`{output}` is an array of {len(rows)} records", f"unpacked {len(rows)} records into `{output}`"),
    )
    quoted = literal(source)
    script = draw.pick(
        (
            f"import json\n\nindex = json.load(open({quoted}))\nrows = [index[key] for key in sorted(index)]\n"
            f'with open({literal(output)}, "w") as out:\n    json.dump(rows, out, indent=2)\n    out.write("\\n")',
            f"import json\nfrom pathlib import Path\n\nindex = json.loads(Path({quoted}).read_text())\n"
            f"rows = [record for _, record in sorted(index.items())]\n"
            f'Path({literal(output)}).write_text(json.dumps(rows, indent=2) + "\\n")',
        )
    )
    program = draw.pick(("to_entries | sort_by(.key) | map(.value)", ". as $all | [keys[] | $all[.]]", "[.[keys[]]]"))
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
                f"jq '{program}' {sh(source)} > {sh(output)}",
                f"The object has {len(value)} keys; I take the values in sorted order of the keys.",
                "Sorting the entries by key and dropping the keys leaves the array.",
                "jq sorts keys by code point, which is the order wanted.",
            ),
            python_act(
                state,
                output,
                script,
                "Python sorts text by code point, so sorted keys give the right order.",
                f"I go through the {len(value)} keys in order and keep what stands under each.",
                "Only the values matter for the array; the keys just decide the order.",
            ),
        ),
    )


def index_keys(state: State, draw: Draw) -> Application | None:
    """List the keys of an object, sorted."""
    value = _index(state)
    if value is None or not all(key == key.strip() and key.isprintable() for key in value):
        return None
    keys = sorted(value)
    output = place_output(state, draw, (f"{stem(state.focus.path)}_keys", "keys", "key_list"), ".txt")
    written = write_lines(state, draw, output, keys, "sorted-list")
    words = Words(
        (
            f"list the top-level keys of {{it}} in `{output}`, one per line, in code point order",
            f"write every key of the outer object in {{it}} on a line of its own to `{output}`, sorted by code point",
            f"save a plain text list `{output}` of the keys under which {{it}} keeps its records, bare and sorted "
            f"(C locale), one a line",
            f"extract the outermost keys from {{it}} to `{output}`: one key a line without quotes, in ascending "
            f"code point order",
        ),
        (
            "the top-level keys of {it}, one per line, in code point order",
            "a sorted list (code point order) of the outermost keys in {it}, one a line",
        ),
        (f"`{output}` lists the {len(keys)} keys", f"listed {len(keys)} keys in order in `{output}`"),
    )
    source, target = sh(state.focus.path), sh(output)
    slip = Slip(
        command=mkdir_first(state, output, f"jq 'keys[]' {source} > {target}"),
        why=("keys gives all keys in order.", "jq can print the keys one by one."),
        look=f"head -n 3 {target}",
        sign=r'\A"',
        remark=(
            "The keys are still in JSON quotes; they should be bare.",
            "Quotes around every line: I have to print the text raw.",
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
                        f"jq -r 'keys[]' {source} > {target}",
                        f"jq -r 'to_entries[].key' {source} | LC_ALL=C sort > {target}",
                        f"jq -r 'keys_unsorted[]' {source} | LC_ALL=C sort > {target}",
                    )
                ),
                "I print the keys raw, so that no quotes end up in the list.",
                f"The {len(keys)} keys go one to a line, in code point order.",
                "Only the outer object matters; the records inside stay out.",
            ),
            python_act(
                state,
                output,
                f"import json\n\nindex = json.load(open({literal(state.focus.path)}))\n"
                f'with open({literal(output)}, "w") as out:\n'
                + draw.pick(
                    (
                        "    for key in sorted(index):\n        print(key, file=out)",
                        '    out.writelines(f"{key}\\n" for key in sorted(index))',
                    )
                ),
                f"Iterating over a dictionary yields its {len(keys)} keys; sorted() orders them by code point.",
                "The list needs only the keys, so I load the object and print them in order.",
                "Printing from Python leaves the keys bare.",
            ),
        ),
        (slip,),
    )


def to_lines(state: State, draw: Draw) -> Application | None:
    """Write the objects of an array one a line."""
    rows = rows_of(state)
    if rows is None:
        return None
    output = place_output(
        state,
        draw,
        (stem(state.focus.path), f"{stem(state.focus.path)}_lines"),
        draw.pick((".jsonl", ".jsonl", ".ndjson")),
    )
    written = write_json_lines(state, output, [dict(r) for r in rows], "json-lines")
    source, target = sh(state.focus.path), sh(output)
    words = Words(
        (
            f"convert the array in {{it}} to JSON Lines: one object per line, in the same order, in `{output}`",
            f"write each object of {{it}} on a single line of its own to `{output}` (JSON Lines, order unchanged, "
            f"no enclosing array)",
            f"save {{it}} as newline-delimited JSON in `{output}`, one complete object a line and the order kept",
            f"split the JSON array of {{it}} into lines: `{output}` gets one whole object per line, in array order",
        ),
        (
            "the objects of {it} as JSON Lines, one per line in the same order",
            "a newline-delimited JSON version of {it}, one complete object a line",
        ),
        (f"`{output}` has {len(rows)} lines, one object each", f"wrote {len(rows)} objects one a line to `{output}`"),
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
                    f"I load the array and print its {len(rows)} objects one a line.",
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
    output = place_output(state, draw, (stem(state.focus.path), f"{stem(state.focus.path)}_array"), ".json")
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
                        "One object a line needs only commas between the lines and brackets around them.",
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


def _index(state: State) -> dict[str, dict[str, Json]] | None:
    facts = state.focus.facts
    if not isinstance(facts, Document) or not isinstance(facts.value, dict) or len(facts.value) < 2:
        return None
    return (
        facts.value if all(isinstance(v, dict) for v in facts.value.values()) and all(map(tame, facts.value)) else None
    )


SKILLS = (
    PackSkill(
        "json-index-by-key",
        "json",
        "Turn a JSON array into an object keyed by a field.",
        (*JSON_ARRAYS, "json-lines"),
        "json-index",
        index_by_key,
    ),
    PackSkill(
        "json-index-to-records",
        "json",
        "Turn an object of records into an array in order of the keys.",
        ("json-index",),
        "json-records",
        index_to_records,
    ),
    PackSkill(
        "json-index-keys", "json", "List the sorted keys of a JSON object.", ("json-index",), "sorted-list", index_keys
    ),
    PackSkill(
        "json-to-lines", "json", "Write the objects of a JSON array one a line.", JSON_ARRAYS, "json-lines", to_lines
    ),
    PackSkill(
        "lines-to-json", "json", "Collect JSON Lines in one array.", ("json-lines",), "json-records", lines_to_array
    ),
)
