"""How the lines of a log are laid out, told from its records, and the logs set up from real data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Log, LogRecord
from trajmill.synth.packs.naming import place_input, slug, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import State, World
from trajmill.synth.packs.terminal.json_lists import line_like
from trajmill.synth.packs.terminal.json_material import material_rows
from trajmill.synth.packs.terminal.json_starts import world_of
from trajmill.synth.packs.terminal.json_ways import spelled
from trajmill.synth.sources.material import Material


@dataclass(frozen=True, slots=True)
class Layout:
    """Where time, level, source and message stand in the first line of a record."""

    pattern: str
    """Python regular expression with these four groups."""
    shape: str
    """Format string that gives the line back."""
    level_field: int
    """Field of awk that holds the level, perhaps in brackets."""
    level_mark: str
    """How a level is written there: ``{}`` or ``[{}]``."""
    source_mark: str
    """How a source is written in the field after it."""
    words: str
    """The layout in words, for a sentence."""

    @property
    def source_field(self) -> int:
        """Field of awk that holds the source with its mark."""
        return self.level_field + 1

    def level_of(self) -> str:
        """Awk expression for the bare level."""
        return (
            f"${self.level_field}"
            if self.level_mark == "{}"
            else f"substr(${self.level_field}, 2, length(${self.level_field}) - 2)"
        )

    def source_of(self) -> str:
        """Awk expression for the bare source."""
        at = f"${self.source_field}"
        return (
            f"substr({at}, 1, length({at}) - 1)" if self.source_mark == "{}:" else f"substr({at}, 2, length({at}) - 2)"
        )


LAYOUTS = (
    Layout(
        r"(\S+) ([A-Z]+) ([\w.-]+): (.*)",
        "{time} {level} {source}: {message}",
        2,
        "{}",
        "{}:",
        "time, level, source and a colon",
    ),
    Layout(
        r"(\S+ \S+) \[([A-Z]+)\] ([\w.-]+): (.*)",
        "{time} [{level}] {source}: {message}",
        3,
        "[{}]",
        "{}:",
        "date, time, the level in brackets, source and a colon",
    ),
    Layout(
        r"(\S+ \S+) ([A-Z]+) \[([\w.-]+)\] (.*)",
        "{time} {level} [{source}] {message}",
        3,
        "{}",
        "[{}]",
        "date, time, level and the source in brackets",
    ),
    Layout(
        r"(\S+ \S+) ([A-Z]+) ([\w.-]+): (.*)",
        "{time} {level} {source}: {message}",
        3,
        "{}",
        "{}:",
        "date, time, level, source and a colon",
    ),
)

START = "/^[0-9][0-9][0-9][0-9]-/"
"""awk condition for the first line of a record."""


def layout_of(state: State, least: int = 6) -> tuple[Layout, tuple[LogRecord, ...]] | None:
    """The layout that gives back the first line of every record, and the records; None if there is none."""
    log = state.focus.facts
    if not isinstance(log, Log) or len(log.records) < least:
        return None
    for layout in LAYOUTS:
        if all(_fits(layout, record) for record in log.records):
            return layout, log.records
    return None


def _fits(layout: Layout, record: LogRecord) -> bool:
    shown = layout.shape.format(time=record.time, level=record.level, source=record.source, message=record.message)
    match = re.fullmatch(layout.pattern, record.line)
    groups = (record.time, record.level, record.source, record.message)
    dated = bool(re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:", record.time))
    apart = not any(re.match(r"\d{4}-", line) or not line for line in record.more)
    clean = "  " not in record.line and record.line.isprintable() and record.line == record.line.strip()
    return shown == record.line and match is not None and match.groups() == groups and dated and apart and clean


def all_lines(records: Sequence[LogRecord]) -> list[str]:
    """The records as lines of a file."""
    return [line for record in records for line in (record.line, *record.more)]


def real_log_start(material: Material, draw: Draw) -> World | None:
    """The user's own log, if its lines have one of the known layouts."""
    if material.found.kind != "log" or not {"log_records", "log_levels"} <= material.found.usable:
        return None
    records: list[LogRecord] = []
    for line in material.text().lines[:300]:
        match = next((m for lay in LAYOUTS if (m := re.fullmatch(lay.pattern, line)) and line[:4].isdigit()), None)
        if match:
            time, level, source, message = match.groups()
            records.append(LogRecord(time, level, source, message, line))
        elif records:
            last = records[-1]
            records[-1] = LogRecord(last.time, last.level, last.source, last.message, last.line, (*last.more, line))
    path = place_input(f"{slug(stem(material.name))}.log", draw)
    world = _log_world(path, records)
    return world if world and layout_of(world.state, 8) else None


