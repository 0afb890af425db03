"""Skills that add to a history: a first commit, one more file, a revert."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.synth.packs.facts import Repository
from trajmill.synth.packs.naming import folder_of, sh
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import held_folder, many
from trajmill.synth.packs.terminal.git_choice import (
    expect_history,
    git,
    head,
    may_ignore,
    quotable,
    repository_of,
    with_commit,
)

ON_MAIN = ("git-repository", "git-release")
"""Scenarios in which the next commit belongs to the current branch."""

NEW_FILES = (
    ("CONTACT.txt", "Questions go to the data team.", "Say whom to ask"),
    ("CHANGELOG.md", "See the history of this repository.", "Add a change log"),
    ("LICENSE.txt", "For internal use only.", "State the terms of use"),
    ("docs/checks.txt", "Values were compared with the source once.", "Note which checks were made"),
    ("docs/source.txt", "Rows were taken over unchanged from the source.", "Describe the origin of the rows"),
    (".gitattributes", "*.csv text eol=lf", "Keep line ends of tables uniform"),
)
"""Name, its one line, and a subject for the commit."""


def git_way(name: str, command: str, tools: str, *why: str) -> Way:
    """A way of one command that runs git."""
    return Way(name, ("git", *tools.split()), (Act(command, why),))


def changed(
    state: State,
    after: Repository,
    scenario: str,
    asks: Sequence[str],
    ways: Sequence[Way],
    done: Sequence[str],
    *,
    slips: Sequence[Slip] = (),
    rules: Sequence[str] = (),
) -> Application:
    """A repository that was changed in place."""
    path = state.focus.path
    return Application(
        outputs=(path,),
        asks=tuple(asks),
        results=(),
        rules=tuple(rules),
        ways=tuple(ways),
        checks=(expect_history(path, after),),
        after=state.made(path, scenario, after),
        done=tuple(done),
        slips=tuple(slips),
    )


def init_commit(state: State, draw: Draw) -> Application | None:
    """Make a folder a repository and commit everything."""
    held = held_folder(state, 3, exact=True)
    if held is None:
        return None
    subject = draw.pick(("Import all files", "First commit", "Start of the history", "Add the files as received"))
    after = with_commit(Repository((), "main", {}), subject, held.files)
    repo, count = sh(held.path), len(held.files)
    plain = draw.pick(
        (
            f"git init -q -b main {repo} && git -C {repo} add -A && git -C {repo} commit -q -m {sh(subject)}",
            f"git -C {repo} init -q --initial-branch=main\ngit -C {repo} add .\ngit -C {repo} commit -q -m "
            f"{sh(subject)}",
        )
    )
    inside = f"(cd {repo} && git init -q -b main && git add --all && git commit -q -m {sh(subject)})"
    return changed(
        state,
        after,
        "git-repository",
        (
            f"turn {{it}} into a Git repository with the branch `main` and commit all its files, with the message "
            f"`{subject}`",
            f"put {{it}} under version control: a new Git repository in that folder, branch `main`, and one commit "
            f"`{subject}` with every file, subfolders included",
            f"start a Git history in {{it}} on a branch called `main`; its only commit has the subject `{subject}` "
            "and holds everything that lies there",
            f"make {{it}} a Git repository (branch `main`) whose first commit, `{subject}`, contains all files of "
            "the folder",
        ),
        (
            git_way(
                "git -C",
                plain,
                "",
                "The branch gets its name at init; then everything is staged and committed.",
                f"All {many(count, 'file')} go into the first commit.",
                "With -C git works in the folder, and I stay where I am.",
            ),
            git_way(
                "inside",
                inside,
                "",
                "In a subshell I can change into the folder without leaving my own.",
                f"init, add and commit, in that order, for {many(count, 'file')}.",
                "From within the folder the three steps need no paths.",
            ),
        ),
        (
            f"`{held.path}` is a Git repository now; `{subject}` has {many(count, 'file')}",
            f"committed {many(count, 'file')} to `main` in `{held.path}`",
        ),
        slips=(
            Slip(
                command=f"git init -q {repo}",
                why=("First the folder has to become a repository.", "git init makes the repository."),
                look=f"git -C {repo} symbolic-ref --short HEAD",
                sign="master",
                remark=(
                    "The branch is called master by default; it should be main.",
                    "I did not name the branch, so it is not main.",
                ),
                undo=f"rm -rf {repo}/.git",
                tools=("git", "rm"),
            ),
        ),
    )


def add_file(state: State, draw: Draw) -> Application | None:
    """Add a file with a given line and commit it."""
    facts = repository_of(state)
    if facts is None:
        return None
    now = head(facts).files
    options = [o for o in NEW_FILES if o[0] not in now and o[0].split("/")[0] not in now and o[0] != ".gitattributes"]
    options = [o for o in options if not may_ignore(now, o[0])]
    if not options:
        return None
    name, line, subject = draw.pick(options)
    after = with_commit(facts, subject, {**now, name: f"{line}\n".encode()})
    repo = sh(state.focus.path)
    path = f"{repo}/{name}"
    make = f"mkdir -p {repo}/{folder_of(name)} && " if folder_of(name) else ""
    write = draw.pick((f"echo {sh(line)} > {path}", f"printf '%s\\n' {sh(line)} > {path}"))
    inner = f"mkdir -p {folder_of(name)} && " if folder_of(name) else ""
    return changed(
        state,
        after,
        "git-repository",
        (
            f"add a file `{name}` with the single line `{line}` to the repository {{it}} and commit it on the "
            f"current branch with the subject `{subject}`",
            f"in {{it}}, create `{name}`, containing just `{line}` and a newline, and record it in a commit called "
            f"`{subject}`",
            f"commit a new file `{name}` to {{it}} (message `{subject}`); its content is one line, `{line}`",
            f"extend {{it}} by one commit, `{subject}`, that adds `{name}` with the text `{line}` on a line of its "
            "own and changes nothing else",
        ),
        (
            git_way(
                "git -C",
                f"{make}{write} && {git(repo, draw, f'add {name}', f'commit -q -m {sh(subject)}')}",
                "mkdir printf echo",
                "The file is written first, then staged by name and committed.",
                f"A new file has to be added before `{subject}` can hold it.",
                f"One line into `{name}`, and a commit with just that file.",
            ),
            git_way(
                "inside",
                f"(cd {repo} && {inner}cat > {name} <<'EOF'\n{line}\nEOF\ngit add -- {name} && git commit -q -m "
                f"{sh(subject)})",
                "mkdir cat",
                "From within the work tree the paths are short.",
                f"I write `{name}`, stage it and commit.",
                "A here-document gives the file its one line, then the commit follows.",
            ),
        ),
        (
            f"committed `{name}` to `{state.focus.path}` as `{subject}`",
            f"`{state.focus.path}` has one more commit, `{subject}`, with the new file `{name}`",
        ),
        slips=(
            Slip(
                command=f"{make}{write} && git -C {repo} commit -m {sh(subject)}",
                why=(f"I write `{name}` and commit.", "Write the file, then commit with the given message."),
                sign="untracked|nothing added",
                remark=(
                    "A new file is not committed unless it was added; I forgot to stage it.",
                    "Nothing was committed: git does not track the file yet.",
                ),
                tools=("git", "mkdir", "echo", "printf"),
            ),
        ),
    )


def revert_last(state: State, draw: Draw) -> Application | None:
    """Undo the newest commit by a new one."""
    facts = repository_of(state, 3)
    if facts is None or facts.commits[-1].subject.startswith(("Revert", "Reapply")):
        return None
    last, before = facts.commits[-1], facts.commits[-2]
    if '"' in last.subject or not quotable(last.subject) or last.files == before.files:
        return None
    subject = f'Revert "{last.subject}"'
    repo = sh(state.focus.path)
    return changed(
        state,
        with_commit(facts, subject, before.files),
        "git-repository",
        (
            f"undo the newest commit of {{it}} by a new commit with the usual subject `{subject}`; the history keeps "
            "both",
            f"revert the last commit of {{it}} (`{last.subject}`) without rewriting history, leaving the default "
            f"message that starts with `{subject}`",
            f"the last commit in {{it}} was a mistake: take its changes back in an additional commit with the "
            f"subject `{subject}`",
            f"add a commit `{subject}` to the current branch of {{it}} that undoes what the newest one did and "
            "nothing else",
        ),
        (
            git_way(
                "revert",
                f"git -C {repo} revert --no-edit HEAD > /dev/null",
                "",
                "git revert makes the opposite change as a commit of its own; --no-edit takes its message.",
                f"The newest commit, `{last.subject}`, is undone by a further commit.",
                "History must not be rewritten, so a revert is right and a reset is not.",
            ),
            git_way(
                "by hand",
                f"{git(repo, draw, 'revert --no-commit HEAD', f'commit -q -m {sh(subject)}')}",
                "",
                "I let git undo the change in the index and commit it with the subject myself.",
                f"The opposite of `{last.subject}` is staged first and committed afterwards.",
                "Staging the reversal without a commit lets me state the subject.",
            ),
        ),
        (
            f"undid `{last.subject}` in `{state.focus.path}` by a new commit",
            f"`{state.focus.path}` is back to the content before `{last.subject}`, by a revert",
        ),
    )


SKILLS = (
    PackSkill(
        "git-init-commit",
        "git",
        "Make a folder a repository with one commit.",
        ("folder-tree", "tidy-folder", "renamed-folder", "unpacked-folder"),
        "git-repository",
        init_commit,
    ),
    PackSkill("git-add-file", "git", "Add a file and commit it.", ON_MAIN, "git-repository", add_file),
    PackSkill("git-revert-last", "git", "Revert the newest commit.", ON_MAIN, "git-repository", revert_last),
)
