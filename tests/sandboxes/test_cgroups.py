from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from trajmill.sandboxes.base import CommandResult, ExecResult, Limits, SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend, BubblewrapSandbox
from trajmill.sandboxes.cgroups import Bounds, Group, Groups, Refusals, bounds_of, in_force, remove_group, settings
from trajmill.sandboxes.files import acting_as
from trajmill.sandboxes.hierarchies import Place, hierarchies, read_text
from trajmill.sandboxes.launch import UNPRIVILEGED
from trajmill.schemas.errors import SandboxError

pytestmark = pytest.mark.sandbox

MIB = 1024 * 1024
PLACES = Groups().places


def needs(*controllers: str) -> pytest.MarkDecorator:
    here = {name for place in PLACES for name in place.controllers}
    missing = ", ".join(name for name in controllers if name not in here)
    return pytest.mark.skipif(bool(missing), reason=f"no control group can be made here for {missing}")


def run_in(backend: BubblewrapBackend, *commands: str, **limits: Any) -> list[CommandResult]:
    async def main() -> list[CommandResult]:
        async with backend.open(SandboxSpec(limits=Limits(**limits))) as box:
            return [await box.run(command, timeout=20) for command in commands]

    return asyncio.run(main())


def groups_of(number: int) -> list[Path]:
    """All groups on this machine that a driver made."""
    found = [path for place in PLACES for path in place.folder.glob("trajmill-*")]
    return [path for path in found if path.name.split("-")[2] == str(number)]


@pytest.fixture(params=[True, False], ids=["cgroups", "rlimits"])
def either(request: pytest.FixtureRequest, bubblewrap: BubblewrapBackend) -> BubblewrapBackend:
    """A backend with control groups where they can be made, and one without."""
    return BubblewrapBackend(cgroups=request.param)


@pytest.mark.parametrize(
    "hog",
    [
        "python3 -c 'import time\nx = bytearray(200_000_000)\ntime.sleep(9)'",
        "for i in 1 2 3 4 5 6; do python3 -c 'import time\nx = bytearray(40_000_000)\ntime.sleep(9)' & done; wait",
        "python3 -c 'x = bytearray(4_000_000_000)' || echo after; true",
    ],
)
def test_memory_is_bounded_and_the_hog_named_either_way(either: BubblewrapBackend, hog: str) -> None:
    result, after = run_in(either, hog, "echo $?; pgrep -c python", memory_mb=100, disk_mb=8)
    assert (result.killed_for, result.exit_code, result.timed_out) == ("memory", None, False)
    assert after.output == "130\n0\n"


@pytest.mark.parametrize("bomb", ["f() { f | f; }; f", "f() { f | f & }; f; sleep 30"])
def test_fork_bomb_is_stopped_and_named_either_way(either: BubblewrapBackend, bomb: str) -> None:
    result, after = run_in(either, bomb, "echo alive", processes=40)
    assert (result.killed_for, result.timed_out) == ("processes", False)
    assert after.output == "alive\n"


def test_bomb_in_the_background_is_stopped_either_way(either: BubblewrapBackend) -> None:
    waits = ["sleep 0.6"] * 5  # the first are killed with the bomb; a busy machine needs more than one
    after = run_in(either, "f() { f | f & }; f", *waits, "pgrep -c .")[-1]
    assert int(after.output) < 10


def test_program_apart_that_breaks_a_limit_has_no_exit_code_either_way(either: BubblewrapBackend) -> None:
    async def main() -> ExecResult:
        async with either.open(SandboxSpec(limits=Limits(memory_mb=64, disk_mb=8))) as box:
            return await box.exec(["python3", "-c", "x = bytearray(2_000_000_000)"], timeout=20)

    done = asyncio.run(main())
    assert (done.exit_code, done.timed_out) == (None, False)


@needs("cpu")
def test_processor_time_is_bounded(bubblewrap: BubblewrapBackend) -> None:
    loop = "import time\nend = time.time() + 1\nwhile time.time() < end: pass\nprint(time.process_time())"
    both = f"python3 -c '{loop}' & python3 -c '{loop}'; wait"
    (result,) = run_in(bubblewrap, both, cpus=0.25)
    assert 0 < sum(map(float, result.output.split())) < 0.5


SHARED = """python3 -c '
import ctypes
c = ctypes.CDLL(None)
c.shmat.restype = ctypes.c_void_p
for _ in range(100):
    at = c.shmat(c.shmget(0, 10_000_000, 0o1600), None, 0)
    ctypes.memset(at, 1, 10_000_000)
    c.shmdt(ctypes.c_void_p(at))
print("all of it")
'"""


