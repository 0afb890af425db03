"""Configuration files whose settings come from real data: INI, KEY=value and JSON with overrides beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.content.settings import read_env, read_ini
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document, Settings
from trajmill.synth.packs.naming import place_input, slug, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.json_material import material_rows
from trajmill.synth.packs.terminal.json_starts import world_of
from trajmill.synth.packs.terminal.json_ways import is_number, one_spelling, spelled
from trajmill.synth.sources.material import Material

KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""Names of sections and options that every tool can address."""
_PLAIN = re.compile(r"[\w.,:/+-]+", re.ASCII)
_MOST_BYTES = 16 << 10


@dataclass(frozen=True, slots=True)
class _Options:
    """Options by section, with a comment for each section; values are text, number or truth value."""

    sections: Mapping[str, Mapping[str, Json]]
    comments: Mapping[str, str]


def ini_start(material: Material, draw: Draw) -> World | None:
    """The user's own INI file, or one that describes how to process the real file."""
    if material.found.kind == "ini":
        return _own_ini(material, draw)
    options = _options(material, draw)
    if options is None:
        return None
    mark = draw.pick(("#", ";"))
    lines: list[str] = []
    for name, values in options.sections.items():
        lines += [""] if lines else []
        lines += [f"[{name}]", f"{mark} {options.comments[name]}", *(f"{k} = {shown(v)}" for k, v in values.items())]
    path = place_input(
        draw.pick(("settings.ini", "config.ini", f"{slug(stem(material.name))}.ini", "pipeline.conf")), draw
    )
    facts = Settings({name: {k: shown(v) for k, v in values.items()} for name, values in options.sections.items()})
    return world_of(path, _text(lines), "ini-config", facts)


def env_start(material: Material, draw: Draw) -> World | None:
    """Settings of the form KEY=value, grouped by prefix, with comments."""
    if material.found.kind == "env":
        return _own_env(material, draw)
    options = _options(material, draw)
    if options is None:
        return None
    lines: list[str] = []
    values: dict[str, str] = {}
    for section, inner in options.sections.items():
        lines += ["", f"# {options.comments[section]}"] if lines else [f"# {options.comments[section]}"]
        for key, value in inner.items():
            name = re.sub(r"[^A-Z0-9]+", "_", f"{section}_{key}".upper())
            text = re.sub(r"[^\w.,:/+-]+", "_", shown(value))
            values[name] = text
            lines.append(f"{name}={text}")
    path = place_input(draw.pick(("settings.env", "job.env", f"{slug(stem(material.name))}.env", "defaults.env")), draw)
    return world_of(path, _text(lines), "env-config", Settings({"": values}))


def json_start(material: Material, draw: Draw) -> World | None:
    """Settings as nested JSON, the user's own or made, and beside them a second file with overrides for some."""
    own = _own_sections(material)
    value = own or _made_sections(material, draw)
    if value is None:
        return None
    changed: dict[str, dict[str, Json]] = {}
    for section in draw.some(list(value), 1, 2):
        keys = [k for k in value[section] if not isinstance(value[section][k], str)] or list(value[section])
        changed[section] = {
            key: other_value(key, value[section][key], draw) for key in draw.some(keys, 1, min(2, len(keys)))
        }
    if draw.rng.random() < 0.5:
        changed.setdefault("output", {})["compress"] = True
    path = place_input(draw.pick(("config.json", "settings.json", f"{slug(stem(material.name))}_config.json")), draw)
    folder = path.rpartition("/")[0]
    second = f"{folder}/overrides.json" if folder else "overrides.json"
    data = material.data if own else render_json(value)
    return world_of(path, data, "json-config", Document(value), {second: render_json(changed)})


def _made_sections(material: Material, draw: Draw) -> dict[str, dict[str, Json]] | None:
    options = _options(material, draw)
    return {name: dict(inner) for name, inner in options.sections.items()} if options else None


def other_value(key: str, value: Json, draw: Draw) -> Json:
    """A different value of the same type that fits what the option is called."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return draw.pick([n for n in (value + 5, value * 2 + 1, max(1, value // 2), 250, 64) if n != value])
    return _other_text(key.lower(), value, draw) if isinstance(value, str) else value + 1


def _other_text(key: str, value: str, draw: Draw) -> str:
    if value in ("true", "false"):
        return "false" if value == "true" else "true"
    if re.fullmatch(r"[1-9][0-9]{0,8}|0", value):
        return str(other_value(key, int(value), draw))
    if re.fullmatch(r"-?[0-9]+\.[0-9]+", value):
        return f"{int(float(value)) + draw.pick((1, 2, 5))}.5"
    if key.endswith("fields") and "," in value:
        return value.rpartition(",")[0]
    if key.endswith("file") and re.fullmatch(r"[\w-]+\.\w+", value):
        return value.replace(".", draw.pick(("_v2.", "_2024.", "_new.")))
    named = {"folder": _FOLDERS, "format": _FORMATS}
    fitting = next((words for name, words in named.items() if key.endswith(name)), _NAMES)
    return draw.pick([text for text in fitting if text != value])


_FOLDERS = ("archive", "build", "out", "published", "results", "shared")
_FORMATS = ("csv", "json", "tsv", "txt")
_NAMES = ("default", "other", "reserve", "shared", "standard")


def shown(value: Json) -> str:
    """A value as text of an INI or KEY=value file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return spelled(value)


