from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.flows.toy_task import WRITE, Shell, toy_task, unit_of
from trajmill.flows.rollouts import failed_rollout, run_rollout
from trajmill.flows.select import Selection, select, thresholds
from trajmill.schemas.config import BuildConfig, BuildSection, FilterSection, SourceSection
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Check
from trajmill.synth.policies.base import Turn
from trajmill.synth.policies.scripted import ScriptedPolicy
from trajmill.synth.rollout import Bounds

TASK = toy_task()
CONFIG = BuildConfig(BuildSection("tiny"), (SourceSection("files"),))


def record(*commands: str, task: Any = TASK, finish: str = "Done.", bounds: Bounds | None = None) -> Json:
    turns = [*(Turn(f"I run {c}.", c) for c in commands), Turn("", None, finish, "finish")]
    policy = ScriptedPolicy("programmatic", "1", lambda task: turns)
    return asyncio.run(run_rollout(task, policy, 0, Shell(), bounds or Bounds()))


GOOD = record(WRITE)
RECORDS: dict[str, Json] = {
    "": GOOD,
    "not_passed": record("echo bye > out.txt"),
    "infra_error": failed_rollout(unit_of(TASK), SandboxError("Gone.", cause="sandbox_died")),
    "invalid_task": record(WRITE, task=toy_task(Check("odd", "no_such_kind"))),
    "unfinished": record(WRITE, WRITE, bounds=Bounds(turns=1)),
    "repetitive": record(*[WRITE] * 5),
    "too_many_turns": record(*[f"echo {n} > x" for n in range(70)], WRITE, bounds=Bounds(turns=99)),
    "too_long": record(WRITE, "y" * 200_001),
}


def chosen(*records: Json, config: BuildConfig = CONFIG) -> Selection:
    units = [unit_of(TASK, n) for n in range(len(records))]
    return select(units, records, {TASK.id: TASK}, config)


@pytest.mark.parametrize("reason", [r for r in RECORDS if r])
def test_a_drop_says_what_was_dropped_and_why(reason: str) -> None:
    (drop,) = chosen(RECORDS[reason]).drops
    verdict = RECORDS[reason]["verdict"]
    assert drop.reason == reason
    assert drop.stage == ("filter" if verdict["kind"] == "scored" else "rollout")
    assert drop.subject == unit_of(TASK).id
    assert drop.extra == {
        "task_id": TASK.id,
        "policy": "programmatic",
        "attempt": 0,
        "verdict": verdict["kind"],
        "reward": verdict["reward"],
    }


def test_what_is_kept_becomes_a_row() -> None:
    (row,) = chosen(GOOD).rows
    assert (row["unit_id"], row["task_id"], row["passed"], row["attempt"]) == (unit_of(TASK).id, TASK.id, True, 0)


def test_of_equal_trajectories_one_is_kept() -> None:
    found = chosen(GOOD, GOOD, record(WRITE, finish="Finished."))
    assert [row["attempt"] for row in found.rows] == [0, 2]
    assert [drop.reason for drop in found.drops] == ["duplicate_trajectory"]


def test_the_labelled_recipe_keeps_failures_with_their_label() -> None:
    config = replace(CONFIG, filter=FilterSection(recipe="labelled"))
    assert [row["passed"] for row in chosen(RECORDS["not_passed"], config=config).rows] == [False]


def test_the_bounds_of_the_configuration_hold() -> None:
    found = thresholds(FilterSection(max_turns=7, max_chars=99))
    assert (found.max_turns, found.max_chars) == (7, 99)
    assert chosen(GOOD, config=replace(CONFIG, filter=FilterSection(max_turns=1))).drops[0].reason == "too_many_turns"


@settings(max_examples=40)
@given(st.lists(st.sampled_from(list(RECORDS)), max_size=10))
def test_the_funnel_adds_up(names: list[str]) -> None:
    found = chosen(*(RECORDS[name] for name in names))
    funnel = found.funnel
    assert funnel["rollouts"] == len(names) == len(found.rows) + len(found.drops)
    assert funnel["rollouts"] >= funnel["rollouts_scored"] >= funnel["rollouts_passed"] >= funnel["trajectories_kept"]
    assert funnel["trajectories_kept"] == len(found.rows)
    assert funnel["rollouts"] - funnel["rollouts_scored"] == sum(1 for d in found.drops if d.stage == "rollout")


def test_nothing_gives_nothing() -> None:
    assert chosen() == Selection((), (), dict.fromkeys(chosen(GOOD).funnel, 0))


def test_records_that_are_missing_are_no_silent_gap() -> None:
    with pytest.raises(ValueError, match="zip"):
        select([unit_of(TASK)], [], {TASK.id: TASK}, CONFIG)
