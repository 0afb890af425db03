"""Skills that take one field out of JSON records as a plain list."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    Rows,
    field_of,
    is_label,
    is_lines,
    jq_way,
    number_fields,
    one_spelling,
    python_json_way,
    rows_of,
    spelled,
    text_fields,
)
from trajmill.synth.packs.terminal.scenarios import JSON_ARRAYS
from trajmill.synth.packs.terminal.table_ways import Words, applied


def list_values(state: State, draw: Draw) -> Application | None:
    """Write the values of a text field, one per line, repeats kept."""
    rows = rows_of(state)
    if rows is None:
        return None
    fields = [k for k in text_fields(rows) if all(line_like(row[k]) for row in rows) and len({r[k] for r in rows}) > 1]
    return _listed(state, draw, rows, draw.pick(fields), "value-list", "values") if fields else None


def list_numbers(state: State, draw: Draw) -> Application | None:
    """Write the values of a numeric field, one per line."""
    rows = rows_of(state)
    if rows is None:
        return None
    fields = [k for k in number_fields(rows) if not is_label(k) and all(one_spelling(row[k]) for row in rows)]
    fields = [k for k in fields if len({row[k] for row in rows}) > 2]
    return _listed(state, draw, rows, draw.pick(fields), "number-list", "numbers") if fields else None


def line_like(value: str) -> bool:
    """Whether a text can be a line of a list: nothing that breaks or pads a line."""
    return 0 < len(value) <= 200 and value.isprintable() and value == value.strip()


def _listed(state: State, draw: Draw, rows: Rows, name: str, scenario: str, noun: str) -> Application:
    values = [spelled(row[name]) for row in rows]
    output = place_output(state, draw, (f"{slug(name)}_{noun}", f"{slug(name)}_list", slug(name)), ".txt")
    written = write_lines(state, draw, output, values, scenario)
    words = Words(
        (
            f"extract `{name}` from every object of {{it}} into the text file `{output}`, one value per line in "
            f"the order of the objects, repeats included",
            f"list the `{name}` of each record in {{it}}, one per line, in `{output}`; keep the order and do not "
            f"drop repeats",
            f"write the bare {noun} of `{name}` in {{it}} to `{output}`, a line for each object and in the same order",
            f"take the field `{name}` out of all objects in {{it}} and save it as plain text in `{output}`: one "
            f"{noun[:-1]} per line, order and repeats as they are",
        ),
        (
            f"the `{name}` of every object in {{it}}, one per line in the same order, repeats included",
            f"a plain list of the {noun} of `{name}` in {{it}}, a line for each object",
        ),
        (
            f"`{output}` lists the {len(values)} {noun} of `{name}`",
            f"extracted `{name}` of all {len(values)} objects to `{output}`",
        ),
    )
    field, key = field_of(name), literal(name)
    body = draw.pick(
        (
            f'with open({literal(output)}, "w") as out:\n    for row in rows:\n        print(row[{key}], file=out)',
            f'with open({literal(output)}, "w") as out:\n    out.writelines(f"{{row[\'{name}\']}}\\n" for row in rows)',
            f'with open({literal(output)}, "w") as out:\n    print(*(row[{key}] for row in rows), sep="\\n", file=out)',
        )
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
                draw.pick((f".[]{field}", f".[] | {field}", f"map({field})[]")),
                (
                    f"Raw output of `{name}` for each element gives the lines.",
                    f"`{name}` is a plain field of all {len(rows)} objects, so I print it raw, one per line.",
                    f"One `{name}` per object, in array order and without quotes.",
                ),
                flags="-r",
            ),
            python_json_way(
                state,
                draw,
                output,
                body,
                (
                    f"I load the {len(rows)} objects and print the `{name}` of each.",
                    f"Printing `{name}` from Python writes bare values.",
                    f"A loop over the objects writes one `{name}` a line.",
                ),
                writes=True,
            ),
        ),
        _quote_slip(state, output, field) if scenario == "value-list" else (),
    )


def _quote_slip(state: State, output: str, field: str) -> Sequence[Slip]:
    slurp = "-s " if is_lines(state) else ""
    target = sh(output)
    return (
        Slip(
            command=mkdir_first(state, output, f"jq {slurp}'.[]{field}' {sh(state.focus.path)} > {target}"),
            why=("jq can print this field of every element.", "Taking the field of each gives one value per line."),
            look=f"head -n 3 {target}",
            sign=r'\A"',
            remark=(
                "The values carry JSON quotes. A plain list needs raw output.",
                "Quotes at both ends of every line: jq printed JSON strings, not text.",
            ),
            tools=("jq",),
        ),
    )


SKILLS = (
    PackSkill(
        "json-list-values",
        "json",
        "List the values of a text field of JSON records.",
        (*JSON_ARRAYS, "json-lines"),
        "value-list",
        list_values,
    ),
    PackSkill(
        "json-list-numbers",
        "json",
        "List the values of a numeric field of JSON records.",
        (*JSON_ARRAYS, "json-lines"),
        "number-list",
        list_numbers,
    ),
)
