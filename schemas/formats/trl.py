r"""Rows that TRL's ``SFTTrainer`` trains on: ``{prompt, completion, tools}``.

TRL gives every assistant turn of a row the same weight, so turns that are not to be learnt from must stand in the
prompt, which is never trained. The prompt therefore reaches up to the first trained turn after the last masked one;
trained turns before a late slip become context with it.

``arguments`` is an object, because chat templates write it with ``tojson`` and would quote a text twice. ``tools`` is
JSON text, which TRL decodes: as a list, the differing properties of the tools would be filled with nulls on loading,
and the nulls shown to the model. Every message has only the keys that it needs. In ``datasets`` 5 (tried with 5.2)
``load_dataset("json")`` keeps such rows as they are, older versions fill missing keys with null. It learns from the
first 10 MB of a file that messages differ and fails on a file that shows it later, hence ``loading_order``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from trajmill.schemas.exact import write_exact
from trajmill.schemas.ids import Json
from trajmill.schemas.trajectory import Step, Trajectory

Message: TypeAlias = dict[str, Json]
"""A chat message in the form that chat templates read."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a trajectory gives no row."""

    reason: str
    """Machine-readable: ``nothing_to_train``, ``no_prompt``, ``call_without_result``."""
    detail: str = ""


def trl_sft_row(trajectory: Trajectory) -> dict[str, Json] | Refusal:
    """The training row of a trajectory, or why it has none."""
    steps = trajectory.steps
    unanswered = _unanswered(steps)
    if unanswered is not None:
        return unanswered
    start = _first_trained(steps)
    if start is None:
        return Refusal("nothing_to_train", "No agent step with a loss weight follows the last masked one.")
    prompt = [message for step in steps[:start] for message in messages_of(step)]
    if not prompt:
        return Refusal("no_prompt", "The trajectory begins with an agent step.")
    return {
        "prompt": prompt,
        "completion": [message for step in steps[start:] for message in messages_of(step)],
        "tools": write_exact(list(trajectory.tools), sort=False),
    }


def loading_order(rows: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
    """The rows in the order to write: one whose prompts, and one whose completions differ in their keys, come first."""
    shown = [
        next((place for place, row in enumerate(rows) if _ragged(row[part])), 0) for part in ("prompt", "completion")
    ]
    first = sorted(set(shown)) if rows else []
    return [rows[place] for place in first] + [row for place, row in enumerate(rows) if place not in first]


def trl_line(row: dict[str, Json]) -> str:
    """The line of a JSON Lines file, keys in the order in which a model is shown them."""
    return write_exact(row, sort=False) + "\n"


def messages_of(step: Step) -> Iterator[Message]:
    """The chat messages of one step: its own, then one tool message for each result, in the order of the calls."""
    if step.source != "agent":
        yield {"role": step.source, "content": step.message}
        return
    message: Message = {"role": "assistant", "content": step.message}
    if step.reasoning is not None:
        message["reasoning_content"] = step.reasoning
    if step.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": dict(call.arguments)}}
            for call in step.calls
        ]
    yield message
    for call in step.calls:
        for result in step.results:
            if result.call_id == call.id:
                yield {"role": "tool", "tool_call_id": call.id, "name": call.name, "content": result.content or ""}
    # What the environment says without having been asked comes to the model as a user's turn.
    for result in step.results:
        if result.call_id is None:
            yield {"role": "user", "content": result.content or ""}


def _ragged(messages: Sequence[Message]) -> bool:
    return len({frozenset(message) for message in messages}) > 1


def _first_trained(steps: tuple[Step, ...]) -> int | None:
    masked = [place for place, step in enumerate(steps) if step.source == "agent" and step.loss_weight == 0]
    after = masked[-1] + 1 if masked else 0
    return next((place for place in range(after, len(steps)) if steps[place].source == "agent"), None)


def _unanswered(steps: tuple[Step, ...]) -> Refusal | None:
    """A call without a result is a fault, except in the last step, where ``finish`` has none."""
    for place, step in enumerate(steps[:-1]):
        answered = {result.call_id for result in step.results}
        for call in step.calls:
            if call.id not in answered:
                return Refusal("call_without_result", f"steps[{place}] {call.id}")
    return None
