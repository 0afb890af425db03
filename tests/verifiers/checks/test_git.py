"""``git``: repositories of an agent, in the real sandbox; whatever they say about programs to run, none is run."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.verifiers.evidence import look
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.ids import digest_bytes
from trajmill.schemas.tree import Entry, FileEntry, FolderEntry, LinkEntry

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(not Path("/usr/bin/git").exists(), reason="needs git in the system folders"),
]

WHO = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": "/usr/bin:/bin",
    "HOME": "/nonexistent",
}
BASE = """
git init -q -b main .
printf 'a\\n' > a.txt; git add a.txt; git commit -q -m 'First: über'
git tag v1
printf 'b\\n' > 'b ä.txt'; git add .; git commit -q -m 'Second'
git branch side
"""
FACTS: dict[str, Any] = {
    "path": "repo",
    "branch": "main",
    "branches": ["side", "main"],
    "subjects": ["Second", "First: über"],
    "tags": {"v1": "First: über"},
    "head_files": {"a.txt": {"sha256": digest_bytes(b"a\n")}, "b ä.txt": {"same": "repo/b ä.txt"}},
    "clean": True,
    "tips": {"side": "Second"},
}
Files = dict[str, bytes | Entry]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    script(folder, BASE)
    return folder


@pytest.fixture
def repo(base: Path, tmp_path: Path) -> Callable[..., Files]:
    def make(more: str = "", at: str = "repo") -> Files:
        folder = tmp_path / "repo"
        shutil.copytree(base, folder, symlinks=True)
        script(folder, more)
        return {(f"{at}/{k}" if at else k): v for k, v in entries(folder).items()}

    return make


def script(folder: Path, text: str) -> None:
    subprocess.run(["bash", "-euc", text], cwd=folder, env=WHO, check=True, capture_output=True)


def entries(folder: Path) -> Files:
    found: Files = {}
    for place in sorted(folder.rglob("*")):
        name = place.relative_to(folder).as_posix()
        if place.is_symlink():
            found[name] = LinkEntry(str(place.readlink()))
        else:
            found[name] = (
                FolderEntry() if place.is_dir() else FileEntry(place.read_bytes(), place.stat().st_mode & 0o777)
            )
    return found


@pytest.fixture
def ask(bubblewrap: BubblewrapBackend) -> Callable[..., str]:
    def look_at(files: Files, **changes: Any) -> str:
        return look("git", {**FACTS, **changes}, files, bubblewrap).detail

    return look_at


def test_a_right_repository_passes(ask: Any, repo: Any) -> None:
    assert ask(repo()) == ""


def test_the_workspace_itself_may_be_the_repository(ask: Any, repo: Any) -> None:
    facts = {"a.txt": {"sha256": digest_bytes(b"a\n")}, "b ä.txt": {"same": "b ä.txt"}}
    assert ask(repo(at=""), path=".", head_files=facts) == ""


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ("git checkout -q side", "is on the branch ['side'], expected main"),
        ("git checkout -q --detach", "git symbolic-ref: fatal: ref HEAD is not a symbolic ref"),
        ("git branch -D side", "repo branch 2 is missing, expected 'side'"),
        ("git branch more", "repo branch 2 is 'more', expected 'side'"),
        ("git commit -q --amend -m 'Other'", "commit 1 is 'Other', expected 'Second'"),
        ("git tag v2", "has the tags ['v1', 'v2'], expected ['v1']"),
        ("git tag -d v1", "has the tags [], expected ['v1']"),
        ("git tag -f v1 HEAD", "has the tag v1 at ['Second'], expected 'First: über'"),
        ("git tag -f v1 HEAD:a.txt", "repo: git log: fatal: "),
        ("git rm -q a.txt; git commit -q --amend -m Second", "file a.txt is missing"),
        ("echo x > a.txt; git commit -q -a --amend -m Second", "file a.txt has other content"),
        ("echo x > c; git add c; git commit -q --amend -m Second", "file c is not expected"),
        ("ln -sf /etc/passwd a.txt; git commit -qa --amend -m Second", "a.txt is no regular file"),
        ("git branch -f side HEAD^", "has ['First: über'] as the newest commit of side, expected 'Second'"),
        ("echo x > new.txt", "has uncommitted changes: ['?? new.txt']"),
        ("echo x > a.txt", "has uncommitted changes: [' M a.txt']"),
    ],
)
def test_other_facts_are_named(ask: Any, repo: Any, more: str, part: str) -> None:
    found = ask(repo(more))
    assert found.startswith("repo")
    assert part in found


def test_what_is_no_repository_is_a_failure(ask: Any, repo: Any) -> None:
    assert ask({}) == "repo is no Git repository"
    assert ask({"repo/.git": LinkEntry("/elsewhere/.git")}) == "repo/.git is no folder"
    assert ask({"repo/.git": b"gitdir: /elsewhere"}) == "repo/.git is no folder"
    assert ask({"repo/.git/HEAD": b"ref: refs/heads/main\n"}).startswith(
        "repo: git symbolic-ref: fatal: not a git repository"
    )
    assert ask({"repo/.git/x": b"", "repo/a": b""}).startswith("repo: git symbolic-ref: fatal: not a git repository")


def test_an_empty_repository_is_a_failure(ask: Any, tmp_path: Path) -> None:
    script(tmp_path, "git init -q -b main .")
    found = ask({f"repo/{name}": entry for name, entry in entries(tmp_path).items()})
    assert found == "repo branch 1 is missing, expected 'main'"


PROGRAMS = """
printf '#!/bin/sh\\ntouch /workspace/ran\\nexit 0\\n' > .git/evil; chmod +x .git/evil
git config core.fsmonitor "$PWD/.git/evil"
git config core.hooksPath .git/hooks
for hook in post-index-change reference-transaction fsmonitor-watchman post-checkout; do
  mkdir -p .git/hooks; cp .git/evil .git/hooks/$hook
