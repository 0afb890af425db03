"""Logs: a record begins at a line with a leading time; what follows without one belongs to the record above."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from itertools import pairwise

_LEVEL = re.compile(
    r"\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)\b(?=[\s:\]|]|$)",
)
_LOOKED_AT = 1_000
"""Lines that decide whether a text is a log."""
_HEAD = 120
"""The level is looked for in the first characters after the time, so that a word in the message is no level."""


@dataclass(frozen=True, slots=True)
class TimeFormat:
    """One way in which log lines begin."""

    name: str
    """As people write it: ``YYYY-MM-DD HH:MM:SS``."""
    pattern: re.Pattern[str]
    strptime: str
    offset: bool
    """The time says how far it is from UTC."""


FORMATS = (
    TimeFormat(
        "YYYY-MM-DDTHH:MM:SS+HH:MM",
        re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:[+-]\d{2}:?\d{2}|Z)(?=\s|$)"),
        "%Y-%m-%dT%H:%M:%S%z",
        True,
    ),
    TimeFormat(
        "YYYY-MM-DDTHH:MM:SS",
        re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d{1,6})?(?=\s|$)"),
        "%Y-%m-%dT%H:%M:%S",
        False,
    ),
    TimeFormat(
        "YYYY-MM-DD HH:MM:SS",
        re.compile(r"\[?\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:[.,]\d{1,6})?\]?(?=\s|$)"),
        "%Y-%m-%d %H:%M:%S",
        False,
    ),
    TimeFormat(
        "YYYY/MM/DD HH:MM:SS",
        re.compile(r"\[?\d{4}/\d{2}/\d{2} \d{2}:\d{2}:\d{2}(?:[.,]\d{1,6})?\]?(?=\s|$)"),
        "%Y/%m/%d %H:%M:%S",
        False,
    ),
    TimeFormat(
        "DD/Mon/YYYY HH:MM:SS",
        re.compile(r"\[?\d{2}/[A-Z][a-z]{2}/\d{4}[: ]\d{2}:\d{2}:\d{2}\]?(?=\s|$)"),
        "%d/%b/%Y %H:%M:%S",
        False,
    ),
    TimeFormat(
        "Mon DD HH:MM:SS",
        re.compile(r"[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}(?=\s)"),
        "",
        False,
    ),
)
"""Known line beginnings; the last, of syslog, has no year and so no time that could be compared."""


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One record: its first line and the lines that continue it."""

    line: int
    """From 1."""
    lines: tuple[str, ...]
    """All physical lines, the first with its time."""
    time_text: str
    format: TimeFormat
    time: datetime | None
    """With offset where the log says one, naive where not, None where no year is given."""
    level: str
    """Upper case, or empty."""
    message: str
    """What follows the time on the first line."""
    ambiguous: bool = False
    """The time lies in an hour that the log's own offsets show to occur twice."""


@dataclass(frozen=True, slots=True)
class Log:
    """A log file as records."""

    records: tuple[LogRecord, ...]
    preamble: tuple[str, ...]
    """Lines before the first record."""
    lines: int

    @property
    def levels(self) -> Mapping[str, int]:
        """Records by level, those without one left out."""
        return dict(Counter(r.level for r in self.records if r.level))

    @property
    def formats(self) -> Mapping[str, int]:
        """Records by time format."""
        return dict(Counter(r.format.name for r in self.records))

    @property
    def continued(self) -> tuple[LogRecord, ...]:
        """The records of more than one line."""
        return tuple(r for r in self.records if len(r.lines) > 1)

    @property
    def ordered(self) -> bool:
        """Every record has a comparable time of one kind, none is ambiguous, and none is before the one above it."""
        times = [r.time for r in self.records]
        if not times or any(t is None for t in times) or any(r.ambiguous for r in self.records):
            return False
        known = [t for t in times if t is not None]
        if len({t.tzinfo is None for t in known}) > 1:
            return False
        return all(a <= b for a, b in pairwise(known))


def read_log(lines: tuple[str, ...]) -> Log:
    """Read the lines of a log. Never raises: a text without times has 0 records, and all its lines are preamble."""
    starts = [(i, start) for i, line in enumerate(lines) if (start := _start(line)) is not None]
    records: list[LogRecord] = []
    for at, (i, (form, text)) in enumerate(starts):
        end = starts[at + 1][0] if at + 1 < len(starts) else len(lines)
        rest = lines[i][len(text) :].strip()
        level = _LEVEL.search(rest[:_HEAD])
        body = tuple(lines[i:end])
        records.append(LogRecord(i + 1, body, text, form, _time(text, form), level.group(1) if level else "", rest))
    before = tuple(lines[: starts[0][0]]) if starts else tuple(lines)
    return Log(_marked(records), before, len(lines))


def looks_like_log(lines: tuple[str, ...]) -> bool:
    """Of the first 1,000 lines the very first or at least three in ten begin with a time, and at least two do."""
    known = [line for line in lines[:_LOOKED_AT] if line.strip("\0 ")]
    timed = sum(1 for line in known if _start(line) is not None)
    return timed >= 2 and (_start(known[0]) is not None or timed >= 0.3 * len(known))


def _start(line: str) -> tuple[TimeFormat, str] | None:
    if not line or not (line[0].isalnum() or line[0] == "["):
        return None
    for form in FORMATS:
        match = form.pattern.match(line)
        if match:
            return form, match.group()
    return None


def _time(text: str, form: TimeFormat) -> datetime | None:
    if not form.strptime:
        return None
    bare = re.sub(r"[.,]\d{1,6}", "", text.strip("[]"))
    if form.name.startswith("DD/"):
        bare = f"{bare[:11]} {bare[12:]}"
    try:
        return datetime.fromisoformat(bare) if bare[4] == "-" else datetime.strptime(bare, form.strptime)
    except ValueError:
        return None


def _marked(records: list[LogRecord]) -> tuple[LogRecord, ...]:
    """Mark naive times that could lie on either side of a change of offset that the log itself shows."""
    windows = _repeated_hours([r.time for r in records if r.time is not None and r.time.tzinfo is not None])
    if not windows:
        return tuple(records)

    def doubtful(time: datetime | None) -> bool:
        return time is not None and time.tzinfo is None and any(a <= time < b for a, b in windows)

    return tuple(replace(r, ambiguous=True) if doubtful(r.time) else r for r in records)


def _repeated_hours(times: list[datetime]) -> list[tuple[datetime, datetime]]:
    """Local spans in which the hour may occur twice: around each step back, as wide as the log leaves open."""
    spans: list[tuple[datetime, datetime]] = []
    for before, after in pairwise(times):
        was, now = before.utcoffset() or timedelta(), after.utcoffset() or timedelta()
        if now < was:
            first = before.astimezone(timezone(now)).replace(tzinfo=None)
            last = after.astimezone(timezone(was)).replace(tzinfo=None)
            spans.append((first, last))
    return spans
