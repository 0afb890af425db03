from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flows.builders import COUNT_STEPS, UNIQUE_STEPS, count_task, published, row, unique_task
from trajmill.flows.dataset import table_path
from trajmill.flows.export import export_dataset, read_rows
from trajmill.schemas.errors import ConfigError, StoreError
from trajmill.schemas.ids import digest_bytes


def test_the_trajectories_that_passed_become_lines(tmp_path: Path) -> None:
    rows = (row(unique_task(), UNIQUE_STEPS), row(count_task(), COUNT_STEPS, passed=False))
    dataset = published(tmp_path / "data", trajectories=rows).folder
    made = export_dataset(dataset, "trl-sft", tmp_path / "out")
    data = (tmp_path / "out" / "trl-sft.jsonl").read_bytes()
    assert made == {"rows": 1, "excluded": {"not_passed": 1}, "sha256": digest_bytes(data)}
    (line,) = data.splitlines()
    assert set(json.loads(line)) == {"prompt", "completion", "tools"}


def test_the_order_of_lines_does_not_depend_on_the_order_of_rows(tmp_path: Path) -> None:
    rows = (row(unique_task(), UNIQUE_STEPS), row(count_task(), COUNT_STEPS))
    first = published(tmp_path / "a", trajectories=rows).folder
    second = published(tmp_path / "b", trajectories=rows).folder
    assert export_dataset(first, "trl-sft", tmp_path / "x") == export_dataset(second, "trl-sft", tmp_path / "y")
    assert (tmp_path / "x" / "trl-sft.jsonl").read_bytes() == (tmp_path / "y" / "trl-sft.jsonl").read_bytes()


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    dataset = published(tmp_path / "data").folder
    assert len(list(read_rows(dataset, "trajectories"))) == 4
    assert {drop["reason"] for drop in read_rows(dataset, "drops")} == {"personal_data", "nothing_to_do", "not_passed"}


def test_an_unknown_export_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="trl-sft"):
        export_dataset(published(tmp_path / "data").folder, "trl", tmp_path)
    assert not list(tmp_path.glob("*.jsonl"))


def test_a_missing_or_damaged_table_is_named(tmp_path: Path) -> None:
    dataset = published(tmp_path / "data").folder
    path = table_path(dataset, "trajectories")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(StoreError, match="cannot be read"):
        list(read_rows(dataset, "trajectories"))
    path.unlink()
    with pytest.raises(StoreError, match="There is no table"):
        export_dataset(dataset, "trl-sft", tmp_path / "out")
