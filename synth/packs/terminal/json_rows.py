"""Skills that choose, cut down or order the objects of a JSON array or of JSON Lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from trajmill.schemas.ids import Json
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug, stem
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
    tame,
    text_fields,
)
from trajmill.synth.packs.terminal.scenarios import JSON_ARRAYS


@dataclass(frozen=True, slots=True)
class _Condition:
    """A test on one field."""

    field: str
    operator: str
    value: Json

    def holds(self, value: Json) -> bool:
        return bool(value == self.value if self.operator == "==" else value >= self.value)

    @property
    def shown(self) -> str:
        return literal(self.value) if isinstance(self.value, str) else spelled(self.value)


def filter_records(state: State, draw: Draw) -> Application | None:
    """Keep the objects in which a field has a value, or a number of at least a limit."""
    rows = rows_of(state)
    condition = rows and _condition(rows, draw)
    if not rows or not condition:
        return None
    kept = tuple(dict(row) for row in rows if condition.holds(row[condition.field]))
    name, value = condition.field, spelled(condition.value)
    tag = slug(value) if condition.operator == "==" else f"{slug(name)}_from_{slug(value)}"
    output = place_output(state, draw, (tag, f"{stem(state.focus.path)}_{tag}", "selected"), ".json")
    written = write_records(state, output, kept, "json-subset")
    test = f"is `{value}`" if condition.operator == "==" else f"is {value} or more"
    have = f"with `{name}` equal to `{value}`" if condition.operator == "==" else f"whose `{name}` is at least {value}"
    count = len(kept)
    return Application(
        outputs=(output,),
        asks=(
            f"keep only the objects of {{it}} whose `{name}` {test} and save them, complete and in their order, as "
            f"a JSON array in `{output}`",
            f"pick the records {have} out of {{it}} and write them unchanged as a JSON array to `{output}`",
            f"from {{it}}, put every object {have} into `{output}`, one JSON array with all fields kept and the "
            f"order as it was",
            f"create `{output}`, a JSON array of just those objects in {{it}} in which `{name}` {test}; leave "
            f"fields and order alone",
            f"reduce {{it}} to the objects {have}; the result is a JSON array called `{output}` in the original order",
        ),
        results=(
            f"a JSON array with the complete objects of {{it}} {have}, in their original order",
            f"the objects of {{it}} whose `{name}` {test}, unchanged and in order, as a JSON array",
        ),
        rules=written.rules,
        ways=(
            jq_way(
                state,
                draw,
                output,
                draw.pick(
                    (
                        f"map(select({field_of(name)} {condition.operator} {condition.shown}))",
                        f"[.[] | select({field_of(name)} {condition.operator} {condition.shown})]",
                    )
                ),
                (
                    f"`{name}` is a plain field of every object, so one select over the array is enough.",
                    f"I keep the objects whose `{name}` passes the test and leave everything else as it is.",
                    f"A select on `{name}` gives an array again, in the same order.",
                ),
            ),
            python_json_way(
                state,
                draw,
                output,
                draw.pick(
                    (
                        f"result = [row for row in rows if row[{literal(name)}] {condition.operator} "
                        f"{condition.shown}]",
                        f"def wanted(row):\n    return row[{literal(name)}] {condition.operator} {condition.shown}\n\n"
                        "result = list(filter(wanted, rows))",
                    )
                ),
                (
                    f"The file is small; I load it, test `{name}` in each object and write the array back.",
                    f"A comprehension over the {len(rows)} objects does this: the test is on `{name}`.",
                    f"I read all the objects and keep those whose `{name}` fits.",
                ),
            ),
        ),
        checks=(written.check,),
        after=written.state,
        done=(
            f"`{output}` holds the {count} of {len(rows)} objects {have}",
            f"saved the {count} matching objects as `{output}`",
            f"{count} objects {have} went into `{output}`",
        ),
        slips=_stream_slip(state, output, f"select({field_of(name)} {condition.operator} {condition.shown})", count),
    )


def _condition(rows: Rows, draw: Draw) -> _Condition | None:
    options: list[_Condition] = []
    for name in text_fields(rows):
        counts = Counter(row[name] for row in rows)
        options += [_Condition(name, "==", v) for v, n in counts.items() if 2 <= n < len(rows) and tame(v)]
    for name in number_fields(rows):
        values = sorted({row[name] for row in rows if one_spelling(row[name])})
        middle = values[len(values) // 4 : -1]
        if len(values) >= 4:
            options.append(_Condition(name, ">=", draw.pick(middle)))
    fields = sorted({o.field for o in options})
    if not fields:
        return None
    chosen = draw.pick(fields)
    return draw.pick([o for o in options if o.field == chosen])


def _stream_slip(state: State, output: str, program: str, count: int) -> tuple[Slip, ...]:
    """Objects one after another instead of an array."""
    if count < 2:
        return ()
    head = "." if is_lines(state) else ".[]"
    target = sh(output)
    return (
        Slip(
            command=mkdir_first(state, output, f"jq '{head} | {program}' {sh(state.focus.path)} > {target}"),
            why=("I run the select over every object.", "Each object goes through the condition, one after the other."),
            look=f"jq -c 'type' {target}",
            sign=r'\A"object"\n"object"',
            remark=(
                "That is a stream of objects, not one array. The results have to be collected into an array.",
                "jq sees separate objects here; the file must hold a single array, so I collect them.",
            ),
            tools=("jq",),
        ),
    )


def pick_fields(state: State, draw: Draw) -> Application | None:
    """Keep some fields of every object."""
    rows = rows_of(state)
    if rows is None or len(rows[0]) < 3:
        return None
    usable = [k for k in rows[0] if tame(k)]
    if len(usable) < 2:
        return None
    names = draw.some(usable, 2, min(4, len(usable) - (len(usable) == len(rows[0]))))
    kept = tuple({k: row[k] for k in names} for row in rows)
    output = place_output(
        state, draw, (f"{stem(state.focus.path)}_fields", f"{slug(names[0])}_{slug(names[1])}", "slim"), ".json"
    )
    written = write_records(state, output, kept, "json-projection")
    listed = ", ".join(f"`{n}`" for n in names[:-1]) + f" and `{names[-1]}`"
    keys = ", ".join(literal(n) for n in names)
    short = "{" + ", ".join(n if field_of(n) == f".{n}" else f"{literal(n)}: {field_of(n)}" for n in names) + "}"
    return Application(
        outputs=(output,),
        asks=(
            f"reduce every object of {{it}} to the fields {listed} and save the JSON array as `{output}`",
            f"write `{output}`: the same objects in the same order as in {{it}}, but only with {listed}",
            f"from each record in {{it}}, keep {listed}, drop all other fields, and store the array as JSON in "
            f"`{output}`",
            f"strip the objects of {{it}} down to {listed} (order of the objects unchanged) and save that JSON "
            f"array under the name `{output}`",
        ),
        results=(
            f"the objects of {{it}} as a JSON array in the same order, each with only {listed}",
            f"a JSON array like {{it}}, its objects reduced to {listed}",
        ),
        rules=written.rules,
        ways=(
            jq_way(
                state,
                draw,
                output,
                draw.pick((f"map({short})", f"[.[] | {short}]")),
                (
                    f"Building a new object from {len(names)} fields of each record does it.",
                    f"I map each object to one that has {listed} only.",
                    f"{len(names)} of the {len(rows[0])} fields stay, so I name them in an object constructor.",
                ),
            ),
            python_json_way(
                state,
                draw,
                output,
                draw.pick(
                    (
                        f"fields = [{keys}]\nresult = [{{name: row[name] for name in fields}} for row in rows]",
                        f"keep = ({keys})\nresult = []\nfor row in rows:\n    result.append({{key: row[key] for "
                        f"key in keep}})",
                    )
                ),
                (
                    f"A small script copies {listed} of each object and leaves the rest out.",
                    f"I rebuild the {len(rows)} objects with the wanted fields only.",
                    f"Loading the array and picking {len(names)} keys per object is simple in Python.",
                ),
            ),
        ),
        checks=(written.check,),
        after=written.state,
        done=(
            f"`{output}` has all {len(rows)} objects with only {listed}",
            f"cut the {len(rows)} objects down to {listed} in `{output}`",
        ),
    )


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
        (f"by_{slug(name)}", f"{stem(state.focus.path)}_sorted", f"{stem(state.focus.path)}_by_{slug(name)}"),
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
        name="json-filter-records",
        domain="json",
        summary="Keep the objects of a JSON array that meet a condition on one field.",
        pre=(*(s for s in JSON_ARRAYS if s != "json-subset"), "json-lines"),
        post="json-subset",
        apply=filter_records,
    ),
    PackSkill(
        name="json-pick-fields",
        domain="json",
        summary="Keep chosen fields of every object of a JSON array.",
        pre=(*(s for s in JSON_ARRAYS if s != "json-projection"), "json-lines"),
        post="json-projection",
        apply=pick_fields,
    ),
    PackSkill(
        name="json-sort-records",
        domain="json",
        summary="Order the objects of a JSON array by a numeric field with a stated tie rule.",
        pre=(*(s for s in JSON_ARRAYS if s != "json-ordered"), "json-lines"),
        post="json-ordered",
        apply=sort_records,
    ),
)
