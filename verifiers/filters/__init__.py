"""Filters: one rule a file, each a pure function that keeps a trajectory or drops it with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trajmill.verifiers.filters.base import Candidate, Decision, Filter, Thresholds
from trajmill.verifiers.filters.duplicates import drop_duplicates
from trajmill.verifiers.filters.length import within_length
from trajmill.verifiers.filters.malformed import well_formed
from trajmill.verifiers.filters.repetition import not_repetitive
from trajmill.verifiers.filters.verdict import passed_only, scored_only

RECIPES: Mapping[str, tuple[Filter, ...]] = {
    "strict": (well_formed, passed_only, within_length, not_repetitive),
    "labelled": (well_formed, scored_only, within_length, not_repetitive),
}
"""``strict`` keeps trajectories that passed; ``labelled`` also keeps scored failures, labelled as such."""


def decide(candidates: Sequence[Candidate], recipe: str, thresholds: Thresholds) -> tuple[Decision, ...]:
    """One decision per candidate, in order: the first rule that objects names the reason; exact duplicates come last.

    Raises KeyError for an unknown recipe.
    """
    rules = RECIPES[recipe]
    decisions = [_first_objection(candidate, rules, thresholds) for candidate in candidates]
    return drop_duplicates(candidates, decisions)


def _first_objection(candidate: Candidate, rules: Sequence[Filter], thresholds: Thresholds) -> Decision:
    for rule in rules:
        decision = rule(candidate, thresholds)
        if not decision.keep:
            return decision
    return Decision(True)
