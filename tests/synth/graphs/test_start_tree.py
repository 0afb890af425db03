from bisect import bisect
from itertools import accumulate
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from trajmill.synth.graphs.start_tree import StartDraw, StartTree, start_weight


@given(st.lists(st.integers(1, 50), min_size=1, max_size=3_000), st.data())
def test_find_agrees_with_a_linear_scan_after_any_changes(weights: list[int], data: st.DataObject) -> None:
    tree = StartTree(weights)
    for place, weight in data.draw(
        st.lists(st.tuples(st.integers(0, len(weights) - 1), st.integers(1, 90)), max_size=20)
    ):
        tree.reweigh(place, weight)
        weights[place] = weight
    assert tree.total == sum(weights)
    rest = data.draw(st.integers(0, tree.total - 1))
    assert tree.find(rest) == bisect(list(accumulate(weights)), rest)


def test_a_start_serves_only_its_targets() -> None:
    draw = StartDraw({0: [1, 2, 3], 1: [3, 4], 2: []}, [0] * 5)
    assert {draw.draw(0, Random(seed)) for seed in range(60)} == {1, 2, 3}
    assert {draw.draw(1, Random(seed)) for seed in range(60)} == {3, 4}
    assert (draw.can_start(1), draw.can_start(2)) == (True, False)


def test_a_visited_start_is_drawn_less_often() -> None:
    draw = StartDraw({0: [0, 1]}, [0, 0])
    draw.reweigh(0, 8)
    random = Random(1)
    share = sum(draw.draw(0, random) == 0 for _ in range(3_000)) / 3_000
    assert abs(share - 0.1) < 0.02


def test_no_number_of_visits_makes_a_weight_zero() -> None:
    assert start_weight(0) == 2 * start_weight(1)
    assert start_weight(10**9) > 0
