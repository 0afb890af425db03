"""``run``: scripts of an agent, tame and hostile, in the real sandbox."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.verifiers.evidence import Files, look
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.tree import FileEntry
from trajmill.verifiers.checks import run as module

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


def test_a_script_that_hides_behind_a_link_is_refused(bubblewrap: BubblewrapBackend) -> None:
    assert look("run", {"path": "s.sh", "cases": CASES}, {}, bubblewrap).detail == "s.sh does not exist"
