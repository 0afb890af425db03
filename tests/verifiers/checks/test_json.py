"""``json`` and ``json_lines``: exact values, whatever the layout."""

from __future__ import annotations

import time

import pytest

from tests.verifiers.evidence import look

WANT = '{"a":[1,2.50,null],"b":{"c":"ä"},"n":12345678901234567890}'


def value(data: bytes, want: str = WANT) -> str:
    return look("json", {"path": "o", "json": want}, {"o": data}).detail


@pytest.mark.parametrize(
    "text",
    [
        WANT,
        '{\n  "n": 12345678901234567890,\n  "b": {"c": "\\u00e4"},\n  "a": [1.0, 2.5, null]\n}\n',
        "\ufeff" + WANT,
    ],
    ids=["shortest", "pretty, other order, escapes", "byte order mark"],
)
def test_json_forgives_layout(text: str) -> None:
    assert value(text.encode()) == ""


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "is not the JSON expected"),
        ("{", "line 1, column 2"),
        (WANT.replace("890}", "891}"), "$.n: expected 12345678901234567890, found 12345678901234567891"),
        (WANT.replace("2.50", "2.51"), "$.a[1]: expected 2.50, found 2.51"),
        (WANT.replace("null", "false"), "$.a[2]: expected null, found false"),
        (WANT.replace("[1,", "[true,"), "$.a[0]: expected 1, found true"),
        (WANT.replace("[1,", '["1",'), '$.a[0]: expected 1, found "1"'),
        (WANT.replace("2.50", "NaN"), "NaN is not JSON"),
        (WANT.replace("2.50", "-Infinity"), "-Infinity is not JSON"),
        (WANT.replace("2.50", "1e999999999"), "too large an exponent"),
        (WANT.replace("2.50", "9" * 100_000), "An integer of 100000 digits"),
        (WANT.replace('"b"', '"a"'), "occurs more than once"),
        ("[" * 100_000, "deeper than"),
        ("[" * 900 + "]" * 900, "deeper than"),
        ('{"a":1,"a":' * 400 + "1" + "}" * 400, ""),
        (WANT + " " + WANT, "Extra data"),
        (WANT + "\0", "Extra data"),
        ('"\\ud800"', "$: expected an object, found"),
        ("x" * (1 << 20), "far more than expected"),
    ],
    ids=lambda text: text[:20],
)
def test_json_names_what_is_wrong(text: str, part: str) -> None:
    found = value(text.encode())
    assert found
    assert part in found
    assert found.isprintable()


def test_bytes_that_are_no_text_are_refused() -> None:
    assert value(b"\xff\xfe\xff") != ""
    assert value(b'{"a": "\xff"}') != ""


def records(data: bytes, ordered: bool = True) -> str:
    params = {"path": "o", "lines": ['{"a":1}', '{"a":2}', '{"a":1}'], "ordered": ordered}
    return look("json_lines", params, {"o": data}).detail


def test_json_lines_forgive_layout_and_blank_lines() -> None:
    assert records(b'{"a": 1}\n\n{ "a": 2.0 }\r\n{"a":1}') == ""
    assert records(b'{"a":2}\n{"a":1}\n{"a":1}\n', ordered=False) == ""


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "0 records, expected 3"),
        (b'{"a":1}\n{"a":2}\n', "2 records, expected 3"),
        (b'{"a":1}\n{"a":2}\n{"a":3}\n', "record 3 $.a: expected 1, found 3"),
        (b'[{"a":1},{"a":2},{"a":1}]\n', "record 1"),
        (b'{"a":1}\n{"a":\n', "line 2"),
        (b'{"a":1}\n{"a":2}\xff\n', "not JSON Lines"),
        (b'{"a":1}\n\0\n', "not JSON Lines"),
        (b'{"a":1,"a":1}\n', "more than once"),
        (b"[" * 100_000, "deeper than"),
        (b'{"a":1}\n' * 40_000, "far more than expected"),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_json_lines_name_what_is_wrong(data: bytes, part: str) -> None:
    assert part in records(data)


@pytest.mark.parametrize("piece", [b"0,", b"[[[[1]]]],", b'{"a":1,"a":2},'])
def test_hostile_json_costs_little_time(piece: bytes) -> None:
    started = time.process_time()
    assert value(b"[" + piece * ((1 << 18) // len(piece)) + b"0]")
    assert records(b"[" + piece * (130_000 // len(piece)) + b"0]")
    assert time.process_time() - started < 30, "quadratic work takes minutes"
