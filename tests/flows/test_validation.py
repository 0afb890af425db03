from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.flows.builders import COUNT_STEPS, count_task, published, row, unique_task
from trajmill.flows.dataset import table_path
from trajmill.flows.manifest import WHAT
from trajmill.flows.validation import validate_dataset
from trajmill.schemas.errors import StoreError
from trajmill.schemas.ids import canonical_json, digest_bytes
from trajmill.schemas.table import TABLES, parquet_options

TRAJECTORIES = "data/trajectories/train-00000-of-00001.parquet"
TASKS = "data/tasks/train-00000-of-00001.parquet"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published(tmp_path_factory.mktemp("sound") / "tiny").folder


@pytest.fixture
def dataset(sound: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(sound, tmp_path / "tiny"))


def faults(dataset: Path) -> list[str]:
    return [str(fault) for fault in validate_dataset(dataset).faults]


def edit_manifest(dataset: Path, **changes: Any) -> None:
    path = dataset / "manifest.json"
    path.write_bytes(canonical_json({**json.loads(path.read_bytes()), **changes}) + b"\n")


def relist(dataset: Path, name: str) -> None:
    """Puts a file's new hash into the manifest, so that only the fault in its content is left."""
    files = json.loads((dataset / "manifest.json").read_bytes())["files"]
    edit_manifest(dataset, files={**files, name: digest_bytes((dataset / name).read_bytes())})


def rewrite(dataset: Path, table: str, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Changes rows of a table behind the manifest's back, with the hash made right again."""
    path = table_path(dataset, table)
    rows = pq.read_table(path).to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=TABLES[table]), path, **parquet_options())
    relist(dataset, path.relative_to(dataset).as_posix())


def test_a_published_dataset_is_valid(sound: Path) -> None:
    found = validate_dataset(sound)
    assert found.faults == ()
    assert found.files == 5
    assert found.rows == {"tasks": 2, "trajectories": 4, "drops": 3}


def test_an_empty_dataset_is_valid(tmp_path: Path) -> None:
    nothing = {"tasks_composed": 0, "tasks_sound": 0, "rollouts": 0, "trajectories_kept": 0}
    assert faults(published(tmp_path / "tiny", tasks=(), trajectories=(), drops=(), funnel=nothing).folder) == []


def test_a_folder_without_a_manifest_is_no_dataset(dataset: Path) -> None:
    (dataset / "manifest.json").unlink()
    with pytest.raises(StoreError, match="not a Trajmill dataset"):
        validate_dataset(dataset)


def test_a_changed_byte_is_found(dataset: Path) -> None:
    path = dataset / "README.md"
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    assert faults(dataset) == ["README.md: The content has another SHA-256 than the manifest says."]


def test_a_missing_file_is_found(dataset: Path) -> None:
    (dataset / "sft" / "trl-sft.jsonl").unlink()
    assert faults(dataset) == ["sft/trl-sft.jsonl: The file is missing."]


def test_a_missing_table_is_found(dataset: Path) -> None:
    (dataset / TASKS).unlink()
    found = faults(dataset)
    assert found[0] == f"{TASKS}: The file is missing."
    assert "which is not in the tasks table" in found[1]


def test_a_file_that_is_not_listed_is_found(dataset: Path) -> None:
    (dataset / "data" / "more.parquet").write_bytes(b"")
    assert faults(dataset) == ["data/more.parquet: The manifest does not list the file."]


def test_what_other_commands_add_is_no_fault(dataset: Path) -> None:
    (dataset / "harbor" / "org__task").mkdir(parents=True)
    (dataset / "harbor" / "org__task" / "task.toml").write_text("")
    (dataset / "sft" / "other.jsonl").write_text("")
    assert faults(dataset) == []


def test_a_link_in_place_of_a_file_is_found(dataset: Path) -> None:
    (dataset / "README.md").rename(dataset.parent / "README.md")
    (dataset / "README.md").symlink_to(dataset.parent / "README.md")
    assert faults(dataset) == ["README.md: The file is missing."]


def test_a_wrong_hash_is_found(dataset: Path) -> None:
    files = json.loads((dataset / "manifest.json").read_bytes())["files"]
    edit_manifest(dataset, files={**files, TASKS: "0" * 64})
    assert faults(dataset) == [f"{TASKS}: The content has another SHA-256 than the manifest says."]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rows": {"tasks": 2, "trajectories": 5, "drops": 3}}, "It counts rows"),
        ({"drops": {}}, "It counts drops"),
        ({"funnel": {"tasks_sound": 3}}, "Its funnel has 3 sound tasks"),
        ({"funnel": []}, "Its funnel is not a count for every gate."),
        ({"build_id": "build-0"}, "is not the one in README.md"),
        ({"exports": {"trl-sft": {"rows": 4, "excluded": {}, "sha256": "0"}}}, "has another SHA-256 than its file"),
        ({"exports": {"trl-sft": {"rows": 4}}}, "does not say what was left out"),
        ({"exports": {"trl-sft": []}}, "does not say what was left out"),
        ({"exports": {}, "files": {}}, "It lists no files"),
        ({"files": []}, "It lists no files"),
    ],
)
def test_an_edited_manifest_is_found(dataset: Path, changes: dict[str, Any], sentence: str) -> None:
    edit_manifest(dataset, **changes)
    assert any(sentence in fault for fault in faults(dataset))


