from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import atif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajmill.schemas.errors import ContractError
from trajmill.schemas.exact import read_exact, write_exact
from trajmill.schemas.formats.atif import CANONICAL_TOOLS, from_atif, labelled, loss_weight, role, to_atif
from trajmill.schemas.ids import Json
from trajmill.schemas.trajectory import Step, ToolCall, ToolResult, Trajectory
from trajmill.schemas.validate import contract

Make = Callable[..., Trajectory]


@settings(max_examples=25)
@given(data=st.data())
def test_a_trajectory_comes_back_from_its_document(
    data: st.DataObject, trajectories: st.SearchStrategy[Trajectory]
) -> None:
    trajectory = data.draw(trajectories)
    document = to_atif(trajectory)
    assert from_atif(document) == trajectory
    assert to_atif(from_atif(read_exact(write_exact(document)))) == document


@settings(max_examples=25)
@given(data=st.data())
def test_the_atif_package_accepts_what_is_written(
    data: st.DataObject, trajectories: st.SearchStrategy[Trajectory]
) -> None:
    document = to_atif(data.draw(trajectories))
    accepted = atif.Trajectory.model_validate(document)
    assert len(accepted.steps) == len(document["steps"])


def test_numbers_stay_as_they_are(make_trajectory: Make) -> None:
    text = '{"limit":1e400,"seed":18446744073709551617,"step":-0.0}'
    call = ToolCall("call_1", "terminal", read_exact(text))
    document = to_atif(make_trajectory(steps=(Step("user", "Go."), Step("agent", "", calls=(call,)))))
    written = write_exact(document["steps"][1]["tool_calls"][0]["arguments"])
    assert written == text.replace("1e400", "1E+400")
    assert from_atif(read_exact(write_exact(document))).steps[1].calls[0].arguments["limit"] == Decimal("1e400")


def test_what_atif_has_no_field_for_stands_under_our_key(make_trajectory: Make) -> None:
    document = to_atif(labelled(make_trajectory(2, slips=(0,)), {"task_id": "task-1", "reward": 1.0}))
    assert document["extra"] == {"trajmill": {"task_id": "task-1", "reward": 1.0}}
    assert document["steps"][2]["extra"] == {"trajmill": {"loss_weight": 0.0, "role": "slip"}}
    assert [loss_weight(step) for step in document["steps"]] == [1, 1, 0, 1, 1]
    assert [role(step) for step in document["steps"]] == ["", "", "slip", "act", "finish"]
    assert "extra" not in document["steps"][0]


def test_labels_are_added_to_those_already_there(make_trajectory: Make) -> None:
    twice = labelled(labelled(make_trajectory(extra={"from": "elsewhere"}), {"a": 1, "b": 1}), {"b": 2})
    assert twice.extra == {"from": "elsewhere", "trajmill": {"a": 1, "b": 2}}


def test_the_tool_names_are_those_of_the_contract() -> None:
    assert contract("adp-atif")["$defs"]["tool_name"]["enum"] == list(CANONICAL_TOOLS)


Spoil = Callable[[Json], Any]

