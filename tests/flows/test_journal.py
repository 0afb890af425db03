from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajmill.flows.journal import ShardJournal, read_journal, record_text
from trajmill.flows.units import Unit
from trajmill.schemas.errors import StoreError, UnavailableError
from trajmill.schemas.ids import Json

numbers = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
operations = st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans(), values), max_size=12)


def unit(name: str) -> Unit:
    return Unit(f"roll-{name}", "rollout", "task-1", "programmatic", 2)


def write(folder: Path, steps: list[tuple[str, bool, Json]]) -> dict[str, str]:
    committed = {}
    with ShardJournal(folder) as journal:
        for name, commits, record in steps:
            journal.intent(f"roll-{name}", durable=False)
            if commits and f"roll-{name}" not in journal:
                journal.commit(unit(name), record, durable=False)
                committed[f"roll-{name}"] = record_text(record)
    return committed


def test_a_record_comes_back_with_its_unit_and_exact_numbers(tmp_path: Path) -> None:
    record = {"big": 2**70, "small": -(2**63) - 1, "share": 0.1, "tiny": 5e-324, "text": "ü\u2028\n"}
    write(tmp_path, [("a", True, record)])
    commit = read_journal(tmp_path / "journal.jsonl").commits["roll-a"]
    assert json.loads(commit.record) == record
    assert (commit.kind, commit.task_id, commit.policy, commit.attempt) == ("rollout", "task-1", "programmatic", 2)


def test_every_line_is_plain_json_in_the_published_form(tmp_path: Path) -> None:
    write(tmp_path, [("a", True, {"x": 1})])
    intent, commit = (json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines())
    assert intent["intent"] == "roll-a"
    assert (commit["commit"], commit["record"]) == ("roll-a", {"x": 1})


def test_a_text_with_a_lone_surrogate_survives(tmp_path: Path) -> None:
    write(tmp_path, [("a", True, {"name": "\udcff.csv"})])
    assert json.loads(read_journal(tmp_path / "journal.jsonl").commits["roll-a"].record) == {"name": "\udcff.csv"}


@pytest.mark.parametrize("record", [{"reward": float("nan")}, {"reward": float("inf")}, {"x": {1, 2}}])
def test_what_is_not_json_is_refused_and_not_written(tmp_path: Path, record: Json) -> None:
    with ShardJournal(tmp_path) as journal:
        journal.intent("roll-a")
        with pytest.raises(StoreError, match="cannot be stored as JSON"):
            journal.commit(unit("a"), record)
    assert not read_journal(tmp_path / "journal.jsonl").commits


def test_a_unit_begun_without_outcome_is_dangling(tmp_path: Path) -> None:
    write(tmp_path, [("a", True, 1), ("b", False, None)])
    assert ShardJournal(tmp_path).dangling == ("roll-b",)


def test_a_second_commit_and_a_commit_without_intent_are_refused(tmp_path: Path) -> None:
    with ShardJournal(tmp_path) as journal:
        with pytest.raises(StoreError, match="not begun"):
            journal.commit(unit("a"), 1)
        journal.intent("roll-a")
        journal.commit(unit("a"), 1)
        with pytest.raises(StoreError, match="committed already"):
            journal.commit(unit("a"), 1)


def test_a_line_after_a_torn_one_is_not_glued_to_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(tmp_path, [("a", True, 1)])
    with path.open("ab") as stream:
        stream.write(b'{"commit":"roll-')
    write(tmp_path, [("b", True, 2)])
    assert list(read_journal(path).commits) == ["roll-a", "roll-b"]
    assert path.read_bytes().count(b"\n") == 4


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(tmp_path, [("a", True, {"reward": 1}), ("b", True, 2)])
    path.write_bytes(path.read_bytes().replace(b'"reward":1', b'"reward":0'))
    with pytest.raises(StoreError, match=r"journal\.jsonl is damaged in line 2"):
        read_journal(path)


def test_two_different_commits_of_one_unit_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "one", [("a", True, 1)])
    write(tmp_path / "two", [("a", True, 2)])
    path = tmp_path / "one" / "journal.jsonl"
    path.write_bytes(path.read_bytes() + (tmp_path / "two" / "journal.jsonl").read_bytes())
    with pytest.raises(StoreError, match="line 4"):
        read_journal(path)


@settings(max_examples=60, deadline=None)
@given(steps=operations, share=st.floats(0, 1))
def test_any_prefix_gives_a_prefix_of_the_commits(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, bool, Json]], share: float
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    committed = write(folder, steps)
    path = folder / "journal.jsonl"
    data = path.read_bytes() if path.exists() else b""
    path.write_bytes(data[: int(len(data) * share)])
    found = {unit_id: commit.record for unit_id, commit in read_journal(path).commits.items()}
    assert list(found.items()) == list(committed.items())[: len(found)]
    assert write(folder, [("new", True, share)]).keys() <= read_journal(path).commits.keys()


@settings(max_examples=80, deadline=None)
@given(steps=operations.filter(bool), place=st.floats(0, 0.999), flip=st.integers(1, 255))
def test_a_changed_byte_is_refused_or_only_shortens_the_journal(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, bool, Json]], place: float, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    committed = write(folder, steps)
    path = folder / "journal.jsonl"
    data = bytearray(path.read_bytes())
    data[int(len(data) * place)] ^= flip
    path.write_bytes(bytes(data))
    try:
        found = {unit_id: commit.record for unit_id, commit in read_journal(path).commits.items()}
    except StoreError:
        return
    assert list(found.items()) == list(committed.items())[: len(found)]


def test_a_full_disk_is_told_and_leaves_the_journal_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def write_half(descriptor: int, data: memoryview) -> int:
        if len(data) < 20:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, data[: len(data) // 2])

    with ShardJournal(tmp_path) as journal:
        journal.intent("roll-a")
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", write_half)
            with pytest.raises(UnavailableError, match="No space left on device") as caught:
                journal.commit(unit("a"), {"text": "long enough"})
        assert caught.value.exit_code == 3
        journal.commit(unit("a"), {"text": "again"})
    assert read_journal(tmp_path / "journal.jsonl").commits["roll-a"].record == '{"text":"again"}'
