"""What the values of a column are: told from every value, and text wherever another type would lose a byte."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

ColumnType = Literal["integer", "decimal", "decimal_comma", "date", "datetime", "boolean", "text", "unknown"]
Number = int | Decimal

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?")
_COMMA = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:,[0-9]{1,18})?")
_PERHAPS_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")
_DATE_SHAPES: tuple[tuple[re.Pattern[str], ColumnType, tuple[str, ...]], ...] = (
    (re.compile(r"\d{4}-\d{2}-\d{2}"), "date", ("%Y-%m-%d",)),
    (re.compile(r"\d{4}/\d{2}/\d{2}"), "date", ("%Y/%m/%d",)),
    (re.compile(r"\d{2}\.\d{2}\.\d{4}"), "date", ("%d.%m.%Y",)),
    (re.compile(r"\d{2}/\d{2}/\d{4}"), "date", ("%d/%m/%Y", "%m/%d/%Y")),
    (re.compile(r"[A-Z][a-z]{2} \d{1,2} \d{4}"), "date", ("%b %d %Y",)),
    (re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}"), "datetime", ("%Y-%m-%d %H:%M",)),
    (re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}"), "datetime", ("%Y-%m-%d %H:%M:%S",)),
    (re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}"), "datetime", ("%Y-%m-%dT%H:%M:%S",)),
    (re.compile(r"\d{4}/\d{2}/\d{2} \d{2}:\d{2}"), "datetime", ("%Y/%m/%d %H:%M",)),
    (re.compile(r"\d{4}/\d{2}/\d{2} \d{2}:\d{2}:\d{2}"), "datetime", ("%Y/%m/%d %H:%M:%S",)),
)
_BOOLEANS = (frozenset({"true", "false"}), frozenset({"True", "False"}), frozenset({"TRUE", "FALSE"}))


@dataclass(frozen=True, slots=True)
class Inferred:
    """What a column holds."""

    type: ColumnType
    format: str = ""
    """``strptime`` format of a date or datetime."""
    missing: int = 0
    """Number of empty values; they do not count for the type."""
    ambiguous_date: bool = False
    """Every value could be DD/MM/YYYY as well as MM/DD/YYYY, so the column stays text."""


def infer(values: Sequence[str]) -> Inferred:
    """The type of a column; ``unknown`` if no value is there to tell by.

    Codes with leading zeros, more than 18 digits, exponents or a plus sign stay text, so that no rewrite changes them.
    """
    distinct = {v for v in values if v}
    missing = sum(1 for v in values if not v)
    if not distinct:
        return Inferred("unknown", missing=missing)
    plain = _number_type(distinct)
    if plain is not None:
        return Inferred(plain, missing=missing)
    if any(distinct <= words for words in _BOOLEANS):
        return Inferred("boolean", missing=missing)
    for shape, kind, formats in _DATE_SHAPES:
        if all(shape.fullmatch(v) for v in distinct):
            fitting = [f for f in formats if all(_is_date(v, f) for v in distinct)]
            if len(fitting) == 1:
                return Inferred(kind, fitting[0], missing)
            return Inferred("text", missing=missing, ambiguous_date=len(fitting) > 1)
    return Inferred("text", missing=missing)


def to_number(value: str, kind: ColumnType) -> Number:
    """The exact number of one value of a numeric column; never a float.

    Raises ValueError for a value that is not of this type or a type that is not numeric.
    """
    if kind == "integer" and _INTEGER.fullmatch(value):
        return int(value)
    if kind == "decimal" and _DECIMAL.fullmatch(value):
        return Decimal(value)
    if kind == "decimal_comma" and _COMMA.fullmatch(value):
        return Decimal(value.replace(",", "."))
    raise ValueError(f"{value!r} is no {kind}")


def from_number(number: Number, kind: ColumnType) -> str:
    """Write a number the way a column of this type holds it: no exponent, a comma where the column has commas."""
    text = format(number, "f") if isinstance(number, Decimal) else str(number)
    return text.replace(".", ",") if kind == "decimal_comma" else text


def _number_type(distinct: set[str]) -> ColumnType | None:
    if all(_INTEGER.fullmatch(v) and v != "-0" for v in distinct):
        return "integer"
    if all(_DECIMAL.fullmatch(v) and v != "-0" for v in distinct):
        return "decimal"
    if not all(_COMMA.fullmatch(v) and v != "-0" for v in distinct):
        return None
    certain = any("," in v and not _PERHAPS_THOUSANDS.fullmatch(v) for v in distinct)
    return "decimal_comma" if certain else None


@functools.lru_cache(maxsize=1 << 16)
def _is_date(value: str, form: str) -> bool:
    try:
        datetime.strptime(value, form)
    except ValueError:
        return False
    return True
