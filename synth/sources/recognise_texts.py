"""Plain text, logs and databases."""

from __future__ import annotations

from trajmill.schemas.content.database import read_database
from trajmill.schemas.content.encodings import Text
from trajmill.schemas.content.logs import Log, LogRecord, read_log
from trajmill.schemas.content.notes import ContentError, Note, listed, printable
from trajmill.schemas.ids import Json
from trajmill.synth.sources.found import Found
from trajmill.synth.sources.gates import byte_notes, gated


def text_found(text: Text, *notes: Note) -> Found:
    """Plain text; ``notes`` say what it was taken for and is not, and then no skill reads it."""
    wanted = frozenset[str]() if notes else frozenset({"text"})
    usable = wanted and gated(wanted, text)
    facts: dict[str, Json] = {
        "lines": len(text.lines),
        "newlines": text.text.count("\n"),
        "endings": {"crlf": text.endings.crlf, "lf": text.endings.lf, "cr": text.endings.cr},
        "words": len(text.text.split()),
    }
    return Found("text", facts, (*notes, *byte_notes(text)), usable)


def log_found(text: Text) -> Found:
    """A log: records, levels, time formats, and which of its times can be compared."""
    log = read_log(text.lines)
    facts: dict[str, Json] = {
        "lines": log.lines,
        "rows": len(log.records),
        "levels": dict(log.levels),
        "formats": dict(log.formats),
        "continued": len(log.continued),
    }
    return Found("log", facts, (*byte_notes(text), *_log_notes(log)), gated(_log_wanted(log), text))


def database_found(data: bytes) -> Found:
    """A SQLite file without companions; damaged ones are noted and get no skills."""
    try:
        database = read_database(data)
    except ContentError as error:
        return Found("sqlite", {"bytes": len(data)}, (Note(error.code, error.place, error.detail),))
    notes = [
        Note("mixed_types", f"{t.name}.{c.name}", ", ".join(c.stored))
        for t in database.tables
        for c in t.columns
        if c.mixed
    ]
    notes += [Note("orphan_rows", f"{o.table}.{o.column}", f"{o.count} without {o.parent}") for o in database.orphans]
    notes += [Note("virtual_table", name, "not read") for name in database.virtual]
    facts: dict[str, Json] = {
        "bytes": len(data),
        "tables": {printable(t.name): len(t.rows) for t in database.tables},
        "columns": {printable(t.name): [printable(c.name) for c in t.columns] for t in database.tables},
        "views": [printable(name) for name in database.views],
        "indexes": [printable(name) for name in database.indexes],
        "triggers": [printable(name) for name in database.triggers],
    }
    usable = frozenset({"sqlite"}) if database.tables and not database.virtual else frozenset[str]()
    return Found("sqlite", facts, tuple(notes), usable)


def _log_wanted(log: Log) -> frozenset[str]:
    wanted = {"log_records"}
    if log.levels:
        wanted.add("log_levels")
    if not log.continued and not log.preamble:
        wanted.add("log_lines")
    if log.levels and _grep_counts_records(log):
        wanted.add("log_grep_levels")
    if log.ordered and len(log.formats) == 1:
        wanted.add("log_times")
    if len(offset_records(log)) > 1:
        wanted.add("log_offset_times")
    return frozenset(wanted)


def offset_records(log: Log) -> tuple[LogRecord, ...]:
    """The records whose time states its offset from UTC, so that they can be compared whatever the zone."""
    return tuple(r for r in log.records if r.time is not None and r.time.tzinfo is not None)


def _grep_counts_records(log: Log) -> bool:
    lines = [line for record in log.records for line in record.lines] + list(log.preamble)
    return all(sum(level in line for line in lines) == count for level, count in log.levels.items())


def _log_notes(log: Log) -> list[Note]:
    notes: list[Note] = []
    if log.continued:
        notes.append(Note("continued_records", listed(tuple(r.line for r in log.continued), "line")))
    if len(log.formats) > 1:
        notes.append(Note("mixed_time_formats", "", ", ".join(f"{n} {name}" for name, n in log.formats.items())))
    doubtful = tuple(r.line for r in log.records if r.ambiguous)
    if doubtful:
        notes.append(Note("ambiguous_time", listed(doubtful, "line"), "the hour occurs twice and no offset is given"))
    if log.preamble:
        notes.append(Note("lines_before_first_record", f"lines 1 to {len(log.preamble)}"))
    return notes
