"""``run``: a script prints the right text, also on inputs that the agent never saw. Runs in the fresh sandbox."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import PASSED, Finding, failed, short

CASE_TIMEOUT_S = 10.0
"""A script of this kind ends in milliseconds."""


async def check_run(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``interpreter`` (empty: execute the file), ``cases`` of ``args``, ``files``, ``stdout``."""
    path = str(params["path"])
    script = read_file(evidence.tree, path)
    if isinstance(script, Finding):
        return script
    interpreter = str(params.get("interpreter", "bash"))
    if not interpreter and not _executable(evidence.tree, path):
        return failed(f"{path} is not executable")
    box = await evidence.box()
    for number, case in enumerate(params["cases"], 1):
        files = {name: FileEntry(text.encode()) for name, text in case.get("files", {}).items()}
        if files:
            await box.put(Tree(files), evidence.environment.workdir)
        start = [interpreter, path] if interpreter else [f"./{path}"]
        result = await box.exec([*start, *case.get("args", [])], timeout=CASE_TIMEOUT_S)
        if result.timed_out:
            return failed(f"{path} did not end in {CASE_TIMEOUT_S:.0f} s on case {number}")
        have = result.stdout.decode("utf-8", "replace").rstrip()
        if result.exit_code != 0:
            return failed(f"{path} ended with exit code {result.exit_code} on case {number}")
        if have != str(case["stdout"]).rstrip():
            return failed(f"{path} printed {short(have)} on case {number}, expected {short(case['stdout'].rstrip())}")
    return PASSED


def _executable(tree: Tree, path: str) -> bool:
    entry = tree.file(path)
    return entry is not None and bool(entry.mode & 0o100)
