"""Settings files: INI, dotenv and TOML, with the places where readers of the same format would disagree."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

from trajmill.schemas.content.notes import ContentError, Note, listed

_SECTION = re.compile(r"\s*\[([^\]]+)\]\s*(?:[;#].*)?$")
_OPTION = re.compile(r"([^=:\s][^=:]*?)\s*([=:])\s*(.*?)\s*$")
_DOTENV = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*=(.*)$")


@dataclass(frozen=True, slots=True)
class IniOption:
    """One option as written."""

    line: int
    section: str
    """Empty for options before the first section."""
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Ini:
    """An INI file: every option in order, nothing merged, nothing interpolated."""

    sections: tuple[str, ...]
    """In order of the text, repetitions kept."""
    options: tuple[IniOption, ...]
    notes: tuple[Note, ...]

    def get(self, section: str, name: str) -> str:
        """The value as written. Raises KeyError unless there is exactly one such option (case ignored)."""
        found = [o.value for o in self.options if o.section == section and o.name.casefold() == name.casefold()]
        if len(found) != 1:
            raise KeyError(f"{len(found)} options [{section}] {name}")
        return found[0]


@dataclass(frozen=True, slots=True)
class EnvSetting:
    """One dotenv setting; the value is what a shell would assign, without expansion."""

    line: int
    name: str
    value: str


def read_ini(lines: tuple[str, ...]) -> Ini:
    """Read INI text. Raises ContentError ``not_ini`` for a line that is no section, option, comment or continuation."""
    sections: list[tuple[str, int]] = []
    options: list[IniOption] = []
    marks: list[int] = []
    """For each option, how many sections had begun."""
    continued: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith((";", "#")):
            continue
        section = _SECTION.match(line)
        if section:
            sections.append((section.group(1), number))
        elif line[0].isspace() and options:
            continued.append(number)
        elif option := _OPTION.match(line):
            options.append(IniOption(number, sections[-1][0] if sections else "", option.group(1), option.group(3)))
            marks.append(len(sections))
        else:
            raise ContentError("not_ini", f"line {number}", "A line is neither a section, an option nor a comment")
    notes = (*_section_notes(sections), *_option_notes(options, marks), *_value_notes(options, continued))
    return Ini(tuple(name for name, _ in sections), tuple(options), notes)


def looks_like_ini(lines: tuple[str, ...]) -> bool:
    """Has at least one section line, and reads as INI."""
    if not any(_SECTION.match(line) for line in lines):
        return False
    try:
        return bool(read_ini(lines).options)
    except ContentError:
        return False


def read_env(lines: tuple[str, ...]) -> tuple[EnvSetting, ...]:
    """Read a dotenv file: quotes taken off, ``#`` after a space ends an unquoted value, no expansion.

    Raises ContentError ``not_env`` for any other line.
    """
    settings: list[EnvSetting] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _DOTENV.match(line)
        if not match:
            raise ContentError("not_env", f"line {number}", "A line is no NAME=value")
        settings.append(EnvSetting(number, match.group(1), _env_value(match.group(2).strip(), number)))
    return tuple(settings)


def looks_like_env(lines: tuple[str, ...]) -> bool:
    """Every line is ``NAME=value``, a comment or blank, names are upper case, and there are at least two."""
    try:
        settings = read_env(lines)
    except ContentError:
        return False
    return len(settings) >= 2 and all(s.name.upper() == s.name for s in settings)


def env_notes(settings: tuple[EnvSetting, ...]) -> tuple[Note, ...]:
    """Keys that are set twice."""
    by_name: dict[str, list[int]] = {}
    for setting in settings:
        by_name.setdefault(setting.name, []).append(setting.line)
    repeated = ((name, lines) for name, lines in by_name.items() if len(lines) > 1)
    return tuple(Note("duplicate_option", listed(tuple(lines), "line"), name) for name, lines in repeated)


def read_toml(text: str) -> dict[str, Any]:
    """Read TOML (floats are doubles here: compare texts where digits matter). Raises ContentError ``not_toml``."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ContentError("not_toml", "", f"Not TOML: {error}") from error


def _env_value(raw: str, line: int) -> str:
    if raw[:1] in ("'", '"'):
        end = raw.find(raw[0], 1)
        rest = raw[end + 1 :].strip()
        if end < 0 or (rest and not rest.startswith("#")):
            raise ContentError("not_env", f"line {line}", "A quoted value does not end")
        return raw[1:end]
    return "" if raw.startswith("#") else re.split(r"\s+#", raw, maxsplit=1)[0]


def _section_notes(sections: list[tuple[str, int]]) -> list[Note]:
    by_name: dict[str, list[int]] = {}
    for name, line in sections:
        by_name.setdefault(name, []).append(line)
    repeated = ((name, lines) for name, lines in by_name.items() if len(lines) > 1)
    return [Note("duplicate_section", listed(tuple(lines), "line"), name) for name, lines in repeated]


def _option_notes(options: list[IniOption], marks: list[int]) -> list[Note]:
    """Options that repeat within one block; Python's reader ignores their case."""
    groups: dict[tuple[int, str], list[IniOption]] = {}
    for option, mark in zip(options, marks, strict=True):
        groups.setdefault((mark, option.name.casefold()), []).append(option)
    return [
        Note(
            "duplicate_option",
            listed(tuple(o.line for o in same), "line"),
            "/".join(dict.fromkeys(o.name for o in same)),
        )
        for same in groups.values()
        if len(same) > 1
    ]


def _value_notes(options: list[IniOption], continued: list[int]) -> list[Note]:
    notes = [Note("interpolation", f"line {o.line}", f"{o.name} is kept as written") for o in options if "%" in o.value]
    if any(not o.section for o in options):
        notes.append(Note("no_section", "", "options stand before the first section"))
    if continued:
        notes.append(Note("continued_value", listed(tuple(continued), "line")))
    return notes
