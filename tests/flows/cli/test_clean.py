from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trajmill.flows.store import Store

Run = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A run store with the files of a Prefect server."""
    opened = Store.open(tmp_path / "store")
    opened.prefect_home.mkdir()
    (opened.prefect_home / "server.log").write_text("hello")
    return opened.root


def test_nothing_is_removed_in_a_dry_run(run: Run, store: Path) -> None:
    done = run("clean", "--store", store, "--datasets", store.parent / "datasets", "--dry-run")
    assert done.code == 0
    assert done.out.splitlines() == [
        f"{store / 'prefect'}  the files of a Prefect server, 5 bytes",
        "1 would go, 5 bytes",
    ]
    assert (store / "prefect").is_dir()


def test_leftovers_are_removed_and_named(run: Run, store: Path) -> None:
    arguments = ("clean", "--store", store, "--datasets", store.parent / "datasets")
    done = run(*arguments, "--json")
    assert done.json["leftovers"] == [
        {"path": str(store / "prefect"), "why": "the files of a Prefect server", "bytes": 5}
    ]
    assert not (store / "prefect").exists()
    assert run(*arguments).out == "Nothing was left behind.\n"


def test_a_folder_that_is_no_store_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    done = run("clean", "--store", tmp_path / "mine", "--datasets", tmp_path)
    assert done.code == 2
    assert (tmp_path / "mine").is_dir()
