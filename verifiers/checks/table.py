"""``table``: the file holds this table; quoting and line ends are forgiven, values are compared as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import Finding, compare_bags, compare_sequences, failed, short

CELL_BYTES = 4
"""Bytes that quotes and delimiter, or the end of a record, may add to a cell."""


async def check_table(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``delimiter``, ``header`` (names, or None if the file has none), ``rows``, ``ordered``."""
    path = str(params["path"])
    wanted = [[str(cell) for cell in row] for row in [params.get("header") or [], *params["rows"]]]
    data = read_file(evidence.tree, path, most=sum(2 * len(c.encode()) + CELL_BYTES for row in wanted for c in row))
    if isinstance(data, Finding):
        return data
    rows = _read(data, str(params["delimiter"]))
    if isinstance(rows, str):
        return failed(f"{path} {rows}")
    header = params.get("header")
    if header is not None:
        if not rows or rows[0] != list(header):
            return failed(f"{path} has the header {short(rows[0] if rows else [])}, expected {short(list(header))}")
        rows = rows[1:]
    compare = compare_sequences if params.get("ordered", True) else compare_bags
    return compare([list(row) for row in params["rows"]], rows, f"{path} row")


def _read(data: bytes, delimiter: str) -> list[list[str]] | str:
    """The records, or what is wrong with the file; blank lines at the end are forgiven."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return f"is not UTF-8 at byte {error.start}"
    if "\0" in text:
        return "holds NUL characters"
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        return f"cannot be read as a table at line {reader.line_num}: {error}"
    while rows and not rows[-1]:
        rows.pop()
    return [row or [""] for row in rows]