@needs("memory")
def test_memory_that_no_process_maps_is_bounded_and_freed_with_the_session(bubblewrap: BubblewrapBackend) -> None:
    result, _, after = run_in(bubblewrap, SHARED, "exit", "ipcs -m | grep -c 0x", memory_mb=64, disk_mb=8)
    assert (result.killed_for, result.exit_code, "all of it" in result.output) == ("memory", None, False)
    assert after.output == "0\n"


@needs("memory")
def test_hog_that_is_killed_between_two_commands_costs_the_session(bubblewrap: BubblewrapBackend) -> None:
    hog = "(sleep 0.1; exec python3 -c 'x = bytearray(4_000_000_000)') & x=5"

    async def main() -> CommandResult:
        async with bubblewrap.open(SandboxSpec(limits=Limits(memory_mb=64, disk_mb=8))) as box:
            await box.run(hog, timeout=5)
            deadline = time.monotonic() + 10
            while box._session is not None and box._session.alive and time.monotonic() < deadline:
                await asyncio.sleep(0.02)
            return await box.run("echo ${x:-lost}", timeout=5)

    after = asyncio.run(main())
    assert (after.output, after.killed_for, after.state_lost) == ("lost\n", "memory", True)


@needs("pids")
def test_refused_processes_of_a_short_command_are_named(bubblewrap: BubblewrapBackend) -> None:
    script = "import os, sys\ntry:\n    for _ in range(99): os.fork() or os._exit(0)\nexcept OSError: sys.exit(7)"
    burst = f"python3 -c '{script}'"
    (result,) = run_in(bubblewrap, burst, processes=40)
    assert result.killed_for == "processes"


@pytest.mark.skipif(not PLACES, reason="no control group can be made here")
def test_a_command_sees_nothing_of_its_group(bubblewrap: BubblewrapBackend) -> None:
    (result,) = run_in(bubblewrap, "cut -d: -f3 /proc/self/cgroup; ls -A /sys")
    assert set(result.output.split()) == {"/"}


@pytest.mark.skipif(not PLACES, reason="no control group can be made here")
def test_groups_are_there_while_a_sandbox_is_open_and_gone_after_use_error_and_cancellation(
    bubblewrap: BubblewrapBackend,
) -> None:
    async def used(delay: float | None) -> None:
        async with bubblewrap.open(SandboxSpec()) as box:
            assert len(groups_of(os.getpid())) == len(PLACES)
            await box.run("sleep 100 & setsid sleep 100 &", timeout=5)
            if delay is None:
                raise ValueError
            await box.exec(["sleep", "60"], timeout=delay)

    async def main() -> None:
        await used(0.02)
        assert groups_of(os.getpid()) == []
        with pytest.raises(ValueError):  # noqa: PT011 - our own, raised above
            await used(None)
        assert groups_of(os.getpid()) == []
        for step in range(16):
            task = asyncio.create_task(used(60))
            await asyncio.sleep(step * 0.008)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert groups_of(os.getpid()) == []

    asyncio.run(main())


DRIVER = """
import asyncio
from trajmill.sandboxes.base import SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
async def main():
    async with BubblewrapBackend().open(SandboxSpec()) as box:
        await box.run("sleep 4712 &", timeout=30)
        print("ready", flush=True)
        await box.run("sleep 4712", timeout=60)
asyncio.run(main())
"""


@pytest.mark.skipif(not PLACES, reason="no control group can be made here")
def test_what_a_killed_driver_left_is_removed_by_the_next_start_and_no_other(bubblewrap: BubblewrapBackend) -> None:
    dead, living = (subprocess.Popen([sys.executable, "-c", DRIVER], stdout=subprocess.PIPE) for _ in range(2))
    with dead, living:
        for driver in (dead, living):
            assert driver.stdout is not None
            assert driver.stdout.readline() == b"ready\n"
        dead.kill()
        dead.wait()
        assert len(groups_of(dead.pid)) == len(PLACES)
        deadline = time.monotonic() + 10
        while groups_of(dead.pid) and time.monotonic() < deadline:
            assert Groups().places == PLACES
        assert groups_of(dead.pid) == []
        assert len(groups_of(living.pid)) == len(PLACES)
        living.send_signal(signal.SIGINT)
        living.wait()
        assert groups_of(living.pid) == []


def test_without_groups_nothing_is_made_and_it_is_said(bubblewrap: BubblewrapBackend) -> None:
    backend = BubblewrapBackend(cgroups=False)

    async def main() -> None:
        async with backend.open(SandboxSpec()):
            assert groups_of(os.getpid()) == []

    asyncio.run(main())
    assert backend.limits_in_force() == "rlimits and a watch every 50 ms"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as somebody else")
def test_user_who_may_make_no_group_quietly_gets_none(bubblewrap: BubblewrapBackend) -> None:
    with acting_as(UNPRIVILEGED):
        backend = BubblewrapBackend()
        assert backend.limits_in_force() == "rlimits and a watch every 50 ms"
    asyncio.run(backend.probe())


