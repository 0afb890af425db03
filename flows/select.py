"""From committed units to rows: what is kept, what is dropped and why. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trajmill.flows.units import Unit
from trajmill.schemas.codec import from_json
from trajmill.schemas.config import BuildConfig, FilterSection
from trajmill.schemas.ids import Json
from trajmill.schemas.row import body_hash, trajectory_row
from trajmill.schemas.task import Task
from trajmill.schemas.verdict import Drop, Verdict
from trajmill.verifiers.filters import decide
from trajmill.verifiers.filters.base import Candidate, Decision, Thresholds


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows of the trajectories table and the drops, both in order of the units."""

    rows: tuple[Mapping[str, Json], ...]
    drops: tuple[Drop, ...]
    funnel: Mapping[str, int]
    """Counts of rollouts by gate: planned, ended, scored, passed, kept."""


def thresholds(section: FilterSection) -> Thresholds:
    """The filters' bounds of a configuration."""
    return Thresholds(max_turns=section.max_turns, max_chars=section.max_chars)


def select(units: Sequence[Unit], records: Iterable[Json], tasks: Mapping[str, Task], config: BuildConfig) -> Selection:
    """Decide on every rollout; ``records`` are those of ``units``, in the same order."""
    read = [(unit, record, from_json(Verdict, record["verdict"])) for unit, record in zip(units, records, strict=True)]
    candidates = [_candidate(unit, record, verdict) for unit, record, verdict in read]
    decisions = decide(candidates, config.filter.recipe, thresholds(config.filter))
    rows, drops = [], []
    for (unit, record, verdict), decision in zip(read, decisions, strict=True):
        if decision.keep:
            task = tasks[unit.task_id]
            row = trajectory_row(
                record["document"], task=task, verdict=verdict, unit_id=unit.id, attempt=unit.attempt, checked=True
            )
            rows.append(row)
        else:
            drops.append(_drop(unit, verdict, decision))
    return Selection(tuple(rows), tuple(drops), _funnel([v for _, _, v in read], len(rows)))


def _candidate(unit: Unit, record: Json, verdict: Verdict) -> Candidate:
    document = record["document"]
    if document is None:
        return Candidate(unit.id, None, verdict, unit.id, 0)
    chars = sum(len(step["message"]) + _seen(step) for step in document["steps"])
    return Candidate(unit.id, document, verdict, body_hash(document), chars)


def _seen(step: Json) -> int:
    results = step.get("observation", {}).get("results", ())
    return sum(len(result.get("content", "")) for result in results if isinstance(result.get("content", ""), str))


def _drop(unit: Unit, verdict: Verdict, decision: Decision) -> Drop:
    stage: Literal["rollout", "filter"] = "rollout" if verdict.kind != "scored" else "filter"
    extra = {
        "task_id": unit.task_id,
        "policy": unit.policy,
        "attempt": unit.attempt,
        "verdict": verdict.kind,
        "reward": verdict.reward,
    }
    return Drop(stage, unit.id, decision.reason, decision.detail, extra)


def _funnel(verdicts: Sequence[Verdict], kept: int) -> dict[str, int]:
    kinds = Counter(verdict.kind for verdict in verdicts)
    return {
        "rollouts": len(verdicts),
        "rollouts_scored": kinds["scored"],
        "rollouts_passed": sum(1 for verdict in verdicts if verdict.passed),
        "trajectories_kept": kept,
    }
