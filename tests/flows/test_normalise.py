from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.flows.normalise import normalised


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a  \nb\n\n", "a\nb"),
        ("real\t0m0.012s\nuser\t0m0.001s", "real\t1m2.500s\nuser\t0m0.020s"),
        ("real 0.01", "real 2.50"),
        ("0.01user 0.00system 0:00.02elapsed 80%CPU", "0.11user 0.01system 0:01.02elapsed 9%CPU"),
        ("[1] 4711\ndone", "[1] 12\ndone"),
        ("<function f at 0x7f12ab34cd56>", "<function f at 0x55aa00ff1122>"),
    ],
)
def test_what_the_rules_name_makes_no_difference(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a\nb", "b\na"),
        ("12 lines", "13 lines"),
        (" a", "a"),
        ("a\n\nb", "a\nb"),
        ("2024-01-01", "2024-01-02"),
        ("the mask is 0x7f12ab34", "the mask is 0x7f12ab35"),
        ("[exit code 1]", "[exit code 2]"),
        ("real 3 apples", "real 4 apples"),
    ],
)
def test_everything_else_does(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)
