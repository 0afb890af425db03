"""How bytes become text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.schemas.content.encodings import Encoding, decode, detect_encoding, encode, mark_of
from trajmill.schemas.content.notes import ContentError

CASES = Path(__file__).parents[2] / "cases" / "files"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"plain\n", Encoding("ascii")),
        ("ä\n".encode(), Encoding("utf-8")),
        (b"\xef\xbb\xbfa", Encoding("utf-8", bom=True)),
        ("ä".encode("utf-16"), Encoding("utf-16-le", bom=True, bad_offset=0)),
        (b"\xfe\xff\x00a", Encoding("utf-16-be", bom=True, bad_offset=0)),
        ("a wide text\n".encode("utf-16-le"), Encoding("utf-16-le", guess=True)),
        (b"ab\xe4", Encoding("latin-1", guess=True, bad_offset=2)),
        (b"5 \x80", Encoding("cp1252", guess=True, bad_offset=2)),
        (b"\xff\xfea", Encoding("binary")),
        (random.Random(1).randbytes(1024), None),
    ],
)
def test_an_encoding_is_told_from_the_bytes(data: bytes, expected: Encoding | None) -> None:
    found = detect_encoding(data)
    assert found == expected if expected else found.name == "binary"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_marked_text_comes_back_in_every_encoding(text: str) -> None:
    for name in ("utf-8", "utf-16-le", "utf-16-be"):
        assert decode(encode(text, name, bom=True)).text == text


@given(st.binary(max_size=200))
def test_no_bytes_make_the_detection_fail_and_what_is_no_binary_decodes(data: bytes) -> None:
    found = detect_encoding(data)
    if found.name != "binary":
        back = encode(decode(data).text, found.name)
        assert mark_of(found) + back == data


def test_nul_runs_are_placed_and_leave_text_text() -> None:
    text = decode((CASES / "nul-run.log").read_bytes())
    assert [(r.offset, r.length, r.line) for r in text.nul_runs] == [(80, 24, 3)]


def test_every_ending_is_counted_and_ends_a_line() -> None:
    text = decode((CASES / "mixed-eol.txt").read_bytes())
    assert (text.endings.crlf, text.endings.lf, text.endings.cr) == (2, 2, 1)
    assert text.endings.style == "mixed"
    assert text.lines == ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot")
    assert not text.final_newline


def test_bad_bytes_and_unknown_names_are_errors() -> None:
    with pytest.raises(ContentError, match="byte 1"):
        decode(b"a\xff", Encoding("utf-8"))
    with pytest.raises(ContentError, match="not supported"):
        encode("a", "utf-7", bom=True)
    with pytest.raises(ContentError, match="latin-1"):
        encode("Ł", "latin-1")
