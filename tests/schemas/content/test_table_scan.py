"""Reading delimited text: dialect, faults with their lines, and the way back."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.schemas.content.encodings import decode
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.table_scan import detect_dialect, read_table, scan_table
from trajmill.schemas.content.tables import Dialect, make_table, render_table

CASES = Path(__file__).parents[2] / "cases" / "files"

FIELDS = st.text(alphabet=string.ascii_letters + string.digits + " ,;\t|\"\n\r'äŁ-.", max_size=8)
DIALECTS = st.builds(
    Dialect,
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-16-le"]),
    bom=st.booleans(),
)


@st.composite
def contents(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    width = draw(st.integers(1, 4))
    row = st.lists(FIELDS, min_size=width, max_size=width)
    return draw(row), draw(st.lists(row, max_size=5))


@given(contents(), DIALECTS)
def test_what_is_rendered_reads_back_as_the_same_fields(
    content: tuple[list[str], list[list[str]]], to: Dialect
) -> None:
    header, rows = content
    table = make_table(header, rows, to)
    back = read_table(render_table(table), to)
    assert (back.header, back.rows) == (table.header, table.rows)
    assert back.columns == table.columns


@given(st.lists(st.lists(st.text(alphabet='ab" 1', max_size=5), min_size=2, max_size=2), min_size=1, max_size=5))
def test_without_quoting_every_quote_survives(rows: list[list[str]]) -> None:
    plain = Dialect(delimiter="\t", quoting=False)
    table = make_table(["x", "y"], rows, plain)
    assert read_table(render_table(table), plain).rows == table.rows


def test_a_field_that_needs_quotes_is_refused_where_there_is_no_quoting() -> None:
    table = make_table(["a", "b"], [["x\ty", "z"]], Dialect(delimiter="\t", quoting=False))
    with pytest.raises(ContentError) as caught:
        render_table(table)
    assert caught.value.code == "needs_quotes"


def test_ragged_rows_are_named_by_line_and_never_padded() -> None:
    data = (CASES / "ragged.csv").read_bytes()
    text = decode(data)
    dialect = detect_dialect(text)
    assert dialect is not None
    scan = scan_table(text, dialect)
    assert [(r.line, len(r.fields)) for r in scan.ragged] == [(3, 3), (5, 5)]
    with pytest.raises(ContentError, match=r"Line 3 has 3 fields, expected 4 \(lines 3, 5\)"):
        read_table(data)


def test_lone_quotes_turn_quoting_off() -> None:
    table = read_table((CASES / "lone-quote.tsv").read_bytes())
    assert not table.dialect.quoting
    assert table.column("size") == ('5" wide', '"L" shape', '"1/2 inch', "small")


def test_quotes_that_close_in_the_next_field_turn_quoting_off() -> None:
    table = read_table(b'part\tsize\na\t"1/2 inch\nb\t"3/4 inch\n')
    assert table.column("size") == ('"1/2 inch', '"3/4 inch')


def test_a_record_knows_the_line_it_begins_on_behind_quoted_newlines() -> None:
    text = decode((CASES / "quoted-newlines.csv").read_bytes())
    dialect = detect_dialect(text)
    assert dialect is not None
    scan = scan_table(text, dialect)
    assert [r.line for r in scan.records] == [2, 4, 5, 8]
    assert scan.lines == 8
    assert scan.table().rows[1][2] == 'Sign says "Pull", door needs a push'


@pytest.mark.parametrize("data", [b'a,b\n"x,1\n', b'a,b\n"x"y,1\n', b'a,b\nx"y,1\n'])
def test_broken_quotes_are_an_error_when_the_dialect_is_given(data: bytes) -> None:
    with pytest.raises(ContentError) as caught:
        read_table(data, Dialect())
    assert caught.value.code == "bad_quotes"


def test_a_blank_line_is_no_row() -> None:
    with pytest.raises(ContentError) as caught:
        read_table(b"a,b\n1,2\n\n3,4\n", Dialect())
    assert (caught.value.code, caught.value.place) == ("blank_line", "line 3")


def test_a_byte_order_mark_is_a_fault_unless_the_dialect_has_one() -> None:
    data = b"\xef\xbb\xbfa,b\n1,2\n"
    with pytest.raises(ContentError) as caught:
        read_table(data, Dialect())
    assert caught.value.code == "byte_order_mark"
    assert read_table(data, Dialect(bom=True)).header == ("a", "b")


def test_bytes_that_are_not_in_the_given_encoding_are_named() -> None:
    with pytest.raises(ContentError, match=r"not utf-8 \(byte 5\)"):
        read_table(b"a,b\n1\xe4,2\n", Dialect())


def test_the_widest_even_delimiter_wins_over_decimal_commas() -> None:
    dialect = detect_dialect(decode(b"x;y\n1,5;2,5\n3,5;4,5\n"))
    assert dialect is not None
    assert dialect.delimiter == ";"


@pytest.mark.parametrize("data", [b"", b"one\ntwo\n", b"\n\n"])
def test_content_without_columns_is_no_table(data: bytes) -> None:
    with pytest.raises(ContentError) as caught:
        read_table(data)
    assert caught.value.code == "not_a_table"


def test_a_long_table_is_detected_from_its_beginning_even_if_that_ends_inside_quotes() -> None:
    row = '"' + "x" * 99_990 + '\n",2\n'
    assert read_table(("a,b\n" + row * 3).encode()).column("b") == ("2", "2", "2")
