"""Where in a JSON text a key stands twice: the slow look, taken only when the fast reader found a repetition."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from trajmill.schemas.content.notes import listed

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class DuplicateKey:
    """A key that occurs more than once in one object."""

    path: str
    """``$.limits.per_minute``."""
    lines: tuple[int, ...]
    """The line of each occurrence, from 1."""

    @property
    def place(self) -> str:
        """``$.retries (lines 3, 5)``."""
        return f"{self.path} ({listed(self.lines, 'line')})"


@dataclass(slots=True)
class _Level:
    path: str
    is_object: bool
    index: int = 0
    key: str = ""
    awaits_key: bool = True
    seen: dict[str, list[int]] = field(default_factory=dict)


def duplicate_keys(text: str) -> tuple[DuplicateKey, ...]:
    """Every key that an object has twice, in order of the text. The text must be valid JSON."""
    found: list[DuplicateKey] = []
    levels: list[_Level] = []
    for token, line in _tokens(text):
        top = levels[-1] if levels else None
        if token in "{[":
            levels.append(_Level(_path_of(top), token == "{"))
        elif token in "}]":
            closed = levels.pop()
            found += [_duplicate(closed, key, lines) for key, lines in closed.seen.items() if len(lines) > 1]
        elif top is None or token == ":":
            continue
        elif token == ",":
            top.index += 1
            top.awaits_key = top.is_object
        elif top.is_object and top.awaits_key:
            top.key = json.loads(token)
            top.awaits_key = False
            top.seen.setdefault(top.key, []).append(line)
    return tuple(sorted(found, key=lambda d: d.lines[0]))


def member_path(path: str, key: str | int) -> str:
    """The path of a member: ``$.entries[0].id``, and ``$["odd key"]`` where a key is no plain word."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if _PLAIN_KEY.fullmatch(key):
        return f"{path}.{key}"
    return f"{path}[{json.dumps(key, ensure_ascii=not key.isprintable())}]"


def _duplicate(level: _Level, key: str, lines: list[int]) -> DuplicateKey:
    return DuplicateKey(member_path(level.path, key), tuple(lines))


def _path_of(top: _Level | None) -> str:
    if top is None:
        return "$"
    return member_path(top.path, top.key if top.is_object else top.index)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line, seen = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", seen, match.start())
        seen = match.start()
        yield match.group(), line
