"""A whole build in this process, in the real sandbox, on a few small files."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.small_build import hashes, prepare
from trajmill.flows.attempts import run_shards
from trajmill.flows.export import read_rows
from trajmill.flows.planning import Plan, version_seed
from trajmill.flows.publish import Published
from trajmill.flows.running import plan_from, run_build
from trajmill.flows.stages import Progress, build_dataset
from trajmill.flows.store import Store
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.config import BuildConfig, load_config
from trajmill.schemas.errors import StoreError, UnavailableError
from trajmill.synth.tasks.toolset import PACKAGES

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build with everything that was told on the way."""

    plan: Plan
    published: Published
    told: tuple[Progress, ...]
    store: Path


def build(plan: Plan, folder: Path, out: Path | None = None) -> Built:
    told: list[Progress] = []
    published = asyncio.run(
        build_dataset(
            plan,
            BubblewrapBackend(),
            Store.open(folder / "store"),
            out or folder / "dataset",
            run_shards=run_shards,
            show=told.append,
        )
    )
    return Built(plan, published, tuple(told), folder / "store")


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> BuildConfig:
    try:
        asyncio.run(BubblewrapBackend().probe())
    except UnavailableError as error:
        pytest.skip(str(error))
    return load_config(prepare(tmp_path_factory.mktemp("inputs"), paths=3))


@pytest.fixture(scope="module")
def built(config: BuildConfig, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(plan_from(config), tmp_path_factory.mktemp("first"))


def test_the_funnel_adds_up_from_files_to_rows(built: Built) -> None:
    manifest = built.published.manifest
    funnel, rows, drops = manifest["funnel"], manifest["rows"], Counter(manifest["drops"])
    assert funnel["files_taken"] == 3
    assert funnel["paths_drawn"] >= funnel["tasks_composed"] == 3
    assert funnel["tasks_sound"] == rows["tasks"] == 3 - sum(n for k, n in drops.items() if k.startswith("certify/"))
    assert funnel["rollouts"] == 2 * funnel["tasks_sound"]
    assert funnel["trajectories_kept"] == rows["trajectories"] > 0
    left = sum(n for k, n in drops.items() if k.startswith(("filter/", "rollout/")))
    assert funnel["rollouts"] - left == rows["trajectories"]


def test_every_row_passed_and_belongs_to_a_task_of_the_dataset(built: Built) -> None:
    tasks = {row["id"] for row in read_rows(built.published.folder, "tasks")}
    for row in read_rows(built.published.folder, "trajectories"):
        assert row["passed"]
        assert row["task_id"] in tasks


def test_the_toolchain_was_found_in_the_sandbox(built: Built) -> None:
    assert {tool.name for tool in built.plan.toolchain} <= set(PACKAGES)
    assert all(len(tool.sha256) == 64 for tool in built.plan.toolchain)


def test_progress_counts_up_to_the_end_of_every_stage(built: Built) -> None:
    for stage in ("gate", "rollouts"):
        found = [p for p in built.told if p.stage == stage]
        assert [p.done for p in found] == sorted(p.done for p in found)
        assert found[-1].done == found[-1].total
        assert all(p.passed <= p.done <= p.total for p in found)
    assert built.told[-1].stage == "publish"


def test_another_store_another_place_and_another_pace_give_the_same_bytes(built: Built, tmp_path: Path) -> None:
    slower = replace(built.plan.config, rollout=replace(built.plan.config.rollout, concurrency=1))
    again = run_build(slower, tmp_path / "elsewhere", tmp_path / "store", prefect=False, quiet=True)
    assert again.manifest["build_id"] == built.plan.build_id
    assert hashes(again.folder) == hashes(built.published.folder)


def test_a_folder_that_is_not_ours_is_refused_before_anything_is_run(built: Built, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    with pytest.raises(StoreError, match="not a Trajmill dataset"):
        build(built.plan, tmp_path, out=mine)
    assert not list((tmp_path / "store").rglob("journal.jsonl"))


def test_a_sample_that_was_changed_in_the_store_is_refused(built: Built, tmp_path: Path) -> None:
    (sample,) = built.store.rglob("sample.json")
    whole = sample.read_bytes()
    try:
        for damaged in (b"{", b"[]", b"{}", whole.replace(b'"tasks":["task-', b'"tasks":["task-0')):
            sample.write_bytes(damaged)
            with pytest.raises(StoreError, match="sample"):
                build(built.plan, built.store.parent)
    finally:
        sample.write_bytes(whole)


def test_another_version_draws_from_another_seed(config: BuildConfig) -> None:
    assert version_seed(config, 1) == config.build.seed
    assert len({version_seed(config, version) for version in range(1, 6)}) == 5
