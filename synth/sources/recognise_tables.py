"""Delimited tables: is it one, what is unusual in it, and what may be done with it."""

from __future__ import annotations

from trajmill.schemas.content.column_types import infer
from trajmill.schemas.content.encodings import Text
from trajmill.schemas.content.notes import ContentError, Note, listed
from trajmill.schemas.content.table_scan import TableScan, detect_dialect, scan_table, single_column
from trajmill.schemas.content.tables import Table
from trajmill.schemas.ids import Json
from trajmill.synth.sources.found import Found
from trajmill.synth.sources.gates import byte_notes, gated

_MOST_RAGGED_NOTES = 20


def table_in(text: Text, *, named: bool) -> TableScan | None:
    """The table in a text, or None. ``named``: the file's name promises one, so that less evidence is enough."""
    dialect = detect_dialect(text)
    if dialect is None and named and text.text.strip():
        dialect = single_column(text)
    if dialect is None:
        return None
    try:
        scan = scan_table(text, dialect)
    except ContentError:
        return None
    if _is_prose(scan, named):
        return None
    return scan if named or _is_certain(scan) else None


def table_found(scan: TableScan, text: Text) -> Found:
    """What a table is and what may be done with it."""
    table = None if scan.ragged or scan.blank_lines else scan.table()
    mixed = scan.mixed_endings
    notes = (*byte_notes(text, mixed=mixed), *_fault_notes(scan), *_header_notes(scan), *_quote_notes(scan))
    if table is not None:
        notes = (*notes, *_value_notes(table))
    return Found(
        kind="tsv" if scan.dialect.delimiter == "\t" else "csv",
        facts=_facts(scan, table),
        notes=notes,
        usable=gated(_wanted(scan, table), text, mixed=mixed),
        dialect=scan.dialect,
    )


def _is_prose(scan: TableScan, named: bool) -> bool:
    """Sentences with commas: the header is no row of names, or every comma has a space or a line end behind it."""
    if scan.dialect.delimiter != "," or scan.quoted or len(scan.header) < 2:
        return False
    rest = [f for fields in (scan.header, *(r.fields for r in scan.records)) for f in fields[1:]]
    spaced = all(f == "" or f.startswith(" ") for f in rest)
    return spaced and (not named or not all(scan.header) or any("." in f[-2:] for f in rest))


def _is_certain(scan: TableScan) -> bool:
    """Enough evidence without a name that promises a table."""
    header = scan.header
    if not scan.records or scan.ragged or scan.blank_lines or not all(header) or len(set(header)) < len(header):
        return False
    if any(len(name) > 40 or name != name.strip() or name[-1] in ".!?" for name in header):
        return False
    if scan.dialect.delimiter == "\t" or len(header) > 2:
        return True
    return any(infer([r.fields[i] for r in scan.records]).type not in ("text", "unknown") for i in range(len(header)))


def _wanted(scan: TableScan, table: Table | None) -> frozenset[str]:
    if scan.ragged:
        return frozenset() if scan.blank_lines else frozenset({"malformed_rows"})
    if table is None:
        return frozenset()
    if not table.rows:
        return frozenset({"table_header"})
    if not table.unique_header:
        return frozenset({"table_by_position"})
    plain = {"table_plain"} if table.plain else set()
    return frozenset({"table", "table_by_position", "table_header"} | plain)


def _facts(scan: TableScan, table: Table | None) -> dict[str, Json]:
    facts: dict[str, Json] = {
        "delimiter": scan.dialect.delimiter,
        "quoting": scan.dialect.quoting,
        "bom": scan.dialect.bom,
        "columns": len(scan.header),
        "header": list(scan.header),
        "rows": len(scan.records),
        "lines": scan.lines,
    }
    if table is not None:
        facts["types"] = [c.type for c in table.columns]
        facts["formats"] = [c.format for c in table.columns]
        facts["missing"] = [c.missing for c in table.columns]
        facts["duplicate_rows"] = len(table.rows) - len(set(table.rows))
        facts["plain"] = table.plain
    return facts


def _fault_notes(scan: TableScan) -> list[Note]:
    expected = len(scan.header)
    notes = [
        Note("ragged", f"line {r.line}", f"{len(r.fields)} fields, expected {expected}")
        for r in scan.ragged[:_MOST_RAGGED_NOTES]
    ]
    if len(scan.ragged) > _MOST_RAGGED_NOTES:
        notes.append(Note("ragged", "", f"{len(scan.ragged) - _MOST_RAGGED_NOTES} more lines"))
    if scan.blank_lines:
        notes.append(Note("blank_line", listed(scan.blank_lines, "line")))
    if not scan.records:
        notes.append(Note("header_only", "line 1", "there is no row"))
    return notes


def _header_notes(scan: TableScan) -> list[Note]:
    notes: list[Note] = []
    exact: dict[str, list[int]] = {}
    folded: dict[str, list[int]] = {}
    for place, name in enumerate(scan.header, 1):
        exact.setdefault(name, []).append(place)
        folded.setdefault(name.casefold(), []).append(place)
    for name, places in exact.items():
        if len(places) > 1:
            notes.append(Note("duplicate_header", _columns(places), name))
        if not name:
            notes.append(Note("empty_header", _columns(places)))
    for places in folded.values():
        spellings = list(dict.fromkeys(scan.header[p - 1] for p in places))
        if len(spellings) > 1:
            notes.append(Note("header_differs_by_case", _columns(places), ", ".join(spellings)))
    return notes


def _quote_notes(scan: TableScan) -> list[Note]:
    if not scan.dialect.quoting:
        return [Note("lone_quote", "", "quotes are ordinary characters here")]
    if not scan.quoted:
        return []
    notes: list[Note] = []
    broken = tuple(r.line for r in scan.records if any("\n" in f or "\r" in f for f in r.fields))
    if broken:
        notes.append(Note("quoted_newline", listed(broken, "line")))
    holding = tuple(r.line for r in scan.records if any(scan.dialect.delimiter in f for f in r.fields))
    if holding:
        notes.append(Note("quoted_delimiter", listed(holding, "line")))
    return notes


def _value_notes(table: Table) -> list[Note]:
    notes: list[Note] = []
    for i, column in enumerate(table.columns):
        if column.type == "text" and infer([row[i] for row in table.rows]).ambiguous_date:
            notes.append(Note("ambiguous_date", f"column {i + 1}", f"{column.name} may be DD/MM or MM/DD"))
    return notes


def _columns(places: list[int]) -> str:
    if len(places) == 1:
        return f"column {places[0]}"
    return f"columns {', '.join(map(str, places[:-1]))} and {places[-1]}"
