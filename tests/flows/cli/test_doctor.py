from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trajmill.flows.doctor import Finding

Run = Callable[..., Any]

FINE = (Finding("Python", "ok", "Python 3.11"), Finding("tools", "note", "72 of 73 found", "Install the packages jq."))


def examined(monkeypatch: pytest.MonkeyPatch, *findings: Finding) -> None:
    monkeypatch.setattr("trajmill.flows.doctor.examine", lambda store: findings)


def test_a_machine_that_can_build_ends_with_0(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    examined(monkeypatch, *FINE)
    done = run("doctor")
    assert done.code == 0
    assert done.out.splitlines() == [
        "ok        Python            Python 3.11",
        "note      tools             72 of 73 found",
        "                            -> Install the packages jq.",
        "This machine can build.",
    ]


def test_a_problem_ends_with_3_and_its_remedy(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    examined(monkeypatch, *FINE, Finding("sandbox", "problem", "It does not open.", "Allow user namespaces."))
    done = run("doctor", "--store", tmp_path, "--json")
    assert done.code == 3
    assert done.json["usable"] is False
    assert done.json["findings"][-1]["remedy"] == "Allow user namespaces."
