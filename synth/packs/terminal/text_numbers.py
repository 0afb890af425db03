"""Skills on lists of numbers: figures as a report, distinct values in numeric order."""

from __future__ import annotations

from decimal import Decimal

from trajmill.schemas.content.column_types import infer
from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief, decimals_words, fixed, near_half, places
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act


def numbers_of(state: State, least: int = 5) -> tuple[str, ...] | None:
    """The focus's lines if all are numbers in plain notation and no two spell one value differently, else None."""
    facts = state.focus.facts
    if not isinstance(facts, Lines) or len(facts.lines) < least or not all(facts.lines):
        return None
    if infer(facts.lines).type not in ("integer", "decimal") or any(len(line) > 14 for line in facts.lines):
        return None
    same = len({Decimal(line) for line in facts.lines}) == len(set(facts.lines))
    return facts.lines if same and len(set(facts.lines)) > 2 else None


def report(state: State, draw: Draw) -> Application | None:
    """Minimum, maximum, sum and mean as lines of a short report."""
    lines = numbers_of(state)
    if lines is None:
        return None
    values = [Decimal(line) for line in lines]
    total = sum(values, Decimal(0))
    mean = total / len(values)
    digits = places(lines)
    if near_half(mean, 2) or (fixed(mean, 2).startswith("-0.00") and mean):
        return None
    labels = draw.pick(
        (("values", "minimum", "maximum", "sum", "mean"), ("count", "lowest", "highest", "total", "average"))
    )
    low, high = min(values), max(values)
    shown = (
        str(len(values)),
        next(v for v in lines if Decimal(v) == low),
        next(v for v in lines if Decimal(v) == high),
        fixed(total, digits),
        fixed(mean, 2),
    )
    text = [f"{label}: {value}" for label, value in zip(labels, shown, strict=True)]
    output = place_output(
        state, draw, (f"{brief(state.focus.path)}_report", "report", f"{brief(state.focus.path)}_figures"), ".txt"
    )
    written = write_lines(state, draw, output, text, "text-report")
    count, lowest, highest, summed, average = labels
    exact = f"`{summed}` with {decimals_words(digits)} and `{average}` rounded to 2 decimals"
    words = Words(
        (
            f"write a five-line report on the numbers in {{it}} to `{output}`: `{count}: N`, then `{lowest}: ...`, "
            f"`{highest}: ...`, `{summed}: ...` and `{average}: ...` in this order, {exact}",
            f"report how many numbers {{it}} holds, their smallest, largest, sum and mean in `{output}`, as five "
            f"lines labelled `{count}`, `{lowest}`, `{highest}`, `{summed}` and `{average}` (label, colon, space, "
            f"figure), {exact}",
            f"save five lines to `{output}`, namely `{count}`, `{lowest}`, `{highest}`, `{summed}` and `{average}` "
            f"of the numbers in {{it}}, each label followed by a colon, a space and its figure; {exact}",
            f"put the key figures of {{it}} into `{output}`, one per line as `label: figure`, with the labels "
            f"`{count}`, `{lowest}`, `{highest}`, `{summed}`, `{average}` in this order and {exact}",
        ),
        (
            f"five lines `{count}`, `{lowest}`, `{highest}`, `{summed}` and `{average}` (label, colon, space, "
            f"figure) on the numbers in {{it}}, {exact}",
            f"a five-line report on {{it}} with the labels `{count}`, `{lowest}`, `{highest}`, `{summed}` and "
            f"`{average}`, {exact}",
        ),
        (
            f"`{output}` reports {shown[0]} numbers with a mean of {shown[4]}",
            f"reported {lowest}, {highest}, {summed} and {average} of {shown[0]} numbers in `{output}`",
        ),
    )
    source, target = sh(state.focus.path), sh(output)
    pieces = f'"{count}: %d\\n{lowest}: %s\\n{highest}: %s\\n{summed}: %.{digits}f\\n{average}: %.2f\\n"'
    program = (
        "NR == 1 { low = high = $1 } { s += $1; if ($1 < low) low = $1; if ($1 > high) high = $1 } "
        f"END {{ printf {pieces}, NR, low, high, s, s / NR }}"
    )
    kind = "Decimal" if digits else "int"
    script = (
        ("from decimal import Decimal\n\n" if digits else "")
        + f"numbers = [{kind}(line) for line in open({literal(state.focus.path)})]\ntotal = sum(numbers)\n"
        + f'with open({literal(output)}, "w") as out:\n'
        + f'    print("{count}:", len(numbers), file=out)\n    print("{lowest}:", min(numbers), file=out)\n'
        + f'    print("{highest}:", max(numbers), file=out)\n    print(f"{summed}: {{total:.{digits}f}}", file=out)\n'
        + f'    print(f"{average}: {{total / len(numbers):.2f}}", file=out)'
    )
    piped = (
        f"sort -n {source} | awk '{{ s += $1; v[NR] = $1 }} END {{ printf {pieces}, NR, v[1], v[NR], s, s / NR "
        f"}}' > {target}"
    )
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                draw.pick((f"awk '{program}' {source} > {target}", piped)),
                f"One pass over the {len(values)} lines collects everything for the five lines.",
                f"awk can keep extremes and sum and print with {decimals_words(digits)} where needed.",
                "Each line is one number, so field 1 is all I need.",
            ),
            python_act(
                state,
                output,
                script,
                f"Python's formatting takes care of {decimals_words(digits)} and of the rounded mean.",
                f"I read {len(values)} "
                f"numbers{' as Decimal, so nothing is rounded by accident,' if digits else ''} and print the five "
                f"lines.",
                "Five prints with the right labels make the report.",
            ),
        ),
    )


