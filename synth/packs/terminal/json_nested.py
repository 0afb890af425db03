"""Skills on nested JSON: flatten it, count what lies in each group."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_json, write_records
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_nesting import Objects, Shape, shape_of, tree_jq, tree_python
from trajmill.synth.packs.terminal.table_choice import brief, listed
from trajmill.synth.packs.terminal.table_ways import Words, applied


def flatten(state: State, draw: Draw) -> Application | None:
    """Make an array of flat objects out of the nested document."""
    shape = shape_of(state)
    if shape is None:
        return None
    return _flatten_groups(state, draw, shape.groups) if shape.groups else _flatten_items(state, draw, shape)


def _flatten_groups(state: State, draw: Draw, groups: Mapping[str, Objects]) -> Application | None:
    name = draw.pick([n for n in ("group", "category", "section", "key") if n not in next(iter(groups.values()))[0]])
    rows = [{name: key, **row} for key, members in groups.items() for row in members]
    output = place_output(state, draw, (f"{brief(state.focus.path)}_flat", "flat", "all_records"), ".json")
    written = write_records(state, output, rows, "json-records")
    words = Words(
        (
            f"flatten {{it}} into the JSON array `{output}`: one object per inner record, in file order, with the "
            f"outer key added as the field `{name}`",
            f"put the records of all groups in {{it}} into one JSON array, `{output}`, and add to each the name of "
            f"its group as `{name}`; keep the order of the file",
            f"dissolve the grouping in {{it}}: `{output}` is to be a flat JSON array of all records in file order, "
            f"each with an extra field `{name}` that holds the key it stood under",
            f"write one flat JSON array to `{output}` with every record of {{it}} in the order of the file, plus a "
            f"field `{name}` for the group it came from",
        ),
        (
            f"a flat JSON array of all records in {{it}}, in file order, each with its group's name as `{name}`",
            f"the records of every group in {{it}} as one array, with the outer key in the field `{name}`",
        ),
        (
            f"`{output}` holds {len(rows)} flat records from {len(groups)} groups",
            f"flattened {len(groups)} groups into {len(rows)} records in `{output}`",
        ),
    )
    program = draw.pick(
        (
            f"[to_entries[] | .key as $key | .value[] | {{{name}: $key}} + .]",
            f"to_entries | map(.key as $key | .value[] + {{{name}: $key}})",
        )
    )
    script = draw.pick(
        (
            f"result = [{{{literal(name)}: key, **row}} for key, rows in tree.items() for row in rows]",
            f"result = []\nfor key, rows in tree.items():\n    for row in rows:\n        "
            f"result.append({{{literal(name)}: key, **row}})",
            f"result = []\nfor key, rows in tree.items():\n    for row in rows:\n        row[{literal(name)}] = "
            f"key\n        result.append(row)",
        )
    )
    return applied(
        written,
        output,
        words,
        (
            tree_python(
                state,
                draw,
                output,
                script,
                f"Two nested loops, over {len(groups)} groups and their records, give the flat list.",
                "Python keeps the order of keys, so the groups come out as they stand in the file.",
                f"Each record only needs the outer key added as `{name}`.",
            ),
            tree_jq(
                state,
                output,
                program,
                "to_entries keeps the order of the file and gives me key and records together.",
                "I hold on to the key of each group while going through its records.",
                f"There are {len(groups)} outer keys; every record below gets its key as `{name}`.",
            ),
        ),
        (_merge_slip(state, output, name),),
    )


def _merge_slip(state: State, output: str, name: str) -> Slip:
    """The groups' lists joined without remembering the group."""
    target = sh(output)
    return Slip(
        command=mkdir_first(state, output, f"jq '[.[][]]' {sh(state.focus.path)} > {target}"),
        why=("Two levels of iteration reach all records.", "I collect everything below the groups in one array."),
        look=f"jq 'map(has({literal(name)})) | all' {target}",
        sign=r"\Afalse",
        remark=(
            f"The records have no `{name}`: the outer keys got lost. I must carry them along.",
            f"`{name}` is missing, so one cannot tell the groups apart any more.",
        ),
        tools=("jq",),
    )


