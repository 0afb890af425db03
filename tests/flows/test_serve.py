from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("serve_toy.py")

pytestmark = [pytest.mark.prefect, pytest.mark.network, pytest.mark.xdist_group("prefect")]


def environment(url: str, home: Path) -> dict[str, str]:
    """Settings of a serving process; the runs that it starts find the toy builder on the path."""
    return {**os.environ, "PREFECT_API_URL": url, "PREFECT_HOME": str(home), "PYTHONPATH": str(SCRIPT.parent)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where versions go; version 1 is there already."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "store").mkdir()
    (folder / "toy-v1").mkdir()
    (folder / "toy-v1" / "data.txt").write_text("version 1\n")
    return folder


@pytest.fixture(scope="module")
def refusals(prefect_url: str, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Serves for the length of the module; gives what was printed about wrong arguments before that."""
    with subprocess.Popen(
        [sys.executable, str(SCRIPT), str(folder)],
        env=environment(prefect_url, tmp_path_factory.mktemp("client")),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        refused = [process.stdout.readline() for _ in range(3)]
        assert process.stdout.readline().startswith("Serving trajmill-version/toy at '0 3 * * *' (UTC)")
        yield refused
        process.send_signal(signal.SIGTERM)
        assert process.stdout.read() == "Stopped; the schedule of toy is paused.\n"
        assert process.wait() == 0


@pytest.fixture(scope="module")
def deployment(refusals: object, ask: Callable[..., Any]) -> Any:
    return ask("/deployments/name/trajmill-version/toy")


def wait_for(found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not found():
        assert time.monotonic() < deadline, "it did not happen within 60 s"
        time.sleep(0.1)


def test_the_schedule_shows_in_the_api(deployment: Any) -> None:
    (schedule,) = deployment["schedules"]
    assert (schedule["schedule"]["cron"], schedule["schedule"]["timezone"]) == ("0 3 * * *", "UTC")
    assert schedule["active"]


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"nonsense": 1}, "'nonsense' was unexpected"),
        ({"builder": "os:system"}, "'builder' was unexpected"),
        ({"paths": 0}, "less than the minimum"),
        ({"paths": 10**9}, "greater than the maximum"),
        ({"paths": "many"}, "not valid"),
    ],
)
def test_an_unknown_or_wrong_parameter_is_refused(
    deployment: Any, ask: Callable[..., Any], parameters: Any, reason: str
) -> None:
    reply = ask(f"/deployments/{deployment['id']}/create_flow_run", {"parameters": parameters})
    assert reply["status"] == 409
    assert reason in reply["detail"]


def test_a_triggered_run_adds_a_version_and_an_overlapping_one_is_refused(
    deployment: Any, ask: Callable[..., Any], folder: Path
) -> None:
    def trigger(parameters: Any) -> str:
        created = ask(f"/deployments/{deployment['id']}/create_flow_run", {"parameters": parameters})
        return str(created["id"])

    def state(run: str) -> Any:
        return ask(f"/flow_runs/{run}")["state"]

    first = trigger({"paths": 5})
    wait_for(lambda: (folder / "store" / "begun-2").exists())
    second = trigger({})
    wait_for(lambda: state(second)["type"] == "CANCELLED")
    assert state(second)["message"] == "Deployment concurrency limit reached."
    (folder / "store" / "go").touch()
    wait_for(lambda: state(first)["type"] not in ("SCHEDULED", "PENDING", "RUNNING"))
    assert (state(first)["type"], state(first)["message"]) == ("COMPLETED", "toy-v2: paths 5")
    assert ask(f"/flow_runs/{first}")["name"] == "toy-v2"
    assert sorted(path.name for path in folder.glob("toy-v*")) == ["toy-v1", "toy-v2"]
    assert (folder / "toy-v1" / "data.txt").read_text() == "version 1\n"
    assert (folder / "toy-v2" / "data.txt").read_text() == "version 2, paths 5\n"


def test_a_wrong_schedule_and_a_missing_server_are_told_before_anything_is_registered(
    refusals: list[str], deployment: Any
) -> None:
    assert refusals[0].startswith("exit 2: The schedule 'whenever' in 'UTC' is not valid.")
    assert refusals[1].startswith("exit 2: The schedule '0 3 * * *' in 'Nowhere/None' is not valid.")
    assert refusals[2].startswith("exit 3: A schedule needs a Prefect server. Start one with `prefect server start`")