@pytest.mark.skipif(not PLACES, reason="no control group can be made here")
def test_group_that_cannot_be_made_stops_the_opening_and_leaves_nothing(tmp_path: Path) -> None:
    backend = BubblewrapBackend()
    backend._groups._places = (*PLACES, Place(2, tmp_path / "gone", ("memory",)))

    async def main() -> BubblewrapSandbox:
        async with backend.open(SandboxSpec()) as box:
            return box

    with pytest.raises(SandboxError, match="No control group could be made") as caught:
        asyncio.run(main())
    assert caught.value.cause == "start_failed"
    assert groups_of(os.getpid()) == []


def unified() -> Path | None:
    found = hierarchies(read_text(Path("/proc/self/mountinfo")), read_text(Path("/proc/self/cgroup")))
    return next((each.own for each in found if each.version == 2 and os.access(each.own, os.W_OK)), None)


@pytest.mark.skipif(unified() is None or os.geteuid() != 0, reason="no writable folder of version 2 here")
def test_group_of_version_2_takes_a_program_in_kills_it_and_goes() -> None:
    """Without controllers, which not every machine gives to version 2."""
    own = unified()
    assert own is not None
    group = Group([Place(2, own, ())], f"trajmill-test-{os.getpid()}")
    group.make(Bounds(MIB, 1, 1.0))
    program = subprocess.Popen([*group.entry(), "/bin/sh", "-c", "echo in; exec sleep 60"], stdout=subprocess.PIPE)
    with program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"in\n"
        assert f"trajmill-test-{os.getpid()}" in read_text(Path(f"/proc/{program.pid}/cgroup"))
        asyncio.run(group.remove())
        assert program.wait() == -signal.SIGKILL
    assert group.gone
    assert list(own.glob("trajmill-test-*")) == []


@pytest.mark.skipif(not PLACES, reason="no control group can be made here")
def test_removal_kills_what_is_left_and_only_that() -> None:
    inside, outside = (Group(PLACES[:1], f"trajmill-test-{os.getpid()}-{name}") for name in "io")
    programs = []
    for group in (inside, outside):
        group.make(Bounds(64 * MIB, 64, 1.0))
        programs.append(subprocess.Popen([*group.entry(), "/bin/sh", "-c", "echo; exec sleep 60"], stdout=-1))
    with programs[0], programs[1]:
        for program in programs:
            assert program.stdout is not None
            assert program.stdout.readline() == b"\n"
        asyncio.run(inside.remove())
        assert (inside.gone, programs[0].wait(), programs[1].poll()) == (True, -signal.SIGKILL, None)
        asyncio.run(outside.remove())
    assert outside.gone


def test_a_group_that_is_not_there_counts_as_removed(tmp_path: Path) -> None:
    assert remove_group(tmp_path / "none")


def test_bounds_have_room_for_files_in_memory_and_for_helpers() -> None:
    spec = SandboxSpec(limits=Limits(memory_mb=512, disk_mb=64, processes=128, cpus=1.5))
    assert bounds_of(spec) == Bounds((512 + 4 * 64) * MIB, 144, 1.5)


@pytest.mark.parametrize(
    ("version", "controller", "expected"),
    [
        (1, "memory", {"memory.limit_in_bytes": "7", "memory.memsw.limit_in_bytes": "7"}),
        (2, "memory", {"memory.max": "7", "memory.swap.max": "0"}),
        (1, "pids", {"pids.max": "9"}),
        (2, "pids", {"pids.max": "9"}),
        (1, "cpu", {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "25000"}),
        (2, "cpu", {"cpu.max": "25000 100000"}),
    ],
)
def test_bounds_are_written_as_each_version_wants_them(version: int, controller: str, expected: dict[str, str]) -> None:
    written = {name: value for name, value, _ in settings(version, controller, Bounds(7, 9, 0.25))}
    assert written == expected


def test_what_is_in_force_is_said_in_one_line() -> None:
    own = Path("/own")
    assert in_force([Place(1, own, ("cpu",)), Place(1, own, ("memory",))]) == "cgroup v1 (memory, cpu)"
    assert in_force([Place(2, own, ("pids",)), Place(1, own, ("memory", "cpu"))]) == (
        "cgroup v1 (memory, cpu) and cgroup v2 (pids)"
    )
    assert in_force([]) == ""


def test_memory_is_named_before_processes() -> None:
    assert Refusals(2, 5).since(Refusals(1, 4)) == "memory"
    assert Refusals(1, 5).since(Refusals(1, 4)) == "processes"
    assert Refusals(1, 5).since(Refusals(1, 5)) == ""
