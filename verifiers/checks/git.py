"""``git``: facts of a repository, read by git inside the fresh sandbox, with the repository's hooks off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trajmill.sandboxes.base import Sandbox
from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import compare_files
from trajmill.verifiers.finding import PASSED, Finding, compare_sequences, failed, short

GIT_TIMEOUT_S = 20.0
SAFE = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "safe.directory=*",
    "-c",
    "core.quotePath=false",
)


class _GitFailed(Exception):
    """Git refused; the text is its last line."""


async def check_git(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path`` and facts: ``branch``, ``branches``, ``subjects``, ``tags``, ``head_files``, ``clean``."""
    path = str(params["path"])
    if f"{path}/.git" not in evidence.tree and not len(evidence.tree.below(f"{path}/.git")):
        return failed(f"{path} is no Git repository")
    box = await evidence.box()
    try:
        for name, read in READERS.items():
            if name in params:
                finding = await read(box, path, params[name], evidence)
                if not finding.passed:
                    return finding
    except _GitFailed as problem:
        return failed(f"{path}: {problem}")
    return PASSED


async def _git(box: Sandbox, path: str, *arguments: str) -> bytes:
    result = await box.exec(["git", *SAFE, "-C", path, *arguments], timeout=GIT_TIMEOUT_S)
    if result.exit_code != 0:
        lines = result.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _GitFailed(lines[-1] if lines else f"git {arguments[0]} ended with {result.exit_code}")
    return result.stdout


async def _lines(box: Sandbox, path: str, *arguments: str) -> list[str]:
    return (await _git(box, path, *arguments)).decode("utf-8", "replace").splitlines()


async def _branch(box: Sandbox, path: str, want: Json, evidence: Evidence) -> Finding:
    have = await _lines(box, path, "symbolic-ref", "--short", "HEAD")
    return PASSED if have == [want] else failed(f"{path} is on the branch {short(have)}, expected {want}")


async def _branches(box: Sandbox, path: str, want: Json, evidence: Evidence) -> Finding:
    have = await _lines(box, path, "for-each-ref", "--format=%(refname:short)", "refs/heads")
    return compare_sequences(sorted(want), sorted(have), f"{path} branch")


async def _subjects(box: Sandbox, path: str, want: Sequence[str], evidence: Evidence) -> Finding:
    have = await _lines(box, path, "log", f"--max-count={len(want)}", "--format=%s")
    return compare_sequences(list(want), have, f"{path} commit")


async def _tags(box: Sandbox, path: str, want: Mapping[str, str], evidence: Evidence) -> Finding:
    names = sorted(await _lines(box, path, "tag", "--list"))
    have = {name: (await _lines(box, path, "log", "-1", "--format=%s", f"refs/tags/{name}"))[0] for name in names}
    return PASSED if have == dict(want) else failed(f"{path} has the tags {short(have)}, expected {short(dict(want))}")


async def _head_files(box: Sandbox, path: str, want: Mapping[str, Mapping[str, Json]], evidence: Evidence) -> Finding:
    names = (await _git(box, path, "ls-tree", "-r", "-z", "--name-only", "HEAD")).decode("utf-8", "surrogateescape")
    found = {name: await _git(box, path, "show", f"HEAD:{name}") for name in names.split("\0") if name}
    return compare_files(evidence.tree, want, found, f"{path} at HEAD: file")


async def _clean(box: Sandbox, path: str, want: Json, evidence: Evidence) -> Finding:
    have = await _lines(box, path, "status", "--porcelain")
    return PASSED if bool(have) != bool(want) else failed(f"{path} has uncommitted changes: {short(have)}")


READERS = {
    "branch": _branch,
    "branches": _branches,
    "subjects": _subjects,
    "tags": _tags,
    "head_files": _head_files,
    "clean": _clean,
}
