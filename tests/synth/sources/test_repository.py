"""A git repository is one material, taken without running git."""

from __future__ import annotations

from pathlib import Path

import pytest

from trajmill.synth.sources.files import read_folder
from trajmill.synth.sources.listing import Limits


def repository(folder: Path) -> Path:
    """As much of a repository as a reader looks at."""
    git = folder / ".git"
    (git / "hooks").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text("[core]\n\tbare = false\n")
    (git / "hooks" / "post-checkout").write_text("#!/bin/sh\nrm -rf ~\n")
    (folder / "a.csv").write_text("a,b\n1,2\n")
    (folder / "run.sh").write_text("echo\n")
    (folder / "run.sh").chmod(0o700)
    return folder


def test_a_folder_with_a_repository_is_one_material(tmp_path: Path) -> None:
    repository(tmp_path / "in" / "project")
    (tmp_path / "in" / "b.csv").write_text("a,b\n1,2\n")
    source = read_folder(tmp_path / "in")
    assert [(m.name, m.kind) for m in source.materials] == [("b.csv", "csv"), ("project", "git")]
    material = source.material("project")
    assert material.tree is not None
    assert [p for p in material.tree if material.tree.file(p)] == [".git/HEAD", ".git/config", "a.csv", "run.sh"]
    assert material.found.facts["branch"] == "main"
    run = material.tree.file("run.sh")
    assert run is not None
    assert run.mode == 0o755


def test_the_source_folder_itself_may_be_a_repository(tmp_path: Path) -> None:
    repository(tmp_path / "project")
    assert [m.name for m in read_folder(tmp_path / "project").materials] == ["project"]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("secret", "looks_like_secret"), ("config", "looks_like_secret"), ("link", "link_out"), ("head", "no_repository")],
)
def test_a_repository_that_cannot_be_taken_is_left_out_with_its_reason(tmp_path: Path, fault: str, reason: str) -> None:
    project = repository(tmp_path / "in" / "project")
    (tmp_path / "in" / "b.csv").write_text("a,b\n1,2\n")
    if fault == "secret":
        (project / "prod.env").write_text("A=1\n")
    if fault == "config":
        (project / ".git" / "config").write_text('[remote "o"]\n\turl = https://me:hunter22@example.org/x\n')
    if fault == "link":
        (project / "out").symlink_to("../../etc")
    if fault == "head":
        (project / ".git" / "HEAD").unlink()
    source = read_folder(tmp_path / "in")
    assert [(d.subject, d.reason) for d in source.left_out] == [("project", reason)]
    assert "hunter22" not in repr(source)


def test_a_large_repository_is_left_out(tmp_path: Path) -> None:
    repository(tmp_path / "in" / "project")
    (tmp_path / "in" / "b.csv").write_text("a,b\n1,2\n")
    source = read_folder(tmp_path / "in", Limits(repository_bytes=20))
    assert [(d.subject, d.reason) for d in source.left_out] == [("project", "repository_too_large")]
