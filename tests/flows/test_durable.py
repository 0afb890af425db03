from __future__ import annotations

from pathlib import Path

import pytest

from trajmill.flows.durable import make_folder, remove_file, write_whole
from trajmill.schemas.errors import UnavailableError


def test_a_file_is_written_with_the_folders_above_it_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_what_stops_the_writing_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_named_with_exit_code_3(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnavailableError, match=r"file cannot be written: .+\.") as caught:
        make_folder(tmp_path / "file" / "folder")
    assert caught.value.exit_code == 3
    with pytest.raises(UnavailableError, match="cannot be written"):
        write_whole(tmp_path / "file" / "folder" / "x", b"")


def test_a_file_that_is_gone_is_removed_without_complaint(tmp_path: Path) -> None:
    remove_file(tmp_path / "none")
