"""JSON text whose numbers keep their value: whole numbers of any size, ``1e400``, ``-0.0``.

A number that a float holds exactly as written is a float; any other fraction is a ``Decimal``, which is written back as
a number. Ordinary JSON libraries turn such numbers into Infinity, null or text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from trajmill.schemas.errors import ContractError
from trajmill.schemas.ids import Json


def read_exact(text: str | bytes) -> Json:
    """Parse one JSON document. Raises ContractError for NaN, Infinity, a key given twice, or what is not JSON."""
    try:
        return json.loads(
            text, parse_float=_fraction, parse_int=_whole, parse_constant=_constant, object_pairs_hook=_object
        )
    except (ValueError, InvalidOperation, RecursionError) as error:
        raise ContractError(f"Not a JSON document: {error}.") from error


def write_exact(value: Json, *, sort: bool = True) -> str:
    """The text without spaces, with exact numbers; sorted keys make it canonical, else keys keep their order.

    Raises ContractError for what has no JSON form.
    """
    try:
        text = _fast(value, sort)
        text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise ContractError(f"No JSON document can hold this: {error}.") from error
    return text


def _fast(value: Json, sort: bool) -> str:
    try:
        return json.dumps(value, sort_keys=sort, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except TypeError:
        return "".join(_pieces(value, sort))


def _pieces(value: Json, sort: bool) -> Iterator[str]:
    """The same text as the library's, piece by piece, for documents that hold a Decimal."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not a JSON number")
        yield str(value)
    elif isinstance(value, dict):
        yield "{"
        for place, key in enumerate(sorted(value) if sort else value):
            yield "," if place else ""
            yield f"{_text(key)}:"
            yield from _pieces(value[key], sort)
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for place, item in enumerate(value):
            yield "," if place else ""
            yield from _pieces(item, sort)
        yield "]"
    else:
        yield json.dumps(value, ensure_ascii=False, allow_nan=False)


def _text(key: Json) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is not text")
    return json.dumps(key, ensure_ascii=False)


def _fraction(digits: str) -> float | Decimal:
    number, exact = float(digits), Decimal(digits)
    return number if math.isfinite(number) and Decimal(repr(number)) == exact else exact


def _whole(digits: str) -> int | float:
    return -0.0 if digits == "-0" else int(digits)


def _constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    table = dict(pairs)
    if len(table) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} is given twice")
    return table
