"""Skills between a JSON array and an object keyed by a field."""

from __future__ import annotations

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug
from trajmill.synth.packs.outputs import literal, write_json, write_lines, write_records
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
from trajmill.synth.packs.terminal.table_choice import brief
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
    base = brief(state.focus.path)
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
    base = brief(state.focus.path)
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
    output = place_output(state, draw, (f"{brief(state.focus.path)}_keys", "keys", "key_list"), ".txt")
    written = write_lines(state, draw, output, keys, "sorted-list")
    words = Words(
        (
            f"list the top-level keys of {{it}} in `{output}`, one per line, in code point order",
            f"write every key of the outer object in {{it}} on a line of its own to `{output}`, sorted by code point",
            f"save a plain text list `{output}` of the keys under which {{it}} keeps its records, bare and sorted "
            f"(C locale), one per line",
            f"extract the outermost keys from {{it}} to `{output}`: one key per line without quotes, in ascending "
            f"code point order",
        ),
        (
            "the top-level keys of {it}, one per line, in code point order",
            "a sorted list (code point order) of the outermost keys in {it}, one per line",
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
                f"The {len(keys)} keys go one per line, in code point order.",
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
)
