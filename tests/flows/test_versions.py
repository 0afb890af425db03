from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from trajmill.flows.lock import owned
from trajmill.flows.versions import VersionJob, VersionRequest, build_next, hand_over, handed_over, next_version
from trajmill.schemas.errors import ConfigError, UsageError


async def build(request: VersionRequest) -> str:
    request.out.mkdir()
    (request.out / "data.txt").write_text(f"version {request.version}, paths {request.paths}")
    return "done"


def job(folder: Path, builder: str = f"{__name__}:build") -> VersionJob:
    return VersionJob("demo", folder / "demo.toml", folder, folder / "store", builder)


def build_here(folder: Path, monkeypatch: pytest.MonkeyPatch, paths: int | None = None) -> str:
    monkeypatch.setattr("trajmill.flows.versions._builder", lambda _: build)
    return asyncio.run(build_next(job(folder), paths=paths))


def test_each_build_adds_a_version_and_leaves_the_earlier_ones_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build_here(tmp_path, monkeypatch) == "demo-v1: done"
    assert build_here(tmp_path, monkeypatch, paths=5) == "demo-v2: done"
    assert (tmp_path / "demo-v1" / "data.txt").read_text() == "version 1, paths None"
    assert (tmp_path / "demo-v2" / "data.txt").read_text() == "version 2, paths 5"


@pytest.mark.parametrize(
    ("there", "expected"),
    [([], 1), (["demo-v1"], 2), (["demo-v2", "demo-v10"], 11), (["demo-v01", "demo-vx", "other-v7", "demo"], 1)],
)
def test_the_next_version_follows_the_highest_one(tmp_path: Path, there: list[str], expected: int) -> None:
    for name in there:
        (tmp_path / name).mkdir()
    assert next_version(tmp_path, "demo") == expected


def test_a_folder_that_does_not_exist_holds_no_version(tmp_path: Path) -> None:
    assert next_version(tmp_path / "none", "demo") == 1


def test_a_version_is_not_built_beside_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        owned(tmp_path / ".demo.lock", "The dataset demo"),
        pytest.raises(UsageError, match="The dataset demo is in use"),
    ):
        build_here(tmp_path, monkeypatch)
    assert not list(tmp_path.glob("demo-v*"))


def test_the_job_comes_through_the_environment_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRAJMILL_VERSION_JOB", raising=False)
    with pytest.raises(UsageError, match="trajmill serve"):
        handed_over()
    monkeypatch.setenv("TRAJMILL_VERSION_JOB", "")
    hand_over(job(tmp_path))
    assert handed_over() == job(tmp_path)


@pytest.mark.parametrize("builder", ["trajmill.nowhere:build", "trajmill.flows.versions:nothing"])
def test_a_missing_builder_is_named(tmp_path: Path, builder: str) -> None:
    with pytest.raises(ConfigError, match=builder):
        asyncio.run(build_next(job(tmp_path, builder)))
