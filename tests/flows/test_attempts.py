from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from trajmill.flows.attempts import run_interruptible, run_shards, run_units
from trajmill.flows.journal import ShardJournal, read_journal
from trajmill.flows.telemetry import Telemetry, read_telemetry
from trajmill.flows.units import Counts, ShardPlan, Unit, cut
from trajmill.schemas.errors import Interrupted, SandboxError
from trajmill.schemas.ids import Json


def units(count: int, *, paid: bool = False) -> list[Unit]:
    return [Unit(f"roll-{n:03d}", "rollout", "task-1", "programmatic", n, payload=n, paid=paid) for n in range(count)]


def failed(unit: Unit, error: SandboxError) -> Json:
    return {"kind": "infra_error", "cause": error.cause}


class Worker:
    """Fails as often as the table says, and remembers what ran beside what."""

    def __init__(self, failures: dict[int, int] | None = None, *, retryable: bool = True) -> None:
        self.failures = dict(failures or {})
        self.retryable = retryable
        self.ran: list[str] = []
        self.running = 0
        self.most = 0
        self.beside: list[tuple[str, int]] = []

    async def __call__(self, unit: Unit) -> Json:
        self.ran.append(unit.id)
        self.running += 1
        self.most = max(self.most, self.running)
        self.beside.append((unit.id, self.running))
        await asyncio.sleep(0)
        self.running -= 1
        if self.failures.get(unit.payload, 0) > 0:
            self.failures[unit.payload] -= 1
            raise SandboxError("gone", cause="sandbox_gone", retryable=self.retryable)
        return {"n": unit.payload}


def run(
    folder: Path, todo: list[Unit], worker: Worker, *, concurrency: int = 4, known: frozenset[str] = frozenset()
) -> Counts:
    with ShardJournal(folder) as journal:
        return asyncio.run(run_units(todo, worker, journal, failed=failed, known=known, concurrency=concurrency))


def test_every_unit_is_run_once_and_a_rerun_runs_none(tmp_path: Path) -> None:
    worker = Worker()
    assert run(tmp_path, units(9), worker) == Counts(total=9, done=9)
    assert sorted(worker.ran) == [u.id for u in units(9)]
    again = Worker()
    assert run(tmp_path, units(9), again) == Counts(total=9, skipped=9)
    assert again.ran == []


def test_known_and_equal_units_are_skipped(tmp_path: Path) -> None:
    worker = Worker()
    counts = run(tmp_path, [*units(3), units(3)[2]], worker, known=frozenset({"roll-000"}))
    assert (counts, sorted(worker.ran)) == (Counts(total=4, skipped=2, done=2), ["roll-001", "roll-002"])
    assert counts.finished


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_than_the_limit_run_at_a_time(tmp_path: Path, limit: int) -> None:
    worker = Worker()
    run(tmp_path, units(12), worker, concurrency=limit)
    assert worker.most == limit


def test_a_failed_sandbox_is_retried_alone_after_the_others(tmp_path: Path) -> None:
    worker = Worker({2: 1, 5: 2})
    counts = run(tmp_path, units(8), worker)
    assert counts == Counts(total=8, done=8, retried=3)
    assert worker.beside[8:] == [("roll-002", 1), ("roll-005", 1), ("roll-005", 1)]


def test_a_sandbox_that_keeps_failing_is_committed_as_a_failure(tmp_path: Path) -> None:
    counts = run(tmp_path, units(3), Worker({1: 9}))
    assert counts == Counts(total=3, done=3, failed=1, retried=2)
    commit = read_journal(tmp_path / "journal.jsonl").commits["roll-001"]
    assert (commit.failed, commit.record) == (True, '{"cause":"sandbox_gone","kind":"infra_error"}')


def test_a_failure_that_would_come_again_is_not_retried(tmp_path: Path) -> None:
    worker = Worker({1: 9}, retryable=False)
    assert run(tmp_path, units(3), worker) == Counts(total=3, done=3, failed=1)
    assert len(worker.ran) == 3