def told_log_start(material: Material, draw: Draw) -> World | None:
    """A log that tells how real records were processed, in one of the layouts."""
    rows = material_rows(material, draw, 24, 110)
    if rows is None:
        return None
    names = [k for k in rows[0] if re.fullmatch(r"[A-Za-z_]\w*", k) and all(_short(r[k]) for r in rows)][:3]
    if len(names) < 2:
        return None
    layout = draw.pick(LAYOUTS)
    traces = draw.rng.random() < 0.45
    clock = datetime(
        2024,
        draw.rng.randint(1, 12),
        draw.rng.randint(1, 28),
        draw.rng.randint(0, 9),
        draw.rng.randint(0, 59),
        tzinfo=UTC,
    )
    gap = draw.pick((90, 240, 500))
    records = []
    for row in rows:
        clock += timedelta(seconds=draw.rng.randint(1, gap))
        if clock.hour >= 23:
            break
        records.append(_record(layout, row, names, clock, draw, traces))
    path = place_input(f"{draw.pick(('import', 'service', 'app', 'loader', slug(stem(material.name))))}.log", draw)
    return _log_world(path, records)


def _log_world(path: str, records: Sequence[LogRecord]) -> World | None:
    levels = Counter(record.level for record in records)
    if len(records) < 12 or len(levels) < 2:
        return None
    data = "".join(f"{line}\n" for line in all_lines(records)).encode()
    return world_of(path, data, "log-file", Log(tuple(records)))


_SOURCES = ("reader", "validator", "importer", "store", "scheduler", "cache")
_INFO = (
    "{what} accepted",
    "stored {what}",
    "read {what} without remarks",
    "{what} is up to date",
    "finished {what}, no ERROR so far",
    "queued {what}",
)
_WARN = (
    "{what} took long",
    "{what} looks like a repeat",
    "retrying {what} after a previous ERROR",
    "slow answer for {what}",
)
_ERROR = (
    "could not store {what}",
    "rejected {what}: connection reset",
    "gave up on {what} after 3 attempts",
    "timeout while writing {what}",
)
_FAULTS = (
    "TimeoutError: no answer within 30 s",
    "ConnectionResetError: peer closed the connection",
    "ValueError: checksum does not match",
)


def _record(
    layout: Layout, row: Mapping[str, Json], names: Sequence[str], clock: datetime, draw: Draw, traces: bool
) -> LogRecord:
    level = draw.pick(("INFO",) * 12 + ("WARNING",) * 4 + ("ERROR",) * 3 + ("DEBUG",) * 2)
    what = ", ".join(f"{name}={spelled(row[name])}" for name in names if row[name] is not None)
    forms = {"WARNING": _WARN, "ERROR": _ERROR}.get(level, _INFO)
    message = draw.pick(forms).format(what=what or "an empty record")
    source = draw.pick(_SOURCES[:4] if level == "ERROR" else _SOURCES)
    time = clock.strftime("%Y-%m-%dT%H:%M:%SZ" if layout.level_field == 2 else "%Y-%m-%d %H:%M:%S")
    line = layout.shape.format(time=time, level=level, source=source, message=message)
    more: tuple[str, ...] = ()
    if level == "ERROR" and traces:
        at = draw.rng.randint(20, 180)
        more = (
            "Traceback (most recent call last):",
            f'  File "/srv/{source}/main.py", line {at}, in handle',
            f"    write(row, attempt={draw.rng.randint(1, 3)})",
            draw.pick(_FAULTS),
        )
    return LogRecord(time, level, source, message, line, more)


def _short(value: Json) -> bool:
    return value is None or (line_like(spelled(value)) and len(spelled(value)) <= 40 and "  " not in spelled(value))


STARTS = (Start("log-file", told_log_start), Start("log-file", real_log_start, own="log"))
