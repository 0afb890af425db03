"""One attempt, from an open sandbox to a verdict: the work, the death of its processes, the evidence, the judgement."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from trajmill.sandboxes.base import Backend, Limits, Sandbox, SandboxSpec
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.ids import digest_files
from trajmill.schemas.task import Task
from trajmill.schemas.tree import Tree
from trajmill.schemas.verdict import CheckResult, Verdict
from trajmill.verifiers.verify import scored, verify

T = TypeVar("T")

OWN_DOING = frozenset({"too_large", "special_file", "bad_path"})
"""Causes for which a workspace cannot be taken that only the work itself can bring about; they score 0."""


@functools.cache
def execution_version() -> str:
    """Content hash of what carries an attempt out, beside policy and verifier; part of every unit's id."""
    root = Path(__file__).parent.parent
    ours = [root / "flows" / f"{name}.py" for name in ("attempt", "gate", "rollouts")]
    loop = [root / "synth" / f"{name}.py" for name in ("rollout", "tools")]
    return digest_files(root, [*ours, *loop, *(root / "sandboxes").glob("*.py")])


def sandbox_spec(task: Task, label: str) -> SandboxSpec:
    """The sandbox that a task's environment asks for."""
    environment = task.environment
    resources = environment.resources
    return SandboxSpec(
        files=environment.files,
        setup=environment.setup,
        workdir=environment.workdir,
        user=environment.user,
        limits=Limits(resources.memory_mb, resources.processes, resources.disk_mb, resources.cpus),
        label=label,
    )


async def worked(task: Task, backend: Backend, work: Callable[[Sandbox], Awaitable[T]]) -> tuple[T, Tree | Verdict]:
    """Open a sandbox, let the work happen, end every process of it, and take the final workspace.

    The workspace comes as a tree, or as the verdict that it cannot be taken. Raises SandboxError if the sandbox failed.
    """
    async with backend.open(sandbox_spec(task, task.id)) as box:
        outcome = await work(box)
        await box.quiesce()
        try:
            return outcome, await box.get(task.environment.workdir)
        except SandboxError as error:
            if error.cause in OWN_DOING:
                return outcome, unreadable(error)
            raise


async def judged(task: Task, backend: Backend, work: Callable[[Sandbox], Awaitable[T]]) -> Verdict:
    """The verdict of some work. Raises SandboxError if the sandbox, or that of the verification, failed."""
    _, final = await worked(task, backend, work)
    return await verdict_of(task, final, backend)


async def verdict_of(task: Task, final: Tree | Verdict, backend: Backend) -> Verdict:
    """Verify a final workspace; a retryable failure of the verification's sandbox is raised, to be retried."""
    verdict = final if isinstance(final, Verdict) else await verify(task, final, backend)
    if verdict.kind == "infra_error" and verdict.retryable:
        raise SandboxError(verdict.detail, cause=verdict.cause)
    return verdict


def unreadable(error: SandboxError) -> Verdict:
    """The verdict on a workspace that was left in a form that nobody can take: scored, with reward 0."""
    return scored(
        (CheckResult("the workspace can be taken", "workspace", False, 1.0, f"{error.cause}: {error.message}"),)
    )
