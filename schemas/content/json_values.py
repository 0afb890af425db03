"""JSON values written and compared: exact numbers in and out, equality by value, the first difference named."""

from __future__ import annotations

import json
from decimal import Decimal
from json.encoder import encode_basestring, encode_basestring_ascii

from trajmill.schemas.content.json_exact import Value
from trajmill.schemas.content.json_places import member_path


def render_json(
    value: Value, *, indent: int | None = 2, sort_keys: bool = False, ascii_only: bool = False, spaced: bool = True
) -> bytes:
    """Write a value in UTF-8 with a final newline; numbers as exact as they came.

    ``indent=2`` looks like ``jq .`` and ``json.dumps(indent=2)``, ``indent=None`` like ``json.dumps`` on one line, and
    without ``spaced`` like ``jq -c``. ``ascii_only`` escapes what is not ASCII.
    Raises TypeError for what is not JSON, ValueError for NaN.
    """
    return (_render(value, indent, 0, sort_keys, ascii_only, spaced) + "\n").encode("utf-8")


def same_value(left: Value, right: Value) -> bool:
    """Equal as JSON values: numbers by exact value (``1`` is ``1.0``), objects whatever their order, true never 1."""
    return first_difference(left, right) == ""


def first_difference(left: Value, right: Value, path: str = "$") -> str:
    """One line naming the first place where ``right`` is not the expected ``left``, or the empty string."""
    if isinstance(left, dict) and isinstance(right, dict):
        return _object_difference(left, right, path)
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            return f"{path}: expected {len(left)} elements, found {len(right)}"
        pairs = enumerate(zip(left, right, strict=True))
        return next((d for i, (a, b) in pairs if (d := first_difference(a, b, member_path(path, i)))), "")
    if _is_number(left) and _is_number(right):
        return "" if left == right else f"{path}: expected {left}, found {right}"
    if type(left) is type(right) and left == right:
        return ""
    return f"{path}: expected {_short(left)}, found {_short(right)}"


def canonical_text(value: Value) -> str:
    """One text per value: equal texts exactly where ``same_value`` holds; fit for sets and sorting."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{canonical_text(value[k])}" for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical_text(v) for v in value) + "]"
    if _is_number(value):
        return _canonical_number(Decimal(value))
    return json.dumps(value)


def _object_difference(left: dict[str, Value], right: dict[str, Value], path: str) -> str:
    missing = [k for k in left if k not in right]
    if missing:
        return f"{member_path(path, missing[0])}: missing"
    extra = [k for k in right if k not in left]
    if extra:
        return f"{member_path(path, extra[0])}: not expected"
    return next((d for k in left if (d := first_difference(left[k], right[k], member_path(path, k)))), "")


def _is_number(value: Value) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _canonical_number(number: Decimal) -> str:
    if not number:
        return "0"
    sign, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    kept = text.rstrip("0")
    return f"{'-' if sign else ''}{kept}e{int(exponent) + len(text) - len(kept)}"


def _render(value: Value, indent: int | None, level: int, sort_keys: bool, ascii_only: bool, spaced: bool) -> str:
    def inner(child: Value) -> str:
        return _render(child, indent, level + 1, sort_keys, ascii_only, spaced)

    if isinstance(value, str):
        return _text(value, ascii_only)
    if isinstance(value, dict):
        keys = sorted(value) if sort_keys else list(value)
        colon = ": " if spaced or indent is not None else ":"
        parts = [f"{_text(k, ascii_only)}{colon}{inner(value[k])}" for k in keys]
        return _wrapped("{", parts, "}", indent, level, spaced)
    if isinstance(value, list | tuple):
        return _wrapped("[", [inner(v) for v in value], "]", indent, level, spaced)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not JSON")
        return str(value)
    if type(value) is int:
        return int.__repr__(value)
    return json.dumps(value, allow_nan=False)


def _text(value: str, ascii_only: bool) -> str:
    return encode_basestring_ascii(value) if ascii_only else encode_basestring(value)


def _wrapped(start: str, parts: list[str], end: str, indent: int | None, level: int, spaced: bool) -> str:
    if not parts:
        return start + end
    if indent is None:
        return start + (", " if spaced else ",").join(parts) + end
    pad = "\n" + " " * (indent * (level + 1))
    return start + pad + ("," + pad).join(parts) + "\n" + " " * (indent * level) + end


def _short(value: Value) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = str(value) if _is_number(value) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
