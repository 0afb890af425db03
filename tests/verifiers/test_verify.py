from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal

import pytest

from tests.verifiers.evidence import a_task, tree
from trajmill.sandboxes.base import Backend, Sandbox, SandboxSpec
from trajmill.sandboxes.fake import FakeBackend
from trajmill.schemas.errors import SandboxError, UnavailableError
from trajmill.schemas.task import Check, Task
from trajmill.schemas.verdict import CheckResult, Verdict
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.finding import Finding
from trajmill.verifiers.verify import scored, verifier_version, verify

HELLO = Check("out.txt says hello", "lines", {"path": "out.txt", "lines": ["hello"]}, ("out.txt",))
QUERY = Check("db answers", "sqlite", {"path": "a.db", "query": "SELECT 1", "rows": [[1]]}, ("a.db",))
HERE = "tests.verifiers.test_verify"


async def check_forever(params: Mapping[str, Any], evidence: Evidence) -> Finding:
    await asyncio.sleep(60)
    raise AssertionError("not reached")


async def check_that_answers_nothing(params: Mapping[str, Any], evidence: Evidence) -> None:
    return None


class Broken:
    """A backend that cannot open a sandbox."""

    name = "broken"

    def __init__(self, error: Exception) -> None:
        self._error = error

    def open(self, spec: SandboxSpec) -> AbstractAsyncContextManager[Sandbox]:
        raise self._error


def judge(task: Task, files: Mapping[str, bytes], backend: Backend | None = None) -> Verdict:
    return asyncio.run(verify(task, tree(files), backend or FakeBackend()))


def test_a_right_answer_is_scored_with_one() -> None:
    verdict = judge(a_task(HELLO), {"out.txt": b"hello\n"})
    assert (verdict.kind, verdict.reward, verdict.partial, verdict.passed) == ("scored", 1.0, 1.0, True)
    assert verdict.checks == (CheckResult("out.txt says hello", "lines", True, 1.0, ""),)


def test_a_wrong_answer_is_scored_with_zero_and_says_why() -> None:
    verdict = judge(a_task(HELLO), {"out.txt": b"bye\n"})
    assert (verdict.kind, verdict.reward) == ("scored", 0.0)
    assert verdict.checks[0].detail == "out.txt line 1 is 'bye', expected 'hello'"


def test_an_untouched_workspace_is_scored_with_zero() -> None:
    assert judge(a_task(HELLO), {}).reward == 0.0


def test_one_failed_check_makes_the_reward_zero_and_the_weighted_share_stays() -> None:
    heavy = Check("other.txt is there", "lines", {"path": "other.txt", "lines": ["x"]}, weight=3.0)
    verdict = judge(a_task(HELLO, heavy), {"out.txt": b"hello\n"})
    assert (verdict.reward, verdict.partial) == (0.0, 0.25)


@pytest.mark.parametrize("evidence", ["live", "transcript"])
def test_evidence_that_is_not_collected_makes_the_task_invalid(evidence: Literal["live", "transcript"]) -> None:
    check = Check("reads more", "lines", {"path": "out.txt", "lines": []}, evidence=evidence)
    verdict = judge(a_task(HELLO, check), {"out.txt": b"hello\n"})
    assert (verdict.kind, verdict.cause, verdict.reward) == ("invalid_task", "check_without_evidence", None)
    assert evidence in verdict.detail


def test_a_task_without_checks_is_invalid() -> None:
    verdict = judge(a_task(), {})
    assert (verdict.kind, verdict.cause) == ("invalid_task", "check_without_evidence")


@pytest.mark.parametrize("kind", ["no_such_kind", "no.such.module:check", f"{HERE}:no_such_function", ":", ".x:y"])
def test_an_unknown_kind_makes_the_task_invalid(kind: str) -> None:
    verdict = judge(a_task(Check("odd", kind)), {})
    assert (verdict.kind, verdict.cause) == ("invalid_task", "unknown_check")
    assert verdict.detail == f"odd: no check of the kind {kind}"


@pytest.mark.parametrize(
    "check",
    [
        Check("no path", "lines", {}),
        Check("no list", "lines", {"path": "out.txt", "lines": 7}),
        Check("no JSON", "json", {"path": "out.txt", "json": "{"}),
        Check("no such digest", "checksums", {"path": "out.txt", "files": ["out.txt"], "algorithm": "none"}),
        Check("no such format", "archive", {"path": "out.txt", "format": "rar", "members": {}}),
        Check("no finding", f"{HERE}:check_that_answers_nothing"),
        Check("no function", f"{HERE}:HERE"),
    ],
    ids=lambda check: check.name,
)
def test_a_crash_of_a_check_makes_the_task_invalid(check: Check) -> None:
    files = {"out.txt": b"00  out.txt\n"}
    verdict = judge(a_task(check), files)
    assert (verdict.kind, verdict.cause, verdict.reward) == ("invalid_task", "check_crashed", None)
    assert verdict.detail.startswith(f"{check.name}: ")


def test_a_verifier_past_its_time_makes_the_task_invalid() -> None:
    verdict = judge(a_task(Check("waits", f"{HERE}:check_forever"), timeout_s=0.02), {})
    assert (verdict.kind, verdict.cause) == ("invalid_task", "verifier_timeout")


@pytest.mark.parametrize("retryable", [True, False])
def test_a_fault_of_the_sandbox_is_an_infra_error(retryable: bool) -> None:
    error = SandboxError("bwrap: \x1b[31mno", cause="start_failed", retryable=retryable)
    verdict = judge(a_task(QUERY), {"a.db": b""}, Broken(error))
    assert (verdict.kind, verdict.cause, verdict.retryable) == ("infra_error", "start_failed", retryable)
    assert (verdict.reward, verdict.detail) == (None, "bwrap: \\x1b[31mno")


def test_a_machine_without_sandboxes_is_an_infra_error() -> None:
    verdict = judge(a_task(QUERY), {"a.db": b""}, Broken(UnavailableError("No bwrap.", remedy="Install it.")))
    assert (verdict.kind, verdict.cause, verdict.retryable) == ("infra_error", "sandbox_unavailable", False)


def test_no_sandbox_is_opened_for_checks_that_only_read() -> None:
    backend = FakeBackend()
    judge(a_task(HELLO), {"out.txt": b"hello\n"}, backend)
    assert backend.opened == []


def test_every_sandbox_is_closed_whatever_happens() -> None:
    backend = FakeBackend()
    verdict = judge(a_task(QUERY), {"a.db": b"x"}, backend)
    assert verdict.cause == "check_crashed"  # the fake python3 prints nothing
    assert (len(backend.opened), backend.open_now) == (1, 0)


def test_an_interrupt_is_not_swallowed() -> None:
    async def main() -> None:
        work = asyncio.create_task(verify(a_task(Check("waits", f"{HERE}:check_forever")), tree({}), FakeBackend()))
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(main())


def test_checks_without_weight_do_not_divide_by_zero() -> None:
    assert scored((CheckResult("a", "lines", True, 0.0),)).partial == 0.0


def test_the_version_is_one_hash_for_the_whole_run() -> None:
    assert verifier_version() == verifier_version()
    assert len(verifier_version()) == 16
