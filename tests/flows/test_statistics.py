from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.builders import published
from trajmill.flows.statistics import quantiles, statistics
from trajmill.schemas.errors import StoreError


def test_a_dataset_is_counted(tmp_path: Path) -> None:
    counted = statistics(published(tmp_path / "tiny").folder)
    assert counted.rows == {"tasks": 2, "trajectories": 4, "drops": 3}
    assert counted.drops == {"compose/nothing_to_do": 3, "filter/not_passed": 1, "source/personal_data": 1}
    assert [(g.value, g.tasks, g.trajectories, g.passed) for g in counted.groups["domain"]] == [
        ("csv", 1, 2, 2),
        ("logs", 1, 2, 2),
    ]
    assert {group.value for group in counted.skills} == {"csv.drop-duplicates", "log.keep", "text.count"}
    assert (counted.turns, counted.masked_turns, counted.with_slips) == (15, 1, 1)
    assert counted.quantiles["turns"][0] == 3
    assert counted.quantiles["turns"][-1] == 5


def test_a_folder_that_is_no_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a Trajmill dataset"):
        statistics(tmp_path)


def test_a_quantile_is_a_value_that_is_there() -> None:
    assert quantiles([4, 1, 3, 2]) == (1, 1, 2, 3, 4, 4)
    assert quantiles([7]) == (7,) * 6
    assert quantiles([]) == (0,) * 6