def test_a_manifest_written_anew_by_another_program_is_found(dataset: Path) -> None:
    path = dataset / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()), indent=2))
    assert faults(dataset) == ["manifest.json: It is not in the form in which it was written: it was edited."]


def test_a_manifest_of_nothing_but_its_name_is_told_and_does_not_crash(dataset: Path) -> None:
    (dataset / "manifest.json").write_bytes(canonical_json({"what": WHAT, "build_id": "build-0"}) + b"\n")
    assert len(faults(dataset)) > 5


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("turns", 99, "turns is 99, but must be"),
        ("calls", 0, "calls is 0, but must be"),
        ("chars", 1, "chars is 1, but must be"),
        ("body_hash", "0" * 64, "body_hash is"),
        ("id", "traj-0000000000000000", "id is 'traj-0000000000000000', but must be"),
        ("reward", 0.0, "reward is 0.0, but its checks make it 1.0."),
        ("reward", math.nan, "reward is nan, but its checks make it 1.0."),
        ("passed", False, "passed is False, but its checks make it True."),
        ("partial", 0.5, "partial is 0.5, but its checks make it 1.0."),
        ("verdict", "infra_error", "a verdict of infra_error has no reward"),
        ("checks", [], "its checks are not those of the task."),
        ("domain", "nowhere", "domain is 'nowhere', but must be"),
        ("instruction", "Do it.", "instruction is 'Do it.', but must be"),
        ("task_id", "task-0000000000000000", "belongs to task-0000000000000000, which is not in the tasks table."),
        ("tools", "[NaN]", "Not a JSON document"),
        ("atif_version", "ATIF-v9", "breaks the contract"),
    ],
)
def test_a_wrong_column_is_found_with_its_row(dataset: Path, column: str, value: Any, sentence: str) -> None:
    rewrite(dataset, "trajectories", lambda rows: rows[1].update({column: value}))
    assert any(fault.startswith(f"{TRAJECTORIES} row 1: ") and sentence in fault for fault in faults(dataset))


def test_a_changed_step_is_found(dataset: Path) -> None:
    rewrite(dataset, "trajectories", lambda rows: rows[0]["steps"][2].update(loss_weight=0.25))
    assert any(f"{TRAJECTORIES} row 0" in fault and "steps is" in fault for fault in faults(dataset))


def test_a_task_that_is_gone_is_missed(dataset: Path) -> None:
    rewrite(dataset, "tasks", lambda rows: rows.pop(0))
    assert any("which is not in the tasks table" in fault for fault in faults(dataset))
    assert any("Its funnel has 2 sound tasks" in fault for fault in faults(dataset))


def test_a_task_whose_content_was_changed_is_found(dataset: Path) -> None:
    rewrite(dataset, "tasks", lambda rows: rows[0].update(instruction="Do something else."))
    assert any(f"{TASKS} row 0" in fault and "but its content is task-" in fault for fault in faults(dataset))


def test_a_task_that_is_there_twice_is_found(dataset: Path) -> None:
    rewrite(dataset, "tasks", lambda rows: rows.append(rows[0]))
    assert any("is there twice" in fault for fault in faults(dataset))


def test_a_task_that_cannot_be_read_is_found(dataset: Path) -> None:
    rewrite(dataset, "tasks", lambda rows: rows[0].update(environment="{"))
    assert any("cannot be read" in fault for fault in faults(dataset))


def test_a_drop_without_a_reason_is_found(dataset: Path) -> None:
    rewrite(dataset, "drops", lambda rows: rows[0].update(reason=""))
    assert any("was left out without a reason" in fault for fault in faults(dataset))


def test_other_columns_are_found(dataset: Path) -> None:
    path = table_path(dataset, "drops")
    pq.write_table(pq.read_table(path).drop_columns(["detail"]), path)
    relist(dataset, "data/drops/train-00000-of-00001.parquet")
    assert any("Its columns are not the published ones: detail missing." in fault for fault in faults(dataset))


def test_a_table_that_is_no_parquet_is_found(dataset: Path) -> None:
    (dataset / TRAJECTORIES).write_bytes(b"PAR1 nothing PAR1")
    assert any("It is no Parquet file" in fault for fault in faults(dataset))


def test_labels_in_the_document_that_contradict_the_columns_are_found(tmp_path: Path) -> None:
    one = row(count_task(), COUNT_STEPS)
    labelled = {**one, "extra": json.dumps({"trajmill": {"task_id": unique_task().id}})}
    dataset = published(tmp_path / "tiny", trajectories=(labelled,)).folder
    assert any("its document says task_id" in fault for fault in faults(dataset))
