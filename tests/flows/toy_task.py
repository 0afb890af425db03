"""A task with one file to write, and a fake backend in which a script decides what the commands do to the files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from trajmill.flows.units import Unit
from trajmill.sandboxes.base import ExecResult, Sandbox, SandboxSpec
from trajmill.sandboxes.fake import FakeSandbox
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.graph import Path
from trajmill.schemas.task import Axes, Check, Environment, Lineage, OracleStep, Task, Verifier, sealed
from trajmill.schemas.tree import FileEntry, Tree

CHECK = Check("out.txt says hello", "lines", {"path": "out.txt", "lines": ["hello"]}, ("out.txt",))
WRITE = "echo hello > out.txt"


def toy_task(*checks: Check, script: str = WRITE) -> Task:
    """Write ``hello`` to ``out.txt``."""
    return sealed(
        Task(
            instruction="Write `hello` to `out.txt`.",
            environment=Environment(files=Tree({"in.txt": FileEntry(b"x\n")})),
            oracle=(OracleStep("write it", script),),
            verifier=Verifier(checks or (CHECK,)),
            axes=Axes("text", ("text.write",), 1),
            lineage=Lineage(Path("graph-1", 0, 1, ("a", "b"), ("text.write",)), 1, (), "programmatic"),
        )
    )


class Shell:
    """Understands ``echo WORD > FILE``; ``on_command`` may raise instead, ``on_get`` when the workspace is taken."""

    name = "fake"

    def __init__(
        self,
        on_command: Callable[[str], None] = lambda command: None,
        on_get: Callable[[], None] = lambda: None,
    ) -> None:
        self.on_command = on_command
        self.on_get = on_get
        self.opened: list[FakeSandbox] = []
        self.open_now = 0

    @asynccontextmanager
    async def open(self, spec: SandboxSpec) -> AsyncIterator[Sandbox]:
        """Open one."""
        box = _Box(self, spec)
        self.opened.append(box)
        self.open_now += 1
        try:
            yield box
        finally:
            self.open_now -= 1


class _Box(FakeSandbox):
    def __init__(self, shell: Shell, spec: SandboxSpec) -> None:
        super().__init__(spec, self._act, lambda argv: ExecResult(b"", b"", 0))
        self._shell = shell

    def _act(self, command: str) -> str:
        self._shell.on_command(command)
        word, _, path = command.removeprefix("echo ").partition(" > ")
        if path:
            workdir = self.spec.workdir
            self.folders[workdir] = self.folders[workdir].with_entries({path: FileEntry(f"{word}\n".encode())})
        return ""

    async def get(self, folder: str, *, max_bytes: int = 64 * 1024 * 1024, max_entries: int = 20_000) -> Tree:
        self._shell.on_get()
        assert self.quiet, "the workspace is taken only when every process of the agent is dead"
        return await super().get(folder, max_bytes=max_bytes, max_entries=max_entries)


def failing(cause: str, *, retryable: bool = True) -> Callable[..., None]:
    """Raises a failure of the sandbox."""

    def fail(*arguments: object) -> None:
        raise SandboxError(f"It is {cause}.", cause=cause, retryable=retryable)

    return fail


def unit_of(task: Task, attempt: int = 0) -> Unit:
    """A rollout unit."""
    return Unit(f"roll-{attempt:016d}", "rollout", task.id, "programmatic", attempt, 0, paid=False)
