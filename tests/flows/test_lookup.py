from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.builders import published, unique_task
from trajmill.flows.dataset import table_path
from trajmill.flows.lookup import find_trajectory, read_columns, require_dataset, rows_at
from trajmill.schemas.errors import StoreError, UsageError


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published(tmp_path_factory.mktemp("lookup") / "tiny").folder


def test_a_row_is_found_by_place_id_start_of_an_id_and_task(dataset: Path) -> None:
    ids = [row["id"] for row in read_columns(dataset, "trajectories", ("id",))]
    assert find_trajectory(dataset, None).row["id"] == ids[0]
    assert find_trajectory(dataset, "2").row["id"] == ids[2]
    assert find_trajectory(dataset, ids[3]).place == 3
    assert find_trajectory(dataset, ids[3][:12]).place == 3
    found = find_trajectory(dataset, unique_task().id)
    assert found.row["task_id"] == unique_task().id
    assert found.task_row is not None
    assert found.task_row["id"] == unique_task().id
    assert found.total == 4


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("4", "from 0 to 3"), (f"{unique_task().id}x", f"Did you mean {unique_task().id}?"), ("", "from 0 to 3")],
)
def test_a_row_that_is_not_there_is_told_with_the_nearest(dataset: Path, name: str, remedy: str) -> None:
    with pytest.raises(UsageError) as told:
        find_trajectory(dataset, name)
    assert remedy in told.value.remedy


def test_rows_come_by_their_places(dataset: Path) -> None:
    assert list(rows_at(dataset, [3, 1])) == [1, 3]


def test_what_is_no_dataset_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no folder"):
        require_dataset(tmp_path / "nowhere")
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(StoreError, match="not a Trajmill dataset"):
        require_dataset(tmp_path)


def test_a_damaged_table_is_told(tmp_path: Path) -> None:
    dataset = published(tmp_path / "tiny").folder
    table_path(dataset, "trajectories").write_bytes(b"nothing")
    with pytest.raises(StoreError, match="cannot be read"):
        find_trajectory(dataset, None)


def test_a_dataset_without_trajectories_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no trajectory"):
        find_trajectory(published(tmp_path / "tiny", trajectories=()).folder, None)
