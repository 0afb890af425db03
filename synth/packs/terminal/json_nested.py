"""Skills on nested JSON: flatten it, pull values out along a path, count what lies in each group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug, stem
from trajmill.synth.packs.outputs import literal, write_json, write_lines, write_records
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_lists import line_like
from trajmill.synth.packs.terminal.json_ways import (
    dump_result,
    field_of,
    is_label,
    number_fields,
    one_spelling,
    spelled,
    tame,
    text_fields,
)
from trajmill.synth.packs.terminal.table_choice import listed
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act

Objects = list[Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class _Shape:
    """What kind of nesting a document has: groups of lists, or items with an object of figures."""

    groups: Mapping[str, Objects] | None = None
    items: str = ""
    holder: str = ""
    rows: tuple[Mapping[str, Json], ...] = ()
    """For items: the objects as they are."""


def flatten(state: State, draw: Draw) -> Application | None:
    """Make an array of flat objects out of the nested document."""
    shape = _shape(state)
    if shape is None:
        return None
    return _flatten_groups(state, draw, shape.groups) if shape.groups else _flatten_items(state, draw, shape)


def _flatten_groups(state: State, draw: Draw, groups: Mapping[str, Objects]) -> Application | None:
    name = draw.pick([n for n in ("group", "category", "section", "key") if n not in next(iter(groups.values()))[0]])
    rows = [{name: key, **row} for key, members in groups.items() for row in members]
    output = place_output(state, draw, (f"{stem(state.focus.path)}_flat", "flat", "all_records"), ".json")
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
            _python(
                state,
                draw,
                output,
                script,
                f"Two nested loops, over {len(groups)} groups and their records, give the flat list.",
                "Python keeps the order of keys, so the groups come out as they stand in the file.",
                f"Each record only needs the outer key added as `{name}`.",
            ),
            _jq(
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


def _flatten_items(state: State, draw: Draw, shape: _Shape) -> Application | None:
    holder = shape.holder
    rows = [
        {**{k: v for k, v in row.items() if k != holder}, **{f"{holder}_{k}": v for k, v in row[holder].items()}}
        for row in shape.rows
    ]
    output = place_output(state, draw, (f"{stem(state.focus.path)}_flat", f"{shape.items}_flat", "flat"), ".json")
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
            _jq(
                state,
                output,
                program,
                f"with_entries can prefix the {len(inner)} names inside `{holder}` before I merge them in.",
                f"I drop `{holder}` from each entry and add its fields under new names.",
                "Only one level is nested, so a single merge per entry is enough.",
            ),
            _python(
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


def extract_texts(state: State, draw: Draw) -> Application | None:
    """Write the texts at one path, one a line."""
    return _extracted(state, draw, numbers=False)


def extract_figures(state: State, draw: Draw) -> Application | None:
    """Write the numbers at one path, one a line."""
    return _extracted(state, draw, numbers=True)


@dataclass(frozen=True, slots=True)
class _Route:
    """How to reach a field of every inner object."""

    shown: str
    program: str
    loops: str
    values: tuple[Json, ...]
    name: str


def _extracted(state: State, draw: Draw, *, numbers: bool) -> Application | None:
    shape = _shape(state)
    routes = _routes(shape, numbers) if shape else []
    if not routes:
        return None
    route = draw.pick(routes)
    values = [spelled(v) for v in route.values]
    output = place_output(
        state, draw, (f"{slug(route.name)}_list", slug(route.name), f"all_{slug(route.name)}"), ".txt"
    )
    written = write_lines(state, draw, output, values, "number-list" if numbers else "value-list")
    noun = "number" if numbers else "value"
    words = Words(
        (
            f"extract `{route.name}` of {route.shown} in {{it}} to the text file `{output}`, one {noun} per line "
            f"in file order, repeats included",
            f"write the {noun}s of `{route.name}` in {route.shown} of {{it}} to `{output}`: plain, one a line, in "
            f"the order of the file, none left out",
            f"list `{route.name}` for {route.shown} in {{it}}, a line each and without quotes, in `{output}`; file "
            f"order, repeats kept",
            f"gather `{route.name}` from {route.shown} of {{it}} into `{output}`, one bare {noun} a line, in file "
            f"order with all repeats",
        ),
        (
            f"`{route.name}` of {route.shown} in {{it}}, one {noun} per line in file order, repeats included",
            f"a plain list of the {noun}s of `{route.name}` in {route.shown} of {{it}}",
        ),
        (
            f"`{output}` lists {len(values)} {noun}s of `{route.name}`",
            f"extracted {len(values)} {noun}s of `{route.name}` to `{output}`",
        ),
    )
    quoted = literal(output)
    script = f'with open({quoted}, "w") as out:\n' + "\n".join(f"    {line}" for line in route.loops.splitlines())
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
                f"jq -r '{route.program}' {sh(state.focus.path)} > {sh(output)}",
                f"One path expression reaches `{route.name}` in every place.",
                f"I follow the nesting down to `{route.name}` and print it raw.",
                f"The file order is kept when I iterate down to `{route.name}`.",
            ),
            _python(
                state,
                draw,
                output,
                script,
                f"Plain loops follow the nesting down to `{route.name}`.",
                f"I walk through the document and print each `{route.name}`.",
                f"Loading the document and looping to `{route.name}` keeps the order.",
                writes=True,
            ),
        ),
    )


def _routes(shape: _Shape, numbers: bool) -> list[_Route]:
    if shape.groups:
        rows = tuple(row for members in shape.groups.values() for row in members)
        return [
            _Route(
                "every record",
                f".[][] | {field_of(name)}",
                f"for rows in tree.values():\n    for row in rows:\n        print(row[{literal(name)}], file=out)",
                tuple(row[name] for row in rows),
                name,
            )
            for name in _usable(rows, numbers)
        ]
    items = literal(shape.items)
    inner = tuple(row[shape.holder] for row in shape.rows)
    if numbers:
        return [
            _Route(
                f"`{shape.holder}` in every entry of `{shape.items}`",
                f".{shape.items}[].{shape.holder}{field_of(name).replace('.[', '[', 1)}",
                f"for item in tree[{items}]:\n    print(item[{literal(shape.holder)}][{literal(name)}], file=out)",
                tuple(row[name] for row in inner),
                name,
            )
            for name in _usable(inner, numbers)
        ]
    outer = tuple({k: v for k, v in row.items() if k != shape.holder} for row in shape.rows)
    return [
        _Route(
            f"every entry of `{shape.items}`",
            f".{shape.items}[] | {field_of(name)}",
            f"for item in tree[{items}]:\n    print(item[{literal(name)}], file=out)",
            tuple(row[name] for row in outer),
            name,
        )
        for name in _usable(outer, numbers)
    ]


def _usable(rows: tuple[Mapping[str, Json], ...], numbers: bool) -> list[str]:
    if not rows or not rows[0]:
        return []
    if numbers:
        names = [n for n in number_fields(rows) if not is_label(n) and all(one_spelling(r[n]) for r in rows)]
    else:
        names = [n for n in text_fields(rows) if all(line_like(r[n]) for r in rows)]
    return [n for n in names if len({r[n] for r in rows}) > 2]


def count_groups(state: State, draw: Draw) -> Application | None:
    """Count the records in each group."""
    shape = _shape(state)
    if shape is None or not shape.groups:
        return None
    value = {key: len(rows) for key, rows in shape.groups.items()}
    output = place_output(state, draw, ("group_sizes", f"{stem(state.focus.path)}_sizes", "counts"), ".json")
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
            _jq(
                state,
                output,
                program,
                f"Each of the {len(value)} keys holds a list; its length is the count.",
                "I keep the keys and turn each list into its length.",
                "The outer object already has the right keys, only the values change.",
            ),
            _python(
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


def _shape(state: State) -> _Shape | None:
    facts = state.focus.facts
    value = facts.value if isinstance(facts, Document) else None
    if not isinstance(value, dict) or not value:
        return None
    if all(isinstance(v, list) and v and all(_same_flat(v[0], m) for m in v) for v in value.values()):
        first = next(iter(value.values()))[0]
        alike = all(set(v[0]) == set(first) for v in value.values())
        return _Shape(groups=value) if alike and all(map(tame, value)) else None
    lists = [k for k, v in value.items() if isinstance(v, list)]
    if len(lists) != 1 or not value[lists[0]] or not isinstance(value[lists[0]][0], dict):
        return None
    rows = value[lists[0]]
    holders = [k for k, v in rows[0].items() if isinstance(v, dict)]
    if len(holders) != 1 or not all(isinstance(r, dict) and isinstance(r.get(holders[0]), dict) for r in rows):
        return None
    named = all(field_of(n) == f".{n}" for n in (lists[0], holders[0]))
    return _Shape(items=lists[0], holder=holders[0], rows=tuple(rows)) if named else None


def _same_flat(first: Json, row: Json) -> bool:
    flat = isinstance(row, dict) and not any(isinstance(v, dict | list) for v in row.values())
    return flat and set(first) == set(row)


def _jq(state: State, output: str, program: str, *why: str) -> Way:
    return one_act(state, output, "jq", ("jq",), f"jq '{program}' {sh(state.focus.path)} > {sh(output)}", *why)


def _python(state: State, draw: Draw, output: str, body: str, *why: str, writes: bool = False) -> Way:
    source = literal(state.focus.path)
    heads, reading = draw.pick(
        (
            ("import json", f"with open({source}) as f:\n    tree = json.load(f)"),
            ("import json", f"tree = json.load(open({source}))"),
            ("import json\nfrom pathlib import Path", f"tree = json.loads(Path({source}).read_text())"),
        )
    )
    ending = "" if writes else f"\n{dump_result(output, draw)}"
    return python_act(state, output, f"{heads}\n\n{reading}\n{body}{ending}", *why)


SKILLS = tuple(
    PackSkill(name, "json", summary, ("json-nested",), post, apply)
    for name, summary, post, apply in (
        ("json-flatten-nested", "Make an array of flat objects out of a nested document.", "json-records", flatten),
        ("json-extract-nested", "List the texts at a path of a nested document.", "value-list", extract_texts),
        ("json-extract-figures", "List the numbers at a path of a nested document.", "number-list", extract_figures),
        ("json-count-groups", "Count the records in each group of a nested document.", "json-summary", count_groups),
    )
)