SPOILS: list[tuple[str, Spoil, str]] = [
    (
        "another version",
        lambda d: d.update(schema_version="ATIF-v1.8"),
        r"\$\.schema_version .*'ATIF-v1\.7' was expected",
    ),
    ("no steps", lambda d: d.update(steps=[]), r"\$\.steps "),
    ("a step left out", lambda d: d["steps"].pop(2), r"\$\.steps\[2\]\.step_id is 4, but must be 3"),
    ("an unknown key", lambda d: d["steps"][0].update(note=""), r"\$\.steps\[0\] .*'note' was unexpected"),
    ("a null", lambda d: d.update(session_id=None), r"\$\.session_id .*None is not of type 'string'"),
    ("cost", lambda d: d["steps"][2].update(llm_call_count=1, metrics={"cost_usd": 1}), r"\$\.steps\[2\]\.metrics "),
    (
        "metrics without a model",
        lambda d: d["steps"][2].update(metrics={"prompt_tokens": 1}),
        r"\$\.steps\[2\]\.metrics .*llm_call_count is 0, and a step that no model made has neither metrics",
    ),
    (
        "reasoning without a model",
        lambda d: d["steps"][2].update(reasoning_content="Hm."),
        r"\$\.steps\[2\]\.reasoning_content .*llm_call_count is 0",
    ),
    (
        "a user who calls tools",
        lambda d: d["steps"][1].update(
            tool_calls=[{"tool_call_id": "a", "function_name": "terminal", "arguments": {}}]
        ),
        r"\$\.steps\[1\]\.tool_calls .*only a step whose source is agent may have it",
    ),
    (
        "arguments as text",
        lambda d: d["steps"][2]["tool_calls"][0].update(arguments="{}"),
        r"\$\.steps\[2\]\.tool_calls\[0\]\.arguments .*not of type 'object'",
    ),
    (
        "a tool by another name",
        lambda d: d["steps"][2]["tool_calls"][0].update(function_name="bash"),
        r"\$\.steps\[2\]\.tool_calls\[0\]\.function_name .*'bash' is not one of",
    ),
    (
        "a result of no call",
        lambda d: d["steps"][2]["observation"]["results"][0].update(source_call_id="call_7"),
        r"\$\.steps\[2\]\.observation\.results\[0\]\.source_call_id names 'call_7'",
    ),
    (
        "a result of another step's call",
        lambda d: d["steps"][3]["observation"]["results"][0].update(source_call_id="call_0"),
        r"\$\.steps\[3\]\.observation\.results\[0\]\.source_call_id names 'call_0'",
    ),
    (
        "an id used twice",
        lambda d: d["steps"][4]["tool_calls"][0].update(tool_call_id="call_0"),
        r"\$\.steps\[4\]\.tool_calls\[0\]\.tool_call_id 'call_0' was used before",
    ),
    (
        "a weight below nothing",
        lambda d: d["steps"][3]["extra"]["trajmill"].update(loss_weight=-1),
        r"\$\.steps\[3\]\.extra\.trajmill\.loss_weight ",
    ),
]


@pytest.mark.parametrize(("spoil", "told"), [case[1:] for case in SPOILS], ids=[case[0] for case in SPOILS])
def test_a_document_that_breaks_a_rule_is_refused_by_its_place(make_trajectory: Make, spoil: Spoil, told: str) -> None:
    document = copy.deepcopy(to_atif(make_trajectory(2)))
    spoil(document)
    with pytest.raises(ContractError, match=told):
        from_atif(document)


@pytest.mark.parametrize(
    ("add", "told"),
    [
        (lambda d: d.update(notes="n"), r"\$\.notes has no place"),
        (lambda d: d["agent"].update(extra={"a": 1}), r"\$\.agent\.extra has no place"),
        (lambda d: d["steps"][0].update(timestamp="2024-01-01T00:00:00Z"), r"\$\.steps\[0\]\.timestamp has no place"),
        (
            lambda d: d["steps"][0].update(message=[{"type": "text", "text": "t"}]),
            r"\$\.steps\[0\]\.message holds content parts",
        ),
    ],
)
def test_what_a_record_cannot_hold_is_never_lost_unseen(make_trajectory: Make, add: Spoil, told: str) -> None:
    document = to_atif(make_trajectory(2))
    add(document)
    with pytest.raises(ContractError, match=told):
        from_atif(document)


def test_a_weight_is_given_in_one_place_only(make_trajectory: Make) -> None:
    step = Step("agent", "", extra={"trajmill": {"loss_weight": 0}})
    with pytest.raises(ContractError, match="must not hold loss_weight or role"):
        to_atif(make_trajectory(steps=(step,)))


def test_a_result_that_answers_nothing_needs_no_call(make_trajectory: Make) -> None:
    notice = Step("system", "", results=(ToolResult(None, "the machine restarted"),))
    document = to_atif(make_trajectory(steps=(notice,)))
    assert document["steps"][0]["observation"] == {"results": [{"content": "the machine restarted"}]}
