from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from trajmill.flows import pipeline
from trajmill.flows.attempts import RunShards
from trajmill.flows.units import Counts, ShardPlan, Unit, cut

SCRIPT = Path(__file__).with_name("prefect_scenarios.py")
SHARDS = cut([Unit(f"roll-{n}", "rollout", "task-1", "toy", n) for n in range(6)], 2)

pytestmark = pytest.mark.xdist_group("prefect")


@pytest.fixture(scope="module")
def scenarios(prefect_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of each scenario by name, and under ``errors`` what else was printed."""
    environment = {**os.environ, "PREFECT_API_URL": prefect_url, "PREFECT_HOME": str(tmp_path_factory.mktemp("client"))}
    command = [sys.executable, str(SCRIPT), str(tmp_path_factory.mktemp("own")), "several"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    return {outcome["name"]: outcome for outcome in outcomes} | {"errors": done.stderr, "code": done.returncode}


def flow_runs(ask: Callable[..., Any], name: str) -> list[Any]:
    reply: list[Any] = ask("/flow_runs/filter", {"flow_runs": {"name": {"any_": [name]}}})
    return reply


@pytest.mark.prefect
def test_a_build_gives_the_same_counts_under_prefect_and_prints_nothing(scenarios: dict[str, Any]) -> None:
    assert scenarios["errors"] == ""
    assert scenarios["code"] == 0
    done = [{"total": n, "skipped": 0, "done": n, "failed": 0, "retried": 0} for n in (4, 2)]
    assert scenarios["good"] == {"name": "good", "outcome": done, "said": []}


@pytest.mark.prefect
def test_a_build_is_one_flow_run_with_one_task_run_for_each_shard(
    scenarios: dict[str, Any], ask: Callable[..., Any]
) -> None:
    (run,) = flow_runs(ask, "good build-1")
    assert run["state_type"] == "COMPLETED"
    chosen = {"flow_runs": {"id": {"any_": [run["id"]]}}}
    tasks = {task["name"]: task["state_type"] for task in ask("/task_runs/filter", chosen)}
    assert tasks == dict.fromkeys(["shard-0000", "shard-0001", "shard-0002"], "COMPLETED")
    (flow,) = ask("/flows/filter", chosen)
    assert flow["name"] == "trajmill-build"


@pytest.mark.prefect
def test_an_error_of_a_shard_comes_out_unchanged_and_shows_as_failed(
    scenarios: dict[str, Any], ask: Callable[..., Any]
) -> None:
    assert scenarios["bad"] == {"name": "bad", "outcome": "ZeroDivisionError of the shard", "said": []}
    (run,) = flow_runs(ask, "bad build-1")
    assert run["state_type"] == "FAILED"


@pytest.mark.prefect
@pytest.mark.parametrize(
    ("name", "reason"), [("unreachable", "PREFECT_API_URL"), ("too-slow", "did not answer within")]
)
def test_without_a_server_the_same_build_runs_and_says_so_in_one_line(
    scenarios: dict[str, Any], name: str, reason: str
) -> None:
    assert scenarios[name]["outcome"] == scenarios["good"]["outcome"]
    (said,) = scenarios[name]["said"]
    assert reason in said
    assert said.endswith("The build runs without Prefect, with the same result.")
    assert "\n" not in said


@pytest.mark.prefect
def test_a_signal_ends_a_build_and_its_own_server_after_the_cleanup(
    prefect_url: str, prefect_home: Path, tmp_path: Path
) -> None:
    with contextlib.closing(sqlite3.connect(prefect_home / "prefect.db")) as ready:
        ready.execute("vacuum into ?", [str(tmp_path / "prefect.db")])
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PREFECT_")}
    command = [sys.executable, str(SCRIPT), str(tmp_path), "slow"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        servers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=60)
    assert output == "cleaned\n"
    assert errors.splitlines()[-1].startswith("trajmill.schemas.errors.Interrupted: Stopped by SIGTERM.")
    assert servers
    assert not [pid for pid in servers if Path(f"/proc/{pid}").exists()]
    with contextlib.closing(sqlite3.connect(tmp_path / "prefect.db")) as records:
        states = records.execute("select state_type from flow_run where name = 'slow build-1'").fetchall()
    assert states == [("CRASHED",)]


def test_a_build_goes_on_without_prefect_when_prefect_fails_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []

    async def run_shard(shard: ShardPlan) -> Counts:
        ran.append(shard.index)
        return Counts(total=len(shard.units), done=len(shard.units))

    async def body(run_each: RunShards) -> Counts:
        return await run_each([shard for shard in SHARDS if shard.index not in ran], run_shard)

    async def task(run: Callable[[ShardPlan], Any], shard: ShardPlan) -> Counts:
        if shard.index == 1:
            raise ConnectionError("the server is gone")
        counts: Counts = await run(shard)
        return counts

    async def run_flow(attempt: Any, name: str) -> UUID:
        await attempt.run(task)
        return uuid4()

    @contextlib.asynccontextmanager
    async def server(home: Path, startup_s: float) -> AsyncIterator[bool]:
        yield False

    monkeypatch.setattr(pipeline, "_run_flow", run_flow)
    monkeypatch.setattr(pipeline, "_server", server)
    said: list[str] = []
    counts = asyncio.run(
        pipeline.run_with_prefect(body, dataset="demo", build_id="build-1", home=Path("unused"), say=said.append)
    )
    assert (ran, counts.done, len(said)) == ([0, 1, 2], 4, 1)
    assert "prefect" not in sys.modules