def test_retries_are_counted_in_the_telemetry_and_not_in_the_record(tmp_path: Path) -> None:
    with ShardJournal(tmp_path / "shard") as journal:
        telemetry = Telemetry(tmp_path / "telemetry" / "shard-0000.jsonl")
        asyncio.run(run_units(units(2), Worker({1: 1}), journal, failed=failed, telemetry=telemetry))
    lines = [(line["unit"], line["run"], line.get("sandbox_error")) for line in read_telemetry(tmp_path / "telemetry")]
    assert sorted(lines, key=str) == [("roll-000", 0, None), ("roll-001", 0, "sandbox_gone"), ("roll-001", 1, None)]
    assert read_journal(tmp_path / "shard" / "journal.jsonl").commits["roll-001"].record == '{"n":1}'


def test_progress_is_told_after_each_unit(tmp_path: Path) -> None:
    seen: list[Counts] = []
    with ShardJournal(tmp_path) as journal:
        asyncio.run(run_units(units(3), Worker(), journal, failed=failed, on_progress=seen.append))
    assert [counts.done for counts in seen] == [1, 2, 3]


def test_an_error_of_the_program_stops_the_rest_and_keeps_what_is_committed(tmp_path: Path) -> None:
    cleaned: list[str] = []

    async def work(unit: Unit) -> Json:
        if unit.payload == 2:
            raise ZeroDivisionError
        if unit.payload > 2:
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0)
                cleaned.append(unit.id)
        return 1

    with ShardJournal(tmp_path) as journal, pytest.raises(ZeroDivisionError):
        asyncio.run(run_units(units(9), work, journal, failed=failed, concurrency=3))
    content = read_journal(tmp_path / "journal.jsonl")
    assert set(content.commits) == {"roll-000", "roll-001"}
    assert set(cleaned) | {"roll-002"} == set(content.dangling)
    assert run(tmp_path, units(9), Worker()) == Counts(total=9, skipped=2, done=7)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_with_code_130_after_the_cleanup(tmp_path: Path, number: signal.Signals) -> None:
    cleaned: list[str] = []

    async def work(unit: Unit) -> Json:
        if unit.payload < 4:
            return 1
        if unit.payload == 5:
            os.kill(os.getpid(), number)
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            cleaned.append(unit.id)

    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    with ShardJournal(tmp_path) as journal, pytest.raises(Interrupted, match=number.name) as caught:
        run_interruptible(run_units(units(9), work, journal, failed=failed, concurrency=2))
    assert caught.value.exit_code == 130
    assert sorted(cleaned) == ["roll-004", "roll-005"]
    assert len(read_journal(tmp_path / "journal.jsonl").commits) == 4
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == handlers


def test_a_result_passes_through_when_no_signal_comes() -> None:
    async def answer() -> int:
        return 42

    assert run_interruptible(answer()) == 42


def test_units_are_cut_into_shards_in_order() -> None:
    shards = cut(units(7), 3, first=4)
    assert [(s.name, len(s.units)) for s in shards] == [("shard-0004", 3), ("shard-0005", 3), ("shard-0006", 1)]
    assert [u for s in shards for u in s.units] == units(7)
    with pytest.raises(ValueError, match="at least one"):
        cut(units(1), 0)


def test_shards_are_run_in_order_and_their_counts_added() -> None:
    seen: list[int] = []

    async def run_shard(shard: ShardPlan) -> Counts:
        seen.append(shard.index)
        return Counts(total=len(shard.units), done=len(shard.units))

    assert asyncio.run(run_shards(cut(units(7), 3), run_shard)) == Counts(total=7, done=7)
    assert seen == [0, 1, 2]


def test_a_paid_unit_is_on_the_disk_before_and_after_it_spends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    real: Callable[[int], None] = os.fsync

    def fsync(descriptor: int) -> None:
        order.append("fsync")
        real(descriptor)

    async def work(unit: Unit) -> Json:
        order.append("spend")
        return 1

    with ShardJournal(tmp_path) as journal:
        journal.intent("roll-x")
        monkeypatch.setattr(os, "fsync", fsync)
        asyncio.run(run_units(units(1, paid=True), work, journal, failed=failed))
        assert order == ["fsync", "spend", "fsync"]
        order.clear()
        asyncio.run(run_units([Unit("free", "gate", "task-1", "oracle", paid=False)], work, journal, failed=failed))
        assert order == ["spend", "fsync"]
