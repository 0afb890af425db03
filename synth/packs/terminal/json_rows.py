"""Skills that choose or cut down the objects of a JSON array or of JSON Lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from trajmill.schemas.ids import Json
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
    tame,
    text_fields,
)
from trajmill.synth.packs.terminal.scenarios import JSON_ARRAYS
from trajmill.synth.packs.terminal.table_choice import brief


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
    output = place_output(state, draw, (tag, f"{brief(state.focus.path)}_{tag}", "selected"), ".json")
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
        state, draw, (f"{brief(state.focus.path)}_fields", f"{slug(names[0])}_{slug(names[1])}", "slim"), ".json"
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


SKILLS = (
    PackSkill(
        "json-filter-records",
        "json",
        "Keep the objects of a JSON array that meet a condition on one field.",
        (*(s for s in JSON_ARRAYS if s != "json-subset"), "json-lines"),
        "json-subset",
        filter_records,
    ),
    PackSkill(
        "json-pick-fields",
        "json",
        "Keep chosen fields of every object of a JSON array.",
        (*(s for s in JSON_ARRAYS if s != "json-projection"), "json-lines"),
        "json-projection",
        pick_fields,
    ),
)
