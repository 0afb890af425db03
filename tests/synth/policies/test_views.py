"""What is said of a view is true of what was shown, whatever that is."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajmill.schemas.content.tables import Dialect, make_table
from trajmill.synth.packs.facts import (
    Archive,
    Database,
    Document,
    Facts,
    Folder,
    Lines,
    Log,
    Records,
    Repository,
    Script,
    Settings,
    Text,
)
from trajmill.synth.policies.habits import CONTENT, agrees, verdict_on_output
from trajmill.synth.policies.view import View, counted
from trajmill.synth.policies.views import views_of
from trajmill.synth.policies.views_files import line_shape

TABLE = make_table(["a", "b"], [["1", "2"], ["3", "4"]])
FACTS: dict[str, Facts] = {
    "t.csv": TABLE,
    "t.tsv": make_table(["a", "b"], [["1", "2"]], Dialect("\t")),
    "r.json": Records(({"a": 1},)),
    "r.jsonl": Records(({"a": 1},)),
    "d.json": Document({"a": [1]}),
    "n.json": Document(7),
    "a.log": Log(()),
    "list.txt": Lines(("x", "y")),
    "odd name.txt": Text("x\n"),
    "s.ini": Settings({"": {"a": "1"}}),
    "run.sh": Script("echo x\n"),
    "folder": Folder({"a": b""}),
    "a.zip": Archive("zip", {"a": b""}),
    "a.tar.gz": Archive("tar.gz", {"a": b""}),
    "a.gz": Archive("gz", {"a": b""}),
    "a.db": Database({"t": TABLE}),
    "repo": Repository(()),
}


def views(path: str, seed: int = 1) -> tuple[View, ...]:
    return views_of(path, FACTS[path], random.Random(seed))


def readings(view: View, seen: str) -> set[str]:
    return {view.read(seen, random.Random(n)) for n in range(25)}


@pytest.mark.parametrize("path", FACTS)
def test_every_kind_of_artefact_can_be_looked_at_and_checked(path: str) -> None:
    found = views(path)
    assert any(not view.orienting for view in found)
    for view in found:
        assert len(view.why) >= 2
        assert all(f"`{path}`" in why for why in view.why)


@pytest.mark.parametrize("path", FACTS)
@pytest.mark.parametrize("seen", ["", "\n", "odd\n", "bash: x: command not found\n", "\x00\x1b[31m", "12\n", "🦊\n"])
def test_a_reading_states_no_number_that_was_not_shown(path: str, seen: str) -> None:
    for view in views(path):
        for said in readings(view, seen):
            numbers = {int(n) for n in re.findall(r"\d+", said)}
            shown = {int(n) for n in re.findall(r"\d+", seen)}
            counts = {len(seen.splitlines()), seen.count(",") + 1}
            assert numbers <= shown | {n - 1 for n in shown} | counts, said


@settings(max_examples=40)
@given(st.sampled_from(list(FACTS)), st.text(max_size=60))
def test_a_reading_never_fails_and_is_a_sentence_or_nothing(path: str, seen: str) -> None:
    for view in views(path):
        said = view.read(seen, random.Random(0))
        assert said == "" or said.endswith(".")


COMMANDS: dict[str, bytes] = {
    "t.csv": b"a,b\n1,2\n3,4\n",
    "t.tsv": b"a\tb\n1\t2\n",
    "list.txt": b"x\ny\r\n\nz",
    "a.log": b"2024 INFO x\n2024 INFO y\n",
    "s.ini": b"a=1\n",
    "run.sh": b"echo x\n",
    "odd name.txt": "ä\r\n".encode(),
}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("path", COMMANDS)
def test_a_view_shows_of_given_bytes_what_its_command_prints(path: str, tmp_path: Path) -> None:
    (tmp_path / path).write_bytes(COMMANDS[path])
    compared = 0
    for seed in range(3):
        for view in views(path, seed):
            done = subprocess.run(["bash", "-c", view.command], cwd=tmp_path, capture_output=True, check=False)
            assert done.returncode == 0, (view.command, done.stderr)
            if view.shows is not None and "'" not in view.command.split()[-1]:
                compared += 1
                assert agrees(view, done.stdout.decode("utf-8", "replace"), COMMANDS[path]), view.command
    assert compared or path == "odd name.txt"


def view(path: str, part: str) -> View:
    return next(v for v in views(path) if re.search(part, v.command))


@pytest.mark.parametrize(
    ("path", "part", "seen", "truths"),
    [
        ("t.csv", "wc -l", "1 t.csv\n", ("1 line with", "0 lines below", "1 line, one", "Hardly more")),
        ("t.csv", "wc -l", "3 t.csv\n", ("3 lines", "2 lines below", "there are 2")),
        ("t.csv", r"head -n \d t.csv$", "a\n1\n", ("",)),
        ("t.csv", r"head -n \d t.csv$", '"a,b",c\n', ("",)),
        ("t.csv", "nl", '1\t"a\n2\tb"\n', ("",)),
        ("list.txt", "wc -l", "1 list.txt\n", ("1 line.", "1 line in all")),
        ("list.txt", "head", "a,b\nc,d\n", ("", "entry", "lines", "Readable", "unusual")),
        ("list.txt", "head", "\ufffd\n", ("",)),
        ("list.txt", "head", "", ("empty", "Nothing in it")),
        ("r.json", "wc -c", "1 r.json\n", ("1 byte",)),
        ("r.json", "python3", "str 5\n", ("",)),
        ("r.json", "python3", "list 1\n", ("array of 1 member.", "array with 1 member.")),
        ("folder", "wc -l", "1\n", ("1 file in", "1 file.")),
        ("folder", "ls", "a\n", ("1 entry", "1 name")),
        ("repo", "status", "## main...origin/main [ahead 1]\n", ("`main`",)),
        ("repo", "status", "## No commits yet on main\n", ("",)),
        ("repo", "status", "## main\n M a\n", ("there are uncommitted changes",)),
        ("odd name.txt", r"\| od", "0000000\n", ("nothing in it", "empty")),
        ("odd name.txt", r"\| od", "0000000   a  \\r  \\n\n0000003\n", ("carriage returns", "\\r", "Windows")),
        ("odd name.txt", r"\| od", "0000000   a  \\r   b\n0000003\n", ("control",)),
        ("odd name.txt", r"\| od", "0000000   a  \\0   b\n0000003\n", ("control",)),
        ("odd name.txt", r"\| od", "0000000 303 244  \\n\n0000003\n", ("outside ASCII", "not ASCII", "high bytes")),
        ("odd name.txt", r"\| od", "0000300   a   b  \\n\n0000303\n", ("lain",)),
    ],
)
def test_a_reading_says_what_can_be_seen_and_no_more(path: str, part: str, seen: str, truths: tuple[str, ...]) -> None:
    for said in readings(view(path, part), seen):
        assert any(said == truth if truth == "" else truth in said for truth in truths), said


def test_a_branch_without_commits_is_not_called_no() -> None:
    assert "`No`" not in "".join(readings(view("repo", "status"), "## No commits yet on main\n"))


def test_praise_follows_only_a_comparison_that_agrees() -> None:
    head, data = view("list.txt", "tail"), b"x\ny\n"
    said = {verdict_on_output(head, "x\ny\n", data, random.Random(n)) for n in range(40)}
    assert any(word in text for text in said for word in CONTENT)
    for seen, expected in (("x\nz\n", data), ("x\ny\n", None), ("", data)):
        said = {verdict_on_output(head, seen, expected, random.Random(n)) for n in range(40)}
        assert not any(word in text for text in said for word in CONTENT)


def test_json_lines_are_not_loaded_as_one_document() -> None:
    assert not any("json.load" in v.command for path in ("r.jsonl", "n.json") for v in views(path))
    assert any("json.load" in v.command for v in views("r.json"))


def test_lines_of_fields_are_not_called_single_values() -> None:
    said = {line_shape("a,b\nc,d\n", random.Random(n)) for n in range(30)}
    assert not any("value" in text or "item" in text for text in said)
    assert any("One value" in line_shape("a\nb\n", random.Random(n)) for n in range(30))


def test_a_number_agrees_with_its_noun() -> None:
    assert (counted(1, "entry", "entries"), counted(0, "line"), counted(2, "entry", "entries")) == (
        "1 entry",
        "0 lines",
        "2 entries",
    )
