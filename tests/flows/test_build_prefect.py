"""The real build under Prefect and without it: the same bytes."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.small_build import build, command, hashes, prepare, runs
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.errors import UnavailableError

pytestmark = [pytest.mark.prefect, pytest.mark.sandbox, pytest.mark.slow, pytest.mark.xdist_group("prefect")]


def test_a_build_gives_the_same_bytes_under_prefect_and_without(
    prefect_url: str, ask: Callable[..., Any], tmp_path: Path
) -> None:
    try:
        asyncio.run(BubblewrapBackend().probe())
    except UnavailableError as error:
        pytest.skip(str(error))
    config = prepare(tmp_path, paths=3)
    with_prefect = ("--store", str(tmp_path / "store-2"), "--out", str(tmp_path / "dataset-2"))
    done = subprocess.run(
        command(config, *with_prefect),
        env={**os.environ, "PREFECT_API_URL": prefect_url, "PREFECT_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "without Prefect" not in done.stdout
    build(config)
    assert hashes(tmp_path / "dataset-2") == hashes(tmp_path / "dataset")
    assert runs(tmp_path / "store-2") == runs(tmp_path / "store")

    (build_folder,) = tmp_path.glob("store-2/builds/*")
    (run,) = ask("/flow_runs/filter", {"flow_runs": {"name": {"any_": [f"small {build_folder.name}"]}}})
    assert run["state_type"] == "COMPLETED"
    tasks = ask("/task_runs/filter", {"flow_runs": {"id": {"any_": [run["id"]]}}})
    assert {task["name"] for task in tasks} == {"shard-0000", "shard-0001"}
