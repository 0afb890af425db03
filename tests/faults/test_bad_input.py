"""Bad input through the real command line: one clear sentence, exit code 2, nothing written, nothing changed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CONFIG = '[build]\nname = "bad"\n[source]\nfiles = "data"\n[sample]\npaths = 2\n'
TABLE = "name,score\n" + "".join(f"row {i},{i * 7 % 31}\n" for i in range(12))


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """``trajmill build`` in a folder, without Prefect."""
    command = [sys.executable, "-P", "-m", "trajmill.flows.cli", "build", "build.toml", "--no-prefect", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def prepared(folder: Path, config: str = CONFIG) -> Path:
    """A folder with a configuration and one good file."""
    (folder / "data").mkdir()
    (folder / "data" / "scores.csv").write_text(TABLE)
    (folder / "build.toml").write_text(config)
    return folder


def picture(folder: Path) -> dict[str, str]:
    """Every path below a folder with what it is; large and special files by size only."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = os.fsencode(path.relative_to(folder)).hex()
        if path.is_symlink():
            found[name] = f"link {path.readlink()}"
        elif path.is_file() and path.stat().st_size < 1_000_000 and os.access(path, os.R_OK):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            found[name] = f"{path.lstat().st_mode:o} {path.lstat().st_size}"
    return found


def assert_refused(folder: Path, *named: str, options: tuple[str, ...] = ()) -> None:
    """The build is refused in one sentence that names these things, and leaves the folder as it was."""
    before = picture(folder)
    done = run(folder, *options)
    assert done.returncode == 2, done.stdout + done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("Error: ")
    assert all(name in lines[0] for name in named), lines[0]
    assert lines[0].isprintable()
    assert picture(folder) == before


@pytest.mark.parametrize(
    ("config", "named"),
    [
        (CONFIG.replace("paths = 2", "pahts = 2"), ("pahts", "paths", "build.toml")),
        (CONFIG.replace("paths = 2", 'paths = "many"'), ("sample.paths", "build.toml")),
        (CONFIG.replace("paths = 2", "paths = -3"), ("sample.paths",)),
        (CONFIG.replace("[sample]", "[smaple]"), ("smaple", "sample")),
        (CONFIG.replace('name = "bad"', 'name = "../bad"'), ("build.name",)),
        (CONFIG + "[filter]\nrecipe = 'nice'\n", ("nice", "strict")),
        (CONFIG + "[rollout]\npolicies = [{ name = 'wizard' }]\n", ("wizard", "programmatic")),
        (CONFIG + "[rollout]\nsandbox = 'none'\n", ("sandbox",)),
        ("[build\n", ("build.toml", "TOML")),
    ],
)
def test_a_wrong_configuration_is_refused(tmp_path: Path, config: str, named: tuple[str, ...]) -> None:
    assert_refused(prepared(tmp_path, config), *named)


def test_a_missing_configuration_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path, "build.toml")


def missing(folder: Path) -> str:
    (folder / "data" / "scores.csv").unlink()
    (folder / "data").rmdir()
    return "does not exist"


def empty(folder: Path) -> str:
    (folder / "data" / "scores.csv").unlink()
    return "holds no file"


def binaries_only(folder: Path) -> str:
    (folder / "data" / "scores.csv").write_bytes(bytes(range(256)) * 4)
    return "binary"


def huge(folder: Path) -> str:
    with (folder / "data" / "huge.csv").open("wb") as stream:
        stream.truncate(5 << 30)
    return "huge.csv"


def loop(folder: Path) -> str:
    (folder / "data" / "loop").symlink_to("loop")
    return "loop"


def link_out(folder: Path) -> str:
    (folder / "secret.csv").write_text(TABLE)
    (folder / "data" / "link.csv").symlink_to("../secret.csv")
    return "link.csv"


def newline_in_name(folder: Path) -> str:
    (folder / "data" / "a\nb.csv").write_text(TABLE)
    return r"a\nb.csv"


def bad_bytes_in_name(folder: Path) -> str:
    Path(os.fsdecode(os.fsencode(folder) + b"/data/bad-\xff.csv")).write_text(TABLE)
    return r"bad-\xff.csv"


@pytest.mark.parametrize(
    "spoil", [missing, empty, binaries_only, huge, loop, link_out, newline_in_name, bad_bytes_in_name]
)
def test_a_source_folder_that_cannot_be_taken_is_refused(tmp_path: Path, spoil: Callable[[Path], str]) -> None:
    folder = prepared(tmp_path)
    assert_refused(folder, spoil(folder))


def test_an_unreadable_file_is_refused_for_an_ordinary_user(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    locked = folder / "data" / "locked.csv"
    locked.write_text(TABLE)
    locked.chmod(0)
    if os.access(locked, os.R_OK):
        pytest.skip("this user reads files of mode 000, as root does")
    assert_refused(folder, "locked.csv", "0000")


def test_a_dataset_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").write_text("years of work")
    assert_refused(folder, "mine", "not a Trajmill dataset", options=("--out", "mine"))


def test_a_store_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    (folder / "photos").mkdir()
    (folder / "photos" / "cat.jpg").write_bytes(b"\xff\xd8")
    assert_refused(folder, "photos", options=("--store", "photos"))


@pytest.mark.parametrize("options", [("--out", "data/set"), ("--store", "data/store")])
def test_a_source_that_would_be_written_to_is_left_alone(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert_refused(prepared(tmp_path), options[1], "source folder", options=options)


def test_a_damaged_store_is_refused(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    (folder / "store").mkdir()
    (folder / "store" / "trajmill-store.json").write_text('{"format": 1}\n')
    (folder / "store" / "units" / "ab").mkdir(parents=True)
    (folder / "store" / "units" / "ab" / ("ab" + "0" * 30 + ".parquet")).write_bytes(b"PAR1 not really")
    done = run(folder)
    assert done.returncode == 2, done.stderr
    assert "ab000" in done.stderr
    assert "Traceback" not in done.stderr
