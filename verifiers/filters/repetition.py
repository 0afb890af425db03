"""Keep what does not go round in circles."""

from __future__ import annotations

from trajmill.schemas.ids import Json
from trajmill.verifiers.filters.base import KEEP, Candidate, Decision, Thresholds


def not_repetitive(candidate: Candidate, thresholds: Thresholds) -> Decision:
    """Drop a trajectory that makes the very same call many times in a row."""
    run, before = 0, None
    for step in (candidate.document or {}).get("steps", ()):
        call = _calls(step)
        if not call:
            continue
        run = run + 1 if call == before else 1
        before = call
        if run > thresholds.repeated_calls:
            return Decision(False, "repetitive", f"the same call {run} times in a row: {str(call[0])[:80]}")
    return KEEP


def _calls(step: Json) -> list[Json]:
    return [[call["function_name"], call["arguments"]] for call in step.get("tool_calls", ())]
