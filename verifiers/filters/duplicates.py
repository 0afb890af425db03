"""Of exact duplicates keep the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trajmill.verifiers.filters.base import Candidate, Decision


def drop_duplicates(candidates: Sequence[Candidate], decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Drop every kept candidate whose body equals that of one kept before it."""
    first: dict[str, str] = {}
    result = []
    for candidate, decision in zip(candidates, decisions, strict=True):
        owner = first.setdefault(candidate.body_hash, candidate.unit_id) if decision.keep else candidate.unit_id
        if owner == candidate.unit_id:
            result.append(decision)
        else:
            result.append(replace(decision, keep=False, reason="duplicate_trajectory", detail=f"equals {owner}"))
    return tuple(result)
