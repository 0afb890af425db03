from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from trajmill.flows import doctor
from trajmill.flows.doctor import Finding, examine
from trajmill.sandboxes.base import ExecResult
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.sandboxes.fake import FakeBackend
from trajmill.schemas.errors import UnavailableError
from trajmill.synth.tasks.toolset import PACKAGES

Programs = Callable[[Sequence[str]], ExecResult]


def having(*missing: str) -> Programs:
    """A machine that has every tool but these."""
    names = sorted(set(PACKAGES) - set(missing))
    listed = "".join(f"{name}\t{'0' * 64}\t1.0\n" for name in names)
    return lambda argv: ExecResult(listed.encode(), b"", 0)


def found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, backend: object) -> dict[str, Finding]:
    monkeypatch.setattr(doctor, "backend_by_name", lambda name: backend)
    monkeypatch.setattr(doctor, "_demo_data", lambda: Finding("demo data", "ok", "not looked at here"))
    return {finding.subject: finding for finding in examine(tmp_path / "store")}


def test_a_machine_that_has_everything_is_fine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    findings = found(monkeypatch, tmp_path, FakeBackend(lambda line: "trajmill\n", having()))
    assert {f.subject for f in findings.values() if f.state == "problem"} == set()
    assert findings["tools"].found == f"{len(PACKAGES)} of {len(PACKAGES)} found"
    assert list(tmp_path.iterdir()) == []


def test_a_tool_that_skills_can_do_without_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tools = found(monkeypatch, tmp_path, FakeBackend(lambda line: "trajmill\n", having("jq")))["tools"]
    assert (tools.state, tools.remedy) == ("note", "Install the packages jq.")


def test_a_tool_that_every_task_needs_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert (
        found(monkeypatch, tmp_path, FakeBackend(lambda line: "trajmill\n", having("ls")))["tools"].state == "problem"
    )


def test_a_sandbox_that_does_not_open_comes_with_its_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Forbidden(FakeBackend):
        def open(self, spec: object) -> object:  # type: ignore[override]  # it never opens
            raise UnavailableError("User namespaces are forbidden.", remedy="Allow them.")

    sandbox = found(monkeypatch, tmp_path, Forbidden())["sandbox"]
    assert (sandbox.state, sandbox.remedy) == ("problem", "Allow them.")


def test_a_sandbox_that_says_something_else_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert found(monkeypatch, tmp_path, FakeBackend(lambda line: "other", having()))["sandbox"].state == "problem"


def test_what_keeps_the_limits_is_said_of_the_backend_that_knows() -> None:
    (limits,) = doctor._limits(BubblewrapBackend(cgroups=False))
    assert limits == Finding("limits", "ok", "rlimits and a watch every 50 ms")
    assert list(doctor._limits(FakeBackend())) == []


def test_a_store_that_cannot_be_made_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    backend = FakeBackend(lambda line: "trajmill\n", having())
    assert found(monkeypatch, tmp_path / "file", backend)["store"].state == "problem"


def test_little_space_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "DISK_BYTES", 10**18)
    assert found(monkeypatch, tmp_path, FakeBackend(lambda line: "trajmill\n", having()))["disk"].state == "problem"


def test_forbidden_namespaces_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "most").write_text("0\n")
    monkeypatch.setattr(doctor, "NAMESPACES", tmp_path / "most")
    findings = found(monkeypatch, tmp_path, FakeBackend(lambda line: "trajmill\n", having()))
    assert findings["user namespaces"].remedy == "Run: sysctl -w user.max_user_namespaces=15000"


def test_without_prefect_and_demo_data_a_build_still_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert doctor._demo_data().state == "note"
    assert "trajmill[demo]" in doctor._demo_data().remedy
    assert found(monkeypatch, tmp_path, FakeBackend(lambda line: "trajmill\n", having()))["Prefect"].state == "note"
