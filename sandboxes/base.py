"""The sandbox contract that every backend keeps and one test suite checks.

Ordinary output cannot be mistaken for control data, a timeout kills every process born since the command began, output
is bounded and its cut is marked, files travel as trees and links are never followed. No reward, verdict or file
transfer depends on the session shell, which a hostile command can reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from trajmill.schemas.tree import Tree

Killed = Literal["", "memory", "processes", "disk"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one sandbox."""

    memory_mb: int = 512
    processes: int = 128
    disk_mb: int = 64
    cpus: float = 1.0
    """Processors' worth of time; the embedded backend keeps it only where it can make a control group."""
    output_bytes: int = 65_536
    """Bytes of one command's output that are kept: head and tail, with a mark between that says how much was cut."""


@dataclass(frozen=True, slots=True)
class SandboxSpec:
    """What to open."""

    files: Tree = field(default_factory=Tree)
    """Put into ``workdir`` before the session starts."""
    setup: tuple[str, ...] = ()
    """Shell scripts run in ``workdir`` before the session; a failure raises SandboxError, cause ``setup_failed``."""
    workdir: str = "/workspace"
    user: str = "agent"
    env: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    label: str = ""
    """Names the owner (a build or unit id) in process listings and container labels."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command in the persistent shell did."""

    output: str
    """Standard output and error as a terminal shows them, decoded with replacement, cut in the middle if long."""
    exit_code: int | None
    """None if it was killed before it ended."""
    duration: float
    """Seconds; volatile, never stored in a data table."""
    timed_out: bool = False
    omitted_bytes: int = 0
    """Bytes cut from the middle of ``output``; the mark in the text says the same."""
    killed_for: Killed = ""
    """The bound that the command broke, if one did."""
    state_lost: bool = False
    """The shell was reopened: directory, variables and functions are gone."""


@dataclass(frozen=True, slots=True)
class ExecResult:
    """What a one-shot program did."""

    stdout: bytes
    stderr: bytes
    exit_code: int | None
    timed_out: bool = False
    omitted_bytes: int = 0


class Sandbox(Protocol):
    """One open sandbox."""

    async def run(self, command: str, *, timeout: float) -> CommandResult:
        """Run a command (any number of lines) in the persistent shell.

        Raises SandboxError: ``sandbox_died``, or ``quiesced`` after ``quiesce``.
        """
        ...

    async def exec(
        self, argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str] | None = None, timeout: float
    ) -> ExecResult:
        """Run one program apart from the session, in ``workdir``; nothing that it starts outlives it.

        Each stream is cut like a command's output. Raises SandboxError if the sandbox is dead.
        """
        ...

    async def put(self, tree: Tree, folder: str) -> None:
        """Write a tree below an absolute folder, replacing files and links of the same name, never following a link.

        Raises SandboxError if it did not arrive: ``bad_path`` or ``no_space``.
        """
        ...

    async def get(self, folder: str, *, max_bytes: int = 64 * 1024 * 1024, max_entries: int = 20_000) -> Tree:
        """Read all below an absolute folder; links stay links.

        Raises SandboxError: ``too_large``, ``special_file``, ``bad_path``, ``not_found`` or ``bad_archive``.
        """
        ...

    async def quiesce(self) -> None:
        """Kill the session and everything it started; afterwards only ``exec``, ``put`` and ``get`` work."""
        ...


class Backend(Protocol):
    """A way to open sandboxes."""

    name: str

    def open(self, spec: SandboxSpec) -> AbstractAsyncContextManager[Sandbox]:
        """Open a sandbox and remove it at exit, also when cancelled. Raises UnavailableError or SandboxError."""
        ...
