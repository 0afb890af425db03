from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from trajmill.flows.visible import cut_lines, folded, lines_of, visible, wrapped


@given(st.text())
def test_nothing_that_a_terminal_acts_on_is_left(text: str) -> None:
    assert all(c.isprintable() or c == "\n" for c in visible(text))


def test_control_characters_are_written_out() -> None:
    assert visible("\x1b[31mred\x07\r\u202e\udc80") == "\\x1b[31mred\\x07\\r\\u202e\\udc80"


def test_a_tab_goes_to_the_next_stop() -> None:
    assert visible("ab\tc") == "ab      c"


def test_an_ending_newline_begins_no_line() -> None:
    assert lines_of("a\n\nb\n") == ["a", "", "b"]
    assert lines_of("") == []


def test_long_output_is_cut_in_the_middle_and_says_so() -> None:
    assert list(cut_lines([str(n) for n in range(10)], 2, 1, 9)) == ["0", "1", "[... 7 lines not shown ...]", "9"]


def test_a_cut_that_would_save_nothing_is_not_made() -> None:
    assert list(cut_lines(["a", "b", "c", "d"], 2, 1, 9)) == ["a", "b", "c", "d"]


def test_a_long_line_is_cut_and_says_so() -> None:
    assert list(cut_lines(["abcdef"], 2, 1, 4)) == ["abcd[... 2 characters not shown]"]


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.integers(2, 40), st.booleans())
def test_folding_loses_nothing_and_keeps_the_width(line: str, width: int, at_spaces: bool) -> None:
    pieces = folded(line, width, at_spaces=at_spaces)
    assert "".join(pieces) == line
    assert all(sum(map(cell_len, piece)) <= width for piece in pieces)


def test_code_is_broken_after_a_space_that_is_near() -> None:
    assert folded("awk -F, data.csv", 10, at_spaces=True) == ["awk -F, ", "data.csv"]
    assert folded("awk -F, data.csv", 10) == ["awk -F, da", "ta.csv"]


def test_words_are_broken_between_and_never_lost() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("one two three", None) == ["one two three"]
