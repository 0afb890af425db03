"""``folder``: the folder holds exactly these regular files; empty folders are forgiven."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.schemas.tree import FileEntry, LinkEntry
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import compare_files
from trajmill.verifiers.finding import Finding, failed


async def check_folder(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``files`` (relative name to content)."""
    path = str(params["path"])
    entry, below = evidence.tree.get(path), evidence.tree.below(path)
    if isinstance(entry, FileEntry | LinkEntry):
        return failed(f"{path} is no folder")
    if entry is None and not len(below):
        return failed(f"{path} does not exist")
    link = next((name for name, entry in below.entries.items() if isinstance(entry, LinkEntry)), None)
    if link is not None:
        return failed(f"{path}/{link} is a symbolic link, not a file")
    found = {name: entry.data for name, entry in below.entries.items() if isinstance(entry, FileEntry)}
    return compare_files(evidence.tree, params["files"], found, f"{path}: file")