def _options(material: Material, draw: Draw) -> _Options | None:
    rows = material_rows(material, draw, 10, 150)
    if rows is None:
        return None
    keys = [k for k in rows[0] if re.fullmatch(r"[A-Za-z_]\w*", k)]
    numbers = [k for k in keys if all(is_number(r[k]) and one_spelling(r[k]) for r in rows)][:3]
    texts = [k for k in keys if all(isinstance(r[k], str) for r in rows)]
    if not keys or not (numbers or texts):
        return None
    limits: dict[str, Json] = {}
    for key in numbers:
        values = [r[key] for r in rows]
        limits[f"min_{key.lower()}"], limits[f"max_{key.lower()}"] = min(values), max(values)
    limits["max_rows"] = len(rows)
    sections: dict[str, dict[str, Json]] = {
        "input": {
            "file": material.name.rsplit("/", 1)[-1],
            "fields": ",".join(keys[:4]),
            "enabled": True,
            "timeout": draw.pick((10, 30, 60)),
        },
        "limits": limits,
        "output": {
            "folder": draw.pick(("out", "results", "build")),
            "format": draw.pick(("csv", "json", "tsv")),
            "enabled": draw.pick((True, False)),
            "timeout": draw.pick((5, 20, 45)),
        },
    }
    labels = sorted({r[texts[0]] for r in rows if _label(r[texts[0]])})[:4] if texts else []
    if len(labels) >= 2:
        sections["labels"] = {f"label_{n}": label for n, label in enumerate(labels, 1)}
    comments = {
        "input": "what is read",
        "limits": "taken from the last good run",
        "output": "where results go",
        "labels": "shown in this order",
    }
    return _Options(sections, comments)


def _label(value: str) -> bool:
    return (
        0 < len(value) <= 30
        and not set(value) & set("#;=%:\"'`$\\[]")
        and value.isprintable()
        and value == value.strip()
    )


def _own_ini(material: Material, draw: Draw) -> World | None:
    if "ini" not in material.found.usable:
        return None
    lines = material.text().lines
    ini = read_ini(lines)
    sections: dict[str, dict[str, str]] = {name: {} for name in ini.sections}
    for option in ini.options:
        sections.setdefault(option.section, {})[option.name] = option.value
    path = place_input(f"{slug(stem(material.name))}.ini", draw)
    return _plain_world(path, lines, "ini-config", Settings(sections))


def _own_sections(material: Material) -> dict[str, dict[str, Json]] | None:
    """The user's own JSON settings, if they are sections of plain values."""
    if material.kind != "json" or "json" not in material.found.usable or len(material.data) > _MOST_BYTES:
        return None
    value = material.json()
    if not isinstance(value, dict) or len(value) < 2 or not all(isinstance(v, dict) and v for v in value.values()):
        return None
    keys = [key for name, inner in value.items() for key in (name, *inner)]
    plain = all(_PLAIN.fullmatch(v) if isinstance(v, str) else isinstance(v, bool | int) for v in _values(value))
    return {name: dict(inner) for name, inner in value.items()} if plain and all(map(KEY.fullmatch, keys)) else None


def _values(value: Mapping[str, Mapping[str, Json]]) -> list[Json]:
    return [v for inner in value.values() for v in inner.values()]


def _own_env(material: Material, draw: Draw) -> World | None:
    if "env" not in material.found.usable:
        return None
    lines = material.text().lines
    values = {setting.name: setting.value for setting in read_env(lines)}
    return _plain_world(
        place_input(f"{slug(stem(material.name))}.env", draw), lines, "env-config", Settings({"": values})
    )


def _plain_world(path: str, lines: Sequence[str], scenario: str, facts: Settings) -> World | None:
    clean = all(line == line.rstrip() and line.isprintable() for line in lines)
    return world_of(path, _text(lines), scenario, facts) if clean else None


def _text(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


STARTS = (Start("ini-config", ini_start), Start("env-config", env_start), Start("json-config", json_start))
