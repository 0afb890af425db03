"""Tables as values: columns, types, numbers and when bytewise tools are right."""

from __future__ import annotations

from decimal import Decimal

import pytest

from trajmill.schemas.content.column_types import from_number, infer, to_number
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Dialect, make_table, render_table, retyped


@pytest.mark.parametrize(
    ("values", "expected", "form"),
    [
        (["1", "-2", "0"], "integer", ""),
        (["1", "2.50"], "decimal", ""),
        (["0,045", "54,00"], "decimal_comma", ""),
        (["1,234", "5,678"], "text", ""),
        (["007", "041"], "text", ""),
        (["12345678901234567890"], "text", ""),
        (["1E5", "2E3"], "text", ""),
        (["+1", "2"], "text", ""),
        (["-0", "1"], "text", ""),
        (["3-4", "1-2"], "text", ""),
        (["2024-02-29"], "date", "%Y-%m-%d"),
        (["2023-02-29"], "text", ""),
        (["03.04.2024", "28.02.2024"], "date", "%d.%m.%Y"),
        (["03/04/2024", "28/02/2024"], "date", "%d/%m/%Y"),
        (["03/14/2024", "02/28/2024"], "date", "%m/%d/%Y"),
        (["03/04/2024", "02/01/2024"], "text", ""),
        (["2010/01/01 00:00"], "datetime", "%Y/%m/%d %H:%M"),
        (["true", "false"], "boolean", ""),
        (["true", "False"], "text", ""),
        (["yes", "no"], "text", ""),
        ([], "unknown", ""),
        (["", ""], "unknown", ""),
        (["", "4"], "integer", ""),
    ],
)
def test_a_column_type_is_told_from_every_value(values: list[str], expected: str, form: str) -> None:
    known = infer(values)
    assert (known.type, known.format) == (expected, form)


def test_a_date_that_can_be_read_both_ways_is_marked() -> None:
    assert infer(["03/04/2024"]).ambiguous_date
    assert not infer(["13/04/2024"]).ambiguous_date


def test_numbers_are_exact_and_skip_empty_values() -> None:
    table = read_table(b"a;b\nx;0,10\ny;\nz;0,20\n")
    assert table.numbers("b") == (Decimal("0.10"), Decimal("0.20"))
    assert sum(table.numbers("b")) == Decimal("0.30")
    assert table.about("b").missing == 1
    with pytest.raises(ValueError, match="is no text"):
        table.numbers("a")


def test_a_number_goes_back_in_the_columns_own_notation() -> None:
    assert from_number(Decimal("590.30"), "decimal_comma") == "590,30"
    assert from_number(Decimal("1E+3"), "decimal") == "1000"
    assert to_number("590,30", "decimal_comma") == Decimal("590.30")


def test_a_name_that_stands_twice_is_refused() -> None:
    table = read_table(b"a,a,A\n1,2,3\n")
    assert not table.unique_header
    with pytest.raises(KeyError, match="2 columns"):
        table.column("a")
    assert table.column("A") == ("3",)


@pytest.mark.parametrize(
    "data",
    [
        b'a,b\n"1",2\n',
        b'a,b\n"x,y",2\n',
        b"a,b\n x,2\n",
        b"a,b\r\n1,2\r\n",
        b"\xef\xbb\xbfa,b\n1,2\n",
        b"a,b\n1,2",
        b"a,\n1,2\n",
        b'a\tb\n5" wide\t2\n',
        "a,b\nä,2\n".encode("latin-1"),
    ],
)
def test_bytewise_tools_are_not_right_for_these(data: bytes) -> None:
    assert not read_table(data).plain


def test_bytewise_tools_are_right_for_a_plain_table() -> None:
    assert read_table("a,b\nä ö,2\n,3\n".encode()).plain


def test_other_rows_keep_types_and_count_missing_values_anew() -> None:
    table = read_table(b"a,b\n1,\n2,3\n")
    fewer = table.with_rows(table.rows[1:])
    assert (fewer.about("b").type, fewer.about("b").missing) == ("integer", 0)
    assert retyped(table.with_rows([])).about("a").type == "unknown"
    assert len(fewer) == 1


def test_selected_columns_come_in_the_order_asked_for() -> None:
    table = read_table(b"a,b,c\n1,2,3\n").selected(["c", "a"])
    assert (table.header, table.rows) == (("c", "a"), (("3", "1"),))
    assert table.named("integer") == ("c", "a")


def test_rendering_quotes_only_what_needs_it() -> None:
    table = make_table(["a", "b"], [["x,y", 'say "hi"'], ["p q", ""]])
    assert render_table(table) == b'a,b\n"x,y","say ""hi"""\np q,\n'
    assert render_table(table, header=False).startswith(b'"x,y"')


def test_the_dialect_decides_newline_delimiter_encoding_and_mark() -> None:
    table = make_table(["a", "b"], [["1", "ä"]])
    other = table.with_dialect(Dialect(";", newline="\r\n", encoding="utf-16-le", bom=True))
    assert render_table(other) == b"\xff\xfe" + "a;b\r\n1;ä\r\n".encode("utf-16-le")


def test_a_row_that_is_too_short_is_refused() -> None:
    with pytest.raises(ContentError, match="1 fields where 2 are expected"):
        make_table(["a", "b"], [["1"]])
