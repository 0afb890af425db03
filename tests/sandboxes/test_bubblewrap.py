from __future__ import annotations

import asyncio
import gc
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from trajmill.sandboxes import bubblewrap as module
from trajmill.sandboxes.base import CommandResult, Sandbox, SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.sandboxes.launch import find_runtime
from trajmill.schemas.errors import SandboxError, UnavailableError, UsageError
from trajmill.schemas.tree import FILE_TIME, FileEntry, Tree

pytestmark = pytest.mark.sandbox

Ask = Callable[..., CommandResult]


@pytest.fixture
def ask(bubblewrap: BubblewrapBackend) -> Ask:
    """Run one command in a fresh sandbox."""

    def run(command: str) -> CommandResult:
        async def main() -> CommandResult:
            async with bubblewrap.open(SandboxSpec()) as box:
                return await box.run(command, timeout=20)

        return asyncio.run(main())

    return run


HOST = "/root /etc/shadow /etc/ssh /var/run/docker.sock /run/docker.sock /dev/sda /dev/vda /dev/mem /boot /opt /mnt"
SYSTEM = "/usr/bin/x /usr/local/bin/x /etc/x /x /dev/x /run/x /run/command /sys/x /var/x /proc/sys/x"


@pytest.mark.parametrize("path", HOST.split())
def test_nothing_of_the_host_is_there(ask: Ask, path: str) -> None:
    assert ask(f"ls -d {path}").exit_code == 2


def test_only_the_own_home_is_there_and_local_tools_are_hidden(ask: Ask) -> None:
    assert ask("ls /home; ls -A /usr/local ~ /tmp").output == "agent\n/home/agent:\n\n/tmp:\n\n/usr/local:\n"


def test_kernel_command_line_and_keys_are_hidden(ask: Ask) -> None:
    assert ask("cat /proc/cmdline /proc/keys").output == ""


