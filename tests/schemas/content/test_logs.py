"""Logs: what a record is, and which times can be compared."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from trajmill.schemas.content.encodings import decode
from trajmill.schemas.content.logs import looks_like_log, read_log

CASES = Path(__file__).parents[2] / "cases" / "files"


def test_a_line_without_a_time_belongs_to_the_record_above() -> None:
    log = read_log(decode((CASES / "service.log").read_bytes()).lines)
    assert (log.lines, len(log.records)) == (15, 6)
    assert [r.line for r in log.records] == [1, 2, 7, 8, 9, 15]
    assert log.levels == {"INFO": 3, "ERROR": 2, "WARN": 1}
    assert log.formats == {"YYYY-MM-DDTHH:MM:SS+HH:MM": 4, "DD/Mon/YYYY HH:MM:SS": 2}
    assert [r.line for r in log.continued] == [2, 9]


def test_times_in_the_hour_that_comes_twice_are_ambiguous_without_an_offset() -> None:
    log = read_log(decode((CASES / "service.log").read_bytes()).lines)
    assert [r.line for r in log.records if r.ambiguous] == [8, 9]
    assert not log.ordered
    first, last = log.records[0].time, log.records[-1].time
    assert first is not None
    assert last is not None
    assert last - first == timedelta(hours=2, minutes=2, seconds=48)


def test_a_log_in_order_of_one_format_is_ordered() -> None:
    lines = ("2024-01-01 00:00:01,123 INFO a", "2024-01-01 00:00:02,456 ERROR ERROR b")
    log = read_log(lines)
    assert log.ordered
    assert [r.level for r in log.records] == ["INFO", "ERROR"]
    assert [r.message for r in log.records] == ["INFO a", "ERROR ERROR b"]
    assert not read_log(lines[::-1]).ordered


def test_syslog_lines_have_no_comparable_time() -> None:
    log = read_log(("Jan  5 10:00:00 host app: x", "Jan 15 10:00:01 host app: y"))
    assert len(log.records) == 2
    assert not log.ordered


def test_prose_is_no_log_and_all_of_it_is_preamble() -> None:
    lines = decode((CASES / "letter.txt").read_bytes()).lines
    assert not looks_like_log(lines)
    assert read_log(lines).preamble == lines
