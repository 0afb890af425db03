"""YAML scalars that mean one thing in YAML 1.1 and another in 1.2: a line scanner for plain block mappings and lists.

It reads enough to say which values are safe to work with and refuses the rest; it is no YAML reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trajmill.schemas.content.json_places import member_path
from trajmill.schemas.content.notes import ContentError, Note

_ENTRY = re.compile(
    r"(?P<dash>(?:- +)*)(?:(?P<key>[^\s:#'\"\[\]{},&*!|>%@`-][^:#]*?|-?\w[^:#]*?):(?:\s+|$))?(?P<value>.*)$"
)
_WORDS_11 = {"yes": "true", "no": "false", "on": "true", "off": "false", "y": "true", "n": "false"}
_OCTAL_11 = re.compile(r"[-+]?0[0-7_]+")
_SEXAGESIMAL = re.compile(r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_UNDERSCORED = re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?")
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]+")
_EXPONENT = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?[eE][0-9]+")
_OCTAL_12 = re.compile(r"0o[0-7]+")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].*)?")
_NOT_SCANNED = ("&", "*", "!", "|", ">", "{", "[", "%", "@", "`", "? ")


@dataclass(frozen=True, slots=True)
class YamlScalar:
    """A value at the end of a line."""

    line: int
    path: str
    """``$.stores[0].country``."""
    text: str
    """As written, without quotes and comment."""
    quoted: bool
    differs: str
    """What YAML 1.1 makes of it, or of a key above it, where 1.2 makes something else; or the empty string."""
    lossy: str
    """What a reader writes back where that is not what stood there, or the empty string."""

    @property
    def safe(self) -> bool:
        """Every reader sees the same value and writes it back the same."""
        return not self.differs and not self.lossy


@dataclass(slots=True)
class _Level:
    indent: int
    path: str
    index: int = -1
    """Position in a list, -1 in a mapping."""
    tainted: str = ""
    filled: bool = False
    """A key that has its value on the same line."""


def scan_yaml(lines: tuple[str, ...]) -> tuple[YamlScalar, ...]:
    """Every scalar of plain block YAML.

    Raises ContentError ``yaml_not_scanned`` with the line for anything else: flow collections, anchors, tags,
    block scalars, several documents, tabs.
    """
    scalars: list[YamlScalar] = []
    levels: list[_Level] = [_Level(-1, "$")]
    for number, line in enumerate(lines, 1):
        body = _uncommented(line)
        if not body.strip() or (number == 1 and body.strip() == "---"):
            continue
        if "\t" in body or body.strip() in ("---", "..."):
            raise ContentError("yaml_not_scanned", f"line {number}", "Tabs or several documents")
        _line(number, body, levels, scalars)
    return tuple(scalars)


def yaml_notes(scalars: tuple[YamlScalar, ...]) -> tuple[Note, ...]:
    """One note for each scalar that readers disagree on or change."""
    notes: list[Note] = []
    for scalar in scalars:
        place = f"line {scalar.line}, {scalar.path}"
        if scalar.differs:
            notes.append(Note("yaml_versions_differ", place, scalar.differs))
        elif scalar.lossy:
            notes.append(Note("yaml_lossy", place, scalar.lossy))
    return tuple(notes)


def looks_like_yaml(lines: tuple[str, ...]) -> bool:
    """Most lines are ``key: value`` or list items, and the whole can be scanned."""
    known = [s for line in lines if (s := _uncommented(line).strip())]
    keyed = sum(1 for line in known if re.match(r"(?:- +)*[A-Za-z_][\w.-]*:(?:\s|$)", line))
    if keyed < 2 or keyed < 0.6 * len(known):
        return False
    try:
        return bool(scan_yaml(lines))
    except ContentError:
        return False


def _line(number: int, body: str, levels: list[_Level], scalars: list[YamlScalar]) -> None:
    indent = len(body) - len(body.lstrip(" "))
    match = _ENTRY.match(body.strip())
    if match is None or match["value"].startswith(_NOT_SCANNED):
        raise ContentError("yaml_not_scanned", f"line {number}", "Not a plain block mapping or list")
    for _ in range(match["dash"].count("-")):
        while levels[-1].indent > indent:
            levels.pop()
        if levels[-1].indent == indent and levels[-1].filled:
            raise ContentError("yaml_not_scanned", f"line {number}", "A list under a value")
        if levels[-1].indent != indent or levels[-1].index < 0:
            levels.append(_Level(indent, levels[-1].path if levels[-1].index < 0 else _here(levels[-1]), -1))
            levels[-1].tainted = levels[-2].tainted
        levels[-1].index += 1
        indent += 2
    _member(number, indent, match, levels, scalars)


def _member(number: int, indent: int, match: re.Match[str], levels: list[_Level], scalars: list[YamlScalar]) -> None:
    key, value = match["key"], match["value"].strip()
    while levels[-1].indent >= indent:
        levels.pop()
    above = levels[-1]
    path, tainted = _here(above), above.tainted
    if key is None:
        if not match["dash"]:
            raise ContentError("yaml_not_scanned", f"line {number}", "A value over several lines")
    else:
        path = member_path(path, key.strip())
        tainted = tainted or _key_differs(key.strip())
        levels.append(_Level(indent, path, -1, tainted, filled=bool(value)))
    if value:
        scalars.append(_scalar(number, path, value, tainted))


def _here(level: _Level) -> str:
    return level.path if level.index < 0 else member_path(level.path, level.index)


def _scalar(number: int, path: str, raw: str, tainted: str) -> YamlScalar:
    if raw[0] in "'\"":
        if len(raw) < 2 or raw[-1] != raw[0]:
            raise ContentError("yaml_not_scanned", f"line {number}", "A quoted value over several lines")
        return YamlScalar(number, path, raw[1:-1], True, tainted, "")
    return YamlScalar(number, path, raw, False, tainted or _differs(raw), _lossy(raw))


def _key_differs(key: str) -> str:
    change = _differs(key)
    return f"key {change}" if change else ""


def _differs(text: str) -> str:
    word = _WORDS_11.get(text.lower()) if text in (text.lower(), text.upper(), text.capitalize()) else None
    if word:
        return f"{text} is {word} in YAML 1.1"
    if _OCTAL_11.fullmatch(text):
        return f"{text} is {int(text.replace('_', ''), 8)} in YAML 1.1"
    if _SEXAGESIMAL.fullmatch(text):
        return f"{text} is {_base_60(text)} in YAML 1.1"
    for shape, what in ((_UNDERSCORED, "a number"), (_DATE, "a date")):
        if shape.fullmatch(text):
            return f"{text} is {what} in YAML 1.1"
    for shape in (_EXPONENT, _OCTAL_12):
        if shape.fullmatch(text):
            return f"{text} is text in YAML 1.1 and a number in 1.2"
    return ""


def _base_60(text: str) -> str:
    total = 0
    for part in text.lstrip("+-").replace("_", "").split(".")[0].split(":"):
        total = total * 60 + int(part)
    return f"-{total}" if text.startswith("-") else str(total)


def _lossy(text: str) -> str:
    if _FLOAT.fullmatch(text) and (text.startswith("+") or str(float(text)) != text):
        return f"{text} becomes {float(text)}"
    return ""


def _uncommented(line: str) -> str:
    """The line without a comment; a ``#`` counts only after a space and outside quotes."""
    if "#" not in line:
        return line.rstrip()
    quote = ""
    for i, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"" and (i == 0 or line[i - 1] in " :-"):
            quote = character
        elif character == "#" and (i == 0 or line[i - 1] == " "):
            return line[:i].rstrip()
    return line.rstrip()
