"""How complete JSON records are: a count of the filled values of each field."""

from __future__ import annotations

from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import write_json
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    field_of,
    is_lines,
    jq_way,
    python_json_way,
    rows_of,
    tame,
)
from trajmill.synth.packs.terminal.scenarios import JSON_ARRAYS
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied


def filled_count(state: State, draw: Draw) -> Application | None:
    """For every field, count the objects in which it is not null."""
    rows = rows_of(state)
    if rows is None or len(rows[0]) < 2 or not all(tame(k) for k in rows[0]):
        return None
    value = {k: sum(row[k] is not None for row in rows) for k in rows[0]}
    missing = [k for k, n in value.items() if n < len(rows)]
    if not missing:
        return None
    output = place_output(state, draw, (f"{brief(state.focus.path)}_filled", "field_counts", "filled_fields"), ".json")
    written = write_json(state, output, value, "json-summary")
    words = Words(
        (
            f"check how complete {{it}} is: for each field count the objects whose value is other than null, and "
            f"save field name to count as a JSON object in `{output}`",
            f"write a JSON object to `{output}` that gives, for every field name in {{it}}, in how many objects it "
            f"holds a value rather than null",
            f"for every field of the objects in {{it}}, record in `{output}` how many objects fill it (null counts "
            f"as unfilled), as one JSON object of numbers",
            f"`{output}` should tell how often each field of {{it}} is filled: a JSON object from field name to "
            f"the count of values that are not null",
        ),
        (
            "a JSON object that maps each field of {it} to the number of objects in which it is not null",
            "the count of values other than null per field of {it}, as a JSON object",
        ),
        (
            f"`{output}` shows gaps in {len(missing)} of {len(value)} fields",
            f"counted the filled values of {len(value)} fields in `{output}`",
        ),
    )
    bodies = (
        "result = {name: sum(row[name] is not None for row in rows) for name in rows[0]}",
        "result = dict.fromkeys(rows[0], 0)\nfor row in rows:\n    for name, value in row.items():\n"
        "        if value is not None:\n            result[name] += 1",
    )
    programs = (
        ". as $rows | .[0] | with_entries(.key as $name | .value = ([$rows[] | select(.[$name] != null)] | length))",
        "reduce (.[] | to_entries[]) as $field ({}; .[$field.key] += (if $field.value == null then 0 else 1 end))",
    )
    return applied(
        written,
        output,
        words,
        (
            python_json_way(
                state,
                draw,
                output,
                draw.pick(bodies),
                (
                    f"All objects share the same {len(value)} fields; I count where each is not None.",
                    "Null becomes None in Python, which is easy to count around.",
                    f"One pass over the {len(rows)} objects counts the filled fields.",
                ),
            ),
            jq_way(
                state,
                draw,
                output,
                draw.pick(programs),
                (
                    "Walking over every entry of every object lets me add one for each value that is not null.",
                    f"The first object names all {len(value)} fields, and each gets its count.",
                    "Zero and the empty string are values too, so I test for null only.",
                ),
            ),
        ),
        _length_slip(state, output, missing[0], len(rows)),
    )


def _length_slip(state: State, output: str, name: str, rows: int) -> tuple[Slip, ...]:
    """Counting keys, which are there even if the value is null."""
    slurp = "-s " if is_lines(state) else ""
    target = sh(output)
    program = "reduce (.[] | keys[]) as $name ({}; .[$name] += 1)"
    return (
        Slip(
            command=mkdir_first(state, output, f"jq {slurp}'{program}' {sh(state.focus.path)} > {target}"),
            why=(
                "Counting the keys over all objects shows how often each field occurs.",
                "Each object contributes its keys.",
            ),
            look=f"jq '{field_of(name)}' {target}",
            sign=rf"\A{rows}\b",
            remark=(
                f"That says `{name}` is always filled, but some objects have null there: a key with null is still "
                f"a key.",
                f"`{name}` has nulls, so its count must be below {rows}. I have to look at values, not keys.",
            ),
            tools=("jq",),
        ),
    )


SKILLS = (
    PackSkill(
        "json-filled-count",
        "json",
        "Count for every field the objects that have a value there.",
        (*JSON_ARRAYS, "json-lines"),
        "json-summary",
        filled_count,
    ),
)
