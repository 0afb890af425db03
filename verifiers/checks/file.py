"""``file``: the file holds exactly these bytes."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import ROOM, read_file
from trajmill.verifiers.finding import PASSED, Finding, failed, short


async def check_file(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, and ``text`` or ``base64``."""
    path = str(params["path"])
    want = params["text"].encode() if "text" in params else base64.b64decode(params["base64"], validate=True)
    have = read_file(evidence.tree, path)
    if isinstance(have, Finding):
        return have
    return PASSED if have == want else failed(f"{path} {_first_difference(want, have)}")


def _first_difference(want: bytes, have: bytes) -> str:
    if len(have) > 2 * len(want) + ROOM:
        return f"has {len(have)} bytes, expected {len(want)}"
    lines = zip(want.splitlines(keepends=True), have.splitlines(keepends=True), strict=False)
    for number, (left, right) in enumerate(lines, 1):
        if left != right:
            return f"differs at line {number}: {short(right)}, expected {short(left)}"
    return f"has {len(have)} bytes, expected {len(want)}"
