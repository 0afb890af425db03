"""Settings files: what readers agree on is usable, the rest is noted."""

from __future__ import annotations

from trajmill.schemas.content.encodings import Text
from trajmill.schemas.content.notes import ContentError, Note
from trajmill.schemas.content.settings import env_notes, read_env, read_ini, read_toml
from trajmill.schemas.content.yaml_scalars import scan_yaml, yaml_notes
from trajmill.synth.sources.found import Found, Kind
from trajmill.synth.sources.gates import byte_notes, gated
from trajmill.synth.sources.recognise_texts import text_found


def ini_found(text: Text) -> Found:
    """An INI file; any note about repetition or interpolation takes its skills away, because readers then differ."""
    ini = read_ini(text.lines)
    wanted = frozenset({"ini"}) if not ini.notes else frozenset[str]()
    facts = {"sections": list(ini.sections), "options": len(ini.options)}
    return _settings("ini", facts, ini.notes, wanted, text)


def env_found(text: Text) -> Found:
    """A dotenv file, or text if it is none. Facts name the keys, never a value."""
    try:
        settings = read_env(text.lines)
    except ContentError as error:
        return text_found(text, Note(error.code, error.place, error.detail))
    notes = env_notes(settings)
    wanted = frozenset({"env"}) if not notes else frozenset[str]()
    return _settings("env", {"keys": [s.name for s in settings]}, notes, wanted, text)


def toml_found(text: Text) -> Found:
    """A TOML file, or text if it is none."""
    try:
        document = read_toml(text.text)
    except ContentError as error:
        return text_found(text, Note(error.code, error.place, error.detail))
    return _settings("toml", {"keys": list(document)}, (), frozenset({"toml"}), text)


def yaml_found(text: Text) -> Found:
    """A YAML file; ``facts["safe"]`` lists the paths whose values every reader sees and writes alike."""
    try:
        scalars = scan_yaml(text.lines)
    except ContentError as error:
        return _settings("yaml", {}, (Note(error.code, error.place, error.detail),), frozenset(), text)
    safe = [s.path for s in scalars if s.safe]
    wanted = (
        frozenset({"yaml", "yaml_values"} if len(safe) == len(scalars) else {"yaml_values"}) if safe else frozenset()
    )
    return _settings("yaml", {"values": len(scalars), "safe": safe}, yaml_notes(scalars), wanted, text)


def _settings(
    kind: Kind, facts: dict[str, object], notes: tuple[Note, ...], wanted: frozenset[str], text: Text
) -> Found:
    return Found(kind, facts, (*byte_notes(text), *notes), wanted and gated(wanted, text))
