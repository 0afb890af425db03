from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from tests.flows.toy_task import WRITE, Shell, failing, toy_task
from trajmill.flows import gate as module
from trajmill.flows.gate import failed_gate, gate_drop, gate_unit, run_gate
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Check, Task


def gate(task: Task, backend: Shell | None = None) -> Json:
    return asyncio.run(run_gate(task, backend or Shell()))


def reason(task: Task) -> str:
    drop = gate_drop(task.id, gate(task))
    return drop.reason if drop else ""


def test_a_sound_task_passes() -> None:
    record = gate(toy_task())
    assert (record["oracle"]["reward"], record["noop"]["reward"]) == (1.0, 0.0)
    assert gate_drop("task-1", record) is None


def test_the_oracle_and_doing_nothing_each_have_a_sandbox_of_their_own() -> None:
    backend = Shell()
    gate(toy_task(), backend)
    assert [box.commands for box in backend.opened] == [[WRITE], []]
    assert all(box.quiet for box in backend.opened)
    assert backend.open_now == 0


def test_an_oracle_that_fails_is_a_drop_with_the_first_difference() -> None:
    task = toy_task(script="echo bye > out.txt")
    drop = gate_drop(task.id, gate(task))
    assert drop is not None
    assert (drop.stage, drop.subject, drop.reason) == ("certify", task.id, "oracle_failed")
    assert drop.detail == "out.txt says hello: out.txt line 1 is 'bye', expected 'hello'"


def test_a_task_that_is_done_by_doing_nothing_is_a_drop() -> None:
    assert reason(toy_task(Check("in.txt stays", "lines", {"path": "in.txt", "lines": ["x"]}))) == "noop_passed"


def test_a_task_that_cannot_be_judged_is_a_drop_of_its_kind() -> None:
    task = toy_task(Check("odd", "no_such_kind"))
    drop = gate_drop(task.id, gate(task))
    assert drop is not None
    assert drop.reason == "invalid_task"
    assert drop.detail.startswith("oracle: unknown_check odd")


def test_a_failure_of_the_sandbox_is_raised_to_be_retried() -> None:
    with pytest.raises(SandboxError, match="sandbox_died"):
        gate(toy_task(), Shell(on_command=failing("sandbox_died")))


def test_an_oracle_over_its_time_is_a_failure_of_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    from trajmill.sandboxes.base import CommandResult
    from trajmill.sandboxes.fake import FakeBackend

    with pytest.raises(SandboxError) as caught:
        asyncio.run(run_gate(toy_task(), FakeBackend(lambda command: CommandResult("", None, 0.0, timed_out=True))))
    assert caught.value.cause == "command_timeout"


def test_a_failure_to_the_last_is_a_record_like_any_other() -> None:
    task = toy_task()
    record = failed_gate(gate_unit(task, Shell(), 3), SandboxError("Gone.", cause="sandbox_died"))
    drop = gate_drop(task.id, json.loads(json.dumps(record)))
    assert drop is not None
    assert (drop.reason, drop.detail) == ("infra_error", "oracle: sandbox_died Gone.")


def test_a_workspace_that_cannot_be_taken_fails_the_oracle() -> None:
    task = toy_task()
    record = gate(task, Shell(on_get=failing("special_file", retryable=False)))
    drop = gate_drop(task.id, record)
    assert drop is not None
    assert drop.reason == "oracle_failed"


def test_the_unit_is_named_by_what_decides_its_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    task, backend = toy_task(), Shell()
    unit = gate_unit(task, backend, 0)
    assert unit == gate_unit(task, backend, 0)
    assert unit.id == gate_unit(task, backend, 7).id, "the place is not part of it"
    assert unit.id != gate_unit(replace(task, id="task-2"), backend, 0).id
    monkeypatch.setattr(module, "verifier_version", lambda: "other")
    assert unit.id != gate_unit(task, backend, 0).id
    assert (unit.kind, unit.paid) == ("gate", False)
