"""``absent``: nothing exists at these paths."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.finding import PASSED, Finding, failed


async def check_absent(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``paths``."""
    for path in params["paths"]:
        if path in evidence.tree or len(evidence.tree.below(path)):
            return failed(f"{path} still exists")
    return PASSED
