from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest

from tests.flows.toy_task import WRITE, Shell, failing, toy_task
from trajmill.flows.attempt import OWN_DOING, judged, sandbox_spec, verdict_of, worked
from trajmill.sandboxes.base import Limits, Sandbox, SandboxSpec
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.task import Check
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.schemas.verdict import Verdict


async def write(box: Sandbox) -> str:
    await box.run(WRITE, timeout=1)
    return "written"


def test_the_work_is_followed_by_the_death_of_its_processes_and_the_workspace() -> None:
    backend = Shell()
    outcome, final = asyncio.run(worked(toy_task(), backend, write))
    assert outcome == "written"
    assert isinstance(final, Tree)
    assert set(final) == {"in.txt", "out.txt"}
    assert (backend.opened[0].quiet, backend.open_now) == (True, 0)


def test_the_verdict_comes_from_the_workspace() -> None:
    assert asyncio.run(judged(toy_task(), Shell(), write)).passed


def test_the_sandbox_is_what_the_environment_asks_for() -> None:
    task = toy_task()
    spec = sandbox_spec(task, "label")
    resources = task.environment.resources
    assert spec.files == task.environment.files
    assert spec.limits == Limits(resources.memory_mb, resources.processes, resources.disk_mb, resources.cpus)
    assert (spec.workdir, spec.user, spec.label) == (task.environment.workdir, task.environment.user, "label")


@pytest.mark.parametrize("cause", sorted(OWN_DOING))
def test_a_workspace_that_the_work_made_untakeable_scores_zero(cause: str) -> None:
    verdict = asyncio.run(judged(toy_task(), Shell(on_get=failing(cause, retryable=False)), write))
    assert (verdict.kind, verdict.reward) == ("scored", 0.0)
    assert verdict.checks[0].detail == f"{cause}: It is {cause}."


@pytest.mark.parametrize("cause", ["sandbox_died", "bad_archive", "not_found"])
def test_any_other_failure_to_take_it_is_the_sandboxs(cause: str) -> None:
    backend = Shell(on_get=failing(cause))
    with pytest.raises(SandboxError, match=cause):
        asyncio.run(judged(toy_task(), backend, write))
    assert backend.open_now == 0


def test_a_fault_of_the_work_closes_the_sandbox() -> None:
    backend = Shell()

    async def crash(box: Sandbox) -> None:
        raise RuntimeError("a fault of ours")

    with pytest.raises(RuntimeError):
        asyncio.run(judged(toy_task(), backend, crash))
    assert backend.open_now == 0


@pytest.mark.parametrize("retryable", [True, False])
def test_only_a_retryable_failure_of_the_verification_is_raised(retryable: bool) -> None:
    class Broken:
        name = "broken"

        def open(self, spec: SandboxSpec) -> AbstractAsyncContextManager[Sandbox]:
            raise SandboxError("No room.", cause="start_failed", retryable=retryable)

    task = toy_task(Check("db", "sqlite", {"path": "a.db", "query": "SELECT 1", "rows": []}))
    final = Tree({"a.db": FileEntry(b"x")})
    if retryable:
        with pytest.raises(SandboxError):
            asyncio.run(verdict_of(task, final, Broken()))
    else:
        assert asyncio.run(verdict_of(task, final, Broken())).kind == "infra_error"


def test_a_verdict_that_is_there_already_stays() -> None:
    given = Verdict("scored", 0.0, 0.0)
    assert asyncio.run(verdict_of(toy_task(), given, Shell())) is given
