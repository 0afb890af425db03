"""JSON with exact numbers: integers of any size, decimals as written, duplicate keys found, nothing rounded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from trajmill.schemas.content.encodings import Encoding, Text, decode, detect_encoding, first_bad_utf8
from trajmill.schemas.content.json_places import DuplicateKey, duplicate_keys, member_path
from trajmill.schemas.content.notes import ContentError

Value: TypeAlias = Any
"""A JSON value whose numbers are ``int`` or ``Decimal``, never float."""

MOST_DEPTH = 200
MOST_BYTES = 64 << 20
_EXACT = 1 << 53
_MOST_EXPONENT = 10_000
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class JsonScan:
    """A JSON document and what other readers would see differently."""

    value: Value
    text: Text
    duplicates: tuple[DuplicateKey, ...]
    beyond_double: tuple[str, ...]
    """Paths of integers above 2^53 that a double does not hold for sure."""
    imprecise: tuple[str, ...]
    """Paths of decimals that change when read as a double and written again."""
    lone_surrogates: bool
    """Some string holds half a surrogate pair, which UTF-8 cannot hold."""
    depth: int


def read_json(data: bytes) -> Value:
    """Read one JSON document exactly.

    Raises ContentError: ``not_json`` with line and column, ``duplicate_key``, ``too_deep``, ``too_large``,
    ``number_too_large``, ``not_text``.
    """
    scan = scan_json(data)
    if scan.duplicates:
        first = scan.duplicates[0]
        raise ContentError("duplicate_key", first.place, f"The key {first.path} occurs more than once")
    return scan.value


def scan_json(data: bytes) -> JsonScan:
    """Read one JSON document exactly and say what is unusual about it.

    Raises ContentError as ``read_json`` does, except for duplicate keys: those are listed.
    """
    if len(data) > MOST_BYTES:
        raise ContentError("too_large", "", f"{len(data)} bytes of JSON, at most {MOST_BYTES} are read")
    text = decode(data, _encoding(data))
    value, repeated = _parse(text.text)
    beyond: list[str] = []
    imprecise: list[str] = []
    deepest = 0
    surrogate = False
    for path, depth, leaf in walk(value):
        deepest = max(deepest, depth)
        if isinstance(leaf, Decimal):
            if not _survives_double(leaf):
                imprecise.append(path())
        elif isinstance(leaf, int) and not isinstance(leaf, bool):
            if abs(leaf) > _EXACT:
                beyond.append(path())
        elif isinstance(leaf, str):
            surrogate = surrogate or bool(_SURROGATE.search(leaf))
    duplicates = duplicate_keys(text.text) if repeated else ()
    return JsonScan(value, text, duplicates, tuple(beyond), tuple(imprecise), surrogate, deepest)


def has_lone_surrogate(value: Value) -> bool:
    """Some string or key in the value holds half a surrogate pair, which UTF-8 cannot hold."""
    return any(isinstance(leaf, str) and _SURROGATE.search(leaf) for _, _, leaf in walk(value))


def parse_value(text: str) -> Value:
    """Read one JSON value from text. Raises ContentError ``not_json``, ``duplicate_key`` or ``too_deep``."""
    value, repeated = _parse(text)
    if repeated:
        first = duplicate_keys(text)[0]
        raise ContentError("duplicate_key", first.place, f"The key {first.path} occurs more than once")
    for _ in walk(value):
        pass
    return value


class _Place:
    """A path that is put into words only when somebody asks."""

    __slots__ = ("above", "key")

    def __init__(self, above: _Place | None, key: str | int) -> None:
        self.above = above
        self.key = key

    def __call__(self) -> str:
        keys: list[str | int] = []
        at: _Place | None = self
        while at is not None and at.above is not None:
            keys.append(at.key)
            at = at.above
        path = "$"
        for key in reversed(keys):
            path = member_path(path, key)
        return path


def walk(value: Value) -> Iterator[tuple[_Place, int, Value]]:
    """Every leaf, and every key as a leaf, with its place (call it for the path) and its depth.

    Raises ContentError ``too_deep`` past ``MOST_DEPTH``.
    """
    waiting: list[tuple[_Place, int, Value]] = [(_Place(None, "$"), 0, value)]
    while waiting:
        place, depth, node = waiting.pop()
        if depth > MOST_DEPTH:
            raise ContentError("too_deep", "", f"Nested deeper than {MOST_DEPTH} levels")
        if isinstance(node, dict):
            for key in node:
                yield place, depth, key
            waiting.extend((_Place(place, key), depth + 1, node[key]) for key in reversed(node))
        elif isinstance(node, list):
            waiting.extend((_Place(place, i), depth + 1, node[i]) for i in range(len(node) - 1, -1, -1))
        else:
            yield place, depth, node


def _encoding(data: bytes) -> Encoding:
    """JSON is UTF-8 wherever it can be, whatever control characters its strings hold."""
    known = detect_encoding(data)
    return Encoding("utf-8") if known.name == "binary" and first_bad_utf8(data) is None else known


def _parse(text: str) -> tuple[Value, bool]:
    """The value, and whether some object has a key twice."""
    repeated = False

    def pairs(members: list[tuple[str, Value]]) -> dict[str, Value]:
        nonlocal repeated
        made = dict(members)
        repeated = repeated or len(made) != len(members)
        return made

    try:
        value = json.loads(
            text, parse_float=_decimal, parse_int=_integer, parse_constant=_refuse_constant, object_pairs_hook=pairs
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ContentError("not_json", place, f"Not JSON: {error.msg}") from error
    except RecursionError as error:
        raise ContentError("too_deep", "", f"Nested deeper than {MOST_DEPTH} levels") from error
    return value, repeated


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if number and abs(number.adjusted()) > _MOST_EXPONENT:
        raise ContentError("number_too_large", "", f"The number {text[:40]} has too large an exponent")
    return number


def _integer(text: str) -> int:
    if len(text) > 4_000:
        raise ContentError("number_too_large", "", f"An integer of {len(text)} digits")
    return int(text)


def _refuse_constant(text: str) -> Value:
    raise ContentError("not_json", "", f"{text} is not JSON")


def _survives_double(number: Decimal) -> bool:
    """A double holds at least 15 significant digits; past that, the value is tried."""
    if len(number.as_tuple().digits) <= 15 and abs(number.adjusted()) < 300:
        return True
    try:
        return Decimal(repr(float(number))) == number
    except ArithmeticError:
        return False
