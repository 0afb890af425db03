"""Skills on the user's own repositories, whose subjects, paths, dates and ignore rules are as people write them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.own_sources import ADA, BO, NORTH, SOUTH
from tests.synth.packs.terminal.places import drawn, first_application, refuses, skill_named
from tests.synth.packs.terminal.test_git import ON_REPOSITORIES, SKILLS
from tests.synth.packs.verdicts import assert_passes
from tests.synth.packs.ways import run, workspace
from trajmill.synth.packs.facts import Commit, Repository
from trajmill.synth.packs.skill import PackSkill
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.git_choice import may_ignore
from trajmill.synth.packs.terminal.git_starts import own_repository, repository_start
from trajmill.synth.sources.found import Found
from trajmill.synth.sources.material import Material

IGNORE = b"# made by the build\n*.log\nbuild/\n"
FIRST = {".gitignore": IGNORE, "cities.csv": NORTH.encode(), "docs": b"a file\n"}
SECOND = {**FIRST, "README.md": b"# Cities\n", "src/list a.py": b"print(1)\n"}
THIRD = {**SECOND, "cities.csv": SOUTH.encode()}
FOURTH = {**{n: d for n, d in THIRD.items() if n != "docs"}, "docs/more.txt": b"more\n", "docs/empty.txt": b""}
HISTORY = Repository(
    (
        Commit(*ADA, "2023-03-01T23:30:00-05:00", "Add cities", FIRST),
        Commit(*BO, "2023-03-02T00:15:00+05:30", "README: say what this is, briefly", SECOND),
        Commit(*ADA, "2023-03-02T08:00:00+00:00", "Bring Oslo's figures up to date", THIRD),
        Commit(*BO, "2023-03-01T08:00:00+00:00", "docs/ becomes a folder (100 % done)", FOURTH),
    ),
    "main",
    {"v0.1": 1},
)


def material(history: Repository | None = HISTORY, name: str = "work/norway") -> Material:
    return Material(name, b"", Found("git", usable=frozenset({"git"})), "0" * 64, history=history)


def world(history: Repository = HISTORY) -> World:
    made = own_repository(material(history), drawn())
    assert made is not None
    return made


def test_the_repository_is_set_up_under_its_name_as_it_was_read() -> None:
    made = world()
    assert made.state.focus.path == "norway"
    with workspace(made) as folder:
        log = run("git -C norway log --reverse --format='%an <%ae> %aI %s'", folder).stdout.splitlines()
        assert log == [f"{c.author} <{c.email}> {c.date} {c.subject}" for c in HISTORY.commits]
        assert run("git -C norway status --porcelain --ignored", folder).stdout == ""
        assert run("git -C norway diff-files", folder).stdout == ""
        assert run("git -C norway tag --list --format='%(refname:short) %(subject)'", folder).stdout.split(" ", 1) == [
            "v0.1",
            "README: say what this is, briefly\n",
        ]
        for back, commit in enumerate(reversed(HISTORY.commits)):
            tree = run(f"git -C norway -c core.quotePath=false ls-tree -r --name-only HEAD~{back}", folder).stdout
            assert tree.splitlines() == sorted(commit.files)
        assert {p.name for p in folder.iterdir()} == {"norway"}


@pytest.mark.parametrize("skill", ON_REPOSITORIES, ids=lambda s: s.name)
def test_every_way_and_mended_slip_satisfies_the_checks(skill: PackSkill) -> None:
    plain = replace(HISTORY, commits=tuple(replace(c, files=_unspaced(c)) for c in HISTORY.commits))
    start = world(plain)
    assert_passes(first_application(skill, start, 3, "bytes"), start)


def _unspaced(commit: Commit) -> dict[str, bytes]:
    return {name.replace(" ", "_"): data for name, data in commit.files.items()}


def test_lists_of_paths_are_not_made_where_a_path_has_a_space() -> None:
    assert refuses(skill_named(SKILLS, "git-changes-per-file"), world())
    assert refuses(skill_named(SKILLS, "git-files-changed"), world())


def test_a_repository_that_was_not_read_is_no_start() -> None:
    assert own_repository(material(None), drawn()) is None
    assert repository_start(material(), drawn()) is None


@pytest.mark.parametrize(("name", "folder"), [("a b/My Repo!", "my_repo"), ("-x", "x"), ("p/.dot", "dot")])
def test_a_name_that_is_no_plain_word_is_made_one(name: str, folder: str) -> None:
    made = own_repository(material(name=name), drawn())
    assert made is not None
    assert made.state.focus.path == folder


def test_a_commit_that_changes_nothing_is_not_reverted() -> None:
    empty = replace(HISTORY.commits[-1], subject="Trigger the build")
    assert refuses(skill_named(SKILLS, "git-revert-last"), world(replace(HISTORY, commits=(*HISTORY.commits, empty))))


@pytest.mark.parametrize("subject", ["Fix `a`", "Drop {it}", r"Mend a\b"])
def test_subjects_that_read_in_two_ways_are_not_quoted(subject: str) -> None:
    commits = tuple(replace(c, subject=f"{subject} {n}") for n, c in enumerate(HISTORY.commits))
    for name in ("git-tag-release", "git-revert-last", "git-export-old-file"):
        assert refuses(skill_named(SKILLS, name), world(Repository(commits)))


def test_nothing_is_added_that_might_be_ignored() -> None:
    broad = tuple(replace(c, files={**c.files, ".gitignore": b"*\n!cities.csv\n"}) for c in HISTORY.commits)
    for name in ("git-add-file", "git-rename-file", "git-branch-commit"):
        assert refuses(skill_named(SKILLS, name), world(Repository(broad)))


@pytest.mark.parametrize(
    ("rule", "path", "may"),
    [
        ("*.txt", "docs/a.txt", True),
        ("/docs/", "docs/a.txt", True),
        ("docs/**", "docs/a.txt", True),
        ("[Dd]ocs", "docs/a.txt", True),
        ("a/b/*.txt", "docs/a.txt", True),
        ("# *.txt", "docs/a.txt", False),
        ("*.log", "docs/a.txt", False),
        ("", "docs/a.txt", False),
    ],
)
def test_ignore_rules_are_read_on_the_safe_side(rule: str, path: str, may: bool) -> None:
    assert may_ignore({"sub/.gitignore": f"{rule}\n".encode()}, path) is may
    assert not may_ignore({"notes.txt": f"{rule}\n".encode()}, path)
