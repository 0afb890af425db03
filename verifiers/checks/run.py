"""``run``: a script prints the right text, also on inputs that the agent never saw. Runs in a sandbox of its own."""

from __future__ import annotations

import time
from collections.abc import Mapping

from trajmill.sandboxes.base import ExecResult
from trajmill.schemas.ids import Json
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import PASSED, Finding, failed, short

CASE_TIMEOUT_S = 10.0
"""A script of this kind ends in milliseconds."""
CASES_TIMEOUT_S = 20.0
"""For all cases together, so that a slow script fails long before the verifier's own time is up."""


async def check_run(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``interpreter`` (empty: execute the file), ``executable``, ``cases``.

    A case has ``args``, ``files`` and ``stdout``. ``executable``: the owner must be allowed to execute the file.
    """
    path = str(params["path"])
    script = read_file(evidence.tree, path)
    if isinstance(script, Finding):
        return script
    interpreter = str(params.get("interpreter", "bash"))
    if (not interpreter or params.get("executable")) and not _executable(evidence.tree, path):
        return failed(f"{path} is not executable")
    start = [interpreter, path] if interpreter else [f"./{path}"]
    end = time.monotonic() + CASES_TIMEOUT_S
    async with evidence.own_box() as box:
        for number, case in enumerate(params["cases"], 1):
            left = min(CASE_TIMEOUT_S, end - time.monotonic())
            if left <= 0:
                return failed(f"{path} did not end its first {number - 1} cases in {CASES_TIMEOUT_S:.0f} s")
            files = Tree({name: FileEntry(text.encode()) for name, text in case.get("files", {}).items()})
            if not await evidence.put(box, files):
                return failed(f"{path} cannot be tried: something is in the way of {short(list(files))}")
            result = await box.exec([*start, *case.get("args", [])], timeout=left)
            problem = _problem(result, str(case["stdout"]).rstrip())
            if problem:
                return failed(f"{path} {problem} on case {number}")
    return PASSED


def _problem(result: ExecResult, want: str) -> str:
    """What the script did wrong, or the empty string."""
    if result.timed_out:
        return "did not end in time"
    if result.exit_code is None:
        return "was ended because it broke a limit"
    if result.exit_code != 0:
        return f"ended with exit code {result.exit_code}"
    if result.omitted_bytes:
        return "printed more than is read"
    have = result.stdout.decode("utf-8", "replace").rstrip()
    return "" if have == want else f"printed {short(have)}, expected {short(want)},"


def _executable(tree: Tree, path: str) -> bool:
    entry = tree.file(path)
    return entry is not None and bool(entry.mode & 0o100)
