"""Skills that boil the objects of a JSON array down to a small JSON object of figures."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from trajmill.schemas.ids import Json
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug
from trajmill.synth.packs.outputs import literal, write_json
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    as_double,
    field_of,
    is_label,
    is_lines,
    jq_way,
    number_fields,
    python_json_way,
    rows_of,
    spelled,
    survives,
    text_fields,
)
from trajmill.synth.packs.terminal.scenarios import JSON_ARRAYS
from trajmill.synth.packs.terminal.table_choice import brief, near_half
from trajmill.synth.packs.terminal.table_ways import Words, applied


def group_count(state: State, draw: Draw) -> Application | None:
    """Count the objects for each value of a text field."""
    rows = rows_of(state)
    if rows is None:
        return None
    fields = [k for k in text_fields(rows) if 2 <= len({r[k] for r in rows}) <= min(30, 2 * len(rows) // 3)]
    if not fields:
        return None
    name = draw.pick(fields)
    counts = dict(Counter(row[name] for row in rows))
    output = place_output(
        state, draw, (f"{slug(name)}_counts", f"count_by_{slug(name)}", f"{brief(state.focus.path)}_counts"), ".json"
    )
    written = write_json(state, output, counts, "json-summary")
    field, key = field_of(name), literal(name)
    words = Words(
        (
            f"count how many objects of {{it}} there are for each `{name}` and save the counts as one JSON object, "
            f"value to count, in `{output}`",
            f"write `{output}`, a JSON object that maps every `{name}` occurring in {{it}} to its number of records",
            f"tally {{it}} by `{name}`: the result is a single JSON object in `{output}` with the values as keys "
            f"and the counts as numbers",
            f"find out how often each `{name}` occurs in {{it}} and store the answer as a JSON object of counts in "
            f"`{output}`",
        ),
        (
            f"a JSON object that maps each `{name}` in {{it}} to the number of objects with it",
            f"the number of objects of {{it}} per `{name}`, as one JSON object",
        ),
        (
            f"`{output}` counts the {len(rows)} objects over {len(counts)} values of `{name}`",
            f"counted {len(counts)} different values of `{name}` into `{output}`",
        ),
    )
    programs = (
        f"group_by({field}) | map({{(.[0]{field}): length}}) | add",
        f"reduce .[] as $row ({{}}; .[$row{field}] += 1)",
        f"group_by({field}) | map({{key: .[0]{field}, value: length}}) | from_entries",
    )
    bodies = (
        f"result = Counter(row[{key}] for row in rows)",
        f"result = {{}}\nfor row in rows:\n    result[row[{key}]] = result.get(row[{key}], 0) + 1",
    )
    body = draw.pick(bodies)
    target = sh(output)
    slurp = "-s " if is_lines(state) else ""
    slip = Slip(
        command=mkdir_first(
            state, output, f"jq {slurp}'group_by({field}) | map(length)' {sh(state.focus.path)} > {target}"
        ),
        why=(
            f"Grouping by `{name}` and taking the length of each group counts them.",
            "Groups first, then their lengths.",
        ),
        look=f"jq -c . {target}",
        sign=r"\A\[",
        remark=(
            "This is a bare list of counts; which value each belongs to is lost. I need them as keys.",
            f"The counts have no names. Each one has to stand under its `{name}`.",
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
                draw.pick(programs),
                (
                    f"Every object has a `{name}`, so counting per value can be done in one expression.",
                    f"I count the objects under each `{name}` and let the values become keys.",
                    f"`{name}` is text in all {len(rows)} objects, fit for keys.",
                ),
            ),
            python_json_way(
                state,
                draw,
                output,
                body,
                (
                    f"Counting `{name}` over {len(rows)} objects is quickly done in Python.",
                    f"A dictionary from `{name}` to its count is just what the file should hold.",
                    f"I go through the objects once and count their `{name}`.",
                ),
                imports=("from collections import Counter",) if "Counter" in body else (),
            ),
        ),
        (slip,),
    )


def summarise_field(state: State, draw: Draw) -> Application | None:
    """Count, smallest, largest, sum and mean of a numeric field."""
    rows = rows_of(state)
    if rows is None:
        return None
    fields = [k for k in number_fields(rows, gaps=True) if not is_label(k) and len({row[k] for row in rows}) > 2]
    if not fields:
        return None
    name = draw.pick(fields)
    numbers = [Decimal(row[name]) for row in rows if row[name] is not None]
    total = sum(numbers, Decimal(0))
    mean = total / len(numbers)
    if near_half(mean, 2) or not survives(total):
        return None
    rounded = round(mean, 2)
    number = as_double if any(n.as_tuple().exponent for n in numbers) else int
    value: dict[str, Json] = {
        "count": len(numbers),
        "min": number(min(numbers)),
        "max": number(max(numbers)),
        "sum": number(total),
        "mean": as_double(rounded),
    }
    output = place_output(
        state, draw, (f"{slug(name)}_summary", f"{slug(name)}_stats", f"{brief(state.focus.path)}_figures"), ".json"
    )
    written = write_json(state, output, value, "json-summary")
    gaps = len(rows) - len(numbers)
    rule = (f"Objects in which `{name}` is null count for nothing.",) if gaps else ()
    words = Words(
        (
            f"summarise the numbers in `{name}` of {{it}} in `{output}`: a JSON object with `count`, `min`, `max`, "
            f"`sum` and `mean`, the mean rounded to 2 decimals and the rest exact",
            f"work out count, smallest, largest, sum and mean of `{name}` over {{it}} and save them under the keys "
            f"`count`, `min`, `max`, `sum` and `mean` in the JSON object `{output}`, with the exact sum and the "
            f"mean rounded to 2 decimals",
            f"for `{name}` in {{it}} we need the keys `count`, `min`, `max`, `sum` and `mean` (mean to 2 decimals, "
            f"the rest exact) as one JSON object in `{output}`",
            f"write a JSON object to `{output}` that describes `{name}` in {{it}}: `count`, `min`, `max`, exact "
            f"`sum`, and `mean` rounded to 2 decimals",
        ),
        (
            f"a JSON object with `count`, `min`, `max`, exact `sum` and `mean` (2 decimals) of `{name}` in {{it}}",
            f"`count`, `min`, `max`, exact `sum` and `mean` (rounded to 2 decimals) of `{name}` in {{it}} as a "
            f"JSON object",
        ),
        (
            f"`{output}` summarises {len(numbers)} values of `{name}` (mean {spelled(value['mean'])})",
            f"the {len(numbers)} values of `{name}` sum to {spelled(value['sum'])}, as `{output}` shows",
        ),
        rule,
    )
    digits = max(0, *(-int(n.as_tuple().exponent) for n in numbers))
    picked = f"map({field_of(name)}{' | values' if gaps else ''})"
    scale = 10**digits
    added = f"(add * {scale} | round / {scale})" if digits else "add"
    program = (
        f"{picked} | {{count: length, min: min, max: max, sum: {added}, mean: (add / length * 100 | round / 100)}}"
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
                _summary_script(name, digits, gaps, draw),
                (
                    f"Decimal arithmetic keeps the sum of `{name}` exact."
                    if digits
                    else f"`{name}` holds whole numbers, so the sum is exact.",
                    f"I collect the numbers in `{name}` and compute the five figures at once.",
                    f"There are {len(rows)} objects; "
                    f"{f'{gaps} of them have null in `{name}`' if gaps else f'each has a number in `{name}`'}.",
                ),
                imports=("from decimal import Decimal",) if digits else (),
            ),
            jq_way(
                state,
                draw,
                output,
                program,
                (
                    f"All five figures come from one array of the `{name}` values.",
                    f"jq's add, min and max cover this; the mean of `{name}` needs rounding.",
                    f"I first reduce the array to its `{name}` numbers, then compute.",
                ),
            ),
        ),
        _mean_slips(state, output, picked, added, mean, rounded),
    )


def _summary_script(name: str, digits: int, gaps: int, draw: Draw) -> str:
    condition = f" if row[{literal(name)}] is not None" if gaps else ""
    if digits:
        numbers = f"numbers = [Decimal(str(row[{literal(name)}])) for row in rows{condition}]"
        shown = {"min": "float(min(numbers))", "max": "float(max(numbers))", "sum": "float(total)"}
        mean = "float(round(total / len(numbers), 2))"
    else:
        numbers = f"numbers = [row[{literal(name)}] for row in rows{condition}]"
        shown = {"min": "min(numbers)", "max": "max(numbers)", "sum": "total"}
        mean = "round(total / len(numbers), 2)"
    parts = {"count": "len(numbers)", **shown, "mean": mean}
    if draw.rng.random() < 0.5:
        inner = "\n".join(f'    "{key}": {code},' for key, code in parts.items())
        return f"{numbers}\ntotal = sum(numbers)\nresult = {{\n{inner}\n}}"
    inner = ",\n    ".join(f"{key}={code}" for key, code in parts.items())
    return f"{numbers}\ntotal = sum(numbers)\nresult = dict(\n    {inner},\n)"


def _mean_slips(
    state: State, output: str, picked: str, added: str, mean: Decimal, rounded: Decimal
) -> tuple[Slip, ...]:
    """The mean left unrounded."""
    if abs(mean - rounded) < Decimal("0.0001"):
        return ()
    slurp = "-s " if is_lines(state) else ""
    target = sh(output)
    program = f"{picked} | {{count: length, min: min, max: max, sum: {added}, mean: (add / length)}}"
    return (
        Slip(
            command=mkdir_first(state, output, f"jq {slurp}'{program}' {sh(state.focus.path)} > {target}"),
            why=("Length, min, max and add give all five figures.", "One object constructor holds the five figures."),
            look=f"jq .mean {target}",
            sign=r"\A-?\d+\.\d{3,}",
            remark=(
                "The mean still has all its decimals; two were asked for.",
                "I forgot to round the mean to two decimals.",
            ),
            tools=("jq",),
        ),
    )


SKILLS = (
    PackSkill(
        "json-group-count",
        "json",
        "Count the objects of a JSON array for each value of a field.",
        (*JSON_ARRAYS, "json-lines"),
        "json-summary",
        group_count,
    ),
    PackSkill(
        "json-summarise-field",
        "json",
        "Compute count, min, max, sum and mean of a numeric field.",
        (*JSON_ARRAYS, "json-lines"),
        "json-summary",
        summarise_field,
    ),
)
