"""What a repository in focus offers, and what it is after one more commit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase

from trajmill.schemas.ids import Json
from trajmill.schemas.task import Check
from trajmill.synth.packs.expect import content, expect_git
from trajmill.synth.packs.facts import Commit, Repository
from trajmill.synth.packs.skill import Draw
from trajmill.synth.packs.state import State

REPOSITORIES = ("git-repository", "git-branch", "git-release")
"""Scenarios in which a repository with a clean work tree is in focus."""

_AGENT = ("Agent", "agent@example.org", "2024-01-01T00:00:00+00:00")


def repository_of(state: State, least: int = 1) -> Repository | None:
    """The repository in focus, if it has at least so many commits."""
    facts = state.focus.facts
    return facts if isinstance(facts, Repository) and len(facts.commits) >= least else None


def head(facts: Repository) -> Commit:
    """The newest commit of the current branch."""
    return facts.commits[-1]


def with_commit(facts: Repository, subject: str, files: Mapping[str, bytes]) -> Repository:
    """The history after another commit by the agent."""
    commit = Commit(*_AGENT, subject, dict(sorted(files.items())))
    return replace(facts, commits=(*facts.commits, commit))


def expect_history(path: str, facts: Repository, **more: Json) -> Check:
    """Branch, all subjects, the tags, every file at HEAD and a clean work tree, as the facts say."""
    return expect_git(
        path,
        branch=facts.branch,
        subjects=[c.subject for c in reversed(facts.commits)],
        tags={tag: facts.commits[index].subject for tag, index in sorted((facts.tags or {}).items())},
        head_files={name: content(data) for name, data in head(facts).files.items()},
        clean=True,
        **more,
    )


def git(path: str, draw: Draw, *commands: str) -> str:
    """Git commands in a repository, by ``-C`` or from within it; ``path`` is quoted as a shell word."""
    if len(commands) == 1 or draw.rng.random() < 0.5:
        return " && ".join(f"git -C {path} {command}" for command in commands)
    return f"(cd {path} && " + " && ".join(f"git {command}" for command in commands) + ")"


def may_ignore(files: Mapping[str, bytes], path: str) -> bool:
    """Whether some ``.gitignore`` among the files may name the path or a folder above it; sure only in a no."""
    rules = [data for name, data in files.items() if name.rpartition("/")[2] == ".gitignore"]
    lines = [line.strip() for data in rules for line in data.decode("utf-8", "replace").splitlines()]
    lasts = {re.sub(r"\[.*?\]|\\.", "?", rule).strip("!/").rpartition("/")[2] for rule in lines if rule[:1] != "#"}
    return any(fnmatchcase(part, last) for part in path.split("/") for last in lasts)


def quotable(subject: str) -> bool:
    """Whether a subject can stand between backticks in a sentence, and in a command to be read as it is."""
    return not any(c in "`{}\\" for c in subject)


def odd_paths(facts: Repository) -> bool:
    """Some path cannot stand in the output of git without quotes."""
    return any(not re.fullmatch(r"[A-Za-z0-9_./-]+", n) for c in facts.commits for n in c.files)
