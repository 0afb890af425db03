"""Skills that classify the rows of a CSV table by a number."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import slug
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    measured_columns,
    numbers,
    table_of,
)
from trajmill.synth.packs.terminal.table_derive import NewColumn, appended, free_name
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    awk,
    head_slip,
    py,
)


def add_band(state: State, draw: Draw) -> Application | None:
    """Append a word that says on which side of a threshold a number lies."""
    table = table_of(state, least=5)
    columns = [c for c in measured_columns(table) if len(set(table.column(c.name))) > 3] if table else []
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
    label = free_name(table, draw, ("band", "level", f"{slug(name, most=16)}_band", "class"))
    new = NewColumn(
        label,
        tuple(high if v >= limit else low for v in values),
        f"`{high}` where `{name}` is {shown} or more and `{low}` elsewhere",
        f'(${at + 1} >= {shown} ? "{high}" : "{low}")',
        f'{py(high)} if Decimal(row[{py(name)}]) >= Decimal("{shown}") else {py(low)}',
    )
    slip = _strictly_greater(table, new, at, name, shown, high, low)
    return appended(state, draw, table, new, (column,), slip=slip)


def _strictly_greater(
    table: Table, new: NewColumn, at: int, name: str, shown: str, high: str, low: str
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


_PRE = tuple(s for s in COMMA_TABLES if s != "csv-derived")
_SUMS = ("group-summary", "calendar-summary")


SKILLS = (
    PackSkill(
        "csv-add-band", "tables", "Add a column that classifies a number.", (*_PRE, *_SUMS), "csv-derived", add_band
    ),
)
