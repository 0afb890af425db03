"""Keep by length."""

from __future__ import annotations

from trajmill.verifiers.filters.base import KEEP, Candidate, Decision, Thresholds


def within_length(candidate: Candidate, thresholds: Thresholds) -> Decision:
    """Drop a trajectory with too many turns or characters."""
    steps = (candidate.document or {}).get("steps", ())
    turns = sum(1 for step in steps if step["source"] == "agent")
    if turns > thresholds.max_turns:
        return Decision(False, "too_many_turns", f"{turns} turns, at most {thresholds.max_turns}")
    if candidate.chars > thresholds.max_chars:
        return Decision(False, "too_long", f"{candidate.chars} characters, at most {thresholds.max_chars}")
    return KEEP
