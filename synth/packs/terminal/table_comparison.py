"""How rows are compared and ordered, in words, in Python and in SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from trajmill.schemas.content.tables import Column, Row, Table

BY_CODE = (
    "Compare text by character code, as in the C locale.",
    "Text is ordered by character code, so capitals come before small letters.",
    "For text, use the order of the character codes (capitals before small letters).",
)
"""How text is compared where the order of text matters."""


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

    @property
    def by_text(self) -> bool:
        """Whether text is compared, so that the comparison must be stated."""
        return self.column.type == "text" or (self.tie is not None and self.tie.type == "text")

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
