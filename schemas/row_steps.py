"""The steps of an ATIF document as values of the nested column ``steps``, and exactly back.

A field that is absent in the document is null in the column. ``loss_weight`` and ``role`` are read out of ``extra`` for
people who filter on them, and ignored on the way back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from trajmill.schemas.exact import read_exact, write_exact
from trajmill.schemas.formats.atif import loss_weight, role
from trajmill.schemas.ids import Json

Row: TypeAlias = dict[str, Json]
"""One row, or one nested record of it: column to value."""


def step_row(step: Json) -> Row:
    """The column value of one step of an ATIF document."""
    message, results = step["message"], step.get("observation", {}).get("results")
    calls = step.get("tool_calls")
    return {
        "step_id": step["step_id"],
        "source": step["source"],
        **_content_columns("message", message),
        "timestamp": step.get("timestamp"),
        "model_name": step.get("model_name"),
        "reasoning_effort": text_of(step.get("reasoning_effort")),
        "reasoning_content": step.get("reasoning_content"),
        "tool_calls": None if calls is None else [_call_row(call) for call in calls],
        "results": None if results is None else [_result_row(result) for result in results],
        "metrics": text_of(step.get("metrics")),
        "llm_call_count": step.get("llm_call_count"),
        "is_copied_context": step.get("is_copied_context"),
        "extra": text_of(step.get("extra")),
        "loss_weight": loss_weight(step),
        "role": role(step),
    }


def step_from_row(row: Mapping[str, Json]) -> Row:
    """The exact step of the document that the column value was made from."""
    calls, results = row["tool_calls"], row["results"]
    return present(
        {
            "step_id": row["step_id"],
            "source": row["source"],
            "message": _content(row, "message"),
            "timestamp": row["timestamp"],
            "model_name": row["model_name"],
            "reasoning_effort": value_of(row["reasoning_effort"]),
            "reasoning_content": row["reasoning_content"],
            "tool_calls": None if calls is None else [_call_from_row(call) for call in calls],
            "observation": None if results is None else {"results": [_result_from_row(result) for result in results]},
            "metrics": value_of(row["metrics"]),
            "llm_call_count": row["llm_call_count"],
            "is_copied_context": row["is_copied_context"],
            "extra": value_of(row["extra"]),
        }
    )


def _call_row(call: Json) -> Row:
    return {**call, "arguments": write_exact(call["arguments"], sort=False), "extra": text_of(call.get("extra"))}


def _call_from_row(row: Mapping[str, Json]) -> Row:
    return present({**row, "arguments": read_exact(row["arguments"]), "extra": value_of(row["extra"])})


def _result_row(result: Json) -> Row:
    return {
        "source_call_id": result.get("source_call_id"),
        **_content_columns("content", result.get("content")),
        "subagent_trajectory_ref": text_of(result.get("subagent_trajectory_ref")),
        "extra": text_of(result.get("extra")),
    }


def _result_from_row(row: Mapping[str, Json]) -> Row:
    return present(
        {
            "source_call_id": row["source_call_id"],
            "content": _content(row, "content"),
            "subagent_trajectory_ref": value_of(row["subagent_trajectory_ref"]),
            "extra": value_of(row["extra"]),
        }
    )


def _content_columns(name: str, content: Json) -> Row:
    plain = content is None or isinstance(content, str)
    return {name: content if plain else None, f"{name}_parts": None if plain else write_exact(content, sort=False)}


def _content(row: Mapping[str, Json], name: str) -> Json:
    return row[name] if row[f"{name}_parts"] is None else read_exact(row[f"{name}_parts"])


def text_of(value: Json) -> str | None:
    """A value as JSON text for a text column, keys in their order; None for what is absent."""
    return None if value is None else write_exact(value, sort=False)


def value_of(text: str | None) -> Json:
    """The value of a column that ``text_of`` filled."""
    return None if text is None else read_exact(text)


def present(table: Row) -> Row:
    """The table without the keys that stand for absent things."""
    return {key: value for key, value in table.items() if value is not None}
