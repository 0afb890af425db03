"""Keep what is whole: a document that ends with ``finish`` and whose every call has its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trajmill.schemas.ids import Json
from trajmill.verifiers.filters.base import KEEP, Candidate, Decision, Thresholds


def well_formed(candidate: Candidate, thresholds: Thresholds) -> Decision:
    """Drop a rollout without agent turns, that stops before ``finish``, or with a call that has no result."""
    if candidate.document is None:
        verdict = candidate.verdict
        reason = "no_trajectory" if verdict.kind == "scored" else verdict.kind
        return Decision(False, reason, f"{verdict.cause}: {verdict.detail}".strip(": "))
    steps: list[Mapping[str, Json]] = candidate.document["steps"]
    if not steps or steps[-1]["source"] != "agent":
        return Decision(False, "no_agent_turn", "the trajectory does not end with the agent")
    if not any(call["function_name"] == "finish" for call in steps[-1].get("tool_calls", ())):
        return Decision(False, "unfinished", "the last turn does not call finish")
    dangling = next(_dangling(steps), None)
    if dangling is not None:
        return Decision(False, "call_without_result", dangling)
    return KEEP


def _dangling(steps: list[Mapping[str, Json]]) -> Iterator[str]:
    """Calls other than ``finish`` that have no result in their step."""
    for number, step in enumerate(steps):
        results = {r.get("source_call_id") for r in step.get("observation", {}).get("results", ())}
        for call in step.get("tool_calls", ()):
            if call["function_name"] != "finish" and call["tool_call_id"] not in results:
                yield f"steps[{number}] {call['tool_call_id']}"
