"""Guard 1: what is in the tree is in the wheel, whatever folder it was added to."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PORTIONS = ("flows", "synth", "verifiers", "sandboxes", "schemas")
BUILD_FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
NOT_SOURCE = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")


@pytest.fixture(scope="module")
def tree(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of everything that a wheel is made from, so that the build leaves nothing in the checkout."""
    copy = tmp_path_factory.mktemp("tree")
    for name in BUILD_FILES:
        shutil.copy(root / name, copy)
    for portion in PORTIONS:
        shutil.copytree(root / portion, copy / portion, ignore=NOT_SOURCE)
    return copy


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tree, tmp_path_factory.mktemp("wheel"))


def build_wheel(tree: Path, into: Path) -> Path:
    """Build a wheel without a network."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check"]
    built = subprocess.run([*command, "--outdir", into, tree], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(into.glob("*.whl"))


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_exactly_the_files_of_the_five_folders(tree: Path, wheel: Path) -> None:
    expected = {
        f"trajmill/{path.relative_to(tree)}"
        for portion in PORTIONS
        for path in (tree / portion).rglob("*")
        if path.is_file()
    }
    packed = {name for name in names_in(wheel) if ".dist-info/" not in name}
    assert packed == expected, "a folder without __init__.py, or a file type that package-data does not name"


def test_the_wheel_has_the_licence_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = next(name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name)
        assert "Apache License" in archive.read(f"{info}/licenses/LICENSE").decode()
        assert "trajmill = trajmill.flows.cli:main" in archive.read(f"{info}/entry_points.txt").decode()
        assert archive.read(f"{info}/top_level.txt").decode().split() == ["trajmill"]


def test_a_folder_added_below_a_folder_is_packed(tree: Path, tmp_path: Path) -> None:
    grown = tmp_path / "grown"
    shutil.copytree(tree, grown, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    added = grown / "synth" / "packs_of_tomorrow" / "inner"
    added.mkdir(parents=True)
    for folder in (added.parent, added):
        (folder / "__init__.py").write_text('"""Added."""\n')
    (added / "prompt.md").write_text("Say so.\n")
    names = names_in(build_wheel(grown, tmp_path / "wheel"))
    assert {f"trajmill/synth/packs_of_tomorrow/inner/{name}" for name in ("__init__.py", "prompt.md")} <= names


def test_every_folder_says_that_it_is_typed(root: Path) -> None:
    assert [portion for portion in PORTIONS if not (root / portion / "py.typed").is_file()] == []
