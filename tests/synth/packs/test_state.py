from __future__ import annotations

import pytest

from tests.synth.handmade import world_with
from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.facts import Archive, Lines
from trajmill.synth.packs.state import Artefact

LINES = Lines(("a",))
STATE = world_with("a.txt", LINES, b"a\n")
ARCHIVE = Archive("zip", {"a.txt": b"a\n"})


def test_what_was_written_is_there_and_in_focus() -> None:
    after = STATE.wrote("out/b.txt", b"b\n", "list", LINES)
    assert after.focus == Artefact("out/b.txt", "list", LINES)
    assert after.data("out/b.txt") == b"b\n"
    assert after.holds("out")
    assert not STATE.holds("out"), "the state before is as it was"


def test_bytes_are_certain_only_where_a_check_compares_them() -> None:
    assert STATE.exact("a.txt")
    loose = STATE.wrote("b.txt", b"b\n", "list", LINES)
    assert not loose.exact("b.txt")
    assert loose.wrote("b.txt", b"b\n", "list", LINES, exact=True).exact("b.txt")
    assert not STATE.exact("missing.txt")


def test_what_was_made_is_there_without_bytes() -> None:
    made = STATE.made("a.zip", "archive", ARCHIVE)
    assert made.holds("a.zip")
    assert not made.exact("a.zip")
    with pytest.raises(KeyError):
        made.data("a.zip")


def test_a_thing_made_over_a_file_replaces_it() -> None:
    made = STATE.made("a.txt", "archive", ARCHIVE)
    assert made.tree.file("a.txt") is None
    assert made.holds("a.txt")


def test_a_file_written_over_a_made_thing_replaces_it() -> None:
    written = STATE.made("a.zip", "archive", ARCHIVE).wrote("a.zip", b"x\n", "list", LINES)
    assert dict(written.opaque) == {}
    assert written.data("a.zip") == b"x\n"


def test_what_is_removed_is_gone_with_all_below_it() -> None:
    made = STATE.made("d/a.zip", "archive", ARCHIVE).changed({"d/b.txt": FileEntry(b"")})
    gone = made.changed({}, gone=("d",))
    assert not gone.holds("d")
    assert gone.holds("a.txt")


def test_a_folder_is_not_held_by_a_file_with_a_longer_name() -> None:
    assert not STATE.holds("a")
