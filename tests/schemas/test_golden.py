"""What the project writes, compared with files that people read and that consumers are tried on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from trajmill.schemas.codec import to_json
from trajmill.schemas.config import config_json, parse_config
from trajmill.schemas.exact import write_exact
from trajmill.schemas.formats.atif import to_atif
from trajmill.schemas.formats.trl import loading_order, trl_line, trl_sft_row
from trajmill.schemas.task import Task
from trajmill.schemas.trajectory import Step, ToolCall, ToolResult, Trajectory

Golden = Callable[[str, str], None]
Make = Callable[..., Trajectory]


def shown(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def lines(values: list[Any]) -> str:
    return "".join(f"{write_exact(value)}\n" for value in values)


def samples(make: Make) -> list[Trajectory]:
    """Without a slip, with one before and one after what is trained, and one that reasons and calls twice at once."""
    calls = tuple(ToolCall(f"call_{name}", "terminal", {"command": f"wc -l {name}.csv"}) for name in ("a", "b"))
    results = tuple(ToolResult(call.id, f"7 {call.arguments['command'][6:]}\n") for call in reversed(calls))
    both = Step("agent", "I count both.", "Two files, two calls.", calls, results, llm_calls=1)
    first, *rest = make(1).steps[1:]
    reasoned = make(1, agent="model", model="teacher-x", steps=(first, both, *rest))
    return [make(3), make(4, slips=(0,)), make(4, slips=(1, 2)), reasoned]


def test_a_task_is_written_as_before(golden: Golden, small_task: Task) -> None:
    golden("task.json", shown(to_json(small_task)))


def test_a_trajectory_is_written_as_before(golden: Golden, make_trajectory: Make) -> None:
    golden("trajectory.atif.json", shown(to_atif(make_trajectory(3, slips=(1,)))))


def test_a_configuration_is_filled_in_as_before(golden: Golden) -> None:
    config = parse_config({"build": {"name": "demo"}, "source": {"files": "demo"}})
    golden("config.json", shown(config_json(config)))


def test_training_rows_are_written_as_before(golden: Golden, make_trajectory: Make) -> None:
    rows = [trl_sft_row(trajectory) for trajectory in samples(make_trajectory)]
    assert all(isinstance(row, Mapping) for row in rows)
    ordered = loading_order([row for row in rows if isinstance(row, dict)])
    golden("sft/trl-sft.jsonl", "".join(trl_line(row) for row in ordered))
    golden("sft/trajectories.jsonl", lines([to_atif(trajectory) for trajectory in samples(make_trajectory)]))
