from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.flows.builders import content, published
from trajmill.flows import publish as module
from trajmill.flows.dataset import MANIFEST, RUN, table_path
from trajmill.flows.publish import publish, read_manifest, require_free
from trajmill.schemas.errors import StoreError, UnavailableError
from trajmill.schemas.ids import content_id, digest_bytes

OTHER = content_id("build", "another")


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def without_run(found: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in found.items() if name != RUN}


def test_a_dataset_is_tables_card_exports_manifest_and_run(tmp_path: Path) -> None:
    out = published(tmp_path / "data").folder
    names = set(files(out))
    assert {"README.md", MANIFEST, RUN} <= names
    assert {table_path(out, t).relative_to(out).as_posix() for t in ("tasks", "trajectories", "drops")} <= names
    assert pq.read_table(table_path(out, "trajectories")).num_rows == 4
    assert pq.read_table(table_path(out, "drops")).num_rows == 3


def test_the_manifest_lists_every_other_file_with_its_hash(tmp_path: Path) -> None:
    done = published(tmp_path / "data")
    found = files(done.folder)
    assert done.manifest == json.loads(found[MANIFEST])
    assert done.manifest["files"] == {n: digest_bytes(d) for n, d in found.items() if n not in (MANIFEST, RUN)}


def test_equal_content_gives_equal_bytes_wherever_it_is_written(tmp_path: Path) -> None:
    first, again = published(tmp_path / "a").folder, published(tmp_path / "deep" / "b").folder
    assert without_run(files(first)) == without_run(files(again))


def test_nothing_of_time_or_place_is_outside_the_run_file(tmp_path: Path) -> None:
    out = published(tmp_path / "data").folder
    for name, data in without_run(files(out)).items():
        assert str(tmp_path).encode() not in data, name
    assert "finished_at" in json.loads((out / RUN).read_bytes())


def test_an_identical_dataset_is_left_alone(tmp_path: Path) -> None:
    out = published(tmp_path / "data").folder
    (out / "notes.txt").write_text("mine")
    before = {p: p.stat().st_mtime_ns for p in out.rglob("*")}
    again = published(out)
    assert again.unchanged
    assert {p: p.stat().st_mtime_ns for p in out.rglob("*")} == before
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


def test_a_damaged_dataset_of_the_same_build_is_written_anew(tmp_path: Path) -> None:
    out = published(tmp_path / "data").folder
    whole = without_run(files(out))
    (out / "README.md").write_text("damaged")
    table_path(out, "drops").unlink()
    assert not published(out).unchanged
    assert without_run(files(out)) == whole


@pytest.mark.parametrize("replacing", [True, False])
@pytest.mark.parametrize(
    "manifest", [None, "", "[]", "{}", '{"what": "something else", "build_id": "x"}', '{"what": "trajmill dataset"}']
)
def test_a_foreign_folder_is_refused_and_left_as_it_was(tmp_path: Path, manifest: str | None, replacing: bool) -> None:
    out = tmp_path / "data"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    if manifest is not None:
        (out / MANIFEST).write_text(manifest)
    before = files(out)
    with pytest.raises(StoreError, match="not a Trajmill dataset"):
        publish(content(), out, replacing=replacing)
    assert files(out) == before


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    with pytest.raises(StoreError, match="not a folder"):
        published(tmp_path / "data")
    (tmp_path / "loose").symlink_to(tmp_path / "nowhere" / "at" / "all")
    with pytest.raises(StoreError, match="not a folder"):
        require_free(tmp_path / "loose", OTHER)


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    assert not published(tmp_path / "data").unchanged


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "real")
    published(tmp_path / "data")
    publish(content(build_id=OTHER), tmp_path / "data", replacing=True)
    assert (tmp_path / "data").is_symlink()
    assert read_manifest(tmp_path / "real") is not None


def test_another_build_is_refused_unless_it_is_to_be_replaced(tmp_path: Path) -> None:
    out = published(tmp_path / "data").folder
    before = files(out)
    with pytest.raises(StoreError, match="--replace"):
        publish(content(build_id=OTHER), out)
    assert files(out) == before
    done = publish(content(build_id=OTHER), out, replacing=True)
    assert not done.unchanged
    assert (read_manifest(out) or {})["build_id"] == OTHER
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


class Crash(BaseException):
    """As if the machine had stopped."""


@pytest.mark.parametrize("moment", range(2))
def test_a_crash_between_the_renames_leaves_one_whole_dataset(
    tmp_path: Path, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = published(tmp_path / "data").folder
    old, renames = files(out), [0]
    rename = Path.rename

    def crashing(self: Path, target: Any) -> Path:
        renames[0] += 1
        if renames[0] == moment + 1:
            raise Crash
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", crashing)
        patch.setattr("shutil.rmtree", lambda *args, **more: None)
        with pytest.raises(Crash):
            publish(content(build_id=OTHER), out, replacing=True)
    assert out.exists() == (moment == 0)
    with pytest.raises(StoreError, match="--replace"):
        require_free(out, OTHER)
    assert files(out) == old, "the old dataset is back"
    publish(content(build_id=OTHER), out, replacing=True)
    assert (read_manifest(out) or {})["build_id"] == OTHER
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


def test_a_fault_while_writing_leaves_the_old_dataset_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = published(tmp_path / "data").folder
    before = files(out)

    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "write_card", full)
    with pytest.raises(UnavailableError, match="No space left on device"):
        publish(content(build_id=OTHER), out, replacing=True)
    assert files(out) == before
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


def test_what_only_looks_like_a_replaced_dataset_is_not_removed(tmp_path: Path) -> None:
    out = published(tmp_path / "data").folder
    mine = tmp_path / ".data.old"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    with pytest.raises(StoreError, match="in the way"):
        publish(content(build_id=OTHER), out, replacing=True)
    assert files(mine) == {"thesis.tex": b"years of work"}
    assert (read_manifest(out) or {})["build_id"] != OTHER


def test_a_dataset_without_rows_is_written(tmp_path: Path) -> None:
    done = published(tmp_path / "data", trajectories=(), tasks=(), drops=())
    assert done.manifest["rows"] == {"tasks": 0, "trajectories": 0, "drops": 0}
    assert pq.read_table(table_path(done.folder, "trajectories")).num_rows == 0


def test_a_place_that_takes_no_names_is_told_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(StoreError, match=r"note\.txt is not a folder"):
        require_free(tmp_path / "note.txt" / "set", "build-1")
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o555)
    if os.access(shut, os.W_OK):
        pytest.skip("this user writes to folders of mode 555, as root does")
    with pytest.raises(UnavailableError, match=r"written in .*shut"):
        require_free(shut / "set", "build-1")
