"""The Arrow schemas of a dataset's three tables, and rows to tables and back without losing a key unseen.

Everything that people filter on is a typed flat column; open-ended parts are JSON text. The files carry no
``huggingface`` footer key, so every version of ``datasets``, pandas, polars and DuckDB opens them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from trajmill.schemas.errors import ContractError
from trajmill.schemas.ids import Json

ROW_GROUP_ROWS = 1_000
ROW_GROUP_BYTES = 64_000_000
"""Most Arrow bytes in one row group, unless a single row is larger."""


def _field(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


def _struct(*fields: pa.Field) -> pa.DataType:
    return pa.struct(list(fields))


def _list(item: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", item, nullable=False))


_TEXT = pa.string()
_JSON = pa.string()

_TASK_CHECK = _struct(
    _field("name", _TEXT),
    _field("kind", _TEXT),
    _field("evidence", _TEXT),
    _field("needs", _list(_TEXT)),
    _field("weight", pa.float64()),
    _field("params", _JSON),
)
_ORACLE_STEP = _struct(_field("purpose", _TEXT), _field("script", _TEXT))
_SOURCE = _struct(
    _field("name", _TEXT),
    _field("sha256", _TEXT),
    _field("licence", _TEXT),
    _field("origin", _TEXT),
    _field("excerpt", _TEXT),
)

_AXES = (
    _field("domain", _TEXT),
    _field("skills", _list(_TEXT)),
    _field("path_id", _TEXT),
    _field("path_length", pa.int32()),
    _field("explicitness", _TEXT),
    _field("strictness", _TEXT),
    _field("distractors", pa.int32()),
    _field("persona", _TEXT),
    _field("task_type", _TEXT),
    _field("expectation", _TEXT),
    _field("verifier_kinds", _list(_TEXT)),
    _field("sources", _list(_SOURCE)),
    _field("licences", _list(_TEXT)),
    _field("toolchain_id", _TEXT),
)

TASKS = pa.schema(
    [
        _field("id", _TEXT),
        _field("instruction", _TEXT),
        *_AXES,
        _field("scenarios", _list(_TEXT)),
        _field("graph", _TEXT),
        _field("path_index", pa.int64()),
        _field("path_seed", pa.uint64()),
        _field("seed", pa.uint64()),
        _field("generator", _TEXT),
        _field("parent", _TEXT),
        _field("versions", _JSON),
        _field("environment", _JSON),
        _field("oracle", _list(_ORACLE_STEP)),
        _field("verifier_mode", _TEXT),
        _field("verifier_timeout_s", pa.float64()),
        _field("checks", _list(_TASK_CHECK)),
        _field("schema_version", _TEXT),
    ]
)

_CHECK_RESULT = _struct(
    _field("name", _TEXT),
    _field("kind", _TEXT),
    _field("passed", pa.bool_()),
    _field("weight", pa.float64()),
    _field("detail", _TEXT),
)
_CALL = _struct(
    _field("tool_call_id", _TEXT),
    _field("function_name", _TEXT),
    _field("arguments", _JSON),
    pa.field("extra", _JSON),
)
_RESULT = _struct(
    pa.field("source_call_id", _TEXT),
    pa.field("content", _TEXT),
    pa.field("content_parts", _JSON),
    pa.field("subagent_trajectory_ref", _JSON),
    pa.field("extra", _JSON),
)
_STEP = _struct(
    _field("step_id", pa.int32()),
    _field("source", _TEXT),
    pa.field("message", _TEXT),
    pa.field("message_parts", _JSON),
    pa.field("timestamp", _TEXT),
    pa.field("model_name", _TEXT),
    pa.field("reasoning_effort", _JSON),
    pa.field("reasoning_content", _TEXT),
    pa.field("tool_calls", _list(_CALL)),
    pa.field("results", _list(_RESULT)),
    pa.field("metrics", _JSON),
    pa.field("llm_call_count", pa.int32()),
    pa.field("is_copied_context", pa.bool_()),
    pa.field("extra", _JSON),
    _field("loss_weight", pa.float64()),
    _field("role", _TEXT),
)

TRAJECTORIES = pa.schema(
    [
        _field("id", _TEXT),
        _field("task_id", _TEXT),
        _field("unit_id", _TEXT),
        _field("policy", _TEXT),
        _field("policy_version", _TEXT),
        pa.field("model", _TEXT),
        _field("attempt", pa.int32()),
        _field("verdict", _TEXT),
        pa.field("reward", pa.float64()),
        pa.field("partial", pa.float64()),
        _field("passed", pa.bool_()),
        _field("cause", _TEXT),
        _field("verdict_detail", _TEXT),
        _field("checks", _list(_CHECK_RESULT)),
        _field("instruction", _TEXT),
        *_AXES,
        _field("turns", pa.int32()),
        _field("calls", pa.int32()),
        _field("masked_turns", pa.int32()),
        _field("chars", pa.int64()),
        pa.field("prompt_tokens", pa.int64()),
        pa.field("completion_tokens", pa.int64()),
        _field("body_hash", _TEXT),
        _field("steps", _list(_STEP)),
        pa.field("tools", _JSON),
        pa.field("session_id", _TEXT),
        pa.field("agent_extra", _JSON),
        pa.field("extra", _JSON),
        pa.field("other", _JSON),
        _field("atif_version", _TEXT),
    ]
)

DROPS = pa.schema(
    [
        _field("id", _TEXT),
        _field("stage", _TEXT),
        _field("subject", _TEXT),
        _field("reason", _TEXT),
        _field("detail", _TEXT),
        _field("extra", _JSON),
    ]
)

TABLES: Mapping[str, pa.Schema] = {"tasks": TASKS, "trajectories": TRAJECTORIES, "drops": DROPS}
"""Arrow schema by table name, in the order in which a dataset lists them."""


def to_table(rows: Sequence[Mapping[str, Json]], schema: pa.Schema) -> pa.Table:
    """The rows as an Arrow table.

    Raises ContractError naming row and place for a key that the schema lacks, a key that is missing, a null where none
    may be, and a value of another type; pyarrow by itself drops and fills such things without a word.
    """
    for number, row in enumerate(rows):
        _check_struct(row, list(schema), f"row {number}")
    try:
        return pa.Table.from_pylist(list(rows), schema=schema)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise ContractError(f"A row does not fit the table: {error}.") from error


def row_groups(table: pa.Table) -> Iterator[pa.Table]:
    """The table cut into row groups, in order: at most ``ROW_GROUP_ROWS`` rows and ``ROW_GROUP_BYTES`` each."""
    start = 0
    while start < table.num_rows:
        length = min(ROW_GROUP_ROWS, table.num_rows - start)
        while length > 1 and table.slice(start, length).nbytes > ROW_GROUP_BYTES:
            length //= 2
        yield table.slice(start, length)
        start += length


def parquet_options() -> dict[str, Any]:
    """Arguments of ``pyarrow.parquet.ParquetWriter``: always the same, so that equal tables give equal bytes."""
    return {
        "version": "2.6",
        "compression": "zstd",
        "compression_level": 3,
        "write_page_index": True,
        "use_dictionary": True,
        "store_schema": True,
    }


def _check_struct(value: Json, fields: Sequence[pa.Field], where: str) -> None:
    if not isinstance(value, Mapping):
        raise ContractError(f"{where} must be a record.")
    if len(value) != len(fields) or any(field.name not in value for field in fields):
        names = [field.name for field in fields]
        wrong = [f"{key} is not a column" for key in value if key not in names]
        wrong += [f"{name} is missing" for name in names if name not in value]
        raise ContractError(f"{where}: {'; '.join(wrong)}.")
    for field in fields:
        _check_value(value[field.name], field, where)


def _check_value(value: Json, field: pa.Field, where: str) -> None:
    if value is None:
        if not field.nullable:
            raise ContractError(f"{where}: {field.name} must not be null.")
    elif pa.types.is_list(field.type):
        if not isinstance(value, list | tuple):
            raise ContractError(f"{where}: {field.name} must be a list.")
        for number, item in enumerate(value):
            _check_value(item, field.type.value_field, f"{where}.{field.name}[{number}]")
    elif pa.types.is_struct(field.type):
        _check_struct(value, list(field.type), where)
    elif pa.types.is_boolean(field.type) != isinstance(value, bool):
        raise ContractError(f"{where}: {field.name} is {value!r:.60}, which is no {field.type}.")
