"""The numbers of a dataset: what came of every gate, how its trajectories are spread, and how varied they are."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trajmill.flows.lookup import read_columns, require_dataset
from trajmill.flows.variety import Variety, attempt_of, measure, names_in
from trajmill.schemas.codec import from_json
from trajmill.schemas.exact import read_exact
from trajmill.schemas.ids import Json
from trajmill.schemas.tree import Tree

GROUPS = ("domain", "path_length", "explicitness", "strictness", "policy")
"""Columns by which trajectories are counted."""
QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Group:
    """The trajectories that share a value."""

    value: str
    tasks: int
    trajectories: int
    passed: int
    turns: float
    """Median."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What ``trajmill stats`` shows."""

    name: str
    build_id: str
    rows: Mapping[str, int]
    """Rows by table."""
    funnel: Mapping[str, int]
    drops: Mapping[str, int]
    """Records left out by ``stage/reason``; one that stands for several counts as many."""
    groups: Mapping[str, tuple[Group, ...]]
    """By column: its values in order, of numbers by size."""
    skills: tuple[Group, ...]
    """Most used first; a trajectory counts for each of its skills."""
    quantiles: Mapping[str, tuple[float, ...]]
    """Of turns, calls and characters, at ``QUANTILES``."""
    turns: int
    masked_turns: int
    """Turns that are not trained on: slips."""
    with_slips: int
    """Trajectories that hold a masked turn."""
    variety: Variety


_COLUMNS = (
    "task_id", *GROUPS, "skills", "sources", "passed", "turns", "calls", "chars", "masked_turns", "steps",
)  # fmt: skip


def statistics(dataset: Path) -> Statistics:
    """Count a dataset. Raises StoreError if the folder is none of ours or a table cannot be read."""
    manifest = require_dataset(dataset, "name", "funnel")
    rows = read_columns(dataset, "trajectories", _COLUMNS)
    tasks = read_columns(dataset, "tasks", ("environment",))
    drops = read_columns(dataset, "drops", ("stage", "reason", "extra"))
    return Statistics(
        name=manifest["name"],
        build_id=manifest["build_id"],
        rows={"tasks": len(tasks), "trajectories": len(rows), "drops": len(drops)},
        funnel=manifest["funnel"],
        drops=count_drops(drops),
        groups={column: _groups(rows, column) for column in GROUPS},
        skills=tuple(sorted(_by_skill(rows), key=lambda group: (-group.trajectories, group.value))),
        quantiles={name: quantiles([row[name] for row in rows]) for name in ("turns", "calls", "chars")},
        turns=sum(row["turns"] for row in rows),
        masked_turns=sum(row["masked_turns"] for row in rows),
        with_slips=sum(1 for row in rows if row["masked_turns"]),
        variety=_variety(rows, tasks),
    )


def count_drops(rows: Sequence[Mapping[str, Json]]) -> dict[str, int]:
    """Records left out by ``stage/reason``, from rows of the drops table."""
    counter: Counter[str] = Counter()
    for row in rows:
        counter[f"{row['stage']}/{row['reason']}"] += int(read_exact(row["extra"]).get("count", 1))
    return dict(sorted(counter.items()))


def quantiles(values: Sequence[float]) -> tuple[float, ...]:
    """The values at ``QUANTILES`` (nearest rank), all 0 without values."""
    ordered = sorted(values)
    if not ordered:
        return tuple(0.0 for _ in QUANTILES)
    return tuple(ordered[max(0, math.ceil(share * len(ordered)) - 1)] for share in QUANTILES)


def _groups(rows: Sequence[Mapping[str, Json]], column: str) -> tuple[Group, ...]:
    found: defaultdict[Json, list[Mapping[str, Json]]] = defaultdict(list)
    for row in rows:
        found[row[column]].append(row)
    return tuple(_group(str(value), found[value]) for value in sorted(found))


def _by_skill(rows: Sequence[Mapping[str, Json]]) -> list[Group]:
    found: defaultdict[str, list[Mapping[str, Json]]] = defaultdict(list)
    for row in rows:
        for skill in dict.fromkeys(row["skills"]):
            found[skill].append(row)
    return [_group(skill, having) for skill, having in found.items()]


def _group(value: str, rows: Sequence[Mapping[str, Json]]) -> Group:
    return Group(
        value=value,
        tasks=len({row["task_id"] for row in rows}),
        trajectories=len(rows),
        passed=sum(1 for row in rows if row["passed"]),
        turns=quantiles([row["turns"] for row in rows])[2],
    )


def _variety(rows: Sequence[Mapping[str, Json]], tasks: Sequence[Mapping[str, Json]]) -> Variety:
    names: set[str] = set()
    for task in tasks:
        names |= names_in(from_json(Tree, read_exact(task["environment"])["files"]))
    attempts = [
        attempt_of(row["task_id"], (source["sha256"] for source in row["sources"]), row["steps"]) for row in rows
    ]
    return measure(attempts, names)
