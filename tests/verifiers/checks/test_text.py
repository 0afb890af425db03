"""``file``, ``lines``, ``table`` and ``checksums``: answers that are text."""

from __future__ import annotations

import base64
import hashlib
import time
from typing import Any

import pytest

from tests.verifiers.evidence import look
from trajmill.schemas.tree import FolderEntry, LinkEntry

HUGE = 4 << 20


def test_file_compares_bytes() -> None:
    assert look("file", {"path": "o", "text": "ä\n"}, {"o": "ä\n".encode()}).passed
    raw = bytes(range(256))
    assert look("file", {"path": "o", "base64": base64.b64encode(raw).decode()}, {"o": raw}).passed


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"", "o has 0 bytes, expected 4"),
        (b"a\nc\n", "o differs at line 2: b'c\\n', expected b'b\\n'"),
        (b"a\nb", "o differs at line 2: b'b', expected b'b\\n'"),
        (b"a\nb\n\0", "o has 5 bytes, expected 4"),
        (b"\n" * HUGE, f"o has {HUGE} bytes, expected 4"),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_file_names_the_first_difference(data: bytes, detail: str) -> None:
    assert look("file", {"path": "o", "text": "a\nb\n"}, {"o": data}).detail == detail


@pytest.mark.parametrize("kind", ["file", "lines", "table", "json", "json_lines", "checksums", "archive"])
def test_what_is_no_file_is_said_so(kind: str) -> None:
    params: dict[str, Any] = {
        "path": "o",
        "text": "",
        "lines": [],
        "delimiter": ",",
        "rows": [],
        "json": "1",
        "files": [],
        "format": "zip",
        "members": {},
    }
    assert look(kind, params, {}).detail == "o does not exist"
    assert look(kind, params, {"o": FolderEntry()}).detail == "o is a folder, not a file"
    assert look(kind, params, {"o": LinkEntry("p"), "p": b""}).detail == "o is a symbolic link, not a file"


def lines(data: bytes, ordered: bool = True) -> str:
    return look("lines", {"path": "o", "lines": ["b", "a", "b"], "ordered": ordered}, {"o": data}).detail


@pytest.mark.parametrize("data", [b"b\na\nb\n", b"b\na\nb"])
def test_lines_forgive_a_missing_end(data: bytes) -> None:
    assert lines(data) == ""


def test_lines_forgive_the_order_where_it_does_not_matter() -> None:
    assert lines(b"a\nb\nb\n", ordered=False) == ""
    assert lines(b"a\na\nb\n", ordered=False) == "o line (sorted) 2 is 'a', expected 'b'"


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"", "o line 1 is missing, expected 'b'"),
        (b"b\r\na\r\nb\r\n", "o line 1 is 'b\\r', expected 'b'"),
        (b"b\na\nb\n\n", "o line 4 is not expected: ''"),
        (b"b\n\xff\n", "o is not UTF-8 at byte 2"),
        (b"b\n\0\x1b[31m\n", "o line 2 is '\\x00\\x1b[31m', expected 'a'"),
        (b"\n" * HUGE, f"o has {HUGE} bytes, far more than expected"),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_lines_name_the_first_difference(data: bytes, detail: str) -> None:
    assert lines(data) == detail


def test_no_lines_and_one_empty_line_differ() -> None:
    assert look("lines", {"path": "o", "lines": []}, {"o": b""}).passed
    assert look("lines", {"path": "o", "lines": [""]}, {"o": b"\n"}).passed
    assert not look("lines", {"path": "o", "lines": []}, {"o": b"\n"}).passed


TABLE = {"path": "o", "delimiter": ",", "header": ["a", "b"], "rows": [["1", "x, y"], ["2", 'say "hi"']]}


def table(data: bytes, **changes: Any) -> str:
    return look("table", {**TABLE, **changes}, {"o": data}).detail


