from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from trajmill.flows.cli.serve import BUILDER
from trajmill.flows.versions import VersionJob, _builder

Run = Callable[..., Any]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "nightly.toml"
    path.write_text('[build]\nname = "nightly"\n[source]\nfiles = "demo"\n')
    return path


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[VersionJob, str, str]]:
    """What reaches the file that imports Prefect, which is not imported here."""
    calls: list[tuple[VersionJob, str, str]] = []

    def serve(job: VersionJob, cron: str, *, say: Callable[[str], None], timezone: str) -> None:
        calls.append((job, cron, timezone))
        say("Serving [bold]it[/bold].")

    stand_in = ModuleType("trajmill.flows.serve")
    stand_in.__dict__["serve"] = serve
    monkeypatch.setitem(sys.modules, "trajmill.flows.serve", stand_in)
    monkeypatch.setattr("trajmill.flows.prefect_server.QUIET_SETTINGS", {})
    return calls


def test_a_job_with_full_paths_is_served(
    run: Run, config: Path, tmp_path: Path, served: list[tuple[VersionJob, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("serve", "nightly.toml", "--cron", "0 3 * * *", "--timezone", "Europe/Berlin")
    assert (done.code, done.out) == (0, "Serving [bold]it[/bold].\n")
    job = VersionJob("nightly", config, tmp_path / "datasets", tmp_path / "store", BUILDER)
    assert served == [(job, "0 3 * * *", "Europe/Berlin")]


def test_what_is_said_comes_as_json_one_document_a_line(
    run: Run, config: Path, served: list[tuple[VersionJob, str, str]]
) -> None:
    done = run("serve", config, "--cron", "0 3 * * *", "--json")
    assert done.json == {"dataset": "nightly", "said": "Serving [bold]it[/bold]."}
    assert len(served) == 1


def test_the_builder_is_there() -> None:
    assert callable(_builder(BUILDER))


def test_a_wrong_configuration_is_refused_before_anything(
    run: Run, config: Path, served: list[tuple[VersionJob, str, str]]
) -> None:
    config.write_text("[build]\nnam = 1\n")
    assert run("serve", config, "--cron", "0 3 * * *").code == 2
    assert served == []
