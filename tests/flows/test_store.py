from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trajmill.flows import build_run
from trajmill.flows.store import BuildRun, Store
from trajmill.flows.units import Unit
from trajmill.schemas.errors import StoreError, UsageError
from trajmill.schemas.ids import Json

DOCUMENT = {"name": "demo", "seed": 7}


def unit(number: int) -> Unit:
    return Unit(f"roll-{number:04d}", "rollout", f"task-{number % 3}", "programmatic", number, paid=False)


def commit(run: BuildRun, shard: int, *numbers: int, failed: bool = False, record: Json = None) -> None:
    journal = run.journal(shard)
    for number in numbers:
        journal.intent(unit(number).id, durable=False)
        journal.commit(unit(number), record or {"reward": number, "big": 2**70}, failed=failed, durable=False)


def parquet(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted((root / "units").glob("*/*.parquet"))}


def filled(root: Path, *, count: int = 5) -> Store:
    store = Store.open(root)
    with store.begin("build-1", DOCUMENT) as run:
        commit(run, 0, *range(count))
        run.compact(0)
        run.finish(unit(number).id for number in range(count))
    return store


def only_file(root: Path) -> Path:
    (path,) = (root / "units").glob("*/*.parquet")
    return path


def test_a_new_folder_becomes_a_store_and_is_opened_again(tmp_path: Path) -> None:
    Store.open(tmp_path / "deep" / "store")
    assert Store.open(tmp_path / "deep" / "store").root == tmp_path / "deep" / "store"


def test_a_folder_with_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(StoreError, match="is not a run store") as caught:
        Store.open(tmp_path)
    assert caught.value.exit_code == 2
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_and_a_store_of_another_format_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="is not a folder"):
        Store.open(tmp_path / "file")
    Store.open(tmp_path / "store")
    (tmp_path / "store" / "trajmill-store.json").write_text('{"format": 99}')
    with pytest.raises(StoreError, match="another format"):
        Store.open(tmp_path / "store")


def test_a_crash_while_a_store_was_made_does_not_block_it(tmp_path: Path) -> None:
    (tmp_path / ".trajmill-store.json.77.tmp").write_text("{")
    Store.open(tmp_path)