done
git config diff.external /workspace/repo/.git/evil
git config diff.evil.textconv /workspace/repo/.git/evil
git config filter.evil.clean /workspace/repo/.git/evil
git config filter.evil.smudge /workspace/repo/.git/evil
git config core.fsmonitor /workspace/repo/.git/evil
git config core.pager /workspace/repo/.git/evil
git config gpg.program /workspace/repo/.git/evil
git config log.showSignature true
git config alias.status '!/workspace/repo/.git/evil'
git config extensions.worktreeConfig true
echo '* filter=evil diff=evil' > .git/info/attributes
printf '[core]\\n\\tfsmonitor = /workspace/repo/.git/evil\\n' > .git/config.worktree
"""


def test_no_program_that_the_repository_names_is_run(repo: Any, bubblewrap: BubblewrapBackend) -> None:
    """The check leaves the sandbox open until the end, so what a program would have left can be looked for."""
    import asyncio

    from tests.verifiers.evidence import tree
    from trajmill.schemas.task import Environment
    from trajmill.verifiers.base import Evidence
    from trajmill.verifiers.checks.git import check_git

    async def main() -> None:
        async with Evidence(tree(repo(PROGRAMS)), Environment(), bubblewrap) as evidence:
            finding = await check_git(FACTS, evidence)
            assert finding.detail == ""
            assert "ran" not in await (await evidence.box()).get("/workspace")

    asyncio.run(main())


@pytest.mark.parametrize(
    "more",
    [
        "for f in .git/objects/??/*; do chmod u+w $f; printf garbage > $f; done",
        "rm -r .git/objects/??",
        "mkdir -p .git/objects/info; mv .git/objects/?? /nowhere 2>/dev/null || rm -r .git/objects/??;"
        " echo /nowhere > .git/objects/info/alternates",
        "printf '%0.sx' $(seq 5000) > .git/HEAD",
        "ln -sf /dev/zero .git/HEAD",
        "printf 'garbage' > .git/index",
        "rm .git/refs/heads/main; printf 'nonsense\\n' > .git/refs/heads/main",
        "printf 'ref: refs/heads/main\\n' > .git/refs/heads/main",
    ],
)
def test_a_damaged_repository_is_a_failure_not_a_broken_task(ask: Any, repo: Any, more: str) -> None:
    found = ask(repo(more))
    assert found
    assert found.isprintable()


@pytest.mark.parametrize(
    "hostile",
    [
        {"repo/.git/config": FolderEntry(), "repo/.git/config/x": b""},
        {"repo/.git": FolderEntry(0o555), "repo/.git/config": b""},
        {"repo": FolderEntry(0)},
    ],
    ids=["configuration is a folder", "no writing", "no entering"],
)
def test_a_repository_that_locks_the_judge_out_is_a_failure(ask: Any, repo: Any, hostile: Files) -> None:
    files = {name: entry for name, entry in repo().items() if name != "repo/.git/config"}
    assert ask({**files, **hostile}) == "repo/.git cannot be read"


def test_replaced_commits_are_seen_through(ask: Any, repo: Any) -> None:
    files = repo("git replace HEAD $(git commit-tree -p HEAD^ -m Forged HEAD^{tree})")
    assert ask(files) == ""
    assert "commit 1 is 'Second'" in ask(files, subjects=["Forged"])


def test_objects_shared_with_another_folder_of_the_workspace_are_found(ask: Any, repo: Any) -> None:
    files = repo(
        "mkdir other; mv .git/objects other/objects; mkdir -p .git/objects/info; cp -r .git/objects x; rm -r x;"
        " echo ../../other/objects > .git/objects/info/alternates"
    )
    assert ask(files, clean=False) == ""
