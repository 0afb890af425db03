"""Flat records, tables and columns out of a real file, cut to a size that a task can hold."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TypeVar

from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Dialect, Table
from trajmill.schemas.ids import Json
from trajmill.synth.packs.skill import Draw
from trajmill.synth.packs.terminal.json_ways import is_number, plain_number, survives
from trajmill.synth.sources.material import Material

T = TypeVar("T")

MOST_BYTES = 40_000
_SHORT = 400


def material_rows(
    material: Material, draw: Draw, least: int = 8, most: int = 150
) -> tuple[dict[str, Json], ...] | None:
    """Real flat records, values as they are but for needless zeros, in file order; a part if there are many.

    Taken from records, from a document whose one list holds them, or from a table (empty fields become null).
    """
    rows = _all_rows(material)
    if rows is None or len(rows) < least:
        return None
    keys = list(dict.fromkeys(k for row in rows for k in row))
    if not 2 <= len(keys) <= 12 or not all(_fair_key(k) for k in keys):
        return None
    picked = excerpt(rows, draw, least, most)
    kept = tuple({k: _plain(row.get(k)) for k in keys} for row in picked)
    full = [k for k in keys if sum(row[k] is not None for row in kept) * 2 >= len(kept)]
    kept = tuple({k: row[k] for k in full} for row in kept)
    fits = all(survives(row[k]) and _short(row[k]) for row in kept for k in row)
    return kept if len(full) >= 2 and fits else None


def excerpt(rows: Sequence[T], draw: Draw, least: int, most: int) -> Sequence[T]:
    """Some of the rows in their own order: a run of neighbours, or rows spread over the whole file."""
    count = min(len(rows), draw.rng.randint(least, most))
    if count == len(rows) or draw.rng.random() < 0.3:
        start = draw.rng.randint(0, len(rows) - count)
        return rows[start : start + count]
    chosen = sorted(draw.rng.sample(range(len(rows)), count))
    return [rows[i] for i in chosen]


def table_row(table: Table, row: tuple[str, ...]) -> dict[str, Json]:
    """A row of a table as an object: numbers of numeric columns as numbers, empty fields as null, the rest as text."""
    return {c.name: typed(c.type, value) for c, value in zip(table.columns, row, strict=True)}


def typed(kind: str, value: str) -> Json:
    """A field of a column of this type as a JSON value, as exact as it is written."""
    if not value:
        return None
    if kind == "integer":
        return int(value)
    return Decimal(value) if kind == "decimal" else value


def material_table(material: Material) -> Table | None:
    """The file as a table whose columns can be addressed by name, or None."""
    found = material.found
    if found.kind not in ("csv", "tsv") or "table" not in found.usable:
        return None
    table = material.table()
    return table if table.unique_header else None


def _all_rows(material: Material) -> Sequence[Mapping[str, Json]] | None:
    value: Json
    found = material.found
    if found.kind in ("csv", "tsv"):
        table = material_table(material)
        return _table_rows(material.data, found.dialect) if table is not None else None
    if found.kind == "jsonl" and "jsonl_jq" in found.usable:
        value = list(material.json_lines())
    elif found.kind == "json" and "json_jq" in found.usable:
        value = material.json()
    else:
        return None
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return value if isinstance(value, list) and all(isinstance(v, dict) and _flat(v) for v in value) else None


@functools.lru_cache(maxsize=256)
def _table_rows(data: bytes, dialect: Dialect | None) -> Sequence[Mapping[str, Json]]:
    table = read_table(data, dialect)
    return [table_row(table, row) for row in table.rows[:4000]]


def _flat(row: Mapping[str, Json]) -> bool:
    return not any(isinstance(v, dict | list) for v in row.values())


def _plain(value: Json) -> Json:
    if value == "":
        return None
    return plain_number(value) if isinstance(value, Decimal) and is_number(value) else value


def _short(value: Json) -> bool:
    return not isinstance(value, str) or (len(value) <= _SHORT and value.isprintable())


def _fair_key(key: str) -> bool:
    return 0 < len(key) <= 40 and key.isprintable() and key == key.strip()
