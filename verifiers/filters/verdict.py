"""Keep by verdict."""

from __future__ import annotations

from trajmill.verifiers.filters.base import KEEP, Candidate, Decision, Thresholds


def scored_only(candidate: Candidate, thresholds: Thresholds) -> Decision:
    """Drop what was never scored; the reason is the verdict's kind."""
    verdict = candidate.verdict
    if verdict.kind == "scored":
        return KEEP
    return Decision(False, verdict.kind, f"{verdict.cause}: {verdict.detail}".strip(": "))


def passed_only(candidate: Candidate, thresholds: Thresholds) -> Decision:
    """Drop what was not scored or did not pass every check."""
    decision = scored_only(candidate, thresholds)
    if not decision.keep or candidate.verdict.passed:
        return decision
    first = next((c for c in candidate.verdict.checks if not c.passed), None)
    return Decision(False, "not_passed", f"{first.name}: {first.detail}" if first else "")
