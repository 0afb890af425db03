"""``modes``: each path has exactly these permission bits."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.schemas.tree import LinkEntry
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.finding import PASSED, Finding, failed


async def check_modes(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``modes`` (path to four octal digits)."""
    for path, want in params["modes"].items():
        entry = evidence.tree.get(path)
        if entry is None:
            return failed(f"{path} does not exist")
        if isinstance(entry, LinkEntry):
            return failed(f"{path} is a symbolic link")
        if entry.mode != int(want, 8):
            return failed(f"{path} has the mode {entry.mode:04o}, expected {want}")
    return PASSED
