from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from trajmill.sandboxes.hierarchies import Hierarchy, Place, find_places, hierarchies, identity, is_alive

V1 = """\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,xattr,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
"""
V1_OWN = "9:name=systemd:/x\n4:memory:/some:where/deep\n2:cpu,cpuacct:/\n0::/\n"
V2 = "30 23 0:26 {root} {mount} rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
MOUNT = Path("/sys/fs/cgroup")


def test_version_1_is_one_folder_for_each_hierarchy() -> None:
    found = {each.mount.name: each for each in hierarchies(V1, V1_OWN)}
    assert found["memory"] == Hierarchy(1, ("memory",), MOUNT / "memory", MOUNT / "memory/some:where/deep")
    assert found["cpu,cpuacct"] == Hierarchy(1, ("cpu",), MOUNT / "cpu,cpuacct", MOUNT / "cpu,cpuacct")
    assert found["systemd"].controllers == ()
    assert (found["unified"].version, found["unified"].own) == (2, MOUNT / "unified")


@pytest.mark.parametrize(
    ("root", "mount", "membership", "own"),
    [
        ("/", "/sys/fs/cgroup", "/user.slice/a.scope", "/sys/fs/cgroup/user.slice/a.scope"),
        ("/", "/sys/fs/cgroup", "/", "/sys/fs/cgroup"),
        ("/docker/7", "/sys/fs/cgroup", "/docker/7", "/sys/fs/cgroup"),
        ("/docker/7", "/sys/fs/cgroup", "/docker/7/below", "/sys/fs/cgroup/below"),
        ("/", r"/odd\040place", "/x", "/odd place/x"),
    ],
)
def test_own_folder_is_found_below_what_is_mounted(root: str, mount: str, membership: str, own: str) -> None:
    (found,) = hierarchies(V2.format(root=root, mount=mount), f"0::{membership}\n")
    assert (found.version, found.own) == (2, Path(own))


@pytest.mark.parametrize(("root", "membership"), [("/docker/7", "/docker/77"), ("/", "/../other"), ("/a", "/")])
def test_group_outside_of_what_is_mounted_is_none(root: str, membership: str) -> None:
    assert hierarchies(V2.format(root=root, mount="/sys/fs/cgroup"), f"0::{membership}\n") == ()


def test_machine_without_control_groups_has_none() -> None:
    assert hierarchies("", "") == ()
    assert find_places((), lambda place: True) == ()


def folder(path: Path, controllers: str, enabled: str, members: str = "1\n") -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "cgroup.controllers").write_text(controllers)
    (path / "cgroup.subtree_control").write_text(enabled)
    (path / "cgroup.procs").write_text(members)
    return path


def test_own_folder_is_taken_if_it_works_else_the_one_above(tmp_path: Path) -> None:
    own = folder(folder(tmp_path / "up", "cpu memory pids", "memory pids") / "own", "memory pids", "memory pids")
    (tmp_path / "up/cgroup.subtree_control").chmod(0o400)
    found = [Hierarchy(2, (), tmp_path, own)]
    assert find_places(found, lambda place: True) == (Place(2, own, ("memory", "pids")),)
    above = find_places(found, lambda place: place.folder != own)
    assert [place.folder for place in above] == [tmp_path / "up"]
    assert find_places(found, lambda place: False) == ()


def test_nothing_above_the_mount_is_offered(tmp_path: Path) -> None:
    folder(tmp_path, "memory", "memory")
    own = folder(tmp_path / "mount", "memory", "memory")
    assert find_places([Hierarchy(2, (), own, own)], lambda place: place.folder != own) == ()


def test_missing_controllers_are_asked_for_in_one_go(tmp_path: Path) -> None:
    own = folder(tmp_path, "cpuset cpu io memory pids", "")
    find_places([Hierarchy(2, (), own, own)], lambda place: True)
    assert (own / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"


def test_process_that_is_alone_and_cannot_step_aside_leaves_nothing(tmp_path: Path) -> None:
    own = folder(tmp_path, "memory", "memory", f"{os.getpid()}\n")
    assert find_places([Hierarchy(2, (), own, own)], lambda place: False) == ()
    assert [path for path in own.iterdir() if path.is_dir()] == []


def test_version_1_gives_what_version_2_does_not(tmp_path: Path) -> None:
    own = folder(tmp_path, "pids", "pids")
    found = [
        Hierarchy(1, ("memory",), MOUNT, MOUNT / "m"),
        Hierarchy(1, ("pids",), MOUNT, MOUNT / "p"),
        Hierarchy(2, (), own, own),
    ]
    assert find_places(found, lambda place: True) == (Place(2, own, ("pids",)), Place(1, MOUNT / "m", ("memory",)))


def test_a_driver_is_known_by_number_and_start() -> None:
    namespace, number, start = identity().split("-")
    assert is_alive(namespace, number, start)
    assert not is_alive(namespace, number, str(int(start) + 1))
    assert not is_alive(namespace, str(2**22 + 1), start)


def test_a_driver_that_nobody_has_waited_for_is_dead_and_a_strange_one_alive() -> None:
    namespace, _, _ = identity().split("-")
    with subprocess.Popen(["/bin/sleep", "60"]) as program:
        stat = Path(f"/proc/{program.pid}/stat")
        start = stat.read_text().rpartition(")")[2].split()[19]
        assert is_alive(namespace, str(program.pid), start)
        program.kill()
        os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(namespace, str(program.pid), start)
    assert is_alive(str(int(namespace) + 1), str(program.pid), start)
