"""Histories of real repositories, read by real git in a real sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.own_sources import ADA, BO, NORTH, SOUTH, commit, git, hashes, make_repository
from trajmill.flows.histories import with_histories
from trajmill.flows.inputs import Inputs
from trajmill.sandboxes.base import Backend, Sandbox, SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.errors import InputError, UnavailableError
from trajmill.schemas.tree import Tree
from trajmill.synth.sources.files import read_folder
from trajmill.synth.sources.material import Material
from trajmill.verifiers.checks.git import PLAIN_CONFIG

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def bubblewrap() -> BubblewrapBackend:
    backend = BubblewrapBackend()
    try:
        asyncio.run(backend.probe())
    except UnavailableError as error:
        pytest.skip(str(error))
    return backend


class Watched:
    """A backend that remembers what was put into its sandboxes."""

    def __init__(self, inner: Backend) -> None:
        self.name = inner.name
        self.inner = inner
        self.put: list[Tree] = []

    def open(self, spec: SandboxSpec) -> AbstractAsyncContextManager[Sandbox]:
        self.put.append(spec.files)
        return self.inner.open(spec)


def inputs_of(folder: Path) -> Inputs:
    source = read_folder(folder)
    return Inputs((source,), source.materials, source.left_out)


def read(folder: Path, backend: Backend, *, has_git: bool = True) -> Inputs:
    """The inputs of a folder with a table beside the repository ``project``."""
    (folder / "a.csv").write_text("a,b\n1,2\n")
    return asyncio.run(with_histories(inputs_of(folder), backend, git=has_git))


def project(inputs: Inputs) -> Material:
    return next(m for m in inputs.materials if m.name == "project")


def test_the_history_is_what_git_says(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    made = make_repository(tmp_path / "project", "master")
    before = hashes(tmp_path / "project")
    inputs = read(tmp_path, bubblewrap)
    material = project(inputs)
    history = material.history
    assert history is not None
    assert [c.subject for c in history.commits] == git(made, "log", "--reverse", "--format=%s").splitlines()
    assert [(c.author, c.email) for c in history.commits] == [ADA, BO, ADA, BO, ADA]
    assert history.commits[0].date == "2023-03-01T23:30:00-05:00"
    assert (history.branch, history.tags) == ("master", {"v0.1": 2, "v0.2": 3})
    assert [sorted(c.files) for c in history.commits[2:]] == [
        [".gitignore", "README.md", "cities.csv"],
        [".gitignore", "README.md", "cities.csv", "src/list a.py"],
        [".gitignore", "cities.csv", "src/list a.py"],
    ]
    assert [history.commits[n].files["cities.csv"] for n in (1, 2)] == [NORTH.encode(), SOUTH.encode()]
    assert material.usable_for("git")
    assert not material.found.notes
    assert material.excerpt == ""
    assert inputs.left_out == ()
    assert hashes(tmp_path / "project") == before


def test_reading_twice_gives_the_same(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    make_repository(tmp_path / "project")
    first, second = read(tmp_path, bubblewrap), read(tmp_path, bubblewrap)
    assert first == second
    assert first.id == second.id


def test_packed_objects_and_references_are_read(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    made = make_repository(tmp_path / "project")
    loose = project(read(tmp_path, bubblewrap)).history
    git(made, "gc", "-q")
    git(made, "pack-refs", "--all")
    assert project(read(tmp_path, bubblewrap)).history == loose is not None


def test_only_the_newest_commits_of_a_long_history_are_taken(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    made = make_repository(tmp_path / "project")
    for number in range(31):
        commit(made, f"Step {number}", {"step.txt": f"{number}\n"}, day=6)
    material = project(read(tmp_path, bubblewrap))
    assert material.history is not None
    assert [c.subject for c in material.history.commits] == [f"Step {n}" for n in range(1, 31)]
    assert material.history.tags == {}
    assert material.excerpt == "newest 30 of 36 commits"


def test_a_history_is_taken_from_its_newest_merge_on(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    made = make_repository(tmp_path / "project")
    git(made, "checkout", "-q", "aside")
    commit(made, "Work aside", {"aside.txt": "x\n"}, day=6)
    git(made, "checkout", "-q", "main")
    git(made, "merge", "-q", "--no-edit", "aside")
    assert "0 commits since the newest merge" in project(read(tmp_path, bubblewrap)).found.notes[0].detail
    for number in range(3):
        commit(made, f"Step {number}", {"step.txt": f"{number}\n"}, day=7)
    material = project(read(tmp_path, bubblewrap))
    assert material.history is not None
    assert [c.subject for c in material.history.commits] == ["Step 0", "Step 1", "Step 2"]
    assert material.excerpt == "newest 3 of 10 commits"


def spoil_object(folder: Path) -> None:
    blob = git(folder, "rev-parse", "HEAD:cities.csv").strip()
    place = folder / ".git" / "objects" / blob[:2] / blob[2:]
    place.chmod(0o644)
    place.write_bytes(place.read_bytes()[:20] + b"xxxx")


def detach(folder: Path) -> None:
    git(folder, "checkout", "-q", "--detach")


SPOILED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "corrupt object": (spoil_object, "history_unreadable", "git "),
    "detached": (detach, "history_not_used", "no branch"),
    "binary": (lambda f: commit(f, "Add a picture", {"a.bin": b"\0\1"}), "history_not_used", "no text"),
    "latin-1": (lambda f: commit(f, "Add names", {"a.txt": "Bodø".encode("latin-1")}), "history_not_used", "no text"),
    "large": (lambda f: commit(f, "Add all", {"a.txt": "x" * 70_000}), "history_not_used", "70,000 bytes"),
    "many": (lambda f: commit(f, "Add all", {f"{i}.txt": "" for i in range(201)}), "history_not_used", "limit is 200"),
    "attributes": (lambda f: commit(f, "Add", {".gitattributes": "* text"}), "history_not_used", "gitattributes"),
    "subject": (lambda f: commit(f, "A\x1b[31m", {"x": "1"}), "history_not_used", "subject"),
    "author": (lambda f: commit(f, "A", {"x": "1"}, who=("Li, Bo", "b@example.com")), "history_not_used", "unusual"),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_a_history_that_cannot_be_used_is_a_note(tmp_path: Path, bubblewrap: BubblewrapBackend, fault: str) -> None:
    spoil, code, said = SPOILED[fault]
    spoil(make_repository(tmp_path / "project"))
    inputs = read(tmp_path, bubblewrap)
    material = project(inputs)
    assert material.history is None
    assert material.found.notes[0].code == code
    assert said in material.found.notes[0].detail
    assert not material.found.usable
    assert [(d.subject, d.reason) for d in inputs.left_out] == [("project", code)]


def test_a_secret_in_an_old_commit_keeps_the_repository_out(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    made = make_repository(tmp_path / "project")
    commit(made, "Add settings", {"prod.env": "PASSWORD=hunter22\n"}, day=6)
    git(made, "rm", "-q", "prod.env")
    commit(made, "Take the settings out", {}, day=7)
    material = project(read(tmp_path, bubblewrap))
    assert material.history is None
    assert "prod.env" in material.found.notes[0].detail


def test_a_link_keeps_the_repository_out(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    made = make_repository(tmp_path / "project")
    (made / "link").symlink_to("cities.csv")
    commit(made, "Add a link", {}, day=6)
    assert "is a link" in project(read(tmp_path, bubblewrap)).found.notes[0].detail


def test_nothing_that_a_repository_names_is_run(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    made = make_repository(tmp_path / "project")
    clean = project(read(tmp_path, bubblewrap)).history
    tip, root = git(made, "rev-parse", "HEAD", "HEAD~4").split()
    script = made / ".git" / "evil.sh"
    script.write_text("#!/bin/sh\ntouch /workspace/ran /tmp/ran\nkill -9 $PPID\n")
    script.chmod(0o755)
    evil = "/workspace/.git/evil.sh"
    config = f"""
