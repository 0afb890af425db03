"""``checksums``: the file lists ``DIGEST  NAME`` for exactly these files, as they are in the evidence."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import PASSED, Finding, failed, short

LINE_BYTES = 256
"""Bytes of a line beside the name: more than any digest has."""
LINE = re.compile(r"([0-9a-fA-F]+) [ *](?:\./)?(.+)")


async def check_checksums(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``files`` (workspace paths), ``algorithm``, ``folder`` that the names are relative to."""
    path, folder = str(params["path"]), str(params.get("folder", ""))
    data = read_file(evidence.tree, path, most=sum(len(name) + LINE_BYTES for name in params["files"]))
    if isinstance(data, Finding):
        return data
    listed = _read(data)
    if isinstance(listed, str):
        return failed(f"{path} {listed}")
    wanted = {_relative(name, folder): name for name in params["files"]}
    if set(listed) != set(wanted):
        return failed(f"{path} lists {short(sorted(listed))}, expected {short(sorted(wanted))}")
    for name, full in wanted.items():
        content = read_file(evidence.tree, full)
        if isinstance(content, Finding):
            return content
        if listed[name] != hashlib.new(str(params.get("algorithm", "sha256")), content).hexdigest():
            return failed(f"{path} has a wrong checksum for {name}")
    return PASSED


def _read(data: bytes) -> dict[str, str] | str:
    found: dict[str, str] = {}
    for number, raw in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        line = raw.removesuffix("\r")
        if not line.strip():
            continue
        match = LINE.fullmatch(line)
        if match is None:
            return f"line {number} is no checksum line: {short(line)}"
        if match[2] in found:
            return f"lists {match[2]} twice"
        found[match[2]] = match[1].lower()
    return found


def _relative(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder}/") if folder else path
