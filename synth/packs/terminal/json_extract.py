"""Skills that pull the values at one path out of a nested document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trajmill.schemas.ids import Json
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_lists import line_like
from trajmill.synth.packs.terminal.json_nesting import Shape, shape_of, tree_python
from trajmill.synth.packs.terminal.json_ways import (
    field_of,
    is_label,
    number_fields,
    one_spelling,
    spelled,
    text_fields,
)
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act


def extract_texts(state: State, draw: Draw) -> Application | None:
    """Write the texts at one path, one per line."""
    return _extracted(state, draw, numbers=False)


def extract_figures(state: State, draw: Draw) -> Application | None:
    """Write the numbers at one path, one per line."""
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
    shape = shape_of(state)
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
            f"write the {noun}s of `{route.name}` in {route.shown} of {{it}} to `{output}`: plain, one per line, in "
            f"the order of the file, none left out",
            f"put `{route.name}` of {route.shown} in {{it}} into `{output}`, a line each and without quotes; file "
            f"order, repeats kept",
            f"gather `{route.name}` from {route.shown} of {{it}} into `{output}`, one bare {noun} per line, in file "
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
            tree_python(
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


def _routes(shape: Shape, numbers: bool) -> list[_Route]:
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


SKILLS = (
    PackSkill(
        "json-extract-nested",
        "json",
        "List the texts at a path of a nested document.",
        ("json-nested",),
        "value-list",
        extract_texts,
    ),
    PackSkill(
        "json-extract-figures",
        "json",
        "List the numbers at a path of a nested document.",
        ("json-nested",),
        "number-list",
        extract_figures,
    ),
)
