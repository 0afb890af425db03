from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from trajmill.flows.journal import read_journal
from trajmill.flows.unit_files import UnitIndex, unit_files

SCRIPT = Path(__file__).with_name("toy_build.py")
UNITS = 240
KILLS = 10


def start(root: Path) -> subprocess.Popen[bytes]:
    root.mkdir(exist_ok=True)
    return subprocess.Popen([sys.executable, str(SCRIPT), str(root), str(UNITS)], stderr=subprocess.PIPE)


def finish(root: Path) -> bytes:
    with start(root) as process:
        _, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
    return (root / "dataset.jsonl").read_bytes()


def begun(root: Path) -> list[str]:
    """Ids in the order in which their work began."""
    path = root / "ran.txt"
    return path.read_text().split()[1::2] if path.exists() else []


def committed(root: Path) -> set[str]:
    """Ids that are safe at this moment, read from the files as a later process would."""
    store = root / "store"
    ids = {i for path in store.glob("builds/*/shards/*/journal.jsonl") for i in read_journal(path).commits}
    index = UnitIndex(store / "units")
    index.refresh()
    return ids | {i for i in begun(root) if index.place(i)}


def kill_after(root: Path, more: int) -> None:
    """Kill a run once it has begun so many more units, or let it end if there are not so many left."""
    wanted = len(begun(root)) + more
    with start(root) as process:
        while process.poll() is None and len(begun(root)) < wanted:
            time.sleep(0.001)
        process.kill()


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[set[str]], list[int]]:
    """A build killed ten times: its folder, what was safe after each kill, and how much had begun by then."""
    root = tmp_path_factory.mktemp("killed")
    safe, marks = [], []
    for turn in range(KILLS):
        kill_after(root, 3 + 5 * turn % 23)
        safe.append(committed(root))
        marks.append(len(begun(root)))
    return root, safe, marks


def test_ten_kills_change_no_byte_of_the_dataset(
    killed: tuple[Path, list[set[str]], list[int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root, _, _ = killed
    undisturbed = tmp_path_factory.mktemp("undisturbed")
    assert finish(root) == finish(undisturbed)
    assert not list((root / "store").glob("builds/*/shards/*"))
    assert (root / "store/builds/build-toy/units.txt").read_bytes() == (
        undisturbed / "store/builds/build-toy/units.txt"
    ).read_bytes()
    assert max(Counter(begun(undisturbed)).values()) == 1


def test_nothing_that_was_committed_is_run_again(killed: tuple[Path, list[set[str]], list[int]]) -> None:
    root, safe, marks = killed
    finish(root)
    order = begun(root)
    assert 0 < len(safe[2]) < len(safe[-1]) < UNITS
    for ids, mark in zip(safe, marks, strict=True):
        assert ids.isdisjoint(order[mark:])


def test_only_work_in_flight_is_repeated_after_a_kill(killed: tuple[Path, list[set[str]], list[int]]) -> None:
    root, _, _ = killed
    finish(root)
    repeated = sum(times - 1 for times in Counter(begun(root)).values())
    assert repeated <= 3 * KILLS
    assert unit_files(root / "store" / "units")
