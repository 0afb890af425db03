"""Records to JSON and back, by their own type hints; strict in both directions."""

from __future__ import annotations

import base64
import dataclasses
import functools
import types
import typing
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from trajmill.schemas.errors import ContractError
from trajmill.schemas.ids import Json
from trajmill.schemas.tree import FILE_TIME, Entry, FileEntry, FolderEntry, LinkEntry, Tree

T = TypeVar("T")


def to_json(value: object) -> Json:
    """A JSON value for a record, with every field present. Raises TypeError for what has no JSON form."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Tree):
        return {path: _entry_to_json(entry) for path, entry in value.entries.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, Decimal):
        raise TypeError("Decimal has no JSON form of its own; store it as text.")
    raise TypeError(f"{type(value).__name__} has no JSON form.")


def from_json(record: type[T], value: Json, *, where: str = "$") -> T:
    """Build a record from JSON. Raises ContractError, with its path, for unknown or missing keys and wrong types."""
    return typing.cast(T, _read(record, value, where))


@functools.cache
def _hints(record: type) -> dict[str, Any]:
    return get_type_hints(record)


def _read(hint: Any, value: Json, where: str) -> Any:
    if hint is Any or hint is object:
        return value
    if hint is Tree:
        return _tree(value, where)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _record(hint, value, where)
    origin = get_origin(hint)
    if origin is Literal:
        if value not in get_args(hint):
            raise ContractError(f"{where} is {value!r}, but must be one of {', '.join(map(repr, get_args(hint)))}.")
        return value
    if origin in (Union, types.UnionType):
        return _union(hint, value, where)
    if origin is tuple:
        return _tuple(hint, value, where)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(hint, value, where)
    return _scalar(hint, value, where)


def _record(hint: type, value: Json, where: str) -> Any:
    if not isinstance(value, dict):
        raise ContractError(f"{where} must be an object.")
    fields = {f.name: f for f in dataclasses.fields(hint)}
    for key in value:
        if key not in fields:
            raise ContractError(f"{where}.{key} is not a known key.")
    hints = _hints(hint)
    for name, f in fields.items():
        required = f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        if required and name not in value:
            raise ContractError(f"{where}.{name} is missing.")
    return hint(**{key: _read(hints[key], item, f"{where}.{key}") for key, item in value.items()})


def _union(hint: Any, value: Json, where: str) -> Any:
    options = get_args(hint)
    if value is None:
        if type(None) in options:
            return None
        raise ContractError(f"{where} must not be null.")
    rest = [option for option in options if option is not type(None)]
    problems = []
    for option in rest:
        try:
            return _read(option, value, where)
        except ContractError as problem:
            problems.append(problem)
    raise problems[0]


def _tuple(hint: Any, value: Json, where: str) -> Any:
    if not isinstance(value, list | tuple):
        raise ContractError(f"{where} must be a list.")
    args = get_args(hint)
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_read(args[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if len(args) != len(value):
        raise ContractError(f"{where} must have {len(args)} items.")
    return tuple(_read(arg, item, f"{where}[{i}]") for i, (arg, item) in enumerate(zip(args, value, strict=True)))


def _mapping(hint: Any, value: Json, where: str) -> Any:
    if not isinstance(value, dict):
        raise ContractError(f"{where} must be an object.")
    item_hint = (get_args(hint) or (str, Any))[1]
    return {key: _read(item_hint, item, f"{where}.{key}") for key, item in value.items()}


def _scalar(hint: Any, value: Json, where: str) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, bool) and hint is not bool:
        raise ContractError(f"{where} must be {_name(hint)}, not a boolean.")
    if not isinstance(value, hint):
        raise ContractError(f"{where} must be {_name(hint)}, not {value!r:.60}.")
    return value


def _name(hint: Any) -> str:
    names = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
    return names.get(hint, str(hint))


def _entry_to_json(entry: Entry) -> Json:
    match entry:
        case LinkEntry(target=target):
            return {"link": target}
        case FolderEntry(mode=mode, mtime=mtime):
            return {"folder": True, **_modes(mode, 0o755, mtime)}
        case FileEntry(data=data, mode=mode, mtime=mtime):
            return {**_content(data), **_modes(mode, 0o644, mtime)}


def _content(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def _modes(mode: int, usual: int, mtime: int) -> dict[str, Json]:
    shown: dict[str, Json] = {}
    if mode != usual:
        shown["mode"] = f"{mode:04o}"
    if mtime != FILE_TIME:
        shown["mtime"] = mtime
    return shown


def _tree(value: Json, where: str) -> Tree:
    if not isinstance(value, dict):
        raise ContractError(f"{where} must be an object of files by path.")
    return Tree({path: _entry(item, f"{where}[{path!r}]") for path, item in value.items()})


def _entry(value: Json, where: str) -> Entry:
    if not isinstance(value, dict) or len({"link", "folder", "text", "base64"} & set(value)) != 1:
        raise ContractError(f"{where} must have exactly one of text, base64, folder and link.")
    if "link" in value:
        return LinkEntry(str(value["link"]))
    mtime = int(value.get("mtime", FILE_TIME))
    if "folder" in value:
        return FolderEntry(int(value.get("mode", "0755"), 8), mtime)
    data = value["text"].encode("utf-8") if "text" in value else base64.b64decode(value["base64"], validate=True)
    return FileEntry(data, int(value.get("mode", "0644"), 8), mtime)
