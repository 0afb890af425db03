from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.builders import content, published
from trajmill.flows.cleaning import QUIET_S, leftovers, remove
from trajmill.flows.store import Store
from trajmill.schemas.errors import StoreError

BUILD = content().build_id
GONE = 2**22 + 1
"""A process number that no process has."""


@pytest.fixture
def datasets(tmp_path: Path) -> Path:
    """A folder with one dataset."""
    published(tmp_path / "datasets" / "tiny")
    return tmp_path / "datasets"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A run store with one build, which nobody works on."""
    opened = Store.open(tmp_path / "store")
    with opened.begin(BUILD, {"name": "tiny"}):
        pass
    return opened.root


def names(datasets: Path, store: Path | None = None, *, telemetry: bool = False, later: float = 0.0) -> list[str]:
    now = Path(datasets).stat().st_mtime + later
    return [one.path.name for one in leftovers(datasets, store, telemetry=telemetry, now=lambda: now)]


def left(datasets: Path, name: str) -> Path:
    folder = datasets / name
    folder.mkdir()
    (folder / "part.parquet").write_bytes(b"12345")
    return folder


def test_a_clean_place_has_nothing_to_remove(datasets: Path, store: Path) -> None:
    assert names(datasets, store, later=QUIET_S * 2) == []


def test_an_unfinished_dataset_goes_and_the_dataset_stays(datasets: Path, store: Path) -> None:
    left(datasets, f".tiny.{BUILD}.tmp")
    found = leftovers(datasets, store)
    assert [(one.path.name, one.size) for one in found] == [(f".tiny.{BUILD}.tmp", 5)]
    remove(found)
    assert [path.name for path in datasets.iterdir()] == ["tiny"]
    remove(found)


def test_an_unfinished_dataset_of_an_unknown_store_goes_when_it_is_old(datasets: Path) -> None:
    left(datasets, f".tiny.{BUILD}.tmp")
    assert names(datasets) == []
    assert names(datasets, later=QUIET_S + 60) == [f".tiny.{BUILD}.tmp"]


def test_what_a_running_build_writes_stays(datasets: Path, store: Path) -> None:
    left(datasets, f".tiny.{BUILD}.tmp")
    (store / "prefect").mkdir()
    with Store.open(store).begin(BUILD, {"name": "tiny"}):
        assert names(datasets, store, telemetry=True, later=QUIET_S * 2) == []


def test_a_replaced_dataset_goes_only_if_the_new_one_is_there(datasets: Path) -> None:
    shutil.copytree(datasets / "tiny", datasets / ".tiny.old")
    assert names(datasets) == [".tiny.old"]
    (datasets / "tiny").rename(datasets / "other")
    assert names(datasets) == []


def test_what_is_not_ours_stays(datasets: Path, tmp_path: Path) -> None:
    for name in (".tiny.old", ".git", "notes.tmp", ".cache.tmp", f"tiny.{BUILD}.tmp"):
        (datasets / name).mkdir()
    (datasets / ".hidden").write_text("mine")
    (datasets / f".linked.{BUILD}.tmp").symlink_to(tmp_path)
    assert names(datasets, later=QUIET_S * 2) == []


def test_unfinished_files_go_unless_their_process_lives(datasets: Path, store: Path) -> None:
    for pid in (GONE, os.getpid()):
        (store / "units" / "ab").mkdir(parents=True, exist_ok=True)
        (store / "units" / "ab" / f".abc.parquet.{pid}.tmp").write_bytes(b"1")
    (datasets / f".x.jsonl.{GONE}.tmp").write_bytes(b"1")
    assert names(datasets, store) == [f".x.jsonl.{GONE}.tmp", f".abc.parquet.{GONE}.tmp"]


def test_prefect_files_go_and_units_stay(datasets: Path, store: Path) -> None:
    (store / "prefect").mkdir()
    (store / "prefect" / "server.log").write_text("hello")
    (store / "units" / "ab").mkdir(parents=True, exist_ok=True)
    (store / "units" / "ab" / "ab.parquet").write_bytes(b"units")
    found = leftovers(datasets, store)
    assert [one.path.name for one in found] == ["prefect"]
    remove(found)
    assert (store / "units" / "ab" / "ab.parquet").read_bytes() == b"units"
    assert (store / "builds" / BUILD / "build.json").is_file()


def test_telemetry_goes_only_if_asked(datasets: Path, store: Path) -> None:
    (store / "builds" / BUILD / "telemetry").mkdir()
    assert names(datasets, store) == []
    assert names(datasets, store, telemetry=True) == ["telemetry"]


def test_a_lock_whose_owner_is_gone_is_released_but_kept(datasets: Path, store: Path) -> None:
    lock = store / "builds" / BUILD / "lock"
    lock.write_text(json.dumps({"pid": GONE, "host": os.uname().nodename, "started": "1"}))
    found = leftovers(datasets, store)
    assert [(one.path, one.is_lock) for one in found] == [(lock, True)]
    remove(found)
    assert lock.read_bytes() == b""


def test_a_lock_of_another_host_stays_while_it_beats(datasets: Path, store: Path) -> None:
    lock = store / "builds" / BUILD / "lock"
    lock.write_text(json.dumps({"pid": 1, "host": "elsewhere", "started": "1"}))
    assert names(datasets, store) == []
    assert names(datasets, store, later=QUIET_S) == ["lock"]


HOLD = """
import sys
from pathlib import Path
from trajmill.flows.lock import owned

with owned(Path(sys.argv[1]), "tiny"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def held(datasets: Path) -> Iterator[Path]:
    """The lock of a dataset with versions, held by another process."""
    lock = datasets / ".tiny.lock"
    argv = [sys.executable, "-c", HOLD, str(lock)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield lock
        process.communicate()


def test_a_lock_that_is_held_stays(datasets: Path, held: Path) -> None:
    assert names(datasets, later=QUIET_S * 2) == []
    remove(leftovers(datasets, None))
    assert held.read_bytes()


def test_a_folder_that_is_no_store_is_refused(datasets: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(StoreError, match="is not a run store"):
        leftovers(datasets, tmp_path / "mine")


def test_folders_that_are_not_there_hold_nothing(tmp_path: Path) -> None:
    assert leftovers(tmp_path / "datasets", tmp_path / "store") == ()
