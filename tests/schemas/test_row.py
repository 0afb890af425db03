from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trajmill.schemas.exact import write_exact
from trajmill.schemas.formats.atif import labelled, to_atif
from trajmill.schemas.ids import Json
from trajmill.schemas.row import (
    body_hash,
    drop_from_row,
    drop_row,
    task_from_row,
    task_row,
    trajectory_from_row,
    trajectory_row,
)
from trajmill.schemas.table import DROPS, TASKS, TRAJECTORIES, parquet_options, row_groups, to_table
from trajmill.schemas.task import Private, Task, sealed
from trajmill.schemas.trajectory import Trajectory
from trajmill.schemas.validate import validate
from trajmill.schemas.verdict import CheckResult, Drop, Verdict

Make = Callable[..., Trajectory]
PASSED = Verdict("scored", 1.0, 1.0, (CheckResult("rows.txt holds 1", "text", True),))


def through_parquet(rows: list[dict[str, Json]], schema: pa.Schema, folder: Path) -> list[dict[str, Json]]:
    with pq.ParquetWriter(folder / "rows.parquet", schema, **parquet_options()) as writer:
        for group in row_groups(to_table(rows, schema)):
            writer.write_table(group)
    read: list[dict[str, Json]] = pq.read_table(folder / "rows.parquet").to_pylist()
    return read


def row_of(trajectory: Trajectory, task: Task) -> dict[str, Json]:
    return trajectory_row(to_atif(trajectory), task=task, verdict=PASSED, unit_id="unit-1", attempt=2)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_the_exact_document_comes_back_from_parquet(
    data: st.DataObject, trajectories: st.SearchStrategy[Trajectory], small_task: Task, tmp_path: Path
) -> None:
    document = to_atif(data.draw(trajectories))
    row = trajectory_row(document, task=small_task, verdict=PASSED, unit_id="unit-1", attempt=0)
    validate(row, "dataset-trajectory-row")
    (read,) = through_parquet([row], TRAJECTORIES, tmp_path)
    assert read == row
    assert write_exact(trajectory_from_row(read), sort=False) == write_exact(in_order(document), sort=False)


def in_order(document: Json) -> Json:
    """The order of the columns for the fixed keys of a document; whatever is open-ended keeps its own order."""
    fixed = ("schema_version", "session_id", "agent", "steps", "extra")
    return {key: document[key] for key in fixed if key in document}


def test_what_a_record_has_no_place_for_comes_back_too(make_trajectory: Make, small_task: Task, tmp_path: Path) -> None:
    document = to_atif(make_trajectory(1))
    document |= {"notes": "n", "trajectory_id": "t", "final_metrics": {"total_steps": 4}}
    document["agent"]["extra"] = {"seed": 2**70}
    step = document["steps"][2]
    del step["llm_call_count"]
    part = {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}}
    step |= {
        "timestamp": "2024-01-01T00:00:00Z",
        "model_name": "m",
        "reasoning_effort": 0.5,
        "is_copied_context": False,
    }
    step |= {"message": [{"type": "text", "text": "t"}, part]}
    step["observation"]["results"][0]["content"] = [part]
    row = trajectory_row(document, task=small_task, verdict=PASSED, unit_id="unit-1", attempt=0)
    (read,) = through_parquet([row], TRAJECTORIES, tmp_path)
    assert write_exact(trajectory_from_row(read)) == write_exact(document)


def test_what_people_filter_on_has_its_own_column(make_trajectory: Make, small_task: Task) -> None:
    row = row_of(make_trajectory(3, slips=(1,)), small_task)
    assert row["task_id"] == small_task.id
    assert (row["policy"], row["attempt"], row["model"]) == ("programmatic", 2, None)
    assert (row["verdict"], row["reward"], row["passed"]) == ("scored", 1.0, True)
    assert (row["turns"], row["calls"], row["masked_turns"]) == (4, 4, 1)
    assert (row["domain"], row["skills"], row["path_length"]) == ("csv", ["count-rows"], 1)
    assert row["licences"] == ["CC0-1.0"]
    assert row["prompt_tokens"] is None
    assert [step["loss_weight"] for step in row["steps"]] == [1, 1, 1, 0, 1, 1]
    assert row["steps"][3]["role"] == "slip"


def test_characters_and_tokens_are_counted_once(make_trajectory: Make, small_task: Task) -> None:
    document = to_atif(make_trajectory(0))
    last = document["steps"][-1]
    del last["llm_call_count"]
    last["metrics"] = {"prompt_tokens": 7, "completion_tokens": 3}
    document["steps"].append({**copy.deepcopy(last), "step_id": 4, "is_copied_context": True, "tool_calls": []})
    del document["steps"][-1]["tool_calls"]
    row = trajectory_row(document, task=small_task, verdict=PASSED, unit_id="unit-1", attempt=0)
    assert (row["prompt_tokens"], row["completion_tokens"]) == (7, 3)
    texts = ["You work in a shell.", "Count the rows of trees.csv.", "All is counted.", "All is counted."]
    assert row["chars"] == sum(map(len, texts)) + len('finish{"message":"rows.txt holds 1."}')