def _flatten_items(state: State, draw: Draw, shape: Shape) -> Application | None:
    holder = shape.holder
    rows = [
        {**{k: v for k, v in row.items() if k != holder}, **{f"{holder}_{k}": v for k, v in row[holder].items()}}
        for row in shape.rows
    ]
    output = place_output(state, draw, (f"{brief(state.focus.path)}_flat", f"{shape.items}_flat", "flat"), ".json")
    written = write_records(state, output, rows, "json-records")
    inner = list(shape.rows[0][holder])
    example = f"`{holder}_{inner[0]}`"
    words = Words(
        (
            f"flatten the objects under `{shape.items}` in {{it}} into a JSON array, `{output}`: replace "
            f"`{holder}` by its fields, named like {example}, and keep all other fields",
            f"write the `{shape.items}` of {{it}} as a flat JSON array to `{output}`, with each field of "
            f"`{holder}` lifted to the top and its name prefixed with `{holder}_`",
            f"save a JSON array of flat objects in `{output}`, one per entry of `{shape.items}` in {{it}}; the "
            f"fields inside `{holder}` become {listed([f'{holder}_{k}' for k in inner])}",
            f"lift the contents of `{holder}` one level up in every entry of `{shape.items}` in {{it}} (prefix "
            f"`{holder}_`, `{holder}` itself removed) and store the flat array as JSON in `{output}`",
        ),
        (
            f"the entries of `{shape.items}` in {{it}} as a JSON array of flat objects, the fields of `{holder}` "
            f"renamed to `{holder}_` and their name",
            f"a flat JSON array of `{shape.items}` from {{it}}, where `{holder}` gave way to fields like {example}",
        ),
        (
            f"`{output}` holds {len(rows)} flat objects",
            f"flattened the {len(rows)} entries of `{shape.items}` into `{output}`",
        ),
    )
    items, held = literal(shape.items), literal(holder)
    script = draw.pick(
        (
            f"result = []\nfor item in tree[{items}]:\n    inner = item.pop({held})\n"
            f'    item.update({{f"{holder}_{{name}}": value for name, value in inner.items()}})\n    '
            f"result.append(item)",
            f"result = []\nfor item in tree[{items}]:\n    flat = {{name: value for name, value in item.items() if "
            f"name != {held}}}\n"
            f"    for name, value in item[{held}].items():\n        flat[{literal(holder + '_')} + name] = value\n "
            f"   result.append(flat)",
        )
    )
    program = draw.pick(
        (
            f'[.{shape.items}[] | del(.{holder}) + (.{holder} | with_entries(.key |= "{holder}_" + .))]',
            f'.{shape.items} | map((.{holder} | with_entries(.key = "{holder}_\\(.key)")) as $inner | '
            f"del(.{holder}) + $inner)",
        )
    )
    return applied(
        written,
        output,
        words,
        (
            tree_jq(
                state,
                output,
                program,
                f"with_entries can prefix the {len(inner)} names inside `{holder}` before I merge them in.",
                f"I drop `{holder}` from each entry and add its fields under new names.",
                "Only one level is nested, so a single merge per entry is enough.",
            ),
            tree_python(
                state,
                draw,
                output,
                script,
                f"For each of the {len(rows)} entries I copy the fields of `{holder}` up with a prefix.",
                f"`{holder}` has {len(inner)} fields; a loop lifts them and leaves the rest alone.",
                "Building each flat object by hand keeps the other fields as they are.",
            ),
        ),
    )


def count_groups(state: State, draw: Draw) -> Application | None:
    """Count the records in each group."""
    shape = shape_of(state)
    if shape is None or not shape.groups:
        return None
    value = {key: len(rows) for key, rows in shape.groups.items()}
    output = place_output(state, draw, ("group_sizes", f"{brief(state.focus.path)}_sizes", "counts"), ".json")
    written = write_json(state, output, value, "json-summary")
    words = Words(
        (
            f"count the records in each group of {{it}} and write a JSON object from group name to count to `{output}`",
            f"save a JSON object like the one in {{it}}, but with the length of each list in place of the list, as "
            f"`{output}`",
            f"write the sizes of the groups in {{it}} to `{output}`, as one JSON object with the same keys and "
            f"numbers for values",
            f"make a JSON object `{output}` that tells how many records stand under each outer key of {{it}}",
        ),
        (
            "a JSON object with the number of records under each outer key of {it}",
            "the size of every group in {it} as a JSON object, group name to count",
        ),
        (
            f"`{output}` gives the sizes of {len(value)} groups",
            f"counted {sum(value.values())} records in {len(value)} groups for `{output}`",
        ),
    )
    program = draw.pick(
        (
            "map_values(length)",
            "with_entries(.value |= length)",
            "to_entries | map({key, value: (.value | length)}) | from_entries",
        )
    )
    script = draw.pick(
        (
            "result = {key: len(rows) for key, rows in tree.items()}",
            "result = {}\nfor key in tree:\n    result[key] = len(tree[key])",
        )
    )
    return applied(
        written,
        output,
        words,
        (
            tree_jq(
                state,
                output,
                program,
                f"Each of the {len(value)} keys holds a list; its length is the count.",
                "I keep the keys and turn each list into its length.",
                "The outer object already has the right keys, only the values change.",
            ),
            tree_python(
                state,
                draw,
                output,
                script,
                "The length of every list is the wanted number.",
                f"A dictionary of {len(value)} lengths is quickly made.",
                "I load the document and measure the list under each key.",
            ),
        ),
    )


SKILLS = (
    PackSkill(
        "json-flatten-nested",
        "json",
        "Make an array of flat objects out of a nested document.",
        ("json-nested",),
        "json-records",
        flatten,
    ),
    PackSkill(
        "json-count-groups",
        "json",
        "Count the records in each group of a nested document.",
        ("json-nested",),
        "json-summary",
        count_groups,
    ),
)
