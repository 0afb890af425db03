"""``json_lines``: the file holds one of these JSON values per line; blank lines are forgiven."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.content.json_exact import read_json
from trajmill.schemas.content.json_lines import read_json_lines
from trajmill.schemas.content.json_values import canonical_text, first_difference
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import PASSED, Finding, failed

LAYOUT = 10
"""Times that spaces and escapes may make a record longer than its shortest form."""


async def check_json_lines(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``lines`` (expected values as exact JSON texts), ``ordered``."""
    path = str(params["path"])
    texts = [str(text).encode() for text in params["lines"]]
    want = [read_json(text) for text in texts]
    data = read_file(evidence.tree, path, most=LAYOUT * sum(len(text) for text in texts))
    if isinstance(data, Finding):
        return data
    try:
        have = list(read_json_lines(data))
    except ContentError as error:
        return failed(f"{path} is not JSON Lines: {error}")
    if not params.get("ordered", True):
        want, have = sorted(want, key=canonical_text), sorted(have, key=canonical_text)
    for number, (left, right) in enumerate(zip(want, have, strict=False), 1):
        difference = first_difference(left, right)
        if difference:
            return failed(f"{path} record {number} {difference}")
    return PASSED if len(want) == len(have) else failed(f"{path} has {len(have)} records, expected {len(want)}")