def test_committed_units_are_known_before_and_after_compaction_and_in_other_builds(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    asked = ["roll-0000", "roll-0001", "roll-0009"]
    with store.begin("build-1", DOCUMENT) as run:
        commit(run, 0, 0, 1)
        assert run.known(asked) == {"roll-0000", "roll-0001"}
        run.compact(0)
        assert run.known(asked) == {"roll-0000", "roll-0001"}
        assert not list(run.folder.glob("shards/*"))
    with Store.open(tmp_path).begin("build-2", {"name": "other"}) as run:
        assert run.known(asked) == {"roll-0000", "roll-0001"}


def test_records_come_back_exactly_and_in_the_order_asked_for(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.begin("build-2", DOCUMENT) as run:
        commit(run, 0, 7)
        run.compact(0)
    wanted = ["roll-0007", "roll-0003", "roll-0000", "roll-0003"]
    records = list(store.records(wanted))
    assert [record.unit_id for record in records] == wanted
    assert json.loads(records[1].record) == {"reward": 3, "big": 2**70}
    with pytest.raises(StoreError, match="roll-0009 is not in the run store"):
        list(store.records(["roll-0009"]))


def test_equal_units_give_equal_bytes_whatever_the_order_of_their_commits(tmp_path: Path) -> None:
    for name, order in (("a", (0, 1, 2)), ("b", (2, 0, 1))):
        with Store.open(tmp_path / name).begin("build-1", DOCUMENT) as run:
            commit(run, 0, *order)
            run.compact(0)
    assert parquet(tmp_path / "a") == parquet(tmp_path / "b")
    assert len(parquet(tmp_path / "a")) == 1


def test_a_failed_unit_can_be_retried_and_gives_way_to_the_later_outcome(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    with store.begin("build-1", DOCUMENT) as run:
        commit(run, 0, 1, failed=True, record={"kind": "infra_error"})
        run.compact(0)
        assert run.known(["roll-0001"]) == {"roll-0001"}
        assert run.known(["roll-0001"], retry_failed=True) == set()
        commit(run, 0, 1, record={"kind": "scored"})
        run.compact(0)
        assert run.known(["roll-0001"], retry_failed=True) == {"roll-0001"}
    assert [json.loads(r.record)["kind"] for r in store.records(["roll-0001"])] == ["scored"]
    assert store.query("select record->>'kind' as kind from units").to_pylist() == [{"kind": "scored"}]


@pytest.mark.parametrize("step", ["write_units", "remove_file"])
def test_a_crash_between_the_steps_of_compaction_loses_and_repeats_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    store = Store.open(tmp_path)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, store.begin("build-1", DOCUMENT) as run:
        commit(run, 0, 0, 1)
        patch.setattr(build_run, step, crash)
        with pytest.raises(KeyboardInterrupt):
            run.compact(0)
    with Store.open(tmp_path).begin("build-1", DOCUMENT) as run:
        assert run.known(["roll-0000", "roll-0001"]) == {"roll-0000", "roll-0001"}
    assert Store.open(tmp_path).query("select count(*) as n from units").to_pylist() == [{"n": 2}]
    assert len(parquet(tmp_path)) == 1
    assert not list(tmp_path.glob("builds/*/shards/*"))


def test_a_rerun_takes_up_what_an_interrupted_one_left_and_reports_dangling_units(tmp_path: Path) -> None:
    with Store.open(tmp_path).begin("build-1", DOCUMENT) as run:
        commit(run, 3, 0, 1)
        run.journal(3).intent("roll-0002")
    with Store.open(tmp_path).begin("build-1", DOCUMENT) as run:
        assert run.dangling == ("roll-0002",)
        assert run.known(["roll-0000", "roll-0001", "roll-0002"]) == {"roll-0000", "roll-0001"}


def test_a_build_in_use_and_another_build_of_the_same_id_are_refused(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    with (
        store.begin("build-1", DOCUMENT),
        pytest.raises(UsageError, match="build-1 is in use"),
        store.begin("build-1", DOCUMENT),
    ):
        pass
    with (
        pytest.raises(StoreError, match="describes another build: seed differ"),
        store.begin("build-1", {**DOCUMENT, "seed": 8}),
    ):
        pass


def test_a_damaged_or_missing_build_document_is_named(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    with store.begin("build-1", DOCUMENT) as run:
        commit(run, 0, 0)
    document = tmp_path / "builds" / "build-1" / "build.json"
    document.write_text('{"name": "de')
    with pytest.raises(StoreError, match=r"build\.json is damaged"), store.begin("build-1", DOCUMENT):
        pass
    document.unlink()
    with pytest.raises(StoreError, match=r"build\.json is missing"), store.begin("build-1", DOCUMENT):
        pass


@pytest.mark.parametrize("keep", [0, 10, 900, -1])
def test_a_cut_file_of_units_is_named(tmp_path: Path, keep: int) -> None:
    filled(tmp_path)
    path = only_file(tmp_path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(StoreError, match=path.name):
        Store.open(tmp_path).known(["roll-0000"])
    with pytest.raises(StoreError, match=path.name):
        Store.open(tmp_path).query("select * from units")


def test_a_changed_byte_in_a_file_of_units_is_never_read_as_data(tmp_path: Path) -> None:
    filled(tmp_path)
    path = only_file(tmp_path)
    data = path.read_bytes()
    for place in range(4, len(data) - 8, max(1, len(data) // 60)):
        changed = bytearray(data)
        changed[place] ^= 0x41
        path.write_bytes(bytes(changed))
        with pytest.raises(StoreError, match=path.name):
            list(Store.open(tmp_path).records([unit(number).id for number in range(5)]))


def test_a_foreign_file_among_the_units_or_shards_is_named(tmp_path: Path) -> None:
    store = filled(tmp_path)
    foreign = only_file(tmp_path).with_name("notes.txt")
    foreign.write_text("hello")
    with pytest.raises(StoreError, match=r"notes\.txt does not belong"):
        store.known(["roll-0000"])
    foreign.unlink()
    stray = tmp_path / "builds" / "build-1" / "shards" / "0000" / "stray"
    stray.parent.mkdir(parents=True)
    stray.write_text("hello")
    with pytest.raises(StoreError, match="stray does not belong"), store.begin("build-1", DOCUMENT):
        pass


def test_a_parquet_file_of_something_else_is_named(tmp_path: Path) -> None:
    filled(tmp_path)
    path = only_file(tmp_path)
    pq.write_table(pa.table({"x": [1]}), path)
    with pytest.raises(StoreError, match="does not hold units"):
        Store.open(tmp_path).known(["roll-0000"])


def test_a_query_sees_journals_and_files_together(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.begin("build-2", DOCUMENT) as run:
        commit(run, 0, 8)
        rows = store.query(
            "select count(*) as n, max(attempt) as last, max((record->>'reward')::int) as top from units"
        )
        assert rows.to_pylist() == [{"n": 6, "last": 8, "top": 8}]
    builds = store.query(
        "select build_id, document->>'seed' as seed, count(*) as n"
        " from builds join build_units using (build_id) group by all"
    )
    assert builds.to_pylist() == [{"build_id": "build-1", "seed": "7", "n": 5}]


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_text('/etc/passwd')",
        "copy units to '{root}/out.csv'",
        "select nothing from units",
        "set memory_limit='9GB'",
    ],
)
def test_a_query_reads_the_store_and_nothing_else(tmp_path: Path, sql: str) -> None:
    store = filled(tmp_path)
    with pytest.raises(StoreError, match="query on"):
        store.query(sql.format(root=tmp_path))


def test_a_store_can_be_moved(tmp_path: Path) -> None:
    filled(tmp_path / "it's here")
    shutil.move(tmp_path / "it's here", tmp_path / "there")
    store = Store.open(tmp_path / "there")
    assert store.known(["roll-0001"]) == {"roll-0001"}
    assert store.query("select count(*) as n from units").to_pylist() == [{"n": 5}]
