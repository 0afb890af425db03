from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from trajmill.flows.lock import Owner, owned, this_process
from trajmill.schemas.errors import UsageError

HOLD = """
import sys, time
from pathlib import Path
from trajmill.flows.lock import owned
with owned(Path(sys.argv[1]), "The build"):
    print("held", flush=True)
    time.sleep(60)
"""


def leave(path: Path, owner: Owner) -> None:
    path.write_text(json.dumps(asdict(owner)))


def test_a_live_owner_is_named_and_a_killed_one_is_followed_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match=f"The build is in use by process {holder.pid}"), owned(path, "The build"):
            pass
        holder.kill()
        holder.wait()
    with owned(path, "The build") as ownership:
        assert f"left by process {holder.pid}" in ownership.note
    with owned(path, "The build") as ownership:
        assert ownership.note == ""


def test_a_lock_is_free_after_an_error_in_the_block(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), owned(tmp_path / "lock", "The build"):
        raise ZeroDivisionError
    with owned(tmp_path / "lock", "The build") as ownership:
        assert ownership.note == ""


def test_a_lock_cannot_be_held_twice_by_one_process(tmp_path: Path) -> None:
    with (
        owned(tmp_path / "lock", "The build"),
        pytest.raises(UsageError, match=f"process {os.getpid()}"),
        owned(tmp_path / "lock", "The build"),
    ):
        pass


def test_a_reused_pid_is_not_taken_for_the_owner(tmp_path: Path) -> None:
    leave(tmp_path / "lock", replace(this_process(), started="1"))
    with owned(tmp_path / "lock", "The build") as ownership:
        assert "which is gone" in ownership.note


@pytest.mark.parametrize(("silent", "free"), [(30, False), (600, True)])
def test_an_owner_on_another_host_is_gone_when_it_is_silent(tmp_path: Path, silent: int, free: bool) -> None:
    path = tmp_path / "lock"
    leave(path, Owner(7, "elsewhere", "1"))
    os.utime(path, (1000, 1000))
    if free:
        with owned(path, "The build", now=lambda: 1000 + silent) as ownership:
            assert "process 7 on elsewhere" in ownership.note
    else:
        with (
            pytest.raises(UsageError, match="process 7 on elsewhere"),
            owned(path, "The build", now=lambda: 1000 + silent),
        ):
            pass


def test_a_torn_lock_file_is_taken(tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b'{"pid": 4')
    with owned(tmp_path / "lock", "The build"):
        pass
