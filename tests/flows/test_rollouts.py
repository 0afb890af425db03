from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from tests.flows.toy_task import WRITE, Shell, failing, toy_task, unit_of
from trajmill.flows import rollouts as module
from trajmill.flows.rollouts import failed_rollout, rollout_units, run_rollout
from trajmill.sandboxes.base import CommandResult
from trajmill.sandboxes.fake import FakeBackend
from trajmill.schemas.codec import from_json
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.ids import Json
from trajmill.schemas.validate import validate
from trajmill.schemas.verdict import Verdict
from trajmill.synth.policies.base import Turn
from trajmill.synth.policies.scripted import ScriptedPolicy, noop_policy, oracle_policy
from trajmill.synth.rollout import Bounds

TASK = toy_task()


def run(backend: Shell | FakeBackend | None = None, bounds: Bounds | None = None) -> Json:
    return asyncio.run(run_rollout(TASK, oracle_policy(), 0, backend or Shell(), bounds or Bounds()))


def test_a_rollout_is_a_document_and_a_verdict() -> None:
    record = run()
    validate(record["document"], "adp-atif")
    assert from_json(Verdict, record["verdict"]).passed
    assert record["stop"] == "finished"
    assert json.loads(json.dumps(record)) == record


def test_the_document_says_by_itself_what_came_of_it() -> None:
    assert run()["document"]["extra"]["trajmill"] == {
        "task_id": TASK.id,
        "verdict": "scored",
        "reward": 1.0,
        "stop": "finished",
    }


def test_the_same_attempt_gives_the_same_record() -> None:
    assert run() == run()


def test_a_rollout_that_runs_out_of_turns_is_judged_by_what_it_left() -> None:
    turns = [Turn("", WRITE)] * 9
    policy = ScriptedPolicy("scripted", "1", lambda task: turns)
    record = asyncio.run(run_rollout(TASK, policy, 0, Shell(), Bounds(turns=2)))
    assert (record["stop"], record["verdict"]["reward"]) == ("turn_limit", 1.0)


def test_a_time_out_of_a_policy_without_a_model_is_never_scored() -> None:
    slow = FakeBackend(lambda command: CommandResult("", None, 0.0, timed_out=True))
    with pytest.raises(SandboxError) as caught:
        run(slow)
    assert (caught.value.cause, caught.value.retryable) == ("command_timeout", True)


def test_a_failure_of_the_sandbox_is_raised() -> None:
    with pytest.raises(SandboxError):
        run(Shell(on_command=failing("sandbox_died")))


def test_a_failure_to_the_last_has_no_document() -> None:
    record = failed_rollout(unit_of(TASK), SandboxError("Gone.", cause="sandbox_died"))
    assert record["document"] is None
    assert from_json(Verdict, record["verdict"]).cause == "sandbox_died"


def test_there_is_a_unit_for_every_attempt_of_every_policy() -> None:
    units = rollout_units(TASK, [(oracle_policy(), 2), (noop_policy(), 1)], Shell(), Bounds(), 4)
    assert [(u.policy, u.attempt, u.payload) for u in units] == [("oracle", 0, 4), ("oracle", 1, 4), ("noop", 0, 4)]
    assert len({u.id for u in units}) == 3
    assert not any(u.paid for u in units)


def test_only_a_policy_with_a_model_costs_money() -> None:
    policy = ScriptedPolicy("model", "1", lambda task: ())
    assert all(u.paid for u in rollout_units(TASK, [(policy, 1)], Shell(), Bounds(), 0))


def unit_id(**changes: object) -> str:
    task, bounds = changes.get("task", TASK), changes.get("bounds", Bounds())
    policy = ScriptedPolicy(str(changes.get("name", "p")), str(changes.get("version", "1")), lambda task: ())
    (unit,) = rollout_units(task, [(policy, 1)], Shell(), bounds, 0)  # type: ignore[arg-type]
    return unit.id


def test_the_unit_is_named_by_everything_that_decides_its_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    first = unit_id()
    assert first == unit_id()
    others = [
        unit_id(task=replace(TASK, id="task-2")),
        unit_id(name="q"),
        unit_id(version="2"),
        unit_id(bounds=Bounds(turns=3)),
        unit_id(bounds=Bounds(command_timeout_s=3)),
    ]
    for name in ("prompt_version", "verifier_version"):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, lambda: "other")
            others.append(unit_id())
    assert len({first, *others}) == len(others) + 1
