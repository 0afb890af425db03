"""A backend without any sandbox, for tests of what uses one: scripted answers, files in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from trajmill.sandboxes.base import CommandResult, ExecResult, SandboxSpec
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.tree import Tree

Answer = str | CommandResult | SandboxError
"""What a command gives: its output (with exit code 0), a whole result, or an error to raise."""


def no_output(command: str) -> Answer:
    """The default script: every command succeeds and says nothing."""
    return ""


class FakeSandbox:
    """One fake sandbox; ``commands`` and ``programs`` list what was asked of it."""

    def __init__(
        self, spec: SandboxSpec, script: Callable[[str], Answer], programs: Callable[[Sequence[str]], ExecResult]
    ) -> None:
        self.spec = spec
        self.commands: list[str] = []
        self.programs: list[tuple[str, ...]] = []
        self.folders: dict[str, Tree] = {spec.workdir: spec.files}
        self.quiet = False
        self._script = script
        self._run_program = programs

    async def run(self, command: str, *, timeout: float) -> CommandResult:
        """Give the scripted answer."""
        if self.quiet:
            raise SandboxError("The session was ended by quiesce.", cause="quiesced", retryable=False)
        self.commands.append(command)
        answer = self._script(command)
        if isinstance(answer, SandboxError):
            raise answer
        return CommandResult(answer, 0, 0.0) if isinstance(answer, str) else answer

    async def exec(
        self, argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str] | None = None, timeout: float
    ) -> ExecResult:
        """Give the scripted result."""
        self.programs.append(tuple(argv))
        return self._run_program(argv)

    async def put(self, tree: Tree, folder: str) -> None:
        """Add the tree to what the folder holds."""
        self.folders[folder] = self.folders.get(folder, Tree()).with_entries(tree.entries)

    async def get(self, folder: str, *, max_bytes: int = 64 * 1024 * 1024, max_entries: int = 20_000) -> Tree:
        """What was put into exactly this folder."""
        tree = self.folders.get(folder)
        if tree is None:
            raise SandboxError(f"The folder {folder} does not exist.", cause="not_found", retryable=False)
        if tree.size > max_bytes or len(tree) > max_entries:
            raise SandboxError("There is more than allowed.", cause="too_large", retryable=False)
        return tree

    async def quiesce(self) -> None:
        """End the session."""
        self.quiet = True


class FakeBackend:
    """Opens fake sandboxes and keeps them in ``opened``; ``open_now`` is how many are open at this moment."""

    name = "fake"

    def __init__(
        self,
        script: Callable[[str], Answer] = no_output,
        programs: Callable[[Sequence[str]], ExecResult] = lambda argv: ExecResult(b"", b"", 0),
    ) -> None:
        self._script = script
        self._programs = programs
        self.opened: list[FakeSandbox] = []
        self.open_now = 0

    @asynccontextmanager
    async def open(self, spec: SandboxSpec) -> AsyncIterator[FakeSandbox]:
        """Open one."""
        box = FakeSandbox(spec, self._script, self._programs)
        self.opened.append(box)
        self.open_now += 1
        try:
            yield box
        finally:
            self.open_now -= 1
