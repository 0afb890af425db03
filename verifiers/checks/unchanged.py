"""``unchanged``: these files still hold what they held at the start."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.ids import Json, digest_bytes
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import PASSED, Finding, failed


async def check_unchanged(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``files`` (path to SHA-256)."""
    for path, want in params["files"].items():
        data = read_file(evidence.tree, path)
        if isinstance(data, Finding):
            return data
        if digest_bytes(data) != want:
            return failed(f"{path} was changed")
    return PASSED