@pytest.mark.parametrize(
    "data",
    [
        b'a,b\n1,"x, y"\n2,"say ""hi"""\n',
        b'"a","b"\r\n"1","x, y"\r\n"2","say ""hi"""',
        b'\xef\xbb\xbfa,b\n1,"x, y"\n2,"say ""hi"""\n\n\n',
    ],
    ids=["plain", "all quoted, CRLF, no end", "byte order mark, blank end"],
)
def test_table_forgives_layout(data: bytes) -> None:
    assert table(data) == ""


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"", "o has the header [], expected ['a', 'b']"),
        (b"a\tb\n", "o has the header ['a\\tb'], expected ['a', 'b']"),
        (b"a,b\n", "o row 1 is missing, expected ['1', 'x, y']"),
        (b'a,b\n1,"x, y"\n', "o row 2 is missing, expected ['2', 'say \"hi\"']"),
        (b"a,b\n1,x\n", "o row 1 is ['1', 'x'], expected ['1', 'x, y']"),
        (b"a,b\n1.0,x\n", "o row 1 is ['1.0', 'x'], expected ['1', 'x, y']"),
        (b'a,b\n1,"x, y\n2,z\n', "o cannot be read as a table at line 3: unexpected end of data"),
        (b'a,b\n1,"x" y\n', "o cannot be read as a table at line 2: ',' expected after '\"'"),
        (b"a,b\n1,\xff\n", "o is not UTF-8 at byte 6"),
        (b"a,b\n1,\0\n", "o holds NUL characters"),
        (b"\n" * HUGE, f"o has {HUGE} bytes, far more than expected"),
        (b"ab," * (HUGE // 3), f"o has {HUGE // 3 * 3} bytes, far more than expected"),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_table_names_the_first_difference(data: bytes, detail: str) -> None:
    assert table(data) == detail


def test_a_field_longer_than_the_readers_usual_limit_is_read() -> None:
    long = "x" * 1_000_000
    params = {**TABLE, "rows": [["1", long]]}
    assert look("table", params, {"o": f"a,b\n1,{long}\n".encode()}).passed
    assert table(f'a,b\n1,"{long[:200_000]}\n'.encode()).startswith("o cannot be read as a table at line 2")


def test_a_table_without_header_is_all_rows() -> None:
    assert table(b'1,"x, y"\n2,"say ""hi"""\n', header=None) == ""


def test_rows_may_come_in_any_order_where_it_does_not_matter() -> None:
    assert table(b'a,b\n2,"say ""hi"""\n1,"x, y"\n', ordered=False) == ""


def test_an_empty_value_in_a_single_column_is_a_row() -> None:
    assert table(b'a\nx\n""\n', header=["a"], rows=[["x"], [""]]) == ""
    assert table(b'a\n""\nx\n', header=["a"], rows=[[""], ["x"]]) == ""


SUM = hashlib.sha256(b"a").hexdigest()
SUM_B = hashlib.sha256(b"b").hexdigest()


def sums(text: bytes) -> str:
    params = {"path": "SUMS", "files": ["d/a", "d/b c"], "folder": "d"}
    return look("checksums", params, {"SUMS": text, "d/a": b"a", "d/b c": b"b"}).detail


@pytest.mark.parametrize(
    "text",
    [f"{SUM}  a\n{SUM_B}  b c\n", f"{SUM_B} *b c\r\n{SUM.upper()} *./a\r\n", f"\n{SUM}  a\n{SUM_B}  b c"],
    ids=["plain", "binary mark, other order, CRLF", "blank line, no end"],
)
def test_checksums_forgive_layout(text: str) -> None:
    assert sums(text.encode()) == ""


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "SUMS lists [], expected ['a', 'b c']"),
        (f"{SUM}  a\n", "SUMS lists ['a'], expected ['a', 'b c']"),
        (f"{SUM}  a\n{SUM}  b c\n", "SUMS has a wrong checksum for b c"),
        (f"{SUM}  a\n{SUM}  a\n", "SUMS lists a twice"),
        (f"{SUM}\n", f"SUMS line 1 is no checksum line: '{SUM}'"),
        (f"{SUM[:32]}  a\n{SUM_B}  b c\n", "SUMS has a wrong checksum for a"),
        (f"{SUM}  a\u2028{SUM_B}  b c\n", None),
        (f"{SUM}  d/a\n{SUM_B}  d/b c\n", "SUMS lists ['d/a', 'd/b c'], expected ['a', 'b c']"),
    ],
)
def test_checksums_name_what_is_wrong(text: str, detail: str | None) -> None:
    found = sums(text.encode())
    assert found == detail if detail else found


def test_checksums_of_a_file_that_is_gone_are_refused() -> None:
    params = {"path": "SUMS", "files": ["a"]}
    assert look("checksums", params, {"SUMS": f"{SUM}  a\n".encode()}).detail == "a does not exist"


def test_hostile_text_costs_little_time() -> None:
    started = time.process_time()
    for data in (b"\n" * HUGE, b"," * HUGE, b'"' * HUGE, b"a" * HUGE):
        assert table(data)
        assert lines(data)
        assert sums(data)
    assert time.process_time() - started < 3
