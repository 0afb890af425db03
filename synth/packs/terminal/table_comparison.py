"""How rows are compared and ordered, in words, in Python and in SQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from trajmill.schemas.content.tables import Column, Row, Table
from trajmill.synth.packs.skill import Draw
from trajmill.synth.packs.standing import TEXT_ORDER

BY_CODE = TEXT_ORDER.single
"""How text is compared where the order of text matters."""


def order_matters(values: Iterable[str]) -> bool:
    """Whether sorting by character code differs from sorting by letters alone, or by the numbers in front."""
    distinct = set(values)
    by_letters = sorted(distinct, key=lambda v: (re.sub(r"[^\w]|_", "", v.casefold()), v))
    numbered = {len(v) for v in distinct if v[:1].isdigit()}
    return sorted(distinct) != by_letters or len(numbered) > 1 or any(not v.isascii() for v in distinct)


def order_rule(values: Iterable[str], draw: Draw) -> tuple[str, ...]:
    """The rule on how text is compared, if it makes a difference for these values."""
    return (draw.pick(BY_CODE),) if order_matters(values) else ()


@dataclass(frozen=True, slots=True)
class Order:
    """One column, a direction, and what decides between equal values (None: the order they came in)."""

    column: Column
    at: int
    down: bool
    tie: Column | None
    tie_at: int
    ties: bool

    @property
    def numeric(self) -> bool:
        """Whether numbers are compared."""
        return self.column.numeric

    @property
    def words(self) -> str:
        """The direction in words."""
        if self.numeric:
            return "largest first" if self.down else "smallest first"
        if self.column.type == "date":
            return "latest first" if self.down else "earliest first"
        return "descending" if self.down else "ascending"

    def compared_text(self, table: Table) -> tuple[str, ...]:
        """The values that are compared as text."""
        columns = (self.column, self.tie)
        return tuple(v for c in columns if c is not None and c.type == "text" for v in table.column(c.name))

    @property
    def tie_words(self) -> str:
        """The rule for equal values as a clause; empty if there are none."""
        if not self.ties:
            return ""
        if self.tie is None:
            return f"rows with the same `{self.column.name}` keep their original order"
        return f"rows with the same `{self.column.name}` are ordered by `{self.tie.name}`, ascending"


def in_order(table: Table, order: Order) -> tuple[Row, ...]:
    """The rows of the table in this order."""
    rows = list(table.rows)
    if order.tie is not None:
        rows.sort(key=_key(order.tie, order.tie_at))
    rows.sort(key=_key(order.column, order.at), reverse=order.down)
    return tuple(rows)


def _key(column: Column, at: int) -> Callable[[Row], Any]:
    return (lambda row: Decimal(row[at])) if column.numeric else (lambda row: row[at])


def sql_key(column: Column, down: bool) -> str:
    """The column in an ORDER BY clause."""
    return (f"CAST({column.name} AS REAL)" if column.numeric else column.name) + (" DESC" if down else "")
