"""Licence and origin of the user's files, from an optional ``SOURCES.toml`` beside them.

It holds one ``[[file]]`` table for each file, with ``name`` and, as far as known, ``licence`` and ``origin``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trajmill.schemas.errors import InputError
from trajmill.synth.sources.material import UNKNOWN_LICENCE, USER_FILE
from trajmill.synth.sources.names import shown_name

FILE_NAME = "SOURCES.toml"
_KEYS = ("name", "licence", "origin")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a file comes from and under which terms."""

    licence: str = UNKNOWN_LICENCE
    origin: str = USER_FILE


def read_provenance(data: bytes, names: frozenset[str]) -> Mapping[str, Provenance]:
    """Licence and origin by file name.

    ``names`` are the files that are there. Raises InputError naming the key for unknown keys, wrong types,
    files that are not there and files listed twice.
    """
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{FILE_NAME} is not TOML: {error}.", remedy="Mend it or take it away.") from error
    _known_keys(document, ("file",), "")
    entries = document.get("file", [])
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise InputError(f"{FILE_NAME}: file must be a list of tables.", remedy="Write [[file]] above each entry.")
    found: dict[str, Provenance] = {}
    for number, entry in enumerate(entries, 1):
        name = _entry_name(entry, number, names)
        if name in found:
            raise InputError(f"{FILE_NAME} lists {shown_name(name)} twice.", remedy="Keep one of the entries.")
        found[name] = Provenance(entry.get("licence", UNKNOWN_LICENCE), entry.get("origin", USER_FILE))
    return found


def _entry_name(entry: dict[str, Any], number: int, names: frozenset[str]) -> str:
    _known_keys(entry, _KEYS, f" in [[file]] number {number}")
    for key, value in entry.items():
        if not isinstance(value, str) or not value:
            raise InputError(f"{FILE_NAME}: {key} in [[file]] number {number} must be a text that is not empty.")
    name = entry.get("name")
    if not isinstance(name, str):
        raise InputError(f"{FILE_NAME}: [[file]] number {number} has no name.", remedy='Add name = "...".')
    if name not in names:
        raise InputError(
            f"{FILE_NAME} names {shown_name(name)}, which is not in the folder.", remedy="Correct the name or drop it."
        )
    return name


def _known_keys(table: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = [key for key in table if key not in known]
    if unknown:
        raise InputError(
            f"{FILE_NAME} has the unknown key {shown_name(unknown[0])}{where}.", remedy=f"Known: {', '.join(known)}."
        )
