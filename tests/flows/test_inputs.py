from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trajmill.flows.inputs import Inputs, read_inputs
from trajmill.schemas.config import BuildConfig, BuildSection, SourceSection
from trajmill.schemas.errors import ConfigError, InputError

CSV = "id,name\n" + "".join(f"{n},name {n}\n" for n in range(12))


def config(folder: Path, *sections: SourceSection) -> BuildConfig:
    return replace(BuildConfig(BuildSection("tiny"), sections or (SourceSection("data"),)), folder=folder)


def filled(folder: Path, *names: str) -> Path:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(CSV)
    return folder


def test_the_files_of_a_folder_are_taken_in_order_of_their_names(tmp_path: Path) -> None:
    found = read_inputs(config(filled(tmp_path, "data/b.csv", "data/a.csv")))
    assert [m.name for m in found.materials] == ["a.csv", "b.csv"]


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    filled(tmp_path, "data/a.csv")
    (tmp_path / "data" / "photo.bin").write_bytes(bytes(range(256)) * 40)
    (drop,) = read_inputs(config(tmp_path)).left_out
    assert (drop.stage, drop.subject) == ("source", "photo.bin")


def test_a_licence_is_stated_for_files_that_state_none(tmp_path: Path) -> None:
    found = read_inputs(config(filled(tmp_path, "data/a.csv"), SourceSection("data", licence="MIT")))
    assert {m.licence for m in found.materials} == {"MIT"}


def ident(folder: Path, *sections: SourceSection) -> str:
    return read_inputs(config(folder, *sections)).id


def test_the_id_follows_content_names_and_licences(tmp_path: Path) -> None:
    first = ident(filled(tmp_path, "data/a.csv"))
    assert first == ident(tmp_path)
    assert first != ident(tmp_path, SourceSection("data", licence="MIT"))
    (tmp_path / "data" / "a.csv").write_text(CSV + "13,more\n")
    changed = ident(tmp_path)
    (tmp_path / "data" / "a.csv").rename(tmp_path / "data" / "b.csv")
    assert len({first, changed, ident(tmp_path)}) == 3


def test_the_id_does_not_follow_where_the_folder_lies(tmp_path: Path) -> None:
    assert ident(filled(tmp_path / "x", "data/a.csv")) == ident(filled(tmp_path / "y", "data/a.csv"))


def test_several_sources_are_read_in_order(tmp_path: Path) -> None:
    filled(tmp_path, "one/b.csv", "two/a.csv")
    found = read_inputs(config(tmp_path, SourceSection("one"), SourceSection("two")))
    assert [m.name for m in found.materials] == ["b.csv", "a.csv"]
    assert [s.name for s in found.sources] == ["one", "two"]


@pytest.mark.parametrize("folders", [("one", "two"), ("one/data", "two/data")])
def test_two_sources_with_a_file_of_the_same_name_are_refused(tmp_path: Path, folders: tuple[str, str]) -> None:
    filled(tmp_path, *(f"{folder}/a.csv" for folder in folders))
    with pytest.raises(ConfigError, match=r"a\.csv"):
        read_inputs(config(tmp_path, *(SourceSection(folder) for folder in folders)))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="data"):
        read_inputs(config(tmp_path))


def test_originals_are_never_changed(tmp_path: Path) -> None:
    filled(tmp_path, "data/a.csv")
    before = (tmp_path / "data" / "a.csv").stat().st_mtime_ns
    found: Inputs = read_inputs(config(tmp_path))
    assert (tmp_path / "data" / "a.csv").stat().st_mtime_ns == before
    assert found.materials[0].data == CSV.encode()
