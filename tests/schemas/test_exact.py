from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.schemas.errors import ContractError
from trajmill.schemas.exact import read_exact, write_exact


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("18446744073709551617", 2**64 + 1),
        ("-170141183460469231731687303715884105729", -(2**127) - 1),
        ("1e400", Decimal("1e400")),
        ("0.1000000000000000055511151231257827", Decimal("0.1000000000000000055511151231257827")),
        ("0.1", 0.1),
        ("1.50", 1.5),
    ],
)
def test_a_number_keeps_its_value(text: str, value: object) -> None:
    assert read_exact(text) == value
    assert type(read_exact(text)) is type(value)
    assert Decimal(write_exact(read_exact(text))) == Decimal(text)


@pytest.mark.parametrize("text", ["-0", "-0.0"])
def test_minus_zero_keeps_its_sign(text: str) -> None:
    assert write_exact(read_exact(text)) == "-0.0"


@given(data=st.data())
def test_what_is_written_reads_back_the_same(data: st.DataObject, json_values: st.SearchStrategy[Any]) -> None:
    value = data.draw(json_values)
    text = write_exact(value)
    assert write_exact(read_exact(text)) == text
    assert read_exact(text) == value


@given(data=st.data())
def test_the_slow_way_writes_what_the_library_writes(data: st.DataObject, json_values: st.SearchStrategy[Any]) -> None:
    value = data.draw(json_values)
    beside_a_decimal = write_exact([Decimal(1), value])
    assert beside_a_decimal == f"[1,{write_exact(value)}]"


def test_keys_are_sorted_or_keep_their_order() -> None:
    table = {"b": Decimal(1), "a": {"d": 1, "c": 2}}
    assert write_exact(table) == '{"a":{"c":2,"d":1},"b":1}'
    assert write_exact(table, sort=False) == '{"b":1,"a":{"d":1,"c":2}}'
    assert write_exact({"b": 1, "a": 2}, sort=False) == json.dumps({"b": 1, "a": 2}, separators=(",", ":"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": NaN}', "NaN is not JSON"),
        ("[Infinity]", "Infinity is not JSON"),
        ('{"a": 1, "a": 2}', "the key 'a' is given twice"),
        ('{"a": ', "line 1 column 7"),
        ("[" * 100_000, "Not a JSON document"),
        ("9" * 5_000, "Not a JSON document"),
        ("1e99999999999999999999", "Not a JSON document"),
        (b"\xff", "Not a JSON document"),
    ],
)
def test_what_is_not_json_is_refused(text: str | bytes, told: str) -> None:
    with pytest.raises(ContractError, match=told):
        read_exact(text)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("NaN"), "\ud83d", {1, 2}, {(1, 2): Decimal(1)}])
def test_what_has_no_json_form_is_not_written(value: Any) -> None:
    with pytest.raises(ContractError, match="No JSON document can hold this"):
        write_exact(value)