def sort_numbers(state: State, draw: Draw) -> Application | None:
    """Distinct numbers in numeric order."""
    lines = numbers_of(state)
    if lines is None:
        return None
    down = draw.pick((True, False))
    kept = sorted(set(lines), key=Decimal, reverse=down)
    if list(lines) == kept:
        return None
    output = place_output(
        state, draw, (f"{brief(state.focus.path)}_sorted", "ranked", f"{brief(state.focus.path)}_distinct"), ".txt"
    )
    written = write_lines(state, draw, output, kept, "sorted-list")
    order = "from the largest to the smallest" if down else "from the smallest to the largest"
    words = Words(
        (
            f"list the different numbers in {{it}} {order} in `{output}`, one per line and each only once",
            f"sort {{it}} by size, {order}, drop repeated numbers and save the rest as `{output}`",
            f"write each distinct number of {{it}} on a line of its own to `{output}`, ordered {order}",
            f"rank the numbers in {{it}} {order}, repeats removed, and put them one per line into `{output}`",
        ),
        (
            f"the distinct numbers of {{it}}, one per line, {order}",
            f"the numbers in {{it}} without repeats, ordered {order}",
        ),
        (
            f"`{output}` lists {len(kept)} distinct numbers {order}",
            f"ranked {len(kept)} different numbers out of {len(lines)} in `{output}`",
        ),
    )
    source, target = sh(state.focus.path), sh(output)
    flag = "r" if down else ""
    reverse = ", reverse=True" if down else ""
    kind = "Decimal" if places(lines) else "int"
    head = "from decimal import Decimal\n\n" if places(lines) else ""
    script = (
        f"{head}values = {{line.strip() for line in open({literal(state.focus.path)})}}\n"
        f'with open({literal(output)}, "w") as out:\n    for value in sorted(values, key={kind}{reverse}):\n       '
        f" print(value, file=out)"
    )
    mistake = Mistake(
        f"LC_ALL=C sort -u{flag} {source} > {target}",
        ("sort -u orders the lines and drops repeats.", "One sort removes repeats and puts the values in order."),
        (
            "This is text order: digits are compared one by one, so sizes are mixed up. It needs a numeric sort.",
            "The values are not in order of size; they were compared as text.",
        ),
        ("sort",),
    )
    wrong = sorted(set(lines), reverse=down)
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "coreutils",
                ("sort", "uniq"),
                draw.pick(
                    (
                        f"sort -n{flag}u {source} > {target}",
                        f"sort -n{flag} {source} | uniq > {target}",
                        f"sort -u {source} | sort -n{flag} > {target}",
                    )
                ),
                "These lines are numbers, so the comparison has to be numeric, not by text.",
                f"A numeric sort of the {len(lines)} lines brings equal numbers together as well.",
                f"I sort by size, {order}, and keep one of each.",
            ),
            python_act(
                state,
                output,
                script,
                f"Sorting with {kind} as key compares sizes and leaves the spelling alone.",
                "A set drops the repeats; the key makes the order numeric.",
                f"I keep the {len(lines)} lines as text but sort them as numbers.",
            ),
        ),
        (head_slip(state, output, mistake, wrong, kept),),
    )


def number_text(value: Decimal) -> str:
    """A number as people write it: no exponent, no decimal point without need."""
    return str(int(value)) if value == value.to_integral_value() else format(value, "f")


SKILLS = (
    PackSkill(
        "number-list-report",
        "text",
        "Report extremes, sum and mean of numbers in lines of text.",
        ("number-list",),
        "text-report",
        report,
    ),
    PackSkill(
        "number-list-sort",
        "text",
        "List the distinct numbers in numeric order.",
        ("number-list",),
        "sorted-list",
        sort_numbers,
    ),
)
