"""Ordering the objects of a JSON array or of JSON Lines."""

from __future__ import annotations

from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug
from trajmill.synth.packs.outputs import literal, write_records
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    Rows,
    field_of,
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
from trajmill.synth.packs.terminal.table_choice import brief


def sort_records(state: State, draw: Draw) -> Application | None:
    """Order the objects by a number, ties by their original order or by a text field."""
    rows = rows_of(state, 5)
    if rows is None:
        return None
    numbers = [n for n in number_fields(rows) if len({row[n] for row in rows}) > 3]
    texts = [n for n in text_fields(rows) if len({row[n] for row in rows}) == len(rows)]
    if not numbers:
        return None
    name, down = draw.pick(numbers), draw.pick((True, False))
    tied = len({row[name] for row in rows}) < len(rows)
    second = draw.pick(texts) if tied and texts and texts != [name] else ""
    key = (lambda row: (row[name], row[second])) if second and not down else (lambda row: row[name])
    if second and down:
        ordered = sorted(sorted(rows, key=lambda row: str(row[second])), key=lambda row: -row[name])
    else:
        ordered = sorted(rows, key=key, reverse=False) if not down else sorted(rows, key=lambda row: -row[name])
    if ordered == list(rows):
        return None
    output = place_output(
        state,
        draw,
        (f"by_{slug(name)}", f"{brief(state.focus.path)}_sorted", f"{brief(state.focus.path)}_by_{slug(name)}"),
        ".json",
    )
    written = write_records(state, output, [dict(r) for r in ordered], "json-ordered")
    way = "from the largest to the smallest" if down else "from the smallest to the largest"
    tie = _tie_rule(draw, name, second) if tied else ()
    rule = _sort_python(name, second, down)
    return Application(
        outputs=(output,),
        asks=(
            f"sort the objects of {{it}} by `{name}` {way} and write the JSON array to `{output}`",
            f"order {{it}} by the number in `{name}`, {way}, and keep the result as the JSON array `{output}`",
            f"put the records of {{it}} into `{output}`, a JSON array sorted by `{name}` {way}",
            f"`{output}` should hold the same objects as {{it}}, arranged by `{name}` {way}, as one JSON array",
        ),
        results=(
            f"all objects of {{it}} as a JSON array, sorted by `{name}` {way}",
            f"the array of {{it}} in order of `{name}`, {way}",
        ),
        rules=(*tie, *written.rules),
        ways=(
            python_json_way(
                state,
                draw,
                output,
                rule,
                (
                    f"`{name}` is a number in every object, so sorting in Python compares it as one.",
                    f"Python's sort is stable, which settles equal values of `{name}`."
                    if tied and not second
                    else f"The key is {'a pair' if second else f'`{name}` alone'}, and the whole object moves with it.",
                    f"I sort the {len(rows)} loaded objects by `{name}` and write them back.",
                ),
            ),
            jq_way(
                state,
                draw,
                output,
                _sort_jq(name, second, down),
                (
                    f"sort_by compares `{name}` as a number"
                    + (" and is stable, so ties are safe." if tied else " here."),
                    f"The values of `{name}` are numbers, not text, so sort_by orders them by size.",
                    f"I sort by `{name}` inside jq; that keeps every object whole.",
                ),
            ),
        ),
        checks=(written.check,),
        after=written.state,
        done=(
            f"`{output}` lists the {len(rows)} objects by `{name}`, {way}",
            f"sorted all {len(rows)} objects by `{name}` into `{output}`",
        ),
        slips=_order_slip(state, output, name, down, rows),
    )


def _tie_rule(draw: Draw, name: str, second: str) -> tuple[str, ...]:
    if second:
        return (
            draw.pick(
                (
                    f"Objects with the same `{name}` are ordered by `{second}`, ascending by code point.",
                    f"Where `{name}` is equal, `{second}` decides, in ascending code point order.",
                )
            ),
        )
    return (
        draw.pick(
            (
                f"Objects with the same `{name}` stay in their original order.",
                f"Where `{name}` is equal, keep the order of the input.",
            )
        ),
    )


def _sort_python(name: str, second: str, down: bool) -> str:
    key = literal(name)
    if second and down:
        return f"result = sorted(rows, key=lambda row: (-row[{key}], row[{literal(second)}]))"
    if second:
        return f"result = sorted(rows, key=lambda row: (row[{key}], row[{literal(second)}]))"
    if down:
        return f"result = sorted(rows, key=lambda row: -row[{key}])"
    return f"result = sorted(rows, key=lambda row: row[{key}])"


def _sort_jq(name: str, second: str, down: bool) -> str:
    field = f"-({field_of(name)})" if down else field_of(name)
    return f"sort_by({field}, {field_of(second)})" if second else f"sort_by({field})"


def _order_slip(state: State, output: str, name: str, down: bool, rows: Rows) -> tuple[Slip, ...]:
    """Ascending order where descending is asked."""
    values = [row[name] for row in rows]
    if not down or not one_spelling(min(values)) or not one_spelling(max(values)):
        return ()
    slurp = "-s " if is_lines(state) else ""
    target = sh(output)
    return (
        Slip(
            command=mkdir_first(
                state, output, f"jq {slurp}'sort_by({field_of(name)})' {sh(state.focus.path)} > {target}"
            ),
            why=(f"sort_by on `{name}` puts the array in order.", f"I sort the array by `{name}`."),
            look=f"jq -c 'map({field_of(name)}) | .[0], .[-1]' {target}",
            sign=rf"\A{spelled(min(values)).replace('.', '[.]')}\n",
            remark=(
                f"The smallest `{name}` comes first: sort_by is ascending, and the largest should lead.",
                "That is the wrong direction. The order has to run from large to small.",
            ),
            tools=("jq",),
        ),
    )


SKILLS = (
    PackSkill(
        "json-sort-records",
        "json",
        "Order the objects of a JSON array by a numeric field with a stated tie rule.",
        (*(s for s in JSON_ARRAYS if s != "json-ordered"), "json-lines"),
        "json-ordered",
        sort_records,
    ),
)
