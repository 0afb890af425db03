"""JSON and JSON Lines: shape of the records, and what other readers would see differently."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from trajmill.schemas.content.encodings import Text
from trajmill.schemas.content.json_exact import Value, has_lone_surrogate, scan_json, walk
from trajmill.schemas.content.json_lines import JsonLines
from trajmill.schemas.content.json_places import member_path
from trajmill.schemas.content.notes import Note, listed
from trajmill.schemas.ids import Json
from trajmill.synth.sources.found import Found
from trajmill.synth.sources.gates import byte_notes, gated

_MOST_PLACES = 20
_EXACT = 1 << 53


def json_found(data: bytes) -> Found:
    """What a JSON document is. Raises ContentError where it is none."""
    scan = scan_json(data)
    notes = [*byte_notes(scan.text)]
    notes += [Note("duplicate_key", d.place, "readers differ on which value holds") for d in scan.duplicates]
    notes += [Note("integers_beyond_double", path) for path in scan.beyond_double[:_MOST_PLACES]]
    notes += [Note("decimals_beyond_double", path) for path in scan.imprecise[:_MOST_PLACES]]
    if scan.lone_surrogates:
        notes.append(Note("lone_surrogate", "", "a string holds half a character"))
    wanted = {"json"} if not scan.duplicates and not scan.lone_surrogates else set()
    if wanted and not scan.beyond_double and not scan.imprecise:
        wanted.add("json_jq")
    usable = frozenset(wanted) and gated(frozenset(wanted), scan.text, mixed=False)
    facts = {} if scan.lone_surrogates else json_facts(scan.value)
    return Found("json", {**facts, "depth": scan.depth}, tuple(notes), usable - {"final_newline"})


def json_facts(value: Value) -> dict[str, Json]:
    """Shape of a document: where its records are, how many, and their fields."""
    place = records_place(value)
    facts: dict[str, Json] = {"top": _type(value)}
    if place is not None:
        records = value if place == "" else value[place]
        facts["records_key"] = place
        facts["records_path"] = member_path("$", place) if place else "$"
        facts["rows"] = len(records)
        facts["fields"] = fields_of(records)
    return facts


def records_place(value: Value) -> str | None:
    """Key of the one list of objects in an object, the empty string for a list at the top, None if there is neither."""
    if isinstance(value, list):
        return "" if value and all(isinstance(v, dict) for v in value) else None
    if not isinstance(value, dict):
        return None
    lists = [k for k, v in value.items() if isinstance(v, list) and v and all(isinstance(e, dict) for e in v)]
    return lists[0] if len(lists) == 1 else None


def fields_of(records: Sequence[Value]) -> list[Json]:
    """Each field with its types and in how many records it is missing, in order of first sight."""
    types: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for record in records:
        for key, value in record.items():
            types.setdefault(key, set()).add(_type(value))
            counts[key] = counts.get(key, 0) + 1
    return [{"name": k, "types": sorted(t), "missing": len(records) - counts[k]} for k, t in types.items()]


def json_lines_found(scan: JsonLines, text: Text) -> Found:
    """What a JSON Lines file is."""
    notes = [*byte_notes(text)]
    if scan.blank:
        notes.append(Note("blank_line", listed(scan.blank, "line")))
    notes += [
        Note("torn_line", f"line {b.line}", f"byte {b.start} to {b.end}: {b.detail}")
        for b in scan.broken[:_MOST_PLACES]
    ]
    large = _beyond_double(scan)
    notes += [Note("integers_beyond_double", place) for place in large[:_MOST_PLACES]]
    facts: dict[str, Json] = {"rows": len(scan.records), "lines": len(text.lines), "broken": len(scan.broken)}
    halves = [r.line for r in scan.records if has_lone_surrogate(r.value)]
    if halves:
        notes.append(Note("lone_surrogate", listed(tuple(halves), "line"), "a string holds half a character"))
        return Found("jsonl", facts, tuple(notes))
    if scan.values and all(isinstance(v, dict) for v in scan.values):
        facts["fields"] = fields_of(scan.values)
    return Found("jsonl", facts, tuple(notes), _lines_usable(scan, text, bool(large)))


def _lines_usable(scan: JsonLines, text: Text, large: bool) -> frozenset[str]:
    if scan.broken:
        return frozenset({"broken_lines", "jsonl_skip_broken"})
    wanted = {"jsonl"} | (set() if large else {"jsonl_jq"}) | (set() if scan.blank else {"jsonl_lines"})
    return gated(frozenset(wanted), text)


def _beyond_double(scan: JsonLines) -> list[str]:
    return [
        f"line {record.line}, {place()}"
        for record in scan.records
        for place, _, leaf in walk(record.value)
        if isinstance(leaf, int) and not isinstance(leaf, bool) and abs(leaf) > _EXACT
    ]


def _type(value: Value) -> str:
    if value is None:
        return "null"
    names: dict[type, str] = {
        bool: "boolean", int: "integer", Decimal: "decimal", str: "string", list: "array", dict: "object"
    }  # fmt: skip
    return names[type(value)]