[core]
\tfsmonitor = {evil}
\thooksPath = /workspace/.git
\tpager = {evil}
\tsshCommand = {evil}
[diff]
\texternal = {evil}
[gpg]
\tprogram = {evil}
[log]
\tshowSignature = true
[alias]
\tlog = !{evil}
[extensions]
\tpartialClone = o
[remote "o"]
\turl = ext::{evil}
"""
    (made / ".git" / "config").write_text(config)
    (made / ".git" / "info").mkdir(exist_ok=True)
    (made / ".git" / "info" / "grafts").write_text(f"{tip} {root}\n")
    (made / ".git" / "refs" / "replace").mkdir(exist_ok=True)
    (made / ".git" / "refs" / "replace" / tip).write_text(f"{root}\n")
    watched = Watched(bubblewrap)
    assert project(read(tmp_path, watched)).history == clean is not None
    (put,) = watched.put
    assert put.get(".git/config") == PLAIN_CONFIG
    named = [path for path in put if not path.startswith((".git/objects", ".git/refs"))]
    assert named == [".git/HEAD", ".git/config"]


def test_without_git_in_the_sandbox_no_repository_is_used(tmp_path: Path, bubblewrap: BubblewrapBackend) -> None:
    make_repository(tmp_path / "project")
    material = project(read(tmp_path, bubblewrap, has_git=False))
    assert material.history is None
    assert "no git" in material.found.notes[0].detail


def test_a_source_with_nothing_but_an_unfit_repository_is_refused(
    tmp_path: Path, bubblewrap: BubblewrapBackend
) -> None:
    made = tmp_path / "project"
    made.mkdir()
    git(made, "init", "-q", "-b", "main")
    commit(made, "Alone", {"a.txt": "a\n"})
    with pytest.raises(InputError, match="1 commits; at least 3"):
        asyncio.run(with_histories(inputs_of(tmp_path), bubblewrap))
