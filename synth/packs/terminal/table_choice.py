"""What in a table can be asked about: columns and values that a sentence can name and whose result is in no doubt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal

from trajmill.schemas.content.column_types import to_number
from trajmill.schemas.content.tables import Column, Dialect, Table
from trajmill.synth.packs.naming import stem
from trajmill.synth.packs.state import State

COMMA = Dialect()
TAB = Dialect(delimiter="\t", quoting=False)

_LABEL = re.compile(
    r"year|month|day|date|zip|code|phone|numeric|\bid\b|_id$|^id|rank|^no$|^nr$|^row$|number$|index", re.IGNORECASE
)
_PLACE = re.compile(r"lat|lon|lng", re.IGNORECASE)
_LEVEL = re.compile(
    r"temp|price|^open$|^high$|^low$|^close$|rate$|ratio|percent|share|mean|average|length|width|difference|diff$|gap$",
    re.IGNORECASE,
)
"""Names of what has a level and no total: temperatures, prices, shares, sizes of single things."""


def table_of(state: State, delimiter: str = ",", *, least: int = 3) -> Table | None:
    """The focus as a table in plain form (UTF-8, LF, this delimiter) with nameable columns and enough rows, or None."""
    table = state.focus.facts
    if not isinstance(table, Table) or len(table.rows) < least:
        return None
    dialect = table.dialect
    if not dialect.simple or dialect.delimiter != delimiter or not table.unique_header:
        return None
    if delimiter == "," and not dialect.quoting:
        return None
    return table if all(sayable(name) for name in table.header) else None


def sayable(value: str) -> bool:
    """Whether a value can stand between back quotes in a sentence without doubt about where it ends."""
    return 0 < len(value) <= 40 and value == value.strip() and "`" not in value and value.isprintable()


def easy(value: str) -> bool:
    """Whether a value needs no escaping in shell, awk, sed or SQL."""
    return sayable(value) and not re.search(r"[\"'\\$!&|/*.\[\]^%{}~#;<>?()]", value)


def full_columns(table: Table, *types: str) -> list[Column]:
    """Columns of these types without missing values."""
    return [c for c in table.columns if c.type in types and not any(not v for v in table.column(c.name))]


def numeric_columns(table: Table) -> list[Column]:
    """Integer and decimal columns without missing values."""
    return full_columns(table, "integer", "decimal")


def summable_columns(table: Table) -> list[Column]:
    """Numeric columns whose total says something, as far as the name tells: no years, coordinates, codes or levels."""
    return [c for c in comparable_columns(table) if not _LEVEL.search(c.name)]


def comparable_columns(table: Table) -> list[Column]:
    """Numeric columns whose values can be told apart by subtraction: no years, coordinates or codes."""
    return [c for c in measured_columns(table) if not _PLACE.search(c.name)]


def measured_columns(table: Table) -> list[Column]:
    """Numeric columns whose mean says something, as far as the name tells: no years or codes."""
    return [c for c in numeric_columns(table) if not _LABEL.search(c.name)]


def key_columns(table: Table) -> list[Column]:
    """Columns whose values are all there and all different."""
    return [c for c in full_columns(table, "integer", "text") if len(set(table.column(c.name))) == len(table.rows)]


def group_columns(table: Table, most: int = 60) -> list[Column]:
    """Columns that divide the rows into at least two groups, one of them of two rows, with names that can be said."""
    found = []
    for column in full_columns(table, "text", "boolean", "integer"):
        counts = Counter(table.column(column.name))
        grouped = 2 <= len(counts) <= most and len(counts) < len(table.rows) and all(sayable(v) for v in counts)
        if grouped and (column.type != "integer" or len(counts) <= len(table.rows) // 2):
            found.append(column)
    return found


def numbers(table: Table, name: str) -> tuple[Decimal, ...]:
    """The exact values of a numeric column without missing values, in row order."""
    kind = table.about(name).type
    return tuple(Decimal(to_number(v, kind)) for v in table.column(name))


def brief(path: str) -> str:
    """The file name without endings, cut to its first part if it has grown long: names of outputs build on it."""
    name = stem(path)
    return name if len(name) <= 22 else name.split("_", 1)[0][:22]


def places(values: Iterable[str]) -> int:
    """The most digits after the point in any of these numbers."""
    return max((len(v.partition(".")[2]) for v in values), default=0)


def fixed(number: Decimal, digits: int) -> str:
    """A number with this many digits after the point; half goes away from zero, and zero has no sign."""
    scale = Decimal(1).scaleb(-digits)
    text = format(number.quantize(scale, rounding="ROUND_HALF_UP"), "f")
    return text.removeprefix("-") if not number.quantize(scale, rounding="ROUND_HALF_UP") else text


def near_half(number: Decimal, digits: int) -> bool:
    """Whether rounding to this many digits could go either way with binary floating point or another rounding mode."""
    rest = abs(number).scaleb(digits) % 1
    return abs(rest - Decimal("0.5")) < Decimal("0.000001")


def decimals_words(digits: int) -> str:
    """``2 decimals``, ``1 decimal`` or ``no decimals``."""
    return {0: "no decimals", 1: "1 decimal"}.get(digits, f"{digits} decimals")


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in back quotes as in a sentence: `` `a`, `b` and `c` ``."""
    quoted = [f"`{n}`" for n in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"
