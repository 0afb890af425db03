"""The kinds of nesting that skills understand, and how a nested document is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document
from trajmill.synth.packs.naming import sh
from trajmill.synth.packs.outputs import literal
from trajmill.synth.packs.skill import Draw, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    dump_result,
    field_of,
    tame,
)
from trajmill.synth.packs.terminal.table_ways import one_act, python_act

Objects = list[Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What kind of nesting a document has: groups of lists, or items with an object of figures."""

    groups: Mapping[str, Objects] | None = None
    items: str = ""
    holder: str = ""
    rows: tuple[Mapping[str, Json], ...] = ()
    """For items: the objects as they are."""


def shape_of(state: State) -> Shape | None:
    """What kind of nesting the focus has, or None if it is none that skills understand."""
    facts = state.focus.facts
    value = facts.value if isinstance(facts, Document) else None
    if not isinstance(value, dict) or not value:
        return None
    if all(isinstance(v, list) and v and all(_same_flat(v[0], m) for m in v) for v in value.values()):
        first = next(iter(value.values()))[0]
        alike = all(set(v[0]) == set(first) for v in value.values())
        return Shape(groups=value) if alike and all(map(tame, value)) else None
    lists = [k for k, v in value.items() if isinstance(v, list)]
    if len(lists) != 1 or not value[lists[0]] or not isinstance(value[lists[0]][0], dict):
        return None
    rows = value[lists[0]]
    holders = [k for k, v in rows[0].items() if isinstance(v, dict)]
    if len(holders) != 1 or not all(isinstance(r, dict) and isinstance(r.get(holders[0]), dict) for r in rows):
        return None
    named = all(field_of(n) == f".{n}" for n in (lists[0], holders[0]))
    return Shape(items=lists[0], holder=holders[0], rows=tuple(rows)) if named else None


def _same_flat(first: Json, row: Json) -> bool:
    flat = isinstance(row, dict) and not any(isinstance(v, dict | list) for v in row.values())
    return flat and set(first) == set(row)


def tree_jq(state: State, output: str, program: str, *why: str) -> Way:
    """A way that runs one jq program on the document."""
    return one_act(state, output, "jq", ("jq",), f"jq '{program}' {sh(state.focus.path)} > {sh(output)}", *why)


def tree_python(state: State, draw: Draw, output: str, body: str, *why: str, writes: bool = False) -> Way:
    """A way in Python: the body finds ``tree`` and sets ``result``, or ``writes`` the output itself."""
    source = literal(state.focus.path)
    heads, reading = draw.pick(
        (
            ("import json", f"with open({source}) as f:\n    tree = json.load(f)"),
            ("import json", f"tree = json.load(open({source}))"),
            ("import json\nfrom pathlib import Path", f"tree = json.loads(Path({source}).read_text())"),
        )
    )
    ending = "" if writes else f"\n{dump_result(output, draw)}"
    return python_act(state, output, f"{heads}\n\n{reading}\n{body}{ending}", *why)
