"""What a check is given and what it returns.

A check that only reads is pure: it parses the bytes of the evidence with strict, bounded readers. A check that must
run something (a script, ``git``, a query) runs it in a fresh sandbox that holds the evidence and nothing of the agent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextlib import AsyncExitStack
from typing import Protocol

from trajmill.sandboxes.base import Backend, Limits, Sandbox, SandboxSpec
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Environment
from trajmill.schemas.tree import Tree
from trajmill.verifiers.finding import Finding


class Evidence:
    """The workspace as taken after the agent was dead, and a fresh sandbox for checks that must run something."""

    def __init__(self, tree: Tree, environment: Environment, backend: Backend) -> None:
        self.tree = tree
        self.environment = environment
        self._backend = backend
        self._stack = AsyncExitStack()
        self._box: Sandbox | None = None

    async def box(self) -> Sandbox:
        """The fresh sandbox, opened once, with the evidence in its workspace. Raises SandboxError."""
        if self._box is None:
            resources = self.environment.resources
            spec = SandboxSpec(
                files=self.tree,
                workdir=self.environment.workdir,
                user=self.environment.user,
                limits=Limits(resources.memory_mb, resources.processes, resources.disk_mb, resources.cpus),
                label="verify",
            )
            self._box = await self._stack.enter_async_context(self._backend.open(spec))
        return self._box

    async def __aenter__(self) -> Evidence:
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self._stack.aclose()
        self._box = None


class CheckFunction(Protocol):
    """One kind of check."""

    def __call__(self, params: Mapping[str, Json], evidence: Evidence) -> Awaitable[Finding]:
        """Look at the evidence. A fault of the task (a senseless parameter) raises ValueError or KeyError."""
        ...
