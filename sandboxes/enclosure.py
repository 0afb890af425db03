"""The outer level of a sandbox: the namespaces and the files, held open by one idle process.

The holder is ``cat`` on a pipe from the driver: it answers a byte with the same byte, which proves that the sandbox is
alive, and it ends when the driver does. Programs enter through ``enter``, each in an inner level of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from trajmill.sandboxes.base import SandboxSpec
from trajmill.sandboxes.cgroups import Group
from trajmill.sandboxes.files import acting_as
from trajmill.sandboxes.launch import UNPRIVILEGED, Child, Runtime, memory_file
from trajmill.sandboxes.processes import ProcessTable
from trajmill.sandboxes.rootfs import (
    COMMAND_FILE,
    TOOLS,
    inner_arguments,
    limit_arguments,
    outer_arguments,
    synthetic_etc,
    writable_folders,
)
from trajmill.sandboxes.syscalls import denied_calls_filter
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.tree import FILE_TIME

_ANSWER_S = 30.0
"""Seconds within which a live holder must answer; a busy machine may need some of them."""
_MAX_INODES = 200_000
"""Files in one writable folder beyond which it counts as full: empty files cost memory that no size limit sees."""


class Enclosure:
    """One outer level; made by ``start``, ended by ``stop``, which is safe at any time and more than once."""

    def __init__(self, runtime: Runtime, spec: SandboxSpec, group: Group) -> None:
        self.spec = spec
        self.group = group
        self._runtime = runtime
        self._loop = asyncio.get_running_loop()
        self._open: list[int] = []
        self._child: Child | None = None
        self._messages = -1
        self._to_holder = -1
        self._from_holder = -1
        self._first = -1
        self._number = 0
        self._call_filter = denied_calls_filter()
        self._question = 0
        self._asking = asyncio.Lock()
        self.root = -1
        """Descriptor of the root folder inside."""

    async def start(self) -> None:
        """Open it. Raises SandboxError with cause ``start_failed`` and what bwrap said."""
        try:
            info = self._launch()
        except OSError as error:
            raise SandboxError(f"The sandbox could not be started: {error}.", cause="start_failed") from error
        try:
            if not await self._answers():
                raise SandboxError(f"The sandbox did not start: {self.said()}", cause="start_failed")
            self._number = json.loads(os.read(info, 4096))["child-pid"]
            self._first = self._keep(os.open(f"/proc/{self._number}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            self.root = self._keep(os.open("root", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._first))
        except (OSError, ValueError, KeyError) as error:
            raise SandboxError(f"The sandbox did not start: {error}; {self.said()}", cause="start_failed") from error
        finally:
            os.close(info)
        with acting_as(UNPRIVILEGED):
            for folder in (".", "etc", "home", "run", "var"):
                self._settle_times(folder)

    async def stop(self) -> None:
        """Kill everything inside and wait until it is gone."""
        self._kill()
        try:
            if self._child is not None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_ANSWER_S):
                        await self._child.wait()
        finally:
            if self._child is not None:
                self._child.reap()
            while self._open:
                os.close(self._open.pop())
            self.root = self._first = self._messages = -1

    async def require_alive(self) -> None:
        """Raise SandboxError with cause ``sandbox_died`` unless the holder answers."""
        if self.root < 0 or not await self._answers():
            raise SandboxError("The sandbox is dead: its holder does not answer.", cause="sandbox_died")

    def enter(
        self,
        argv: Sequence[str],
        *,
        stdin: int,
        stdout: int,
        stderr: int,
        info: int,
        keep: Sequence[int],
        env: Mapping[str, str],
    ) -> Child:
        """Start a program in an inner level of its own; ``info`` gets the number of that level's first process."""
        with contextlib.ExitStack() as after:
            call_filter = _passed(after, memory_file(self._call_filter)) if self._call_filter else None
            arguments = _passed(after, memory_file(_separated(inner_arguments(self.spec, env, call_filter))))
            command = [
                *self.group.entry(),
                *self._runtime.drop,
                *(self._runtime.prlimit, *limit_arguments(self.spec.limits), "--"),
                *(self._runtime.nsenter, "-U", "-m", "-u", "-n", "-p", "--preserve-credentials"),
                *("-t", str(self._number), "--", f"{TOOLS}/bwrap", "--info-fd", str(info)),
                *("--args", str(arguments), "--", *argv),
            ]
            kept = [info, arguments, *([call_filter] if call_filter is not None else []), *keep]
            return Child(command, stdin=stdin, stdout=stdout, stderr=stderr, keep=kept, env={"LD_LIBRARY_PATH": TOOLS})

    def table(self, info: bytes) -> ProcessTable:
        """The processes of the inner level that wrote ``info``. Raises SandboxError if that level is not up.

        A level that is still being built shows the outer level's processes, which must never be taken for its own.
        """
        try:
            number = int(json.loads(info)["child-pid"])
            proc = os.open(f"proc/{number}/root/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self.root)
        except (OSError, ValueError, KeyError) as error:
            raise SandboxError(f"A program could not enter the sandbox: {error}.", cause="start_failed") from error
        if os.fstat(proc).st_dev == os.stat("proc", dir_fd=self.root).st_dev:
            os.close(proc)
            raise SandboxError("A program has not entered the sandbox yet.", cause="start_failed")
        return ProcessTable(proc)

    def kill_level(self, info: bytes) -> None:
        """Kill the inner level that wrote ``info`` while it is still being built; nothing if it has not been begun."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            number = int(json.loads(info)["child-pid"])
            first = os.open(f"proc/{number}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self.root)
            try:
                signal.pidfd_send_signal(first, signal.SIGKILL)
            finally:
                os.close(first)

    def write_command(self, command: bytes) -> None:
        """Replace the content of the session's command file."""
        flags = os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with acting_as(UNPRIVILEGED):
                fd = os.open(COMMAND_FILE.lstrip("/"), flags, dir_fd=self.root)
        except OSError as error:
            raise SandboxError("The sandbox is dead: its files are gone.", cause="sandbox_died") from error
        try:
            view = memoryview(command)
            while view:
                view = view[os.write(fd, view) :]
        finally:
            os.close(fd)

    def full(self) -> bool:
        """True if one of the writable folders has no room left."""
        return any(found.f_bavail == 0 for found in self._file_systems())

    def overrun(self) -> bool:
        """True if one of the writable folders holds far more files than any task needs."""
        return any(found.f_files - found.f_ffree > _MAX_INODES for found in self._file_systems())

    def _file_systems(self) -> Iterator[os.statvfs_result]:
        for folder in writable_folders(self.spec):
            with contextlib.suppress(OSError):
                fd = os.open(folder.lstrip("/"), os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self.root)
                try:
                    yield os.fstatvfs(fd)
                finally:
                    os.close(fd)

    def said(self) -> str:
        """What the outer bwrap said on its standard error."""
        return os.pread(self._messages, 2000, 0).decode("utf-8", "replace").strip() if self._messages >= 0 else ""

    def _settle_times(self, folder: str) -> None:
        """Give a folder and the names in it the fixed time, as far as they are not the host's."""
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self.root)
        try:
            for name in (*os.listdir(fd), "."):  # noqa: PTH208 - pathlib cannot list a descriptor
                with contextlib.suppress(OSError):
                    os.utime(name, (FILE_TIME, FILE_TIME), dir_fd=fd, follow_symlinks=False)
        finally:
            os.close(fd)

    def _launch(self) -> int:
        """Start the outer bwrap; gives the descriptor on which it tells its child's number."""
        with contextlib.ExitStack() as after:
            files = {path: _passed(after, memory_file(data)) for path, data in synthetic_etc(self.spec).items()}
            files[COMMAND_FILE] = _passed(after, memory_file(b""))
            for name in (self._runtime.bwrap, *self._runtime.libraries):
                files[f"{TOOLS}/{Path(name).name}"] = _passed(after, os.open(name, os.O_RDONLY | os.O_CLOEXEC))
            program = _passed(after, os.open(self._runtime.bwrap, os.O_RDONLY | os.O_CLOEXEC))
            info, info_end = _pipe()
            after.callback(os.close, info_end)
            failed = after.enter_context(contextlib.ExitStack())
            failed.callback(os.close, info)
            holder_end, self._to_holder = _pipe()
            self._open.append(self._to_holder)
            after.callback(os.close, holder_end)
            self._from_holder, answer_end = _pipe()
            self._open.append(self._from_holder)
            after.callback(os.close, answer_end)
            self._messages = self._keep(memory_file(b""))
            os.set_blocking(self._from_holder, False)
            arguments = _passed(after, memory_file(_separated(outer_arguments(self.spec, files))))
            # bwrap holds the reading end too: if the driver is killed now, it writes its child's number and goes on to
            # the holder, instead of dying of the broken pipe and leaving a child that waits for its go-ahead for ever.
            kept = [program, info, info_end, arguments, *files.values()]
            env = {}
            if self._runtime.libraries:
                folder = str(Path(self._runtime.libraries[0]).parent)
                kept.append(_passed(after, os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)))
                env["LD_LIBRARY_PATH"] = f"/proc/self/fd/{kept[-1]}"
            label = self.spec.label.replace("\0", "") or "sandbox"
            command = [*self._runtime.drop, f"/proc/self/fd/{program}", "--setenv", "TRAJMILL_LABEL", label]
            command += ["--info-fd", str(info_end), "--args", str(arguments), "--", "/bin/cat"]
            self._child = Child(command, stdin=holder_end, stdout=answer_end, stderr=self._messages, keep=kept, env=env)
            failed.pop_all()
            return info

    async def _answers(self) -> bool:
        async with self._asking:
            self._question = (self._question + 1) % 256
            try:
                os.write(self._to_holder, bytes([self._question]))
            except OSError:
                return False
            answered: asyncio.Future[bool] = self._loop.create_future()
            self._loop.add_reader(self._from_holder, self._hear, answered)
            try:
                async with asyncio.timeout(_ANSWER_S):
                    return await answered
            except TimeoutError:
                return False
            finally:
                self._loop.remove_reader(self._from_holder)

    def _hear(self, answered: asyncio.Future[bool]) -> None:
        with contextlib.suppress(BlockingIOError):
            said = os.read(self._from_holder, 4096)
            if not answered.done() and (not said or said[-1] == self._question):
                answered.set_result(bool(said))

    def _kill(self) -> None:
        if self._first >= 0:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
        elif self._child is not None:
            self._child.kill()

    def _keep(self, fd: int) -> int:
        self._open.append(fd)
        return fd


def _pipe() -> tuple[int, int]:
    return os.pipe2(os.O_CLOEXEC)


def _passed(after: contextlib.ExitStack, fd: int) -> int:
    after.callback(os.close, fd)
    return fd


def _separated(arguments: Sequence[str]) -> bytes:
    """Arguments in the form that ``bwrap --args`` reads."""
    return b"".join(part.encode("utf-8", "surrogateescape") + b"\0" for part in arguments)
