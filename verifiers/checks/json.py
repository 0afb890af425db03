"""``json``: the file holds this JSON value; key order and layout are forgiven, numbers are compared exactly."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.content.json_exact import read_json
from trajmill.schemas.content.json_values import first_difference
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import PASSED, Finding, failed

LAYOUT = 50
"""Times that indentation and escapes may make a document longer than its shortest form."""


async def check_json(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``json`` (the expected value as exact JSON text)."""
    path = str(params["path"])
    text = str(params["json"]).encode()
    want = read_json(text)
    data = read_file(evidence.tree, path, most=LAYOUT * len(text))
    if isinstance(data, Finding):
        return data
    try:
        have = read_json(data)
    except ContentError as error:
        return failed(f"{path} is not the JSON expected: {error}")
    difference = first_difference(want, have)
    return failed(f"{path} {difference}") if difference else PASSED
