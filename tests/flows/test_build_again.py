"""What a real build left stands every check and runs again; built again, with another filter or seed, what is new."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.small_build import hashes, prepare, runs, unfinished
from trajmill.flows.cli import main
from trajmill.flows.publish import Published
from trajmill.flows.running import run_build
from trajmill.flows.validation import validate_dataset
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.config import load_config
from trajmill.schemas.errors import UnavailableError

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

PATHS = 4


def built(config: Path, out: Path) -> Published:
    return run_build(load_config(config), out, config.parent / "store", prefect=False, quiet=True)


def units(published: Published, store: Path) -> set[str]:
    return set((store / "builds" / published.manifest["build_id"] / "units.txt").read_text().split())


@dataclass(frozen=True, slots=True)
class First:
    """A finished build."""

    folder: Path
    published: Published

    @property
    def store(self) -> Path:
        return self.folder / "store"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> First:
    try:
        asyncio.run(BubblewrapBackend().probe())
    except UnavailableError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("first")
    found = First(folder, built(prepare(folder, paths=PATHS), folder / "dataset"))
    assert set(runs(found.store).values()) == {1}
    return found


def test_a_real_dataset_is_valid_and_every_row_of_it_runs_again_the_same(
    first: First, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = first.folder / "dataset"
    assert validate_dataset(dataset).faults == ()
    with pytest.raises(SystemExit) as ended:
        main(["replay", str(dataset), "--rows", "0", "--json"])
    assert ended.value.code == 0
    replayed = json.loads(capsys.readouterr().out)
    assert replayed["counts"] == {"equal": first.published.manifest["rows"]["trajectories"]}


def test_a_finished_build_run_again_runs_nothing_and_changes_no_byte(first: First) -> None:
    before, ran = hashes(first.folder / "dataset"), runs(first.store)
    times = {path: path.stat().st_mtime_ns for path in first.folder.joinpath("dataset").rglob("*")}
    again = built(first.folder / "build.toml", first.folder / "dataset")
    assert again.unchanged
    assert again.manifest == first.published.manifest
    assert hashes(first.folder / "dataset") == before
    assert {path: path.stat().st_mtime_ns for path in first.folder.joinpath("dataset").rglob("*")} == times
    assert runs(first.store) == ran


def test_another_place_gets_the_same_bytes_without_running_anything(first: First, tmp_path: Path) -> None:
    ran = runs(first.store)
    assert not built(first.folder / "build.toml", tmp_path / "elsewhere").unchanged
    assert hashes(tmp_path / "elsewhere") == hashes(first.folder / "dataset")
    assert runs(first.store) == ran
    assert unfinished(tmp_path, first.store) == set()


def test_another_filter_makes_another_build_of_the_same_units(first: First, tmp_path: Path) -> None:
    ran = runs(first.store)
    labelled = prepare(first.folder, paths=PATHS, recipe="labelled", name="labelled.toml")
    published = built(labelled, tmp_path / "labelled")
    assert published.manifest["build_id"] != first.published.manifest["build_id"]
    assert runs(first.store) == ran
    assert units(published, first.store) == units(first.published, first.store)
    assert published.manifest["funnel"] == first.published.manifest["funnel"]


def test_another_seed_draws_other_tasks(first: First, tmp_path: Path) -> None:
    ran = runs(first.store)
    other = built(prepare(first.folder, paths=PATHS, seed=4, name="seed.toml"), tmp_path / "other")
    assert len(runs(first.store)) >= len(ran) + PATHS
    assert not units(other, first.store) & units(first.published, first.store)
    samples = [json.loads(path.read_text()) for path in first.store.glob("builds/*/sample/sample.json")]
    tasks = {frozenset(sample["tasks"]) for sample in samples}
    assert len(tasks) == 2
    assert not frozenset.intersection(*tasks)