def test_equal_bodies_have_equal_hashes_whatever_their_ids(make_trajectory: Make) -> None:
    plain = to_atif(make_trajectory(2))
    other = to_atif(labelled(make_trajectory(2, session_id="session-2", agent="other"), {"reward": 0}))
    assert body_hash(plain) == body_hash(other)
    assert body_hash(plain) != body_hash(to_atif(make_trajectory(3)))


def test_the_id_of_a_row_depends_on_unit_and_document(make_trajectory: Make, small_task: Task) -> None:
    row = row_of(make_trajectory(1), small_task)
    assert row["id"] == row_of(make_trajectory(1), small_task)["id"]
    assert row["id"] != row_of(make_trajectory(2), small_task)["id"]
    other = trajectory_row(to_atif(make_trajectory(1)), task=small_task, verdict=PASSED, unit_id="u2", attempt=2)
    assert row["id"] != other["id"]


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict("scored", 0.0, 0.5, (CheckResult("a", "text", False, 2.0, "line 1 differs"),)),
        Verdict("infra_error", cause="command_timeout", detail="60 s", retryable=True),
        Verdict("invalid_task", cause="no_evidence"),
    ],
)
def test_a_verdict_that_is_not_a_pass_is_told_apart(make_trajectory: Make, small_task: Task, verdict: Verdict) -> None:
    row = trajectory_row(to_atif(make_trajectory(1)), task=small_task, verdict=verdict, unit_id="u", attempt=0)
    assert row["passed"] is False
    assert (row["verdict"], row["reward"], row["cause"]) == (verdict.kind, verdict.reward, verdict.cause)
    validate(row, "dataset-trajectory-row")
    to_table([row], TRAJECTORIES)


def test_a_task_comes_back_without_what_is_private(small_task: Task, linked_task: Task, tmp_path: Path) -> None:
    secret = sealed(dataclasses.replace(small_task, private=Private(("look at line 3",))))
    rows = [task_row(task) for task in (small_task, linked_task, secret)]
    for row in rows:
        validate(row, "dataset-task-row")
    assert "look at line 3" not in write_exact(rows)
    read = [task_from_row(row) for row in through_parquet(rows, TASKS, tmp_path)]
    assert read == [small_task, linked_task, dataclasses.replace(secret, private=Private())]


def test_a_drop_comes_back(tmp_path: Path) -> None:
    drop = Drop("filter", "traj-1", "too_long", "80 turns", {"turns": 80, "limit": 2**70})
    row = drop_row(drop)
    validate(row, "dataset-drop-row")
    (read,) = through_parquet([row], DROPS, tmp_path)
    assert drop_from_row(read) == drop
    assert read["id"] == drop_row(drop)["id"] != drop_row(dataclasses.replace(drop, subject="traj-2"))["id"]


Opened = Callable[[Path], list[Any]]


def with_datasets(file: Path) -> list[Any]:
    import datasets

    loaded = datasets.load_dataset("parquet", data_files=str(file), split="train", cache_dir=str(file.parent / "cache"))
    return [row["steps"][2]["tool_calls"][0]["arguments"] for row in loaded]


def with_pandas(file: Path) -> list[Any]:
    import pandas

    return [steps[2]["tool_calls"][0]["arguments"] for steps in pandas.read_parquet(file)["steps"]]


def with_polars(file: Path) -> list[Any]:
    import polars

    return [steps[2]["tool_calls"][0]["arguments"] for steps in polars.read_parquet(file)["steps"].to_list()]


def with_duckdb(file: Path) -> list[Any]:
    import duckdb

    query = (
        f"select steps[3].tool_calls[1].arguments from '{file}' where passed and list_contains(skills, 'count-rows')"
    )
    return [row[0] for row in duckdb.connect().execute(query).fetchall()]


@pytest.mark.parametrize("opened", [with_datasets, with_pandas, with_polars, with_duckdb])
def test_common_tools_open_the_file(opened: Opened, make_trajectory: Make, small_task: Task, tmp_path: Path) -> None:
    rows = [row_of(make_trajectory(count), small_task) for count in (1, 2)]
    through_parquet(rows, TRAJECTORIES, tmp_path)
    assert opened(tmp_path / "rows.parquet") == ['{"command":"wc -l trees0.csv"}'] * 2
