"""Skills that add a computed column to a CSV table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from trajmill.schemas.content.tables import Column, Table, make_table
from trajmill.synth.packs.naming import place_output, slug, stem
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    decimals_words,
    easy,
    fixed,
    near_half,
    numbers,
    numeric_columns,
    places,
    summable_columns,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    awk,
    head_slip,
    lines_of,
    one_act,
    py,
    python_act,
)

_MOST_DIGITS = 14


@dataclass(frozen=True, slots=True)
class _New:
    """A new last column: what it is called and how it reads, for people, for awk and for Python."""

    label: str
    values: tuple[str, ...]
    meaning: str
    """``the difference `a` minus `b`, with 1 decimal``."""
    awk: str
    """awk statement that sets or prints; ``v`` is the value to append."""
    python: str
    """Python expression over ``row`` (a dict of texts): the number, or the text if ``digits`` is None."""
    digits: int | None = None


def add_difference(state: State, draw: Draw) -> Application | None:
    """Append the difference of two numeric columns."""
    table = table_of(state)
    columns = summable_columns(table) if table else []
    if table is None or len(columns) < 2:
        return None
    a, b = draw.rng.sample(columns, 2)
    digits = max(places(table.column(a.name)), places(table.column(b.name)))
    exact = [x - y for x, y in zip(numbers(table, a.name), numbers(table, b.name), strict=True)]
    if len(set(exact)) < 2 or _too_long(exact, digits):
        return None
    label = _free(table, draw, ("difference", "diff", f"{slug(a.name, most=16)}_minus_{slug(b.name, most=16)}", "gap"))
    form = f"with {decimals_words(digits)}" if digits else "as a whole number"
    new = _New(
        label,
        tuple(fixed(n, digits) for n in exact),
        f"`{a.name}` minus `{b.name}`, {form}",
        f'sprintf("%.{digits}f", ${table.index(a.name) + 1} - ${table.index(b.name) + 1})',
        f"Decimal(row[{py(a.name)}]) - Decimal(row[{py(b.name)}])",
        digits,
    )
    return _appended(state, draw, table, new, (a, b))


def add_share(state: State, draw: Draw) -> Application | None:
    """Append each row's share of the total of a column, in per cent."""
    table = table_of(state)
    columns = [c for c in summable_columns(table) if min(numbers(table, c.name)) >= 0] if table else []
    if table is None or not columns:
        return None
    column = draw.pick(columns)
    values, digits = numbers(table, column.name), draw.pick((1, 2))
    total = sum(values)
    if not total:
        return None
    exact = [100 * v / total for v in values]
    if (
        any(near_half(n, digits) for n in exact)
        or len({fixed(n, digits) for n in exact}) < 2
        or _too_long([Decimal(total)], digits)
    ):
        return None
    name, at = column.name, table.index(column.name)
    label = _free(table, draw, ("share", "percent", f"{slug(name, most=16)}_share", "share_percent"))
    new = _New(
        label,
        tuple(fixed(n, digits) for n in exact),
        f"the share of the row in the total of `{name}`, in per cent, rounded to {decimals_words(digits)} and "
        "without a per cent sign",
        f'sprintf("%.{digits}f", 100 * ${at + 1} / total)',
        f"100 * Decimal(row[{py(name)}]) / total",
        digits,
    )
    return _appended(state, draw, table, new, (column,), total=column)


