"""What is wrong with single rows of a dataset: each is made anew from the record that it holds, and compared. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from trajmill.schemas.codec import from_json, to_json
from trajmill.schemas.errors import TrajmillError
from trajmill.schemas.ids import Json
from trajmill.schemas.row import drop_from_row, drop_row, task_from_row, task_row, trajectory_from_row, trajectory_row
from trajmill.schemas.task import Task, sealed
from trajmill.schemas.validate import validate
from trajmill.schemas.verdict import CheckResult, Verdict
from trajmill.verifiers.verify import scored


def task_faults(row: Mapping[str, Json]) -> Iterator[str]:
    """Faults of a row of the tasks table that can be read as a task."""
    task = task_from_row(row)
    own = sealed(task).id
    if own != task.id:
        yield f"The task says that it is {task.id}, but its content is {own}."
    try:
        validate({key: value for key, value in to_json(task).items()}, "task")
    except TrajmillError as error:
        yield f"{task.id}: {error.message}"
    yield from _columns(row, task_row(task), task.id)


def trajectory_faults(row: Mapping[str, Json], task: Task | None) -> Iterator[str]:
    """Faults of a row of the trajectories table; without its task, only of the row itself."""
    yield from _verdict_faults(row)
    try:
        document = trajectory_from_row(row)
        verdict = _verdict(row)
        yield from _label_faults(row, document)
        if task is not None:
            unit, attempt = row["unit_id"], row["attempt"]
            fresh = trajectory_row(document, task=task, verdict=verdict, unit_id=unit, attempt=attempt)
            yield from _columns(row, fresh, row["id"])
    except TrajmillError as error:
        yield f"{row['id']}: {error.message}"
        return
    if task is not None:
        wanted, found = [c.name for c in task.verifier.checks], [c["name"] for c in row["checks"]]
        if row["verdict"] == "scored" and found != wanted and found != ["the workspace can be taken"]:
            yield f"{row['id']}: its checks are not those of the task."


def drop_faults(row: Mapping[str, Json]) -> Iterator[str]:
    """Faults of a row of the drops table."""
    if not row["reason"]:
        yield f"{row['id']}: {row['subject']} was left out without a reason."
    try:
        yield from _columns(row, drop_row(drop_from_row(row)), row["id"])
    except TrajmillError as error:
        yield f"{row['id']}: {error.message}"


def _verdict_faults(row: Mapping[str, Json]) -> Iterator[str]:
    if row["verdict"] != "scored":
        if row["reward"] is not None or row["passed"]:
            yield f"{row['id']}: a verdict of {row['verdict']} has no reward, but the row says {row['reward']}."
        return
    checks = tuple(from_json(CheckResult, check) for check in row["checks"])
    wanted = scored(checks)
    for name, said, means in (
        ("reward", row["reward"], wanted.reward),
        ("partial", row["partial"], wanted.partial),
        ("passed", row["passed"], wanted.passed),
    ):
        if not _same(said, means):
            yield f"{row['id']}: {name} is {said}, but its checks make it {means}."


def _verdict(row: Mapping[str, Json]) -> Verdict:
    columns = {"kind": row["verdict"], "cause": row["cause"], "detail": row["verdict_detail"]}
    return from_json(Verdict, {**columns, **{key: row[key] for key in ("reward", "partial", "checks")}})


def _label_faults(row: Mapping[str, Json], document: Mapping[str, Json]) -> Iterator[str]:
    """What the document says of itself under ``extra.trajmill`` is what the columns say."""
    labels: Mapping[str, Json] = document.get("extra", {}).get("trajmill", {})
    for label in ("task_id", "verdict", "reward"):
        if label in labels and not _same(labels[label], row[label]):
            yield f"{row['id']}: its document says {label} {labels[label]}, the column says {row[label]}."


def _columns(row: Mapping[str, Json], fresh: Mapping[str, Json], name: str) -> Iterator[str]:
    for column, value in fresh.items():
        if not _same(row[column], value):
            yield f"{name}: {column} is {_short(row[column])}, but must be {_short(value)}."


def _same(one: Json, other: Json) -> bool:
    """Equal in value; a NaN equals nothing."""
    if isinstance(one, float) and math.isnan(one):
        return False
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
