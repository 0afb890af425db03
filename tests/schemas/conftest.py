"""Builders of records, and strategies that draw them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal

import pytest
from hypothesis import strategies as st

from trajmill.schemas.graph import Path
from trajmill.schemas.task import (
    Axes,
    Check,
    Environment,
    Lineage,
    OracleStep,
    SourceRef,
    Task,
    Tool,
    Verifier,
    sealed,
)
from trajmill.schemas.trajectory import Step, ToolCall, ToolResult, Trajectory
from trajmill.schemas.tree import FileEntry, LinkEntry, Tree

TOOLS = tuple(
    {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {"type": "object", "properties": {key: {"type": "string"}}, "required": [key]},
        },
    }
    for name, description, key in (
        ("terminal", "Run a command in the shell.", "command"),
        ("finish", "End the task.", "message"),
    )
)


def _task(**changes: Any) -> Task:
    task = Task(
        instruction="Count the rows of trees.csv and write the number to rows.txt.",
        environment=Environment(
            files=Tree({"trees.csv": FileEntry(b"name,height\noak,20\n"), "raw": FileEntry(b"\xff\xfe", 0o600)}),
            required_tools=("wc", "tail"),
            toolchain=(Tool("wc", "wc (GNU coreutils) 9.1", "0" * 64), Tool("tail", "", "1" * 64)),
        ),
        oracle=(OracleStep("count", "tail -n +2 trees.csv | wc -l > rows.txt"),),
        verifier=Verifier((Check("rows.txt holds 1", "text", {"path": "rows.txt", "text": "1\n"}, ("rows.txt",)),)),
        axes=Axes("csv", ("count-rows",), 1, verifier_kinds=("text",)),
        lineage=Lineage(
            Path("g" * 8, 0, 7, ("csv", "count"), ("count-rows",)),
            2**64 - 1,
            (SourceRef("trees.csv", "2" * 64, "CC0-1.0", "made for this test"),),
            "programmatic",
            {"pack": "3" * 64},
        ),
    )
    return sealed(dataclasses.replace(task, **changes))


def _command(number: int, command: str, output: str, *, weight: float = 1.0, role: str = "act") -> Step:
    return Step(
        source="agent",
        message=f"Step {number}: I run {command.split()[0]}.",
        calls=(ToolCall(f"call_{number}", "terminal", {"command": command}),),
        results=(ToolResult(f"call_{number}", output),),
        llm_calls=0,
        loss_weight=weight,
        role=role,
    )


def _trajectory(commands: int = 2, slips: tuple[int, ...] = (), **changes: Any) -> Trajectory:
    """A system step, the user's, ``commands`` commands of which those in ``slips`` are masked, and finish."""
    steps = [Step("system", "You work in a shell."), Step("user", "Count the rows of trees.csv.")]
    for number in range(commands):
        if number in slips:
            steps.append(_command(number, f"wcc -l trees{number}.csv", "[exit code 127]", weight=0.0, role="slip"))
        else:
            steps.append(_command(number, f"wc -l trees{number}.csv", f"{number + 2} trees{number}.csv\n"))
    done = ToolCall("call_end", "finish", {"message": "rows.txt holds 1."})
    steps.append(Step("agent", "All is counted.", calls=(done,), llm_calls=0, role="finish"))
    trajectory = Trajectory("programmatic", "4" * 16, tuple(steps), TOOLS, session_id="session-1")
    return dataclasses.replace(trajectory, **changes)


@pytest.fixture
def make_task() -> Callable[..., Task]:
    """Builds a sealed task; keyword arguments replace fields."""
    return _task


@pytest.fixture
def make_trajectory() -> Callable[..., Trajectory]:
    """Builds a trajectory from a number of commands and the places of slips; keyword arguments replace fields."""
    return _trajectory


@pytest.fixture
def small_task() -> Task:
    """A task with a binary file and two tools."""
    return _task()


@pytest.fixture
def linked_task() -> Task:
    """A task whose workspace holds a link."""
    return _task(environment=Environment(files=Tree({"a": FileEntry(b"1"), "b": LinkEntry("a")})))


_numbers = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([2**64 + 1, -(2**127) - 1, -0.0, Decimal("1e400"), Decimal("-1e-400")]),
)
_leaves = st.one_of(st.none(), st.booleans(), _numbers, st.text(max_size=8))
_json = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
_objects = st.dictionaries(st.text(max_size=5), _json, max_size=3)
_extras = st.dictionaries(st.text(max_size=5).filter(lambda key: key != "trajmill"), _json, max_size=2)


@st.composite
def _steps(draw: st.DrawFn, number: int) -> Step:
    sources: list[Literal["system", "user", "agent"]] = ["system", "user", "agent", "agent", "agent"]
    source = draw(st.sampled_from(sources))
    message = draw(st.text(max_size=20))
    extra = draw(_extras)
    if source != "agent":
        return Step(source, message, extra=extra)
    by_model = draw(st.booleans())
    calls = tuple(
        ToolCall(f"call_{number}_{place}", draw(st.sampled_from(["terminal", "finish", "python"])), draw(_objects))
        for place in range(draw(st.integers(0, 3)))
    )
    ids = [call.id for call in calls] + [None]
    results = draw(
        st.lists(st.builds(ToolResult, st.sampled_from(ids), st.none() | st.text(max_size=20), _extras), max_size=3)
    )
    return Step(
        source,
        message,
        draw(st.none() | st.text(max_size=10)) if by_model else None,
        calls,
        tuple(results),
        draw(st.none() | st.integers(1, 3)) if by_model else 0,
        draw(st.sampled_from([0.0, 0.5, 1.0])),
        draw(st.sampled_from(["", "look", "slip"])),
        {"prompt_tokens": draw(st.integers(0, 999))} if by_model and draw(st.booleans()) else {},
        extra,
    )


@st.composite
def _trajectories(draw: st.DrawFn) -> Trajectory:
    steps = tuple(draw(_steps(number)) for number in range(draw(st.integers(1, 5))))
    return Trajectory(
        draw(st.text(max_size=5)),
        draw(st.text(max_size=5)),
        steps,
        TOOLS if draw(st.booleans()) else (),
        draw(st.none() | st.text(max_size=5)),
        draw(st.none() | st.text(max_size=5)),
        draw(_extras),
    )


@pytest.fixture(scope="session")
def trajectories() -> st.SearchStrategy[Trajectory]:
    """Any trajectory that may be stored."""
    return _trajectories()


@pytest.fixture(scope="session")
def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, with numbers that ordinary libraries change."""
    return _json
