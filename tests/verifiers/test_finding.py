from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trajmill.verifiers.finding import MOST_SHOWN, compare_bags, compare_sequences, failed, one_line, short

ROWS = st.lists(st.lists(st.one_of(st.integers(), st.floats(allow_nan=False), st.text(), st.none()), max_size=3))


def test_the_first_difference_is_counted_from_one() -> None:
    assert compare_sequences(["a", "b"], ["a", "c"], "line").detail == "line 2 is 'c', expected 'b'"


def test_what_is_missing_or_too_much_at_the_end_is_named() -> None:
    assert compare_sequences(["a", "b"], ["a"], "line").detail == "line 2 is missing, expected 'b'"
    assert compare_sequences(["a"], ["a", "b"], "line").detail == "line 2 is not expected: 'b'"


def test_bags_count_repeats() -> None:
    assert compare_bags(["a", "a", "b"], ["b", "a", "a"], "line").passed
    assert not compare_bags(["a", "a", "b"], ["b", "b", "a"], "line").passed


def test_equal_numbers_of_two_kinds_are_equal_in_a_bag() -> None:
    assert compare_bags([[10, "x"], [2, "y"]], [[2.0, "y"], [10.0, "x"]], "row").passed


@given(ROWS, st.randoms())
def test_a_shuffled_bag_is_the_same_bag(rows: list[list[object]], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert compare_bags(rows, shuffled, "row").passed


@given(st.text())
def test_a_detail_is_one_bounded_printable_line(text: str) -> None:
    detail = failed(text).detail
    assert detail.isprintable()
    assert len(detail) <= 2 * MOST_SHOWN + 3
    detail.encode("utf-8")


def test_umlauts_stay_readable_beside_control_characters() -> None:
    assert one_line("Müller\x1b[31m") == "Müller\\x1b[31m"


def test_a_long_value_is_shown_by_its_start() -> None:
    assert short(["x"] * 1_000_000) == f"{['x'] * MOST_SHOWN!r}"[:MOST_SHOWN] + "..."
    assert short("ä") == "'ä'"
