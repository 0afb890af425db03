"""Figures of a list of numbers as JSON."""

from __future__ import annotations

from decimal import Decimal

from trajmill.schemas.ids import Json
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_json
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import as_double
from trajmill.synth.packs.terminal.table_choice import brief, places
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act
from trajmill.synth.packs.terminal.text_numbers import number_text, numbers_of


def stats(state: State, draw: Draw) -> Application | None:
    """Count, smallest, largest, sum and median as a JSON object."""
    lines = numbers_of(state)
    if lines is None:
        return None
    values = sorted(map(Decimal, lines))
    middle = len(values) // 2
    even = len(values) % 2 == 0
    median = (values[middle - 1] + values[middle]) / 2 if even else values[middle]
    digits = places(lines)
    total = sum(values, Decimal(0))
    number = as_double if digits else int
    figures: dict[str, Json] = {
        "count": len(values),
        "min": number(values[0]),
        "max": number(values[-1]),
        "sum": number(total),
        "median": as_double(median) if even or digits else int(median),
    }
    if len(number_text(total)) > 11:
        return None
    output = place_output(
        state, draw, (f"{brief(state.focus.path)}_stats", f"{brief(state.focus.path)}_summary", "stats"), ".json"
    )
    written = write_json(state, output, figures, "json-summary")
    exact = "exact (no rounding, no floating-point noise)" if digits or even else "exact"
    rule = "The median of an even number of values is the mean of the two in the middle."
    words = Words(
        (
            f"summarise the numbers in {{it}} as a JSON object in `{output}` with the keys `count`, `min`, `max`, "
            f"`sum` and `median`, all {exact}",
            f"compute count, smallest, largest, sum and median of the numbers in {{it}} and store them as `count`, "
            f"`min`, `max`, `sum` and `median` in the JSON object `{output}`, {exact}",
            f"write a JSON object to `{output}` that describes {{it}}: `count`, `min`, `max`, `sum` and `median`, "
            f"as numbers, {exact}",
            f"save the key figures for {{it}} under `count`, `min`, `max`, `sum` and `median` in one JSON "
            f"object, `{output}`; they are {exact}",
        ),
        (
            f"a JSON object with `count`, `min`, `max`, `sum` and `median` of the numbers in {{it}}, all {exact}",
            f"count, extremes, sum and median of {{it}} as a JSON object (`count`, `min`, `max`, `sum`, `median`), "
            f"{exact}",
        ),
        (
            f"`{output}` describes {len(values)} numbers from {number_text(values[0])} to {number_text(values[-1])}",
            f"the {len(values)} numbers sum to {number_text(total)} and their median is {number_text(median)}, as "
            f"in `{output}`",
        ),
        (rule,) if even else (),
    )
    source, target = sh(state.focus.path), sh(output)
    spot = f"(v[{middle}] + v[{middle + 1}]) / 2" if even else f"v[{middle + 1}]"
    program = (
        "{ v[NR] = $1; s += $1 } END { "
        f'printf "{{\\"count\\": %d, \\"min\\": %s, \\"max\\": %s, \\"sum\\": %.12g, \\"median\\": %.12g}}\\n", '
        f"NR, v[1], v[NR], s, {spot} }}"
    )
    read = (
        f"numbers = sorted(map(Decimal, open({literal(state.focus.path)}).read().split()))"
        if digits
        else (f"numbers = sorted(int(line) for line in open({literal(state.focus.path)}))")
    )
    cast_of = (lambda code: f"float({code})") if digits else (lambda code: code)
    heads = "import json\nimport statistics\n" + ("from decimal import Decimal\n" if digits else "")
    script = (
        f'{heads}\n{read}\nfigures = {{\n    "count": len(numbers),\n    "min": {cast_of("numbers[0]")},\n    '
        f'"max": {cast_of("numbers[-1]")},\n'
        f'    "sum": {cast_of("sum(numbers)")},\n    "median": {cast_of("statistics.median(numbers)")},\n}}\n'
        f'with open({literal(output)}, "w") as out:\n    json.dump(figures, out, indent=2)\n    out.write("\\n")'
    )
    scale = 10**digits
    added = f"(add * {scale} | round / {scale})" if digits else "add"
    wide = scale * 10
    half = f"(((.[{middle - 1}] + .[{middle}]) / 2) * {wide} | round / {wide})" if even else f".[{middle}]"
    jq = f"jq -s 'sort | {{count: length, min: .[0], max: .[-1], sum: {added}, median: {half}}}' {source} > {target}"
    return applied(
        written,
        output,
        words,
        (
            python_act(
                state,
                output,
                script,
                f"The statistics module has the median; "
                f"{'Decimal keeps the sum exact' if digits else 'whole numbers add up exactly'}.",
                f"{len(values)} numbers, sorted once, give all five figures.",
                "I read one number per line and let Python compute the figures.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("sort", "awk"),
                f"sort -n {source} | awk '{program}' > {target}",
                f"After a numeric sort the extremes are first and last, and the median sits in the middle of "
                f"{len(values)}.",
                f"With {len(values)} values the median is "
                f"{'between the two middle ones' if even else 'the middle one'}; I sort, then print.",
                "Sorting numerically first makes min, max and median a matter of position.",
            ),
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                jq,
                "A number per line is valid input for jq; slurped into an array it can be sorted and added.",
                "jq reads the lines as numbers, which I gather and sort.",
                f"From the sorted array of {len(values)} numbers I take the ends, the sum and the middle.",
            ),
        ),
        _unsorted_slip(state, output, lines, median, middle, even),
    )


def _unsorted_slip(
    state: State, output: str, lines: tuple[str, ...], median: Decimal, middle: int, even: bool
) -> tuple[Slip, ...]:
    """Text order instead of numeric order, seen in the extremes."""
    ordered = sorted(lines)
    right = sorted(map(Decimal, lines))
    if Decimal(ordered[-1]) == right[-1]:
        return ()
    target = sh(output)
    program = (
        '{ v[NR] = $1; s += $1 } END { printf "{\\"count\\": %d, \\"min\\": %s, \\"max\\": %s, \\"sum\\": %s, '
        '\\"median\\": %s}\\n", '
        f"NR, v[1], v[NR], s, v[{middle + 1}] }}"
    )
    look = f"jq .max {target}; sort -n {sh(state.focus.path)} | tail -n 1"
    shown = ordered[-1].replace(".", "[.]")
    return (
        Slip(
            command=mkdir_first(state, output, f"LC_ALL=C sort {sh(state.focus.path)} | awk '{program}' > {target}"),
            why=(
                "Sorted lines give the extremes at both ends and the median in the middle.",
                "I sort the values and pick them by position.",
            ),
            look=look,
            sign=rf"\A{shown}\n",
            remark=(
                f"The maximum is {number_text(right[-1])}, not {ordered[-1]}: the lines were sorted as text. It "
                f"takes a "
                f"numeric sort.",
                f"{ordered[-1]} is not the largest number. Text order put it last.",
            ),
            tools=("sort", "awk", "jq"),
        ),
    )


SKILLS = (
    PackSkill(
        "number-list-stats",
        "text",
        "Compute count, min, max, sum and median of numbers as JSON.",
        ("number-list",),
        "json-summary",
        stats,
    ),
)
