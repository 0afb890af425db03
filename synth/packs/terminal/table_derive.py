"""Skills that add a computed column to a CSV table."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from trajmill.schemas.content.tables import Column, Table, make_table
from trajmill.synth.packs.naming import place_output, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    brief,
    comparable_columns,
    decimals_words,
    easy,
    fixed,
    near_half,
    numbers,
    places,
    summable_columns,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import (
    Words,
    applied,
    awk,
    lines_of,
    one_act,
    py,
    python_act,
)

_MOST_DIGITS = 14
_PRICES = {"open", "high", "low", "close"}


@dataclass(frozen=True, slots=True)
class NewColumn:
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
    columns = comparable_columns(table) if table else []
    if table is None or len(columns) < 2:
        return None
    pairs = [pair for pair in itertools.permutations(columns, 2) if _comparable(pair[0].name, pair[1].name)]
    if not pairs:
        return None
    a, b = draw.pick(pairs)
    digits = max(places(table.column(a.name)), places(table.column(b.name)))
    exact = [x - y for x, y in zip(numbers(table, a.name), numbers(table, b.name), strict=True)]
    if len(set(exact)) < 2 or _too_long(exact, digits):
        return None
    label = free_name(
        table, draw, ("difference", "diff", f"{slug(a.name, most=16)}_minus_{slug(b.name, most=16)}", "gap")
    )
    form = f"with {decimals_words(digits)}" if digits else "as a whole number"
    new = NewColumn(
        label,
        tuple(fixed(n, digits) for n in exact),
        f"`{a.name}` minus `{b.name}`, {form}",
        f'sprintf("%.{digits}f", ${table.index(a.name) + 1} - ${table.index(b.name) + 1})',
        f"Decimal(row[{py(a.name)}]) - Decimal(row[{py(b.name)}])",
        digits,
    )
    return appended(state, draw, table, new, (a, b))


def _comparable(a: str, b: str) -> bool:
    """Whether the names say that both columns measure the same kind of thing, so that a difference means something."""
    left, right = _words(a), _words(b)
    shared = any(len(word) >= 3 for word in left & right)
    alike = min(len(a), len(b)) >= 4 and (a[:4] == b[:4] or a[-4:] == b[-4:])
    return shared or alike or {a.lower(), b.lower()} <= _PRICES


def _words(name: str) -> set[str]:
    return set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r" \1", name).lower())) - {"and", "the", "per"}


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
    label = free_name(table, draw, ("share", "percent", f"{slug(name, most=16)}_share", "share_percent"))
    new = NewColumn(
        label,
        tuple(fixed(n, digits) for n in exact),
        f"the share of the row in the total of `{name}`, in per cent, rounded to {decimals_words(digits)} and "
        "without a per cent sign",
        f'sprintf("%.{digits}f", 100 * ${at + 1} / total)',
        f"100 * Decimal(row[{py(name)}]) / total",
        digits,
    )
    return appended(state, draw, table, new, (column,), total=column)


def appended(
    state: State,
    draw: Draw,
    table: Table,
    new: NewColumn,
    columns: Sequence[Column],
    *,
    total: Column | None = None,
    slip: Callable[[State, str, str, list[str]], Slip | None] | None = None,
) -> Application:
    """The application that adds a last column; ``total``: the column whose total must be known first."""
    source = state.focus.path
    rows = [(*row, value) for row, value in zip(table.rows, new.values, strict=True)]
    wider = make_table((*table.header, new.label), rows)
    output = place_output(
        state,
        draw,
        (f"{brief(source)}_{slug(new.label)}", f"with_{slug(new.label)}", f"{brief(source)}_extended"),
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
                f"append to {{it}} a column `{label}`, computed row by row: {meaning}; the whole table, header "
                f"included, goes to `{output}`",
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
    new: NewColumn,
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


def free_name(table: Table, draw: Draw, names: Sequence[str]) -> str:
    """One of the names that no column has."""
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
)
