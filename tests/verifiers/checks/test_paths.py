"""``absent``, ``folder``, ``link``, ``modes`` and ``unchanged``: what is where."""

from __future__ import annotations

import pytest

from tests.verifiers.evidence import Files, look
from trajmill.schemas.ids import digest_bytes
from trajmill.schemas.tree import FileEntry, FolderEntry, LinkEntry

A, B = {"sha256": digest_bytes(b"a\n")}, {"same": "b.txt"}


@pytest.mark.parametrize(
    "files",
    [{"old.txt": b""}, {"old.txt/x": b""}, {"old.txt": FolderEntry()}, {"old.txt": LinkEntry("nowhere")}],
    ids=["file", "folder with a file", "empty folder", "dangling link"],
)
def test_absent_refuses_whatever_is_still_there(files: Files) -> None:
    assert look("absent", {"paths": ["old.txt"]}, files).detail == "old.txt still exists"


def test_absent_is_content_with_other_files() -> None:
    assert look("absent", {"paths": ["old.txt"]}, {"old.txt.bak": b"", "new.txt": b""}).passed


def folder(files: Files) -> str:
    return look("folder", {"path": "out", "files": {"a.txt": A, "sub/b.txt": B}}, files).detail


RIGHT: Files = {"out/a.txt": b"a\n", "out/sub/b.txt": b"b\n", "b.txt": b"b\n"}


def test_folder_accepts_the_files_and_forgives_empty_folders() -> None:
    assert folder({**RIGHT, "out/empty": FolderEntry()}) == ""


@pytest.mark.parametrize(
    ("files", "detail"),
    [
        ({}, "out does not exist"),
        ({"out": b"a\n"}, "out is no folder"),
        ({"out": LinkEntry("/etc")}, "out is no folder"),
        ({"out": FolderEntry()}, "out: file a.txt is missing"),
        ({**RIGHT, "out/a.txt": b"A\n"}, "out: file a.txt has other content than expected"),
        ({**RIGHT, "out/c.txt": b""}, "out: file c.txt is not expected"),
        ({**RIGHT, "out/a.txt": LinkEntry("../a.txt")}, "out/a.txt is a symbolic link, not a file"),
        ({"out/a.txt": b"a\n", "out/sub/b.txt": b"b\n"}, "b.txt does not exist"),
        ({**RIGHT, "out/\udcff\x1b[2J": b""}, "out: file \\udcff\\x1b[2J is not expected"),
    ],
)
def test_folder_names_the_first_difference(files: Files, detail: str) -> None:
    assert folder(files) == detail


def test_a_file_in_place_of_an_empty_folder_is_refused() -> None:
    assert not look("folder", {"path": "out", "files": {}}, {"out": b""}).passed


@pytest.mark.parametrize("target", ["data/a.txt", "./data/a.txt", "/workspace/data/a.txt", "data/../data/a.txt"])
def test_link_accepts_any_spelling(target: str) -> None:
    files: Files = {"a": LinkEntry(target), "data/a.txt": b""}
    assert look("link", {"path": "a", "target": "data/a.txt"}, files).passed


def test_link_may_have_to_be_relative() -> None:
    params = {"path": "a", "target": "data/a.txt", "relative": True}
    assert look("link", params, {"a": LinkEntry("./data/a.txt"), "data/a.txt": b""}).passed
    absolute = look("link", params, {"a": LinkEntry("/workspace/data/a.txt"), "data/a.txt": b""})
    assert absolute.detail == "a leads to '/workspace/data/a.txt', which is no relative target"


@pytest.mark.parametrize(
    ("files", "detail"),
    [
        ({}, "a does not exist"),
        ({"a": b"data/a.txt"}, "a is no symbolic link"),
        ({"a": LinkEntry("data/b.txt"), "data/a.txt": b""}, "a leads to 'data/b.txt', expected data/a.txt"),
        ({"a": LinkEntry("/etc/passwd"), "data/a.txt": b""}, "a leads to '/etc/passwd', expected data/a.txt"),
        ({"a": LinkEntry("../" * 50 + "data/a.txt"), "data/a.txt": b""}, None),
        ({"a": LinkEntry("data/a.txt")}, "a leads to data/a.txt, which does not exist"),
        ({"a": LinkEntry("a")}, "a leads to 'a', expected data/a.txt"),
        ({"a": LinkEntry("")}, "a leads to '', expected data/a.txt"),
    ],
)
def test_link_names_what_is_wrong(files: Files, detail: str | None) -> None:
    finding = look("link", {"path": "a", "target": "data/a.txt"}, files)
    assert not finding.passed
    assert detail is None or finding.detail == detail


def test_link_may_lead_to_a_folder() -> None:
    assert look("link", {"path": "a", "target": "data"}, {"a": LinkEntry("data/"), "data/x": b""}).passed


def test_modes_compares_exactly() -> None:
    files: Files = {"run.sh": FileEntry(b"", 0o755), "secret": FileEntry(b"", 0o600)}
    assert look("modes", {"modes": {"run.sh": "0755", "secret": "0600"}}, files).passed


@pytest.mark.parametrize(
    ("files", "detail"),
    [
        ({}, "run.sh does not exist"),
        ({"run.sh": b""}, "run.sh has the mode 0644, expected 0755"),
        ({"run.sh": FileEntry(b"", 0o4755)}, "run.sh has the mode 4755, expected 0755"),
        ({"run.sh": LinkEntry("/bin/sh")}, "run.sh is a symbolic link"),
    ],
)
def test_modes_names_what_is_wrong(files: Files, detail: str) -> None:
    assert look("modes", {"modes": {"run.sh": "0755"}}, files).detail == detail


UNCHANGED = {"files": {"in.csv": digest_bytes(b"a,b\n")}}


def test_unchanged_accepts_the_same_bytes() -> None:
    assert look("unchanged", UNCHANGED, {"in.csv": b"a,b\n"}).passed


@pytest.mark.parametrize(
    ("files", "detail"),
    [
        ({}, "in.csv does not exist"),
        ({"in.csv": b"a,b"}, "in.csv was changed"),
        ({"in.csv": FolderEntry()}, "in.csv is a folder, not a file"),
        ({"in.csv": LinkEntry("copy.csv"), "copy.csv": b"a,b\n"}, "in.csv is a symbolic link, not a file"),
    ],
)
def test_unchanged_names_what_is_wrong(files: Files, detail: str) -> None:
    assert look("unchanged", UNCHANGED, files).detail == detail
