"""The embedded backend: no daemon, no image, no root; Linux user namespaces through bubblewrap.

What an agent sees: the host's ``/usr`` read-only, an ``/etc`` that is mostly made up, an own ``/proc``, no network but
an own loopback, and folders of limited size to write to. Started as root, the backend gives root up first.
Where a control group can be made the kernel keeps the limits for all processes together. Elsewhere processor time, and
memory that no process has mapped, are not bound; the rest is, by rlimits and a look every 50 ms.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from trajmill.sandboxes.base import CommandResult, ExecResult, Killed, SandboxSpec
from trajmill.sandboxes.cgroups import Groups, bounds_of, in_force
from trajmill.sandboxes.enclosure import Enclosure
from trajmill.sandboxes.files import acting_as, read_tree, settle_times, write_tree
from trajmill.sandboxes.launch import UNPRIVILEGED, Runtime, find_runtime
from trajmill.sandboxes.oneshot import run_program
from trajmill.sandboxes.rootfs import require_usable
from trajmill.sandboxes.session import WATCH_S, Session
from trajmill.schemas.errors import SandboxError, UnavailableError
from trajmill.schemas.tree import Tree

SETUP_TIMEOUT_S = 120.0
"""Seconds that one setup script may take."""


class BubblewrapBackend:
    """Opens sandboxes on this machine. Needs Linux with user namespaces, bash, and util-linux."""

    name = "bubblewrap"

    def __init__(self, cgroups: bool = True) -> None:
        """``cgroups``: whether the kernel's control groups are used where they can be."""
        self._runtime: Runtime | None = None
        self._groups = Groups(cgroups)
        self._proved = False

    @asynccontextmanager
    async def open(self, spec: SandboxSpec) -> AsyncIterator[BubblewrapSandbox]:
        """Open a sandbox and remove it at exit.

        Raises UnavailableError if this machine cannot open sandboxes at all (with the remedy), UsageError for a spec
        that no sandbox can serve, SandboxError with cause ``start_failed`` or ``setup_failed``.
        """
        require_usable(spec)
        if self._runtime is None:
            self._runtime = find_runtime()
        async with self._groups.group(bounds_of(spec)) as group:
            enclosure = Enclosure(self._runtime, spec, group)
            box = BubblewrapSandbox(enclosure)
            try:
                await self._start(enclosure)
                await box.prepare()
                yield box
            finally:
                await box.close()

    async def probe(self) -> None:
        """Open a sandbox and run a program in it. Raises UnavailableError with the remedy if that cannot work here."""
        try:
            async with self.open(SandboxSpec(label="probe")) as box:
                done = await box.exec(["true"], timeout=30)
        except SandboxError as error:
            raise _unavailable(error.message) from error
        if done.exit_code != 0:
            raise _unavailable(done.stderr.decode("utf-8", "replace").strip())

    def limits_in_force(self) -> str:
        """Says for a reader what keeps the limits on this machine."""
        return in_force(self._groups.places) or f"rlimits and a watch every {WATCH_S * 1000:.0f} ms"

    async def _start(self, enclosure: Enclosure) -> None:
        try:
            await enclosure.start()
        except SandboxError as error:
            if self._proved or not _FORBIDDEN.search(error.message):
                raise
            raise _unavailable(error.message) from error
        self._proved = True


