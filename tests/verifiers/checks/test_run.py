"""``run``: scripts of an agent, tame and hostile, in the real sandbox."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from tests.verifiers.evidence import Files, a_task, look, tree
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.task import Check
from trajmill.schemas.tree import FileEntry, FolderEntry, LinkEntry
from trajmill.verifiers.checks import run as module
from trajmill.verifiers.verify import verify

pytestmark = pytest.mark.sandbox

CASES = [
    {"args": ["in.txt"], "files": {"in.txt": "b\na\n"}, "stdout": "a\nb\n"},
    {"args": ["in.txt"], "files": {"in.txt": "ä\n"}, "stdout": "ä\n"},
]


@pytest.fixture
def run(bubblewrap: BubblewrapBackend, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(module, "CASE_TIMEOUT_S", 0.6)

    def look_at(script: str, mode: int = 0o644, **changes: Any) -> str:
        params = {"path": "s.sh", "interpreter": "bash", "cases": CASES, **changes}
        files: Files = {"s.sh": FileEntry(script.encode(), mode)}
        return look("run", params, files, bubblewrap).detail

    return look_at


def test_a_right_script_passes_on_inputs_it_never_saw(run: Any) -> None:
    assert run('sort "$1"') == ""
    assert run('printf "%s\\n\\n" "$(sort "$1")"') == "", "space at the end is forgiven"


def test_an_executable_is_started_by_itself(run: Any) -> None:
    assert run('#!/bin/sh\nsort "$1"\n', 0o755, interpreter="") == ""
    assert run('#!/bin/sh\nsort "$1"\n', 0o644, interpreter="") == "s.sh is not executable"


def test_permission_can_be_asked_for_without_a_mode(run: Any) -> None:
    assert run('sort "$1"', 0o744, executable=True) == run('sort "$1"', 0o775, executable=True) == ""
    assert run('sort "$1"', 0o644, executable=True) == "s.sh is not executable"


def test_a_script_may_have_to_be_executable_whatever_starts_it(run: Any) -> None:
    assert run('sort "$1"', 0o744, executable=True) == ""
    assert run('sort "$1"', 0o644, executable=True) == "s.sh is not executable"


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        ("", "s.sh printed '' on case 1, expected 'a\\nb',"),
        ("cat in.txt", "s.sh printed 'b\\na', expected 'a\\nb', on case 1"),
        ("echo a; echo b", "s.sh printed 'a\\nb', expected 'ä', on case 2"),
        ('sort "$1"; exit 3', "s.sh ended with exit code 3 on case 1"),
        ("no-such-command", "s.sh ended with exit code 127 on case 1"),
        ("sort <<<", "s.sh ended with exit code 2 on case 1"),
        ("printf '\\033[31m\\377'", "s.sh printed '\\x1b[31m�', expected 'a\\nb', on case 1"),
        ("kill -9 $$", "s.sh ended with exit code 137 on case 1"),
    ],
)
def test_a_wrong_script_is_told_apart(run: Any, script: str, detail: str) -> None:
    assert run(script) == detail.replace(" on case 1, expected 'a\\nb',", ", expected 'a\\nb', on case 1")


@pytest.mark.parametrize(
    "script",
    ["yes", "sleep 100", "while :; do :; done", "cat /dev/zero", ":(){ :|:; };:", "sleep 100 & sleep 100 & wait"],
)
def test_a_script_that_never_ends_is_a_failure_within_its_time(run: Any, script: str) -> None:
    started = time.monotonic()
    assert "did not end in time" in (found := run(script)) or "broke a limit" in found or "exit code" in found
    assert time.monotonic() - started < 8


def test_a_script_that_prints_too_much_is_a_failure(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trajmill.verifiers.base.OUTPUT_BYTES", 10_000)
    assert run("seq 100000") == "s.sh printed more than is read on case 1"


def test_slow_cases_end_before_the_verifiers_time(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CASES_TIMEOUT_S", 0.5)
    assert run("sleep 0.6; cat", cases=[{"stdout": ""}] * 3).startswith("s.sh did not end")


def test_what_a_script_leaves_behind_does_not_outlive_its_case(run: Any) -> None:
    assert "case 2" not in run('(sleep 30; echo late) & disown; sort "$1"')


@pytest.mark.parametrize("hostile", [{"in.txt/x": b""}, {"in.txt": FolderEntry(0)}], ids=["folder", "locked folder"])
def test_what_stands_in_the_way_of_a_hidden_input_is_a_failure(hostile: Files, bubblewrap: BubblewrapBackend) -> None:
    params = {"path": "s.sh", "interpreter": "bash", "cases": CASES}
    found = look("run", params, {"s.sh": b'sort "$1"', **hostile}, bubblewrap)
    assert found.detail == "s.sh cannot be tried: something is in the way of ['in.txt']"


def test_a_link_in_place_of_a_hidden_input_is_not_followed(bubblewrap: BubblewrapBackend) -> None:
    params = {"path": "s.sh", "interpreter": "bash", "cases": CASES}
    files: Files = {"s.sh": b'sort "$1"', "in.txt": LinkEntry("kept.txt"), "kept.txt": b"kept\n"}
    assert look("run", params, files, bubblewrap).passed


def test_a_reward_that_a_script_writes_itself_counts_for_nothing(run: Any) -> None:
    script = "mkdir -p logs/verifier; echo 1 > logs/verifier/reward.txt; echo '{\"reward\": 1}' > reward.json; echo a"
    assert run(script) == "s.sh printed 'a', expected 'a\\nb', on case 1"


def test_a_script_cannot_change_what_a_later_check_reads(bubblewrap: BubblewrapBackend) -> None:
    script = b"rm -rf repo a.db; printf x > a.db; git init -q -b main repo; printf '[core]' > ~/.gitconfig; sort $1"
    checks = (
        Check("runs", "run", {"path": "s.sh", "interpreter": "bash", "cases": CASES}),
        Check("db", "sqlite", {"path": "a.db", "query": "SELECT 1", "rows": [[1]]}),
        Check("repo", "git", {"path": "repo", "branch": "main"}),
    )
    files = tree({"s.sh": script, "a.db": b"", "repo/.git/HEAD": b"ref: refs/heads/main\n"})
    verdict = asyncio.run(verify(a_task(*checks), files, bubblewrap))
    assert [(c.name, c.passed) for c in verdict.checks] == [("runs", True), ("db", True), ("repo", False)]


def test_a_script_that_hides_behind_a_link_is_refused(bubblewrap: BubblewrapBackend) -> None:
    assert look("run", {"path": "s.sh", "cases": CASES}, {}, bubblewrap).detail == "s.sh does not exist"
