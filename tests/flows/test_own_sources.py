"""Whole builds from a folder that holds nothing but a git repository, or nothing but a database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.own_sources import hashes, make_repository, make_shop
from trajmill.flows.publish import Published
from trajmill.flows.running import run_build
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.config import load_config
from trajmill.schemas.errors import UnavailableError

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

CONFIG = """
[build]
name = "own"
seed = 4
[source]
files = "data"
[sample]
paths = 5
length = [1, 2]
[rollout]
shard_size = 4
concurrency = 2
policies = [{ name = "programmatic", attempts = 1 }]
"""


@pytest.fixture(autouse=True, scope="module")
def _sandbox() -> None:
    try:
        asyncio.run(BubblewrapBackend().probe())
    except UnavailableError as error:
        pytest.skip(str(error))


def built(folder: Path) -> Published:
    """The dataset that is built from ``data``, whose files stay as they are."""
    before = hashes(folder / "data")
    (folder / "build.toml").write_text(CONFIG)
    config = load_config(folder / "build.toml")
    published = run_build(config, folder / "dataset", folder / "store", prefect=False, quiet=True)
    assert hashes(folder / "data") == before
    return published


def with_journal(path: Path) -> Path:
    return make_shop(path, wal=True)


@pytest.mark.parametrize(
    ("make", "place", "domain"),
    [
        (make_repository, "norway", "git"),
        (make_repository, "", "git"),
        (with_journal, "shop.dat", "sqlite"),
    ],
    ids=["repository", "the folder itself", "database with a journal"],
)
def test_every_task_is_sound_and_every_trajectory_passes(
    tmp_path: Path, make: Callable[[Path], Path], place: str, domain: str
) -> None:
    make(tmp_path / "data" / place)
    manifest = built(tmp_path).manifest
    funnel = manifest["funnel"]
    assert funnel["files_taken"] == 1
    assert funnel["tasks_composed"] == funnel["tasks_sound"] == 5
    assert manifest["rows"]["trajectories"] == 5
    (tasks,) = (tmp_path / "dataset" / "data" / "tasks").glob("*.parquet")
    assert domain in set(pq.read_table(tasks)["domain"].to_pylist())