def test_nothing_of_the_drivers_environment_leaks_in(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    monkeypatch.setenv("LD_PRELOAD", "")
    output = ask("env; tr '\\0' '\\n' < /proc/1/environ; tr '\\0' '\\n' < /proc/$$/environ").output
    assert "hunter2" not in output
    assert "LD_" not in ask("env").output


def test_environment_is_fixed(ask: Ask) -> None:
    output = ask('id -un; id -u; hostname; umask; echo "$HOME $TZ $LANG $GIT_AUTHOR_DATE"; git init -q . && pwd').output
    assert output == "agent\n1000\nsandbox\n0022\n/home/agent UTC C.UTF-8 2024-01-01T00:00:00Z\n/workspace\n"


def test_there_is_no_network(ask: Ask) -> None:
    assert ask("cat /proc/net/dev | tail -n +3 | cut -d: -f1").output.split() == ["lo"]
    assert ask("exec 3<>/dev/tcp/1.1.1.1/53").output.count("unreachable") == 2
    assert (
        "not supported" in ask("python3 -c 'import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)'").output
    )


@pytest.mark.parametrize("path", SYSTEM.split())
def test_system_folders_cannot_be_written(ask: Ask, path: str) -> None:
    assert ask(f"echo x > {path}").exit_code == 1


def test_no_namespace_no_mount_no_capability_no_device(ask: Ask) -> None:
    assert ask("unshare -U true").exit_code == 1
    assert ask("unshare -m true").exit_code == 1
    assert ask("mount -t tmpfs x /tmp").exit_code != 0
    assert ask("mknod d b 8 0 || mknod c c 1 3").exit_code == 1
    output = ask("grep -E '^(Cap|NoNewPrivs)' /proc/self/status").output
    assert {line.split()[1] for line in output.splitlines()} == {"0" * 16, "1"}


def test_calls_that_attack_the_kernel_or_hide_memory_are_denied(ask: Ask) -> None:
    numbers = {"x86_64": (321, 250, 425), "aarch64": (280, 219, 425)}[platform.machine()]
    script = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    script += "".join(f"print(libc.syscall({n}, 0, 0, 0, 0, 0), ctypes.get_errno())\n" for n in numbers)
    assert ask(f"python3 -c '{script}'").output == "-1 1\n" * 3
    assert "PermissionError" in ask("python3 -c 'import os; os.memfd_create(\"x\")'").output


def test_setuid_programs_gain_nothing(ask: Ask) -> None:
    assert ask("find /usr/bin -perm -4000 | grep -c .").exit_code == 0
    assert ask("su -c id root </dev/null").exit_code != 0
    assert ask("cp /usr/bin/id ~/id; chmod 4755 ~/id; ~/id -u").output == "1000\n"


def test_only_own_processes_show_and_nothing_else_can_be_signalled(ask: Ask) -> None:
    listing = ask("ls /proc | grep -c '^[0-9]'; kill -9 -1; echo not here").output
    assert int(listing.split()[0]) <= 5
    assert ask("for p in $(seq 2 400); do [ $p = $$ ] || kill -9 $p; done 2>/dev/null; echo alive").output == "alive\n"


def test_transfer_needs_nothing_of_the_session(bubblewrap: BubblewrapBackend) -> None:
    async def main() -> None:
        async with bubblewrap.open(SandboxSpec(files=Tree({"f": FileEntry(b"x")}))) as box:
            await box.run("kill -9 -1; ulimit -n 0", timeout=5)
            await box.run("while :; do :; done &", timeout=5)
            assert (await box.get("/workspace")).file("f") == FileEntry(b"x")

    asyncio.run(main())


def killed_from_outside(box: Sandbox) -> None:
    number = box._enclosure._number  # type: ignore[attr-defined]
    os.kill(number, signal.SIGKILL)


def test_dead_sandbox_raises_and_never_gives_output(bubblewrap: BubblewrapBackend) -> None:
    async def main() -> None:
        async with bubblewrap.open(SandboxSpec(files=Tree({"f": FileEntry(b"x")}))) as box:
            await box.run("true", timeout=5)
            running = asyncio.create_task(box.run("echo early; sleep 50", timeout=60))
            program = asyncio.create_task(box.exec(["sleep", "50"], timeout=60))
            await asyncio.sleep(0.1)
            killed_from_outside(box)
            attempts = [running, program, box.run("true", timeout=5), box.exec(["true"], timeout=5)]
            attempts += [box.get("/workspace"), box.put(Tree({"g": FileEntry(b"")}), "/workspace"), box.quiesce()]
            for attempt in attempts:
                with pytest.raises(SandboxError) as caught:
                    await attempt
                assert caught.value.cause == "sandbox_died"

    asyncio.run(main())


DRIVER = """
import asyncio, sys
from trajmill.sandboxes.base import SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
async def main():
    async with BubblewrapBackend().open(SandboxSpec(label=sys.argv[1])) as box:
        await box.run("sleep 4711 & setsid sleep 4711 & echo", timeout=30)
        print("ready", flush=True)
        await box.run("sleep 4711", timeout=60)
asyncio.run(main())
"""


def test_nothing_outlives_a_driver_that_is_killed(bubblewrap: BubblewrapBackend) -> None:
    label = f"orphan-{os.getpid()}"
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, label], stdout=subprocess.PIPE)
    with driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == b"ready\n"
        assert label in processes()
        driver.kill()
    deadline = time.monotonic() + 10
    while (label in processes() or "sleep 4711" in processes()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert label not in processes()
    assert "sleep 4711" not in processes()


INHERITS = """
import asyncio
from trajmill.sandboxes.base import SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
LOOK = "umask; trap; grep SigIgn /proc/self/status | cut -f2"
async def main():
    async with BubblewrapBackend().open(SandboxSpec()) as box:
        print((await box.run(LOOK, timeout=9)).output, end="")
        print((await box.exec(["bash", "-c", LOOK], timeout=9)).stdout.decode(), end="")
        print((await box.run("sleep 9; touch after", timeout=0.2)).timed_out, list(await box.get("/workspace")))
asyncio.run(main())
"""


def test_signals_and_umask_of_the_driver_do_not_matter(bubblewrap: BubblewrapBackend) -> None:
    shell = 'trap \'\' INT QUIT TERM; umask 077; exec "$0" -c "$1"'
    done = subprocess.run(["bash", "-c", shell, sys.executable, INHERITS], capture_output=True, text=True, check=True)
    umask, ignored, once_umask, once_ignored, *rest = done.stdout.split("\n")
    assert (umask, once_umask, rest) == ("0022", "0022", ["True []", ""])
    # Signals 32 and 33 are the C library's own: no program can set them, so a test runner may hand them on ignored.
    assert not any(int(mask, 16) & ~(0b11 << 31) for mask in (ignored, once_ignored))


def test_times_of_the_own_folders_are_fixed(ask: Ask) -> None:
    output = ask("stat -c %Y / /bin /etc /etc/passwd /home /home/agent /run /tmp /var /workspace").output
    assert set(output.split()) == {str(FILE_TIME)}


def processes() -> str:
    return subprocess.run(["ps", "-eo", "args="], capture_output=True, text=True, check=True).stdout


def descriptors() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> list[str]:
    listing = ["ps", "-o", "args=", "--ppid", str(os.getpid())]
    found = subprocess.run(listing, capture_output=True, text=True, check=False)
    return [line for line in found.stdout.splitlines() if not line.startswith("ps ")]


def test_nothing_is_left_after_use_error_and_cancellation(
    bubblewrap: BubblewrapBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def used(delay: float | None) -> None:
        async with bubblewrap.open(SandboxSpec(setup=("sleep 0.02",))) as box:
            await box.run("sleep 100 & echo hi", timeout=5)
            await box.exec(["true"], timeout=5)
            if delay is None:
                raise ValueError
            await box.run("sleep 60", timeout=0.01 if delay == 0 else 60)

    async def main() -> None:
        others = children()  # such as a server that another test of this process keeps
        await used(0)
        before = descriptors()
        with pytest.raises(ValueError):  # noqa: PT011 - our own, raised above
            await used(None)
        for step in range(24):
            task = asyncio.create_task(used(1))
            await asyncio.sleep(step * 0.006)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert descriptors() == before
        assert list(tmp_path.iterdir()) == []
        assert children() == others

    asyncio.run(main())


def test_timeout_before_a_program_has_entered_ends_it_and_spares_the_sandbox(bubblewrap: BubblewrapBackend) -> None:
    async def main() -> None:
        async with bubblewrap.open(SandboxSpec()) as box:
            for step in range(30):
                began = time.monotonic()
                assert (await box.exec(["sleep", "30"], timeout=0.004 + step * 0.001)).timed_out
                assert time.monotonic() - began < 20
            assert (await box.exec(["true"], timeout=30)).exit_code == 0

    asyncio.run(main())


def test_many_sandboxes_work_side_by_side_and_stay_apart(bubblewrap: BubblewrapBackend) -> None:
    async def one(number: int) -> str:
        async with bubblewrap.open(SandboxSpec(label=f"unit-{number}")) as box:
            await box.run(f"echo {number} > f; x={number}; sleep 0.05", timeout=30)
            return (await box.run("cat f; echo $x; ls | wc -l", timeout=30)).output

    async def main() -> list[str]:
        return await asyncio.gather(*(one(number) for number in range(12)))

    assert asyncio.run(main()) == [f"{number}\n{number}\n1\n" for number in range(12)]


def test_label_shows_in_the_process_list_of_the_host_only(bubblewrap: BubblewrapBackend) -> None:
    async def main() -> None:
        async with bubblewrap.open(SandboxSpec(label="unit-label-4711")) as box:
            assert any("unit-label-4711" in line for line in children())
            result = await box.run("cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ | tr '\\0' '\\n'", timeout=5)
            assert "PATH=" in result.output
            assert "4711" not in result.output

    asyncio.run(main())


@pytest.mark.parametrize(
    "spec",
    [
        SandboxSpec(workdir="/usr/x"),
        SandboxSpec(workdir="/"),
        SandboxSpec(workdir="work"),
        SandboxSpec(workdir="/a/../b"),
        SandboxSpec(user="root"),
        SandboxSpec(user="a b"),
        SandboxSpec(env={"A=B": "c"}),
        SandboxSpec(env={"A": "\0"}),
    ],
)
def test_spec_that_cannot_be_served_is_a_usage_error(bubblewrap: BubblewrapBackend, spec: SandboxSpec) -> None:
    async def main() -> None:
        async with bubblewrap.open(spec):
            raise AssertionError("must not open")

    with pytest.raises(UsageError):
        asyncio.run(main())


@pytest.mark.parametrize("workdir", ["/app", "/home/agent", "/home/agent/project", "/srv/deep/er"])
def test_workdir_user_and_variables_are_the_specs(bubblewrap: BubblewrapBackend, workdir: str) -> None:
    async def main() -> str:
        spec = SandboxSpec(workdir=workdir, env={"MODE": "a b", "TZ": "CET"}, files=Tree({"f": FileEntry(b"")}))
        async with bubblewrap.open(spec) as box:
            return (await box.run('pwd; ls; echo "$MODE $TZ"; touch new', timeout=5)).output

    assert asyncio.run(main()) == f"{workdir}\nf\na b CET\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives up the right to enter folders of root")
def test_program_in_a_folder_that_only_root_can_enter_still_works(
    bubblewrap: BubblewrapBackend, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found, home = find_runtime(), tmp_path / "home"
    moved = []
    for file in (found.bwrap, *found.libraries):
        copy = home / Path(file).relative_to("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
        moved.append(str(copy))
    home.chmod(0o700)
    runtime = replace(found, bwrap=moved[0], libraries=tuple(moved[1:]))
    monkeypatch.setattr(module, "find_runtime", lambda: runtime)
    asyncio.run(BubblewrapBackend().probe())


def test_machine_without_user_namespaces_is_told_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    fake.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setattr(module, "find_runtime", lambda: replace(find_runtime(), bwrap=str(fake), libraries=()))

    async def main() -> None:
        await BubblewrapBackend().probe()

    with pytest.raises(UnavailableError, match=r"uid map: Permission denied.*administrator") as caught:
        asyncio.run(main())
    assert caught.value.exit_code == 3
