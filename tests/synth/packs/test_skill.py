from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.synth.handmade import a_draw
from trajmill.synth.packs.skill import Draw


def test_the_same_seed_picks_the_same() -> None:
    picked = [[a_draw(3).pick("abcdef") for _ in range(2)] for _ in range(2)]
    assert picked[0] == picked[1]
    assert len({a_draw(seed).pick("abcdef") for seed in range(40)}) == 6


def test_nothing_cannot_be_picked_from() -> None:
    with pytest.raises((IndexError, ValueError)):
        a_draw().pick(())


@given(st.lists(st.integers(), min_size=1, max_size=12, unique=True), st.data())
def test_some_are_different_in_their_own_order_and_as_many_as_asked_for(
    options: list[int], data: st.DataObject
) -> None:
    least = data.draw(st.integers(0, len(options)))
    most = data.draw(st.integers(least, 15))
    draw = Draw(random.Random(data.draw(st.integers(0, 99))), frozenset())
    chosen = draw.some(options, least, most)
    assert least <= len(chosen) <= most
    assert list(chosen) == [option for option in options if option in chosen]