def add_band(state: State, draw: Draw) -> Application | None:
    """Append a word that says on which side of a threshold a number lies."""
    table = table_of(state, least=5)
    columns = [c for c in numeric_columns(table) if len(set(table.column(c.name))) > 3] if table else []
    if table is None or not columns:
        return None
    column = draw.pick(columns)
    values = numbers(table, column.name)
    ranked = sorted(set(values))
    limit = ranked[draw.rng.randrange(len(ranked) // 4, max(len(ranked) * 3 // 4, len(ranked) // 4 + 1))]
    if limit == ranked[0]:
        return None
    high, low = draw.pick((("high", "low"), ("above", "below"), ("yes", "no"), ("A", "B")))
    name, at = column.name, table.index(column.name)
    shown = next(t for t, v in zip(table.column(name), values, strict=True) if v == limit)
    label = _free(table, draw, ("band", "level", f"{slug(name, most=16)}_band", "class"))
    new = _New(
        label,
        tuple(high if v >= limit else low for v in values),
        f"`{high}` where `{name}` is {shown} or more and `{low}` elsewhere",
        f'(${at + 1} >= {shown} ? "{high}" : "{low}")',
        f'{py(high)} if Decimal(row[{py(name)}]) >= Decimal("{shown}") else {py(low)}',
    )
    slip = _strictly_greater(table, new, at, name, shown, high, low)
    return _appended(state, draw, table, new, (column,), slip=slip)


def number_rows(state: State, draw: Draw) -> Application | None:
    """Append or prepend a running number."""
    table, source = table_of(state), state.focus.path
    if table is None or {c.name.casefold() for c in table.columns} & {"row", "no", "number", "nr"}:
        return None
    label, start = draw.pick(("row", "no", "nr", "number")), draw.pick((1, 1, 1, 0, 100, 1000))
    rows = [(str(i), *row) for i, row in enumerate(table.rows, start)]
    numbered = make_table((label, *table.header), rows)
    output = place_output(state, draw, (f"{stem(source)}_numbered", "numbered", f"{stem(source)}_{label}"), ".csv")
    written = write_table(state, draw, output, numbered, "csv-derived")
    what = f"a new first column `{label}` that numbers the rows from {start} on"
    return applied(
        written,
        output,
        Words(
            (
                f"add {what} to {{it}} and save the table with its header as `{output}`",
                f"number the rows of {{it}} in their present order, starting at {start}; the number goes into a new "
                f"first column `{label}` and the table into `{output}`",
                f"write `{output}` as a copy of {{it}} with {what}, all else unchanged",
                f"put a running number in front of each row of {{it}} under the column name `{label}`, the first "
                f"row being {start}, and store the table as `{output}`",
            ),
            (
                f"all of {{it}} with {what}",
                f"the table of {{it}} with a running number in front (column `{label}`, first row {start})",
            ),
            (
                f"`{output}` numbers the {len(table)} rows from {start} to {start + len(table) - 1} in `{label}`",
                f"put the numbers {start} to {start + len(table) - 1} in front of the rows in `{output}`",
                f"saved the table with its new first column `{label}` as `{output}`",
            ),
        ),
        _number_ways(state, draw, label, start, len(table), source, output),
        _number_slips(state, label, start, numbered, source, output),
    )


def _number_ways(state: State, draw: Draw, label: str, start: int, count: int, source: str, output: str) -> list[Way]:
    script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f)
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow([{py(label)}, *next(rows)])
    writer.writerows([number, *row] for number, row in enumerate(rows, {start}))
"""
    python = python_act(
        state,
        output,
        script,
        f"enumerate starting at {start} gives the numbers, and the csv module keeps the fields intact.",
        f"I copy the rows in Python with a counter in front; the header gets `{label}`.",
        f"The header needs `{label}` and the {count} rows a number, which is a short loop.",
    )
    if not awkable(state) or not easy(label):
        return [python]
    offset = "NR - 1" if start == 1 else "NR - 2" if start == 0 else f"NR + {start - 2}"
    program = draw.pick(
        (
            f'NR == 1 {{ print "{label}," $0; next }} {{ print {offset} "," $0 }}',
            f'{{ print (NR == 1 ? "{label}" : {offset}) "," $0 }}',
        )
    )
    shell = one_act(
        state,
        output,
        "awk",
        ("awk",),
        awk(program, source, output).replace("awk -F, ", "awk ", 1),
        f"Each row is one line, so the line number gives its number; line 1 gets the name `{label}`.",
        f"awk can put a number in front of every line: line 2 is row {start}.",
        f"With one record a line, {offset} is the number of the row and the header is line 1.",
    )
    return [shell, python]


def _number_slips(state: State, label: str, start: int, numbered: Table, source: str, output: str) -> list[Slip | None]:
    if not awkable(state):
        return []
    offset = "NR" if start == 1 else "NR - 1" if start == 0 else f"NR + {start - 1}"
    right = lines_of(numbered)
    wrong = [right[0], *(",".join((str(int(row[0]) + 1), *row[1:])) for row in numbered.rows)]
    mistake = Mistake(
        awk(f'NR == 1 {{ print "{label}," $0; next }} {{ print {offset} "," $0 }}', source, output).replace(
            "awk -F, ", "awk ", 1
        ),
        (
            "The line number of awk serves as the number of the row.",
            f"I print {offset} and a comma in front of each line after the header.",
        ),
        (
            f"The first row got {start + 1}, not {start}: the header counts as a line too, so the offset is one too "
            "large.",
            f"Numbers are one too high, because the header is line 1; the first row must be {start}.",
        ),
        ("awk",),
    )
    return [head_slip(state, output, mistake, wrong, right)]


def _appended(
    state: State,
    draw: Draw,
    table: Table,
    new: _New,
    columns: Sequence[Column],
    *,
    total: Column | None = None,
    slip: Callable[[State, str, str, list[str]], Slip | None] | None = None,
) -> Application:
    source = state.focus.path
    rows = [(*row, value) for row, value in zip(table.rows, new.values, strict=True)]
    wider = make_table((*table.header, new.label), rows)
    output = place_output(
        state,
        draw,
        (f"{stem(source)}_{slug(new.label)}", f"with_{slug(new.label)}", f"{stem(source)}_extended"),
        ".csv",
    )
    written = write_table(state, draw, output, wider, "csv-derived")
    label, meaning = new.label, new.meaning
    slips = [slip(state, source, output, lines_of(wider))] if slip is not None and awkable(state) else []
    return applied(
        written,
        output,
        Words(
            (
                f"add a last column `{label}` to {{it}} that holds {meaning}, and save the table as `{output}`",
                f"extend {{it}} by a column `{label}` at the end: {meaning}; write header and all rows to `{output}`",
                f"write `{output}`, a copy of {{it}} with one more column at the right, `{label}`: {meaning}",
                f"compute for each row of {{it}} {meaning}; append it as the column `{label}` and store the whole "
                f"table, header included, in `{output}`",
            ),
            (
                f"all of {{it}} with a new last column `{label}`: {meaning}",
                f"the table of {{it}} extended at the right by `{label}`, that is {meaning}",
            ),
            (
                f"`{output}` has the new column `{label}` for all {len(table)} rows",
                f"computed `{label}` for the {len(table)} rows and saved the table as `{output}`",
                f"appended `{label}` to the table in `{output}`; the first row has {new.values[0]}",
            ),
        ),
        _append_ways(state, draw, table, new, columns, total, source, output),
        slips,
    )


def _append_ways(
    state: State,
    draw: Draw,
    table: Table,
    new: _New,
    columns: Sequence[Column],
    total: Column | None,
    source: str,
    output: str,
) -> list[Way]:
    label, used = new.label, " and ".join(f"`{c.name}`" for c in columns)
    extra = f"    total = sum(Decimal(row[{py(total.name)}]) for row in rows)\n" if total else ""
    formula = f"row[{py(label)}] = {new.python}"
    if new.digits is not None:
        formula = f'figure = {new.python}\n    row[{py(label)}] = f"{{figure:.{new.digits}f}}"'
    script = f"""
import csv
from decimal import Decimal

with open({py(source)}, newline="") as f:
    reader = csv.DictReader(f)
    rows = list(reader)
{extra.replace("    total", "total", 1)}for row in rows:
    {formula}
with open({py(output)}, "w", newline="") as f:
    writer = csv.DictWriter(f, [*reader.fieldnames, {py(label)}], lineterminator="\\n")
    writer.writeheader()
    writer.writerows(rows)
"""
    python = python_act(
        state,
        output,
        script,
        f"With Decimal, `{label}` comes out exactly from {used}.",
        f"I compute `{label}` from {used} in Python and write it as the last field.",
        f"Reading each row as a dictionary makes `{label}` a one-line formula over {used}.",
    )
    if not (awkable(state) and easy(label)):
        return [python]
    fields = " and ".join(str(table.index(c.name) + 1) for c in columns)
    if total is not None:
        at = table.index(total.name) + 1
        inner = (
            f"NR == FNR {{ if (FNR > 1) total += ${at}; next }} "
            f'FNR == 1 {{ print $0 ",{label}"; next }} {{ print $0 "," {new.awk} }}'
        )
        command = awk(inner, source, output)
        command = command.replace(f" > {_out(command)}", f" {_last_word(command)} > {_out(command)}")
        why = (
            f"awk needs two passes: one for the total of field {at}, one to print each line with its share.",
            f"I read the file twice in one awk call, first summing `{total.name}`, then appending `{label}`.",
            f"The total of field {at} has to be known first, so awk gets the file two times.",
        )
    else:
        program = draw.pick(
            (
                f'NR == 1 {{ print $0 ",{label}"; next }} {{ print $0 "," {new.awk} }}',
                f'{{ print $0 "," (NR == 1 ? "{label}" : {new.awk}) }}',
                f'BEGIN {{ OFS = FS }} {{ $(NF + 1) = NR == 1 ? "{label}" : {new.awk} }} 1',
            )
        )
        command = awk(program, source, output)
        why = (
            f"{used}: field {fields} of unquoted lines, so awk can compute `{label}` and append it.",
            f"awk appends `{label}` to line 1 and the computed value to all other lines.",
            f"I leave each line as it is and add one field, computed from field {fields}.",
        )
    return [one_act(state, output, "awk", ("awk",), command, *why), python]


def _out(command: str) -> str:
    return command.rsplit(" > ", 1)[1]


def _last_word(command: str) -> str:
    return command.rsplit(" > ", 1)[0].rsplit("' ", 1)[1]


def _strictly_greater(
    table: Table, new: _New, at: int, name: str, shown: str, high: str, low: str
) -> Callable[[State, str, str, list[str]], Slip | None]:
    """The threshold itself put on the wrong side."""

    def build(state: State, source: str, output: str, right: list[str]) -> Slip | None:
        limit = Decimal(shown)
        wrong = [
            right[0],
            *(",".join((*row, high if Decimal(row[at]) > limit else low)) for row in table.rows),
        ]
        program = (
            f'NR == 1 {{ print $0 ",{new.label}"; next }} {{ print $0 "," (${at + 1} > {shown} ? "{high}" : "{low}") }}'
        )
        mistake = Mistake(
            awk(program, source, output),
            (
                f"I compare field {at + 1} with {shown} and append the word.",
                f"awk sets `{new.label}` by comparing `{name}` with {shown}.",
            ),
            (
                f"A row with exactly {shown} got `{low}`, but the threshold itself belongs to `{high}`.",
                f"The comparison must include {shown}: that row should say `{high}`.",
            ),
            ("awk",),
        )
        return head_slip(state, output, mistake, wrong, right)

    return build


def _free(table: Table, draw: Draw, names: Sequence[str]) -> str:
    taken = {n.casefold() for n in table.header}
    free = [n for n in names if n not in taken]
    return draw.pick(free) if free else f"{names[0]}_{len(table.columns)}"


def _too_long(values: Sequence[Decimal], digits: int) -> bool:
    """Whether binary floating point could show another last digit."""
    return len(str(int(max(abs(v) for v in values)))) + digits > _MOST_DIGITS


_PRE = tuple(s for s in COMMA_TABLES if s != "csv-derived")
_SUMS = ("group-summary", "calendar-summary")

SKILLS = (
    PackSkill(
        "csv-add-difference", "tables", "Add the difference of two columns.", _PRE, "csv-derived", add_difference
    ),
    PackSkill(
        "csv-add-share", "tables", "Add the share in a column's total.", (*_PRE, *_SUMS), "csv-derived", add_share
    ),
    PackSkill(
        "csv-add-band", "tables", "Add a column that classifies a number.", (*_PRE, *_SUMS), "csv-derived", add_band
    ),
    PackSkill(
        "csv-number-rows", "tables", "Number the rows in a new column.", (*_PRE, *_SUMS), "csv-derived", number_rows
    ),
)
