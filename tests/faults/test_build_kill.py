"""The real build, killed ten times on its way and interrupted once: same bytes, nothing paid twice, nothing left."""

from __future__ import annotations

import asyncio
import ctypes
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.small_build import build, command, committed, hashes, prepare, runs, unfinished
from trajmill.flows.cleaning import leftovers, remove
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.errors import UnavailableError

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

SCRIPT = Path(__file__).with_name("killed_build.py")
CONCURRENCY = 2
PR_SET_CHILD_SUBREAPER = 36
RANDOM = random.Random(20)
UNIT_ENDS = r"open .*/telemetry/shard-"
PROGRAM_STARTS = "subprocess.Popen"


def soon(most_ms: int) -> int:
    """A random delay; 0 would be the very event."""
    return RANDOM.randint(1, most_ms)


INSTANTS = (
    ("sampling", r"os.rename .*sample\.json", 1, 0),
    ("the first gates", PROGRAM_STARTS, RANDOM.randint(6, 12), soon(40)),
    ("gates and rollouts", UNIT_ENDS, RANDOM.randint(2, 4), soon(40)),
    ("settling the journal of the run before", r"os.rename .*/units/", 1, 0),
    ("compaction, file not yet in place", r"os.rename .*/units/", 2, 0),
    ("compaction, file and journal both there", r"os.remove .*/journal\.jsonl", 2, 0),
    ("third shard", PROGRAM_STARTS, RANDOM.randint(6, 10), soon(40)),
    ("its rollouts", UNIT_ENDS, RANDOM.randint(1, 2), soon(40)),
    ("writing the dataset", r"open .*/\.dataset\..*\.tmp/", RANDOM.randint(1, 4), 0),
    ("putting the dataset in place", r"os.rename .*/\.dataset\..*\.tmp", 1, 0),
)


@dataclass(slots=True)
class Killed:
    """What ten kills left, and what was there after each."""

    folder: Path
    statuses: list[int] = field(default_factory=list)
    safe: list[set[str]] = field(default_factory=list)
    """Committed units after each kill."""
    ran: list[Counter[str]] = field(default_factory=list)
    """Runs of each unit until each kill."""
    survivors: list[str] = field(default_factory=list)
    """Programs that still ran seconds after a kill."""
    said: list[str] = field(default_factory=list)
    """What the runs printed, the last one's included."""


@pytest.fixture(scope="module", autouse=True)
def _orphans_are_ours() -> Iterator[None]:
    """Processes whose parent dies become children of this one, so that none can hide."""
    try:
        asyncio.run(BubblewrapBackend().probe())
    except UnavailableError as error:
        pytest.skip(str(error))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    yield
    libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def survivors(before: set[int], limit_s: float = 10.0) -> list[str]:
    """Command lines of the children that this process got since and that do not end; those that do are reaped."""
    deadline = time.monotonic() + limit_s
    while (there := children() - before) and time.monotonic() < deadline:
        for child in there:
            os.waitpid(child, os.WNOHANG)
        time.sleep(0.005)
    return [Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:200] for child in there]


def children() -> set[int]:
    return {int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()}


def run_killed(config: Path, when: str, count: int, delay_ms: int, whom: str) -> subprocess.CompletedProcess[str]:
    arguments = [when, str(count), str(delay_ms), whom, *command(config, "--no-prefect")[4:]]
    environment = {**os.environ, "TMPDIR": str(config.parent / "tmp")}
    return subprocess.run(
        [sys.executable, "-P", str(SCRIPT), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        start_new_session=True,
        check=False,
    )


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build that nobody disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    build(prepare(folder))
    assert set(runs(folder / "store").values()) == {1}
    return folder


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """A build killed at each of the instants, then run to its end."""
    found = Killed(tmp_path_factory.mktemp("killed"))
    config = prepare(found.folder)
    (found.folder / "tmp").mkdir()
    for turn, (_, when, count, delay_ms) in enumerate(INSTANTS):
        before = children()
        done = run_killed(config, when, count, delay_ms, "driver" if turn == 6 else "group")
        found.statuses.append(done.returncode)
        found.said.append(done.stdout)
        found.survivors += survivors(before)
        found.safe.append(committed(found.folder / "store"))
        found.ran.append(runs(found.folder / "store"))
    found.said.append(build(config))
    return found


def test_every_kill_hits_and_more_is_safe_after_each(killed: Killed) -> None:
    outcomes = {place: status for (place, *_), status in zip(INSTANTS, killed.statuses, strict=True)}
    assert outcomes == dict.fromkeys(outcomes, -signal.SIGKILL)
    for earlier, later in zip(killed.safe, killed.safe[1:], strict=False):
        assert earlier <= later
    assert not killed.safe[0]
    assert 0 < len(killed.safe[3]) < len(killed.safe[7])


def test_ten_kills_change_no_byte_of_the_dataset(killed: Killed, undisturbed: Path) -> None:
    assert hashes(killed.folder / "dataset") == hashes(undisturbed / "dataset")


def test_no_unit_that_was_committed_is_run_again(killed: Killed, undisturbed: Path) -> None:
    finally_ran = runs(killed.folder / "store")
    for safe, ran in zip(killed.safe, killed.ran, strict=True):
        assert {unit: finally_ran[unit] for unit in safe} == {unit: ran[unit] for unit in safe}
    repeated = sum(times - 1 for times in finally_ran.values())
    assert repeated <= CONCURRENCY * len(INSTANTS)
    assert finally_ran.keys() == runs(undisturbed / "store").keys()


def test_a_run_after_a_kill_says_what_was_left(killed: Killed) -> None:
    assert "was left by process" in killed.said[-1]
    assert "begun there without an outcome" in "".join(killed.said[3:])
    assert "was left by process" not in killed.said[0]


def test_no_sandbox_survives_a_kill_and_clean_removes_the_file_that_was_being_written(killed: Killed) -> None:
    assert killed.survivors == []
    assert list((killed.folder / "tmp").iterdir()) == []
    assert sorted(path.name for path in killed.folder.iterdir()) == ["build.toml", "data", "dataset", "store", "tmp"]
    torn = unfinished(killed.folder / "store")
    assert all(path.name.endswith(".tmp") for path in torn)
    found = leftovers(killed.folder, killed.folder / "store")
    assert {leftover.path for leftover in found} == torn
    remove(found)
    assert unfinished(killed.folder / "store", killed.folder / "dataset") == set()


def test_an_interrupted_build_says_so_in_one_line_and_goes_on_when_run_again(tmp_path: Path, undisturbed: Path) -> None:
    config, before = prepare(tmp_path), children()
    with subprocess.Popen(
        command(config, "--no-prefect"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 60
        while len(runs(tmp_path / "store")) < 5 and time.monotonic() < deadline:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines() == [
        "Error: Stopped by SIGINT. Everything committed is kept; the same command goes on from there."
    ]
    assert survivors(before) == []
    safe = committed(tmp_path / "store")
    assert 3 <= len(safe) < len(runs(undisturbed / "store"))
    build(config)
    assert all(runs(tmp_path / "store")[unit] == 1 for unit in safe)
    assert hashes(tmp_path / "dataset") == hashes(undisturbed / "dataset")
    assert unfinished(tmp_path / "dataset", tmp_path / "store") == set()
