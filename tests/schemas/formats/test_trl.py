from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajmill.schemas.formats.trl import Refusal, loading_order, trl_line, trl_sft_row
from trajmill.schemas.ids import Json
from trajmill.schemas.trajectory import Step, ToolCall, ToolResult, Trajectory

Make = Callable[..., Trajectory]


def row_of(trajectory: Trajectory) -> dict[str, Json]:
    row = trl_sft_row(trajectory)
    assert not isinstance(row, Refusal), row
    return row


def said(messages: list[dict[str, Json]]) -> list[str]:
    return [f"{message['role']}: {message['content']}".strip() for message in messages]


def test_without_a_slip_the_prompt_ends_before_the_first_turn(make_trajectory: Make) -> None:
    row = row_of(make_trajectory(1))
    assert list(row) == ["prompt", "completion", "tools"]
    assert said(row["prompt"]) == ["system: You work in a shell.", "user: Count the rows of trees.csv."]
    assert said(row["completion"]) == [
        "assistant: Step 0: I run wc.",
        "tool: 2 trees0.csv",
        "assistant: All is counted.",
    ]


def test_with_a_slip_the_prompt_reaches_through_its_observation(make_trajectory: Make) -> None:
    row = row_of(make_trajectory(3, slips=(1,)))
    assert said(row["prompt"])[2:] == [
        "assistant: Step 0: I run wc.",
        "tool: 2 trees0.csv",
        "assistant: Step 1: I run wcc.",
        "tool: [exit code 127]",
    ]
    assert said(row["completion"])[0] == "assistant: Step 2: I run wc."


def test_messages_are_what_chat_templates_read(make_trajectory: Make) -> None:
    row = row_of(make_trajectory(1))
    call, result, _ = row["completion"]
    function = {"name": "terminal", "arguments": {"command": "wc -l trees0.csv"}}
    assert call["tool_calls"] == [{"id": "call_0", "type": "function", "function": function}]
    assert result == {"role": "tool", "tool_call_id": "call_0", "name": "terminal", "content": "2 trees0.csv\n"}
    assert [tool["function"]["name"] for tool in json.loads(row["tools"])] == ["terminal", "finish"]


def test_results_stand_in_the_order_of_their_calls(make_trajectory: Make) -> None:
    calls = tuple(ToolCall(name, "terminal", {}) for name in "abc")
    results = tuple(ToolResult(name, name.upper()) for name in "cab")
    steps = (Step("user", "Go."), Step("agent", "", "Three at once.", calls, results))
    row = row_of(make_trajectory(steps=steps))
    assert row["completion"][0]["reasoning_content"] == "Three at once."
    assert said(row["completion"][1:]) == ["tool: A", "tool: B", "tool: C"]


def test_a_users_turn_after_the_last_slip_belongs_to_the_prompt(make_trajectory: Make) -> None:
    steps = (Step("user", "Go."), Step("agent", "Oops.", loss_weight=0), Step("user", "Again."), Step("agent", "Done."))
    row = row_of(make_trajectory(steps=steps))
    assert said(row["prompt"])[-1] == "user: Again."
    assert said(row["completion"]) == ["assistant: Done."]


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((Step("user", "Go."),), "nothing_to_train"),
        ((Step("user", "Go."), Step("agent", "a"), Step("agent", "b", loss_weight=0)), "nothing_to_train"),
        ((Step("agent", "I begin."),), "no_prompt"),
        (
            (Step("user", "Go."), Step("agent", "", calls=(ToolCall("a", "terminal", {}),)), Step("agent", "b")),
            "call_without_result",
        ),
    ],
)
def test_what_gives_no_row_is_refused_with_its_reason(
    make_trajectory: Make, steps: tuple[Step, ...], reason: str
) -> None:
    refusal = trl_sft_row(make_trajectory(steps=steps))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == reason


@settings(max_examples=25)
@given(data=st.data())
def test_no_masked_turn_is_ever_in_the_completion(
    data: st.DataObject, trajectories: st.SearchStrategy[Trajectory]
) -> None:
    trajectory = data.draw(trajectories)
    row = trl_sft_row(trajectory)
    if isinstance(row, Refusal):
        return
    turns = [step for step in trajectory.steps if step.source == "agent"]
    trained = sum(1 for message in row["completion"] if message["role"] == "assistant")
    prompted = sum(1 for message in row["prompt"] if message["role"] == "assistant")
    assert trained + prompted == len(turns)
    assert all(step.loss_weight > 0 for step in turns[prompted:])
    assert prompted == 0 or turns[prompted - 1].loss_weight == 0
    assert row["completion"][0]["role"] == "assistant"


def loaded(rows: list[dict[str, Json]], folder: Path) -> list[Any]:
    file = folder / "trl-sft.jsonl"
    file.write_text("".join(trl_line(row) for row in rows))
    return list(datasets.load_dataset("json", data_files=str(file), split="train", cache_dir=str(folder / "cache")))


def test_a_large_file_loads_as_it_was_written_though_slips_come_late(make_trajectory: Make, tmp_path: Path) -> None:
    padding = Step("user", "x" * 300_000)
    plain = [row_of(make_trajectory(1, steps=(padding, *make_trajectory(1).steps))) for _ in range(40)]
    rows = loading_order([*plain, row_of(make_trajectory(2, slips=(0,)))])
    assert [len(row["prompt"]) for row in rows[:3]] == [3, 4, 3], "the row with a slip comes early"
    assert loaded(rows, tmp_path) == rows


def test_the_loading_order_moves_no_row_that_need_not_move() -> None:
    user, tool = {"role": "user", "content": ""}, {"role": "tool", "content": "", "name": "n"}
    a = {"prompt": [user], "completion": [user], "tools": "a"}
    b = {"prompt": [user], "completion": [user, tool], "tools": "b"}
    c = {"prompt": [user, tool], "completion": [user], "tools": "c"}
    assert loading_order([a, b, c, a]) == [b, c, a, a]
    assert loading_order([a, a]) == [a, a]
    assert loading_order([]) == []
