"""Writing an output in the model: the new state, the check that fits the task's strictness, and the rules it needs.

``content`` strictness compares values and forgives layout; ``bytes`` states the layout in a rule and compares bytes.
JSON is always compared by value, because no two tools lay it out alike.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from trajmill.schemas.content.json_lines import render_json_lines
from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.content.tables import Table, render_table
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Check
from trajmill.synth.packs.expect import expect_bytes, expect_json, expect_json_lines, expect_lines, expect_table
from trajmill.synth.packs.facts import Document, Facts, Lines, Records
from trajmill.synth.packs.skill import Draw
from trajmill.synth.packs.standing import LINES_BYTES, TABLE_BYTES
from trajmill.synth.packs.state import State


@dataclass(frozen=True, slots=True)
class Written:
    """An output that was written in the model."""

    state: State
    check: Check
    rules: tuple[str, ...]


def write_table(
    state: State, draw: Draw, path: str, table: Table, scenario: str, *, header: bool = True, ordered: bool = True
) -> Written:
    """Write a table in its own dialect. ``header=False`` leaves the column names out of the file."""
    data = render_table(table, header=header)
    strict = draw.strictness == "bytes" and ordered
    check = expect_bytes(path, data) if strict else expect_table(path, table, ordered=ordered, header=header)
    after = state.wrote(path, data, scenario, table, exact=strict)
    return Written(after, check, (draw.pick(TABLE_BYTES.single),) if strict else ())


def write_lines(state: State, draw: Draw, path: str, lines: Sequence[str], scenario: str) -> Written:
    """Write lines of text, each ended by a line feed."""
    data = "".join(f"{line}\n" for line in lines).encode()
    strict = draw.strictness == "bytes"
    check = expect_bytes(path, data) if strict else expect_lines(path, lines)
    after = state.wrote(path, data, scenario, Lines(tuple(lines)), exact=strict)
    return Written(after, check, (draw.pick(LINES_BYTES.single),) if strict else ())


def write_json(state: State, path: str, value: Json, scenario: str, facts: Facts | None = None) -> Written:
    """Write a JSON value; facts are a Document unless given."""
    data = render_json(value)
    after = state.wrote(path, data, scenario, facts or Document(value))
    return Written(after, expect_json(path, value), ())


def write_records(state: State, path: str, rows: Sequence[dict[str, Json]], scenario: str) -> Written:
    """Write a JSON array of flat objects."""
    return write_json(state, path, list(rows), scenario, Records(tuple(rows)))


def write_json_lines(state: State, path: str, rows: Sequence[dict[str, Json]], scenario: str) -> Written:
    """Write one JSON object a line."""
    data = render_json_lines(rows)
    after = state.wrote(path, data, scenario, Records(tuple(rows)))
    return Written(after, expect_json_lines(path, rows), ())


def awkable(state: State) -> bool:
    """Whether the focus is a table that line tools split rightly: no quotes in the file, one record a line."""
    focus = state.focus
    entry = state.tree.file(focus.path)
    return (
        isinstance(focus.facts, Table)
        and focus.facts.plain
        and entry is not None
        and entry.data == render_table(focus.facts)
    )


def python_way(script: str) -> str:
    """A command that runs a Python script given on standard input."""
    return f"python3 - <<'EOF'\n{script.strip()}\nEOF"


def literal(value: str) -> str:
    """A text as a Python and JSON string literal."""
    return json.dumps(value, ensure_ascii=False)
