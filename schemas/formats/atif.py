"""ATIF-v1.7, the form in which trajectories are stored.

What ATIF has no field for stands under ``extra.trajmill``: of a step its loss weight and role, of the document whatever
the caller put into ``Trajectory.extra`` (see ``labelled``). A document is never passed through another library's dump:
those turn 1e400 into null.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from trajmill.schemas.errors import ContractError
from trajmill.schemas.ids import Json
from trajmill.schemas.trajectory import ATIF_VERSION, Step, ToolCall, ToolResult, Trajectory
from trajmill.schemas.validate import validate

OWN = "trajmill"
"""Our key under ``extra``."""

CANONICAL_TOOLS = ("terminal", "python", "file_editor", "search", "open", "finish", "think")
"""The only tool names in a stored document, as ADP has them."""


def labelled(trajectory: Trajectory, labels: Mapping[str, Json]) -> Trajectory:
    """The trajectory with labels added under ``extra.trajmill``, such as task id and verdict."""
    own = {**trajectory.extra.get(OWN, {}), **labels}
    return dataclasses.replace(trajectory, extra={**trajectory.extra, OWN: own})


def to_atif(trajectory: Trajectory) -> dict[str, Json]:
    """The checked document. Raises ContractError naming the JSON path of what breaks the contract."""
    document = {
        "schema_version": ATIF_VERSION,
        **_given("session_id", trajectory.session_id),
        "agent": {
            "name": trajectory.agent,
            "version": trajectory.agent_version,
            **_given("model_name", trajectory.model),
            **_filled("tool_definitions", list(trajectory.tools)),
        },
        "steps": [_step(number, step) for number, step in enumerate(trajectory.steps, 1)],
        **_filled("extra", dict(trajectory.extra)),
    }
    check_atif(document)
    return document


def from_atif(document: Json, *, checked: bool = False) -> Trajectory:
    """The trajectory that a stored document holds, exactly; ``checked`` says that it was held against the contract.

    Raises ContractError for a document that breaks the contract, and for ATIF fields that the record has no place for
    (subagents, content parts, time stamps, ...): nothing is lost unseen.
    """
    if not checked:
        check_atif(document)
    _only(document, {"schema_version", "session_id", "agent", "steps", "extra"}, "$")
    agent = document["agent"]
    _only(agent, {"name", "version", "model_name", "tool_definitions"}, "$.agent")
    return Trajectory(
        agent=agent["name"],
        agent_version=agent["version"],
        steps=tuple(_read_step(step, f"$.steps[{place}]") for place, step in enumerate(document["steps"])),
        tools=tuple(agent.get("tool_definitions", ())),
        model=agent.get("model_name"),
        session_id=document.get("session_id"),
        extra=document.get("extra", {}),
    )


def check_atif(document: Json) -> None:
    """Hold a document against the whole contract: the schema and what a schema cannot say. Raises ContractError."""
    validate(document, "adp-atif")
    seen: set[str] = set()
    for place, step in enumerate(document["steps"]):
        where = f"$.steps[{place}]"
        if step["step_id"] != place + 1:
            raise ContractError(f"{where}.step_id is {step['step_id']}, but must be {place + 1}.")
        calls = [call["tool_call_id"] for call in step.get("tool_calls", ())]
        for number, call_id in enumerate(calls):
            if call_id in seen:
                raise ContractError(f"{where}.tool_calls[{number}].tool_call_id {call_id!r} was used before.")
            seen.add(call_id)
        _check_results(step, calls, where)
    for place, subagent in enumerate(document.get("subagent_trajectories", ())):
        try:
            check_atif(subagent)
        except ContractError as error:
            raise ContractError(f"$.subagent_trajectories[{place}]{error.message.removeprefix('$')}") from error


def loss_weight(step: Json) -> float:
    """The weight of a document's step in training; 0 for a masked one."""
    return float(_own(step).get("loss_weight", 1.0))


def role(step: Json) -> str:
    """What a programmatic step of a document is for, or the empty string."""
    return str(_own(step).get("role", ""))


def _own(step: Json) -> Mapping[str, Json]:
    labels: Mapping[str, Json] = step.get("extra", {}).get(OWN, {})
    return labels


