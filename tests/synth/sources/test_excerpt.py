"""Blocks of records out of large files."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.schemas.content.json_lines import render_json_lines
from trajmill.schemas.content.json_values import render_json
from trajmill.synth.sources.excerpt import excerpt
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.recognise import recognise


def material(name: str, data: bytes) -> Material:
    return Material(name, data, recognise(name, data), "0" * 64)


TABLE = b"n,text\r\n" + b"".join(b'%d,"two\nlines"\r\n' % i for i in range(200))


@given(st.integers(0, 2**32), st.integers(1, 50), st.integers(100, 2_000))
def test_a_table_keeps_its_header_and_whole_records_in_order(seed: int, most: int, room: int) -> None:
    whole = material("a.csv", TABLE)
    part = excerpt(whole, Random(seed), max_records=most, max_bytes=room)
    rows = part.table().rows
    first = int(rows[0][0])
    assert rows == whole.table().rows[first : first + len(rows)]
    assert part.excerpt == f"records {first + 1}-{first + len(rows)} of 200"
    assert len(rows) <= most
    assert len(part.data) <= room
    assert part.data.startswith(TABLE[:8])
    assert part.data[8:] in TABLE


def test_a_small_file_comes_back_itself() -> None:
    small = material("a.csv", b"a,b\n1,2\n")
    assert excerpt(small, Random(1)) is small


def test_the_same_seed_gives_the_same_block() -> None:
    whole = material("a.csv", TABLE)
    first = excerpt(whole, Random(5), max_records=50)
    assert first.data == excerpt(whole, Random(5), max_records=50).data
    assert len({excerpt(whole, Random(seed), max_records=50).excerpt for seed in range(5)}) > 1


@pytest.mark.parametrize("wrapped", [False, True])
def test_json_keeps_what_stands_around_its_records(wrapped: bool) -> None:
    records = [{"n": i, "x": "é"} for i in range(100)]
    document = {"title": "t", "rows": records} if wrapped else records
    part = excerpt(material("a.json", render_json(document)), Random(2), max_records=10)
    kept = part.json()["rows"] if wrapped else part.json()
    assert kept == records[kept[0]["n"] : kept[0]["n"] + 10]
    assert part.json() == ({"title": "t", "rows": kept} if wrapped else kept)
    assert part.excerpt.endswith("of 100")


def test_json_lines_and_logs_are_cut_between_records() -> None:
    lines = render_json_lines([{"n": i} for i in range(100)])
    part = excerpt(material("a.jsonl", lines), Random(2), max_records=10)
    assert len(part.json_lines()) == 10
    log = b"".join(b"2024-01-01 00:00:%02d ERROR a\n  more\n" % i for i in range(60))
    cut = excerpt(material("a.log", log), Random(2), max_records=7)
    assert len(cut.log().records) == 7
    assert all(len(r.lines) == 2 for r in cut.log().records)


@pytest.mark.parametrize(("name", "data"), [("a.csv", "a,b\n1,2\n".encode("utf-16")), ("a.toml", b"a = 1\n")])
def test_what_has_no_records_to_cut_stays_whole(name: str, data: bytes) -> None:
    whole = material(name, data)
    assert excerpt(whole, Random(1), max_records=1, max_bytes=2) is whole


def test_a_table_without_rows_stays_whole() -> None:
    whole = material("empty.csv", b"id,name\n")
    assert excerpt(whole, Random(0), max_records=5) is whole
