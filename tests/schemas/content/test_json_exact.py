"""JSON with exact numbers: read, compared and written without rounding."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.schemas.content.json_exact import Value, read_json, scan_json
from trajmill.schemas.content.json_lines import read_json_lines, render_json_lines, scan_json_lines
from trajmill.schemas.content.json_values import canonical_text, first_difference, render_json, same_value
from trajmill.schemas.content.notes import ContentError

CASES = Path(__file__).parents[2] / "cases" / "files"

CHARACTERS = st.characters(exclude_categories=["Cs"])
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False, places=3)
    | st.text(alphabet=CHARACTERS, max_size=6)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(CHARACTERS, max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([None, 2, 4]), st.booleans(), st.booleans())
def test_what_is_written_reads_back_as_the_same_value(
    value: Value, indent: int | None, flag: bool, spaced: bool
) -> None:
    data = render_json(value, indent=indent, sort_keys=flag, ascii_only=flag, spaced=spaced)
    assert same_value(read_json(data), value)


@given(VALUES, VALUES)
def test_canonical_texts_are_equal_exactly_where_values_are(left: Value, right: Value) -> None:
    assert (canonical_text(left) == canonical_text(right)) == same_value(left, right)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(CHARACTERS),
        st.lists,
        max_leaves=6,
    )
)
def test_the_layout_is_that_of_the_standard_library(value: Value) -> None:
    assert render_json(value).decode() == json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    assert render_json(value, indent=None, spaced=False).decode() == (
        json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
    )


@given(st.lists(VALUES, max_size=4))
def test_json_lines_read_back(values: list[Value]) -> None:
    assert same_value(list(read_json_lines(render_json_lines(values))), values)


def test_large_integers_and_decimals_stay_exact() -> None:
    scan = scan_json((CASES / "big-numbers.json").read_bytes())
    ids = [entry["id"] for entry in scan.value["entries"]]
    assert ids == [9007199254740993, 18446744073709551617, 12]
    assert scan.value["entries"][0]["amount"] == Decimal("0.1")
    assert scan.beyond_double == ("$.entries[0].id", "$.entries[1].id")
    assert scan.imprecise == ()
    assert b'"amount": 100.00' in render_json(scan.value)


def test_decimals_that_a_double_changes_are_named() -> None:
    assert scan_json(b'{"a": [0.1, 0.30000000000000004, 1.00000000000000001]}').imprecise == ("$.a[2]",)


def test_a_key_that_stands_twice_is_found_with_path_and_lines() -> None:
    scan = scan_json((CASES / "duplicate-keys.json").read_bytes())
    assert [d.place for d in scan.duplicates] == ["$.retries (lines 3, 5)", "$.limits.per_minute (line 4)"]


def test_escaped_and_odd_keys_have_paths_too() -> None:
    scan = scan_json(b'{"x": [1, {"a b": "}{,", "a\\u0020b": 2}], "c": "x"}')
    assert [d.path for d in scan.duplicates] == ['$.x[1]["a b"]']


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"NaN", "not_json"),
        (b"[1, Infinity]", "not_json"),
        (b"{", "not_json"),
        (b"", "not_json"),
        (b'{"a": 1, "a": 2}', "duplicate_key"),
        (b"[" * 300 + b"]" * 300, "too_deep"),
        (b"[" * 100_000, "too_deep"),
        (b"1e999999999", "number_too_large"),
        (b"9" * 5_000, "number_too_large"),
        (b"\x00\x01\x02\xff", "not_text"),
        (b"\x00\x01\x02\x03", "not_json"),
    ],
)
def test_what_is_refused_says_why(data: bytes, code: str) -> None:
    with pytest.raises(ContentError) as caught:
        read_json(data)
    assert caught.value.code == code


def test_half_a_surrogate_pair_is_noticed() -> None:
    assert scan_json(b'{"a": "\\ud800"}').lone_surrogates
    assert not scan_json(b'{"a": "\\ud83d\\ude00"}').lone_surrogates


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({"a": [1, 2]}, {"a": [1, 3]}, "$.a[1]: expected 2, found 3"),
        ({"a": 1}, {"b": 1}, "$.a: missing"),
        ({}, {"b": 1}, "$.b: not expected"),
        ([1], [1, 2], "$: expected 1 elements, found 2"),
        (1, True, "$: expected 1, found true"),
        (0, False, "$: expected 0, found false"),
        ("1", 1, '$: expected "1", found 1'),
        (1, Decimal("1.0"), ""),
        (Decimal("0.10"), Decimal("0.1"), ""),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ""),
    ],
)
def test_the_first_difference_is_named(left: Value, right: Value, expected: str) -> None:
    assert first_difference(left, right) == expected


def test_a_torn_line_is_placed_by_byte_and_a_blank_one_by_line() -> None:
    scan = scan_json_lines((CASES / "torn.jsonl").read_bytes())
    assert [r.line for r in scan.records] == [1, 2, 4, 5]
    assert scan.blank == (3,)
    assert [(b.line, b.start, b.end) for b in scan.broken] == [(6, 149, 179)]
    assert not scan.final_newline
    assert sum(v["in"] for v in scan.values) == 22
    with pytest.raises(ContentError, match="line 6"):
        read_json_lines((CASES / "torn.jsonl").read_bytes())
