"""``lines``: the file holds these lines of UTF-8 text; a missing final newline is forgiven."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import Finding, compare_bags, compare_sequences, failed


async def check_lines(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``lines``, ``ordered``."""
    path = str(params["path"])
    data = read_file(evidence.tree, path, most=sum(len(line.encode()) + 1 for line in params["lines"]))
    if isinstance(data, Finding):
        return data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return failed(f"{path} is not UTF-8 at byte {error.start}")
    found = text.removesuffix("\n").split("\n") if text else []
    compare = compare_sequences if params.get("ordered", True) else compare_bags
    return compare(params["lines"], found, f"{path} line")
