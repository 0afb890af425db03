"""``git``: facts of a repository, read by git inside the fresh sandbox.

Of the repository only what it holds is believed: its configuration (which can name programs to run) is replaced, hooks
and replacement objects are off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trajmill.sandboxes.base import Sandbox
from trajmill.schemas.ids import Json
from trajmill.schemas.tree import FileEntry, LinkEntry, Tree
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
PLACE = ("--git-dir=.git", "--work-tree=.")
"""So that a folder that is no repository is not taken for part of one above it."""
ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
PLAIN_CONFIG = FileEntry(b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n")


class _GitFailed(Exception):
    """Git refused, or was ended; the text says which command and why."""


async def check_git(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path`` and facts, keys of READERS: ``branch``, ``tips``, ``subjects``, ``head_files`` and others."""
    path = str(params["path"])
    inner = ".git" if path == "." else f"{path}/.git"
    if isinstance(evidence.tree.get(inner), FileEntry | LinkEntry):
        return failed(f"{inner} is no folder")
    if not len(evidence.tree.below(inner)):
        return failed(f"{path} is no Git repository")
    box = await evidence.box()
    if not await evidence.put(box, Tree({f"{inner}/config": PLAIN_CONFIG})):
        return failed(f"{inner} cannot be read")
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
    result = await box.exec(["git", *SAFE, "-C", path, *PLACE, *arguments], env=ENVIRONMENT, timeout=GIT_TIMEOUT_S)
    if result.exit_code != 0:
        lines = result.stderr.decode("utf-8", "replace").splitlines()
        said = next((line for line in lines if line.startswith("fatal: ")), f"it ended with {result.exit_code}")
        raise _GitFailed(f"git {arguments[0]}: {said}")
    if result.omitted_bytes:
        raise _GitFailed(f"git {arguments[0]} says more than is read")
    return result.stdout


async def _lines(box: Sandbox, path: str, *arguments: str) -> list[str]:
    text = (await _git(box, path, *arguments)).decode("utf-8", "replace")
    return text.removesuffix("\n").split("\n") if text else []


async def _branch(box: Sandbox, path: str, want: Json, evidence: Evidence) -> Finding:
    have = await _lines(box, path, "symbolic-ref", "--short", "HEAD")
    return PASSED if have == [want] else failed(f"{path} is on the branch {short(have)}, expected {want}")


async def _branches(box: Sandbox, path: str, want: Json, evidence: Evidence) -> Finding:
    have = await _lines(box, path, "for-each-ref", "--format=%(refname:short)", "refs/heads")
    return compare_sequences(sorted(want), sorted(have), f"{path} branch")


async def _tips(box: Sandbox, path: str, want: Mapping[str, str], evidence: Evidence) -> Finding:
    for branch, subject in want.items():
        have = await _lines(box, path, "log", "-1", "--format=%s", f"refs/heads/{branch}")
        if have != [subject]:
            return failed(f"{path} has {short(have)} as the newest commit of {branch}, expected {short(subject)}")
    return PASSED


async def _subjects(box: Sandbox, path: str, want: Sequence[str], evidence: Evidence) -> Finding:
    have = await _lines(box, path, "log", f"--max-count={len(want)}", "--format=%s")
    return compare_sequences(list(want), have, f"{path} commit")


async def _tags(box: Sandbox, path: str, want: Mapping[str, str], evidence: Evidence) -> Finding:
    names = await _lines(box, path, "tag", "--list")
    if set(names) != set(want):
        return failed(f"{path} has the tags {short(sorted(names))}, expected {short(sorted(want))}")
    for name, subject in want.items():
        have = await _lines(box, path, "log", "-1", "--format=%s", f"refs/tags/{name}^{{commit}}")
        if have != [subject]:
            return failed(f"{path} has the tag {name} at {short(have)}, expected {short(subject)}")
    return PASSED


async def _head_files(box: Sandbox, path: str, want: Mapping[str, Mapping[str, Json]], evidence: Evidence) -> Finding:
    listing = (await _git(box, path, "ls-tree", "-r", "-z", "HEAD")).decode("utf-8", "surrogateescape")
    kinds = {name: about.split(" ")[0] for about, _, name in (e.partition("\t") for e in listing.split("\0") if e)}
    irregular = next((name for name, mode in kinds.items() if not mode.startswith("100")), None)
    if irregular is not None:
        return failed(f"{path} at HEAD: {irregular} is no regular file")
    found = {n: await _git(box, path, "cat-file", "blob", f"HEAD:{n}") if n in want else b"" for n in kinds}
    return compare_files(evidence.tree, want, found, f"{path} at HEAD: file")


async def _clean(box: Sandbox, path: str, want: Json, evidence: Evidence) -> Finding:
    have = await _lines(box, path, "status", "--porcelain", "--ignore-submodules=dirty")
    if bool(have) != bool(want):
        return PASSED
    return failed(f"{path} has uncommitted changes: {short(have)}" if have else f"{path} has no uncommitted changes")


READERS = {
    "branch": _branch,
    "branches": _branches,
    "tips": _tips,
    "subjects": _subjects,
    "tags": _tags,
    "head_files": _head_files,
    "clean": _clean,
}
