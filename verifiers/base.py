"""What a check is given and what it returns.

A check that only reads is pure: it parses the bytes of the evidence with strict, bounded readers. A check that must
run something (a script, ``git``, a query) runs it in a fresh sandbox that holds the evidence and nothing of the agent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Protocol

from trajmill.sandboxes.base import Backend, Limits, Sandbox, SandboxSpec
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Environment
from trajmill.schemas.tree import Tree
from trajmill.verifiers.finding import Finding

DISK_TO_SPARE_MB = 32
"""So that a workspace that an agent filled to the brim can still be judged."""
OUTPUT_BYTES = 16 << 20
"""Bytes that a program may print before its output is cut: a cut one is never compared."""


class Evidence:
    """The workspace as taken after the agent was dead, and fresh sandboxes for checks that must run something."""

    def __init__(self, tree: Tree, environment: Environment, backend: Backend) -> None:
        self.tree = tree
        self.environment = environment
        self._backend = backend
        self._stack = AsyncExitStack()
        self._box: Sandbox | None = None

    async def box(self) -> Sandbox:
        """A fresh sandbox for reading the evidence, opened once and shared by checks. Raises SandboxError."""
        if self._box is None:
            self._box = await self._stack.enter_async_context(self.own_box())
        return self._box

    def own_box(self) -> AbstractAsyncContextManager[Sandbox]:
        """A fresh sandbox for one check that starts a program of the agent, which may change whatever is there."""
        resources = self.environment.resources
        disk = resources.disk_mb + DISK_TO_SPARE_MB
        spec = SandboxSpec(
            files=self.tree,
            workdir=self.environment.workdir,
            user=self.environment.user,
            limits=Limits(resources.memory_mb, resources.processes, disk, resources.cpus, OUTPUT_BYTES),
            label="verify",
        )
        return self._backend.open(spec)

    async def put(self, box: Sandbox, files: Tree) -> bool:
        """Add files to the workspace of a fresh sandbox; False if what the agent left there is in the way."""
        try:
            await box.put(files, self.environment.workdir)
        except SandboxError as error:
            if error.cause != "bad_path":
                raise
            return False
        return True

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
