from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.builders import unique_task

Run = Callable[..., Any]


def test_an_export_goes_where_it_is_told(run: Run, dataset: Path, tmp_path: Path) -> None:
    done = run("export", dataset, "--to", "trl-sft", "--out", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("4 rows written to ")
    assert len((tmp_path / "trl-sft.jsonl").read_text().splitlines()) == 4


def test_an_export_lies_in_the_dataset_by_default(run: Run, dataset: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(dataset, tmp_path / "tiny"))
    (copy / "sft" / "trl-sft.jsonl").unlink()
    done = run("export", copy, "--to", "trl-sft", "--json")
    assert done.json["file"] == str(copy / "sft" / "trl-sft.jsonl")
    assert done.json["rows"] == 4
    assert (copy / "sft" / "trl-sft.jsonl").read_bytes() == (dataset / "sft" / "trl-sft.jsonl").read_bytes()


def test_an_unknown_export_is_refused_with_the_nearest(run: Run, dataset: Path, tmp_path: Path) -> None:
    done = run("export", dataset, "--to", "trl-stf", "--out", tmp_path / "out")
    assert done.code == 2
    assert done.err == "Error: There is no export called 'trl-stf'. Did you mean trl-sft?\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [["export", "--to", "trl-sft"], ["validate"], ["inspect"], ["stats"], ["replay"]])
def test_what_is_no_dataset_is_refused(run: Run, tmp_path: Path, command: list[str]) -> None:
    done = run(command[0], tmp_path, *command[1:])
    assert done.code == 2
    assert done.err.startswith("Error: ")
    assert str(tmp_path) in done.err.replace("\n", "")
    assert list(tmp_path.iterdir()) == []


def test_a_valid_dataset_is_said_to_be(run: Run, dataset: Path) -> None:
    done = run("validate", dataset)
    assert done.code == 0
    assert done.out == f"{dataset}: valid (5 files, 2 tasks, 4 trajectories, 3 drops checked)\n"


def test_a_fault_is_one_line_and_exit_code_1(run: Run, dataset: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(dataset, tmp_path / "tiny"))
    (copy / "README.md").unlink()
    done = run("validate", copy)
    assert done.code == 1
    assert done.out.splitlines()[0] == "README.md: The file is missing."
    assert "1 fault (" in done.out.splitlines()[1]
    found = run("validate", copy, "--json")
    assert found.code == 1
    assert found.json["valid"] is False
    assert found.json["faults"] == [{"file": "README.md", "row": None, "what": "The file is missing."}]


def test_a_trajectory_is_printed_in_plain_text(run: Run, dataset: Path) -> None:
    done = run("inspect", dataset, unique_task().id)
    assert done.code == 0
    assert unique_task().instruction in done.out
    assert "\x1b" not in done.out


def test_a_task_is_printed_with_its_solution(run: Run, dataset: Path) -> None:
    done = run("inspect", dataset, unique_task().id, "--task")
    assert unique_task().oracle[0].script in done.out


def test_a_trajectory_comes_as_json_with_its_document(run: Run, dataset: Path) -> None:
    shown = run("inspect", dataset, "0", "--json").json
    assert (shown["row"], shown["rows"]) == (0, 4)
    assert shown["trajectory"]["document"]["schema_version"] == "ATIF-v1.7"
    assert "steps" not in shown["trajectory"]
    assert shown["task"]["id"] == shown["trajectory"]["task_id"]


def test_a_row_that_is_not_there_is_exit_code_2(run: Run, dataset: Path) -> None:
    done = run("inspect", dataset, "99")
    assert (done.code, done.err) == (2, "Error: There is no row 99. Rows go from 0 to 3.\n")


def test_statistics_come_as_text_and_json(run: Run, dataset: Path) -> None:
    assert "Most frequent sequence of thoughts and commands: 1 of 4" in run("stats", dataset).out
    counted = run("stats", dataset, "--json").json
    assert counted["variety"]["pairs_alike_share"] == 0
    assert counted["funnel"] == json.loads((dataset / "manifest.json").read_bytes())["funnel"]