class BubblewrapSandbox:
    """One open sandbox; see ``sandboxes.base.Sandbox`` for what its methods promise."""

    def __init__(self, enclosure: Enclosure) -> None:
        self._enclosure = enclosure
        self._session: Session | None = None
        self._turn = asyncio.Lock()
        self._lost = False
        self._broken: Killed = ""
        self._quiet = False

    async def prepare(self) -> None:
        """Write the spec's files and run its setup. Raises SandboxError."""
        spec, began = self._enclosure.spec, time.time() - 1
        await self.put(spec.files, spec.workdir)
        for number, script in enumerate(spec.setup, 1):
            done = await self.exec(["/bin/bash", "-c", script], timeout=SETUP_TIMEOUT_S)
            if done.exit_code != 0:
                said = done.stderr.decode("utf-8", "replace").strip()[-500:]
                why = "took too long" if done.timed_out else f"ended with {done.exit_code}: {said}"
                raise SandboxError(f"Setup script {number} {why}", cause="setup_failed", retryable=done.timed_out)
        if spec.setup:
            with acting_as(UNPRIVILEGED):
                settle_times(self._enclosure.root, spec.workdir, began)

    async def run(self, command: str, *, timeout: float) -> CommandResult:
        """Run a command in the persistent shell."""
        async with self._turn:
            if self._quiet:
                raise SandboxError("The session was ended by quiesce.", cause="quiesced", retryable=False)
            if self._session is not None and not self._session.alive:
                self._lost, self._broken = True, self._session.broken
                await self._end_session()
            if self._session is None:
                await self._begin_session()
            session = self._session
            assert session is not None
            result = await session.run(command, timeout)
            result = replace(
                result, state_lost=result.state_lost or self._lost, killed_for=result.killed_for or self._broken
            )
            self._lost, self._broken = False, ""
            if not session.alive:
                await self._end_session()
            return result

    async def exec(
        self, argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str] | None = None, timeout: float
    ) -> ExecResult:
        """Run one program apart from the session; its output is cut like a command's, each stream by itself."""
        await self._require_open()
        try:
            return await run_program(self._enclosure, argv, stdin=stdin, env=env or {}, timeout=timeout)
        except OSError as error:
            raise SandboxError(f"A program could not be started: {error}.", cause="start_failed") from error

    async def put(self, tree: Tree, folder: str) -> None:
        """Write a tree below an absolute folder; links in the way are replaced, never followed."""
        await self._require_open()
        with acting_as(UNPRIVILEGED):
            write_tree(self._enclosure.root, tree, folder)
        await self._enclosure.require_alive()

    async def get(self, folder: str, *, max_bytes: int = 64 * 1024 * 1024, max_entries: int = 20_000) -> Tree:
        """Read all below an absolute folder; links are kept as links."""
        await self._require_open()
        tree = read_tree(self._enclosure.root, folder, max_bytes=max_bytes, max_entries=max_entries)
        await self._enclosure.require_alive()
        return tree

    async def quiesce(self) -> None:
        """Kill the session and everything it started; safe to call twice."""
        self._quiet = True
        if self._session is not None:
            self._session.kill_now()
        async with self._turn:
            await self._end_session()
        await self._enclosure.require_alive()

    async def close(self) -> None:
        """Kill everything and wait until it is gone; safe to call twice and on a sandbox that never started."""
        if self._session is not None:
            self._session.kill_now()
        try:
            await self._enclosure.stop()
        finally:
            await self._end_session()

    async def _require_open(self) -> None:
        if self._enclosure.root < 0:
            raise SandboxError("The sandbox is not open.", cause="sandbox_died")

    async def _begin_session(self) -> None:
        await self._require_open()
        self._session = Session(self._enclosure)
        try:
            await self._session.start()
        except OSError as error:
            await self._end_session()
            raise SandboxError(f"The shell could not be started: {error}.", cause="start_failed") from error
        except BaseException:
            await self._end_session()
            raise

    async def _end_session(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None


_FORBIDDEN = re.compile(
    r"namespace|uid map|gid map|setgroups|RTM_NEWADDR|Operation not permitted|Permission denied|No space left|mount"
)
_SWITCHES = (
    ("kernel/apparmor_restrict_unprivileged_userns", "0", "or give bwrap an AppArmor profile that allows userns"),
    ("kernel/unprivileged_userns_clone", "1", ""),
    ("user/max_user_namespaces", "10000", ""),
)


def _unavailable(said: str) -> UnavailableError:
    remedies = []
    for name, wanted, otherwise in _SWITCHES:
        path = Path("/proc/sys") / name
        value = path.read_text().strip() if path.is_file() else wanted
        if (value == "0") != (wanted == "0"):
            remedies.append(f"`sysctl -w {name.replace('/', '.')}={wanted}` {otherwise}".strip())
    if not remedies:
        remedies = [
            "let unprivileged processes make user namespaces (sysctl, AppArmor, or the container's seccomp profile)"
        ]
    return UnavailableError(
        f"This machine does not allow bubblewrap sandboxes: {said}",
        remedy=f"As an administrator, {'; '.join(remedies)}; or use the docker backend.",
    )
