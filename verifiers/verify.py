"""Evidence to verdict. Every kind of fault has its own verdict; a broken task or a broken sandbox is never a 0."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path

from trajmill.sandboxes.base import Backend
from trajmill.schemas.errors import SandboxError, UnavailableError
from trajmill.schemas.ids import digest_files
from trajmill.schemas.task import Check, Task
from trajmill.schemas.tree import Tree
from trajmill.schemas.verdict import CheckResult, Verdict
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks import check_function
from trajmill.verifiers.finding import one_line, short

SUPPORTED_EVIDENCE = frozenset({"final-tree", "artefacts"})


@functools.cache
def verifier_version() -> str:
    """Content hash of everything that decides a verdict; part of every verdict's id."""
    here = Path(__file__).parent
    readers = here.parent / "schemas" / "content"
    return digest_files(here.parent, [*here.glob("*.py"), *(here / "checks").glob("*.py"), *readers.glob("*.py")])


async def verify(task: Task, final: Tree, backend: Backend) -> Verdict:
    """Judge the final workspace. A fault of task, sandbox or evidence is a verdict, never an exception."""
    problem = _unusable(task)
    if problem:
        return Verdict("invalid_task", cause="check_without_evidence", detail=one_line(problem))
    try:
        async with asyncio.timeout(task.verifier.timeout_s), Evidence(final, task.environment, backend) as evidence:
            results = [await _result(check, evidence) for check in task.verifier.checks]
    except TimeoutError:
        return Verdict("invalid_task", cause="verifier_timeout", detail=f"over {task.verifier.timeout_s:.0f} s")
    except SandboxError as error:
        return Verdict("infra_error", cause=error.cause, detail=one_line(error.message), retryable=error.retryable)
    except UnavailableError as error:
        return Verdict("infra_error", cause="sandbox_unavailable", detail=one_line(str(error)))
    except OSError as error:
        return Verdict("infra_error", cause="driver_failed", detail=one_line(str(error)), retryable=True)
    except _CheckCrashed as crash:
        return Verdict("invalid_task", cause=crash.cause, detail=one_line(str(crash)))
    return scored(tuple(results))


def scored(results: tuple[CheckResult, ...]) -> Verdict:
    """The verdict of checks that all ran: reward 1 if every one passed, and the weighted share beside it."""
    total = sum(r.weight for r in results)
    share = sum(r.weight for r in results if r.passed) / total if total else 0.0
    return Verdict("scored", 1.0 if all(r.passed for r in results) else 0.0, round(share, 6), results)


class _CheckCrashed(Exception):
    """A check could not be carried out: its parameters or its code are at fault, not the answer."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(detail)
        self.cause = cause


def _unusable(task: Task) -> str:
    if not task.verifier.checks:
        return "The task has no checks."
    for check in task.verifier.checks:
        if check.evidence not in SUPPORTED_EVIDENCE:
            return f"The check {check.name} reads {check.evidence}, which is not collected."
    return ""


async def _result(check: Check, evidence: Evidence) -> CheckResult:
    try:
        function = check_function(check.kind)
    except (LookupError, ImportError, AttributeError, TypeError, ValueError) as error:
        raise _CheckCrashed("unknown_check", f"{check.name}: no check of the kind {check.kind}") from error
    try:
        finding = await function(check.params, evidence)
        return CheckResult(check.name, check.kind, finding.passed, check.weight, finding.detail)
    except (SandboxError, UnavailableError):
        raise
    except Exception as error:  # a crash of the check is data about the task, recorded with its cause
        raise _CheckCrashed("check_crashed", f"{check.name}: {type(error).__name__}: {short(str(error))}") from error
