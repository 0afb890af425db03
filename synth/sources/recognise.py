"""Say what a file is: by content first, by name where content leaves it open; a name and bytes in, ``Found`` out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from trajmill.schemas.content.encodings import Text, decode, detect_encoding
from trajmill.schemas.content.json_lines import scan_json_lines
from trajmill.schemas.content.logs import looks_like_log
from trajmill.schemas.content.magic import ARCHIVES, looks_like_html, magic_kind
from trajmill.schemas.content.notes import ContentError, Note
from trajmill.schemas.content.settings import looks_like_env, looks_like_ini
from trajmill.schemas.content.yaml_scalars import looks_like_yaml
from trajmill.synth.sources.found import Found, Kind
from trajmill.synth.sources.gates import byte_notes, gated
from trajmill.synth.sources.recognise_json import json_found, json_lines_found
from trajmill.synth.sources.recognise_settings import env_found, ini_found, toml_found, yaml_found
from trajmill.synth.sources.recognise_tables import table_found, table_in
from trajmill.synth.sources.recognise_texts import database_found, log_found, text_found

_BY_SUFFIX: dict[str, frozenset[Kind]] = {
    ".csv": frozenset({"csv", "tsv"}),
    ".tsv": frozenset({"tsv", "csv"}),
    ".tab": frozenset({"tsv"}),
    ".json": frozenset({"json"}),
    ".jsonl": frozenset({"jsonl"}),
    ".ndjson": frozenset({"jsonl"}),
    ".ini": frozenset({"ini"}),
    ".toml": frozenset({"toml"}),
    ".yaml": frozenset({"yaml"}),
    ".yml": frozenset({"yaml"}),
    ".html": frozenset({"html"}),
    ".htm": frozenset({"html"}),
    ".sqlite": frozenset({"sqlite"}),
    ".gz": frozenset({"gzip"}),
    ".zip": frozenset({"zip"}),
    ".tar": frozenset({"tar"}),
    ".log": frozenset({"log", "text", "jsonl"}),
    ".txt": frozenset({"text", "log", "csv", "tsv", "jsonl", "json", "ini", "yaml"}),
}
_TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".tab", ".psv"})


def recognise(name: str, data: bytes) -> Found:
    """Say what a file is; never raises for any bytes. ``name`` is used for its ending only."""
    suffix = PurePosixPath(name).suffix.lower()
    found = _recognise(name, suffix, data)
    expected = _BY_SUFFIX.get(suffix)
    if expected and found.kind not in expected and found.kind != "empty":
        note = Note("content_does_not_match_name", "", f"{suffix} by name, {found.kind} by content")
        usable = found.usable - {"text", "html"} if suffix in _TABLE_SUFFIXES or found.kind == "html" else found.usable
        return replace(found, notes=(note, *found.notes), usable=usable)
    return found


def _recognise(name: str, suffix: str, data: bytes) -> Found:
    if not data:
        return Found("empty", {"bytes": 0}, (Note("empty", "", "the file has no bytes"),))
    magic = magic_kind(data)
    if magic == "sqlite":
        return database_found(data)
    if magic is not None and magic in ARCHIVES:
        kind: Kind = "zip" if magic == "zip" else ("tar" if magic == "tar" else "gzip")
        return Found(kind, {"bytes": len(data), "format": magic}, (), frozenset({"archive"}))
    if magic is not None:
        return Found("binary", {"bytes": len(data), "format": magic}, (Note("binary", "", magic),))
    encoding = detect_encoding(data)
    if encoding.name == "binary":
        return Found("binary", {"bytes": len(data)}, (Note("binary", "", "the bytes are no text"),))
    text = decode(data, encoding)
    found = _text_kind(name, suffix, data, text)
    facts = {"bytes": len(data), "encoding": encoding.name, "newline": text.endings.style, **found.facts}
    return replace(found, facts=facts, encoding=encoding)


def _text_kind(name: str, suffix: str, data: bytes, text: Text) -> Found:
    if looks_like_html(data):
        return Found("html", {"lines": len(text.lines)}, byte_notes(text), gated(frozenset({"html"}), text))
    found = _json_kind(suffix, data, text)
    if found is not None:
        return found
    found = _table_kind(suffix, text) if suffix in _TABLE_SUFFIXES else None
    if found is not None:
        return found
    lines = text.lines
    if looks_like_log(lines):
        return log_found(text)
    return _settings_kind(name, suffix, text) or _table_kind(suffix, text) or text_found(text)


def _json_kind(suffix: str, data: bytes, text: Text) -> Found | None:
    """JSON if the whole parses; JSON Lines if most lines do, or the name says so and the first does."""
    start = text.text.lstrip()[:1]
    by_name = suffix in (".jsonl", ".ndjson")
    if start not in ("{", "[") and not by_name:
        return None
    if not by_name:
        try:
            return json_found(data)
        except ContentError as error:
            if error.code != "not_json":
                return text_found(text, Note(error.code, error.place, error.detail))
    try:
        scan = scan_json_lines(data)
    except ContentError:
        return None
    structured = sum(1 for record in scan.records if isinstance(record.value, dict | list))
    if structured and structured > len(scan.broken) and (by_name or structured > 1):
        return json_lines_found(scan, text)
    return None


def _settings_kind(name: str, suffix: str, text: Text) -> Found | None:
    lines = text.lines
    if suffix == ".toml":
        return toml_found(text)
    if suffix in (".yaml", ".yml"):
        return yaml_found(text)
    if suffix == ".env" or PurePosixPath(name).name.startswith(".env"):
        return env_found(text)
    if looks_like_ini(lines):
        return ini_found(text)
    if looks_like_env(lines):
        return env_found(text)
    return yaml_found(text) if not suffix and looks_like_yaml(lines) else None


def _table_kind(suffix: str, text: Text) -> Found | None:
    scan = table_in(text, named=suffix in _TABLE_SUFFIXES)
    return table_found(scan, text) if scan is not None else None
