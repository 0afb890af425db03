"""``link``: the path is a symbolic link that leads to this workspace path."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.schemas.tree import LinkEntry
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.finding import PASSED, Finding, failed, short


async def check_link(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``target`` (workspace path), ``relative`` (true refuses an absolute spelling)."""
    path, target = str(params["path"]), str(params["target"])
    entry = evidence.tree.get(path)
    if not isinstance(entry, LinkEntry):
        return failed(f"{path} is no symbolic link" if entry else f"{path} does not exist")
    if params.get("relative") and entry.target.startswith("/"):
        return failed(f"{path} leads to {short(entry.target)}, which is no relative target")
    workdir = evidence.environment.workdir
    leads = posixpath.normpath(posixpath.join(workdir, posixpath.dirname(path), entry.target))
    if leads != posixpath.normpath(posixpath.join(workdir, target)):
        return failed(f"{path} leads to {short(entry.target)}, expected {target}")
    if target not in evidence.tree and not len(evidence.tree.below(target)):
        return failed(f"{path} leads to {target}, which does not exist")
    return PASSED