def _check_results(step: Json, calls: Sequence[str], where: str) -> None:
    for number, result in enumerate(step.get("observation", {}).get("results", ())):
        call_id = result.get("source_call_id")
        if call_id is not None and call_id not in calls:
            raise ContractError(
                f"{where}.observation.results[{number}].source_call_id names {call_id!r}, no call of this step."
            )


def _step(number: int, step: Step) -> dict[str, Json]:
    return {
        "step_id": number,
        "source": step.source,
        "message": step.message,
        **_given("reasoning_content", step.reasoning),
        **_filled("tool_calls", [_call(call) for call in step.calls]),
        **_filled("observation", {"results": [_result(result) for result in step.results]} if step.results else {}),
        **_filled("metrics", dict(step.metrics)),
        **_given("llm_call_count", step.llm_calls),
        **_filled("extra", _step_extra(number, step)),
    }


def _step_extra(number: int, step: Step) -> dict[str, Json]:
    theirs = step.extra.get(OWN, {})
    if "loss_weight" in theirs or "role" in theirs:
        raise ContractError(f"$.steps[{number - 1}].extra.{OWN} must not hold loss_weight or role: they are fields.")
    own = {
        **theirs,
        **({"loss_weight": step.loss_weight} if step.loss_weight != 1.0 else {}),
        **({"role": step.role} if step.role else {}),
    }
    return {**step.extra, **({OWN: own} if own or OWN in step.extra else {})}


def _call(call: ToolCall) -> dict[str, Json]:
    return {"tool_call_id": call.id, "function_name": call.name, "arguments": dict(call.arguments)}


def _result(result: ToolResult) -> dict[str, Json]:
    return {
        **_given("source_call_id", result.call_id),
        **_given("content", result.content),
        **_filled("extra", dict(result.extra)),
    }


def _given(key: str, value: Json) -> dict[str, Json]:
    return {} if value is None else {key: value}


def _filled(key: str, value: Sequence[Json] | Mapping[str, Json]) -> dict[str, Json]:
    return {key: value} if value else {}


_STEP_KEYS = {"step_id", "source", "message", "reasoning_content", "tool_calls", "observation", "metrics"}
_STEP_KEYS |= {"llm_call_count", "extra"}


def _read_step(step: Json, where: str) -> Step:
    _only(step, _STEP_KEYS, where)
    _only_text(step["message"], f"{where}.message")
    own = dict(_own(step))
    weight, purpose = float(own.pop("loss_weight", 1.0)), own.pop("role", "")
    extra = {**step.get("extra", {}), OWN: own}
    if not own:
        del extra[OWN]
    return Step(
        source=step["source"],
        message=step["message"],
        reasoning=step.get("reasoning_content"),
        calls=tuple(_read_calls(step, where)),
        results=tuple(_read_results(step, where)),
        llm_calls=step.get("llm_call_count"),
        loss_weight=weight,
        role=purpose,
        metrics=step.get("metrics", {}),
        extra=extra,
    )


def _read_calls(step: Json, where: str) -> Iterator[ToolCall]:
    for number, call in enumerate(step.get("tool_calls", ())):
        _only(call, {"tool_call_id", "function_name", "arguments"}, f"{where}.tool_calls[{number}]")
        yield ToolCall(call["tool_call_id"], call["function_name"], call["arguments"])


def _read_results(step: Json, where: str) -> Iterator[ToolResult]:
    for number, result in enumerate(step.get("observation", {}).get("results", ())):
        place = f"{where}.observation.results[{number}]"
        _only(result, {"source_call_id", "content", "extra"}, place)
        _only_text(result.get("content", ""), f"{place}.content")
        yield ToolResult(result.get("source_call_id"), result.get("content"), result.get("extra", {}))


def _only(table: Mapping[str, Json], held: set[str], where: str) -> None:
    for key in table:
        if key not in held:
            raise ContractError(
                f"{where}.{key} has no place in a trajectory record.", remedy="Keep the document itself."
            )


def _only_text(content: Json, where: str) -> None:
    if not isinstance(content, str):
        raise ContractError(f"{where} holds content parts, for which a trajectory record has no place.")
