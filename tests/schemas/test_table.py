from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trajmill.schemas.errors import ContractError
from trajmill.schemas.ids import Json
from trajmill.schemas.row import drop_row, task_row
from trajmill.schemas.table import (
    DROPS,
    ROW_GROUP_BYTES,
    ROW_GROUP_ROWS,
    TABLES,
    TASKS,
    parquet_options,
    row_groups,
    to_table,
)
from trajmill.schemas.task import Task
from trajmill.schemas.validate import contract
from trajmill.schemas.verdict import Drop


def drops(count: int, detail: str = "") -> list[dict[str, Json]]:
    return [drop_row(Drop("filter", f"traj-{number}", "too_long", detail)) for number in range(count)]


CONTRACT_NAMES = {"tasks": "dataset-task-row", "trajectories": "dataset-trajectory-row", "drops": "dataset-drop-row"}


def same_shape(field: pa.Field, schema: Json, where: str) -> None:
    kinds = schema.get("type", "string")
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    assert ("null" in kinds) is field.nullable, where
    kind = next(iter(kinds - {"null"}))
    if pa.types.is_list(field.type):
        assert kind == "array", where
        same_shape(field.type.value_field, schema["items"], f"{where}[]")
    elif pa.types.is_struct(field.type):
        assert kind == "object", where
        same_columns(list(field.type), schema, where)
    else:
        found = {pa.string(): "string", pa.bool_(): "boolean", pa.float64(): "number"}.get(field.type, "integer")
        assert kind == found, where


def same_columns(fields: list[pa.Field], schema: Json, where: str) -> None:
    names = [field.name for field in fields]
    assert schema["required"] == names == list(schema["properties"]), where
    assert schema["additionalProperties"] is False
    for field in fields:
        same_shape(field, schema["properties"][field.name], f"{where}.{field.name}")


@pytest.mark.parametrize("table", TABLES)
def test_the_published_contract_says_what_the_table_holds(table: str) -> None:
    schema = contract(CONTRACT_NAMES[table])
    same_columns(list(TABLES[table]), schema, table)
    assert all("description" in column for column in schema["properties"].values())


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda row: row.update(verdict="scored"), "row 1: verdict is not a column"),
        (lambda row: row.pop("domain"), "row 1: domain is missing"),
        (lambda row: row.update(domain=None), "row 1: domain must not be null"),
        (lambda row: row.update(skills=[None]), r"row 1.skills\[0\]: element must not be null"),
        (lambda row: row.update(skills="count-rows"), "row 1: skills must be a list"),
        (lambda row: row["oracle"][0].update(note=""), r"row 1.oracle\[0\]: note is not a column"),
        (lambda row: row.update(domain=3), "A row does not fit the table"),
        (lambda row: row.update(distractors=2**40), "A row does not fit the table"),
        (lambda row: row.update(distractors=True), "row 1: distractors is True, which is no int32"),
        (lambda row: row.update(instruction="\ud83d"), "A row does not fit the table"),
    ],
)
def test_nothing_is_dropped_or_filled_in_unseen(small_task: Task, spoil: Callable[[Json], Any], told: str) -> None:
    rows = [task_row(small_task), copy.deepcopy(task_row(small_task))]
    spoil(rows[1])
    with pytest.raises(ContractError, match=told):
        to_table(rows, TASKS)


def test_row_groups_hold_at_most_so_many_rows() -> None:
    groups = list(row_groups(to_table(drops(2 * ROW_GROUP_ROWS + 1), DROPS)))
    assert [group.num_rows for group in groups] == [ROW_GROUP_ROWS, ROW_GROUP_ROWS, 1]
    assert pa.concat_tables(groups).column("subject")[-1].as_py() == f"traj-{2 * ROW_GROUP_ROWS}"


def test_row_groups_hold_at_most_so_many_bytes() -> None:
    groups = list(row_groups(to_table(drops(20, "x" * 5_000_000), DROPS)))
    assert all(group.nbytes <= ROW_GROUP_BYTES for group in groups)
    assert sum(group.num_rows for group in groups) == 20
    (alone,) = row_groups(to_table(drops(1, "x" * (ROW_GROUP_BYTES + 1)), DROPS))
    assert alone.num_rows == 1


def test_an_empty_table_has_its_columns() -> None:
    table = to_table([], DROPS)
    assert table.schema == DROPS
    assert list(row_groups(table)) == []


def test_equal_tables_give_equal_files_that_any_reader_opens(tmp_path: Path) -> None:
    table = to_table(drops(3), DROPS)
    for name in ("a", "b"):
        pq.write_table(table, tmp_path / name, **parquet_options())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    metadata = pq.read_metadata(tmp_path / "a")
    assert b"huggingface" not in (metadata.metadata or {})
    column = metadata.row_group(0).column(0)
    assert column.compression == "ZSTD"
    assert column.has_column_index
