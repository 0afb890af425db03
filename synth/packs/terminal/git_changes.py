"""Skills that add to a history: a first commit, one more file, a rename, a removal, a revert."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.facts import Repository
from trajmill.synth.packs.naming import folder_of, sh
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import held_folder, many
from trajmill.synth.packs.terminal.git_choice import expect_history, git, head, repository_of, with_commit

_PRE = ("git-repository", "git-release")

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
            f"git -C {repo} init -q --initial-branch=main\ngit -C {repo} add .\ngit -C {repo} commit -q -m {sh(subject)}",
        )
    )
    inside = f"(cd {repo} && git init -q -b main && git add --all && git commit -q -m {sh(subject)})"
    return changed(
        state,
        after,
        "git-repository",
        (
            f"turn {{it}} into a Git repository with the branch `main` and commit all its files, with the message `{subject}`",
            f"put {{it}} under version control: a new Git repository in that folder, branch `main`, and one commit `{subject}` with every file, subfolders included",
            f"start a Git history in {{it}} on a branch called `main`; its only commit has the subject `{subject}` and holds everything that lies there",
            f"make {{it}} a Git repository (branch `main`) whose first commit, `{subject}`, contains all files of the folder",
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
            f"add a file `{name}` with the single line `{line}` to the repository {{it}} and commit it on the current branch with the subject `{subject}`",
            f"in {{it}}, create `{name}`, containing just `{line}` and a newline, and record it in a commit called `{subject}`",
            f"commit a new file `{name}` to {{it}} (message `{subject}`); its content is one line, `{line}`",
            f"extend {{it}} by one commit, `{subject}`, that adds `{name}` with the text `{line}` on a line of its own and changes nothing else",
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
                f"(cd {repo} && {inner}cat > {name} <<'EOF'\n{line}\nEOF\ngit add -- {name} && git commit -q -m {sh(subject)})",
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


def rename_file(state: State, draw: Draw) -> Application | None:
    """Rename a tracked file and commit."""
    facts = repository_of(state)
    if facts is None:
        return None
    now = head(facts).files
    options = [
        (old, new) for old in now if (new := _new_name(old, draw)) and new not in now and new.split("/")[0] not in now
    ]
    if not options:
        return None
    old, new = draw.pick(options)
    subject = draw.pick((f"Rename {old} to {new}", f"Move {old}", "Give the file a better name"))
    after = with_commit(facts, subject, {(new if n == old else n): data for n, data in now.items()})
    repo = sh(state.focus.path)
    make = f"mkdir -p {repo}/{sh(folder_of(new))} && " if folder_of(new) else ""
    by_hand = (
        f"{make}mv {repo}/{sh(old)} {repo}/{sh(new)} && {git(repo, draw, 'add -A', f'commit -q -m {sh(subject)}')}"
    )
    return changed(
        state,
        after,
        "git-repository",
        (
            f"rename `{old}` to `{new}` in the repository {{it}} and commit that with the subject `{subject}`",
            f"in {{it}}, move the tracked file `{old}` to `{new}` (content unchanged) and record it as a commit `{subject}`",
            f"give `{old}` in {{it}} the new path `{new}`, in one commit on the current branch called `{subject}`",
            f"let the file `{old}` of {{it}} be called `{new}` from now on: rename it and commit with the message `{subject}`",
        ),
        (
            git_way(
                "git mv",
                make + git(repo, draw, f"mv {sh(old)} {sh(new)}", f"commit -q -m {sh(subject)}"),
                "mkdir",
                "git mv renames the file and stages both sides of the change.",
                f"`{old}` is tracked, so git can move it itself.",
                "A move by git needs no separate add.",
            ),
            git_way(
                "mv",
                by_hand,
                "mv mkdir",
                "I move the file and stage everything, the removal as well as the new path.",
                f"To git a rename is a removal of `{old}` and a new file; add -A stages both.",
                "After a plain mv, add -A picks up the old and the new path.",
            ),
        ),
        (
            f"renamed `{old}` to `{new}` in `{state.focus.path}` and committed it",
            f"`{old}` is `{new}` now; the commit is `{subject}`",
        ),
        slips=(
            Slip(
                command=f"{make}mv {repo}/{sh(old)} {repo}/{sh(new)} && git -C {repo} commit -q -a -m {sh(subject)} && git -C {repo} status --short",
                why=("I move the file and commit all changes.", "mv, then a commit with -a."),
                sign=r"\?\? ",
                remark=(
                    "The new path is untracked: -a only sees files that git knows already.",
                    "Only the removal was committed; the new file is still outside.",
                ),
                undo=f"git -C {repo} reset -q --soft HEAD~1 && git -C {repo} reset -q && mv {repo}/{sh(new)} {repo}/{sh(old)}"
                + (f" && rmdir --ignore-fail-on-non-empty {repo}/{sh(folder_of(new))}" if folder_of(new) else ""),
                tools=("git", "mv", "mkdir", "rmdir"),
            ),
        ),
    )


def _new_name(old: str, draw: Draw) -> str:
    root, _, ending = old.rpartition(".")
    if not root or old.startswith("."):
        return ""
    last = root.rpartition("/")[2]
    return draw.pick((f"{root}_v1.{ending}", f"archive/{last}.{ending}", f"{root}-old.{ending}"))


def remove_file(state: State, draw: Draw) -> Application | None:
    """Remove a tracked file and commit, or stop tracking it and keep it."""
    facts = repository_of(state, 2)
    if facts is None or len(head(facts).files) < 3:
        return None
    now = head(facts).files
    options = [n for n in now if not n.startswith((".", "README")) and all(c.isalnum() or c in "._-/" for c in n)]
    if not options or ".gitignore" in now:
        return None
    name = draw.pick(options)
    rest = {n: data for n, data in now.items() if n != name}
    return (
        _untrack(state, draw, facts, name, rest) if draw.rng.random() < 0.5 else _remove(state, draw, facts, name, rest)
    )


def _remove(state: State, draw: Draw, facts: Repository, name: str, rest: dict[str, bytes]) -> Application:
    subject = draw.pick((f"Remove {name}", "Drop a file that nobody reads", f"Delete {name.rpartition('/')[2]}"))
    repo = sh(state.focus.path)
    return changed(
        state,
        with_commit(facts, subject, rest),
        "git-repository",
        (
            f"delete `{name}` from the repository {{it}}, work tree included, and commit that as `{subject}`",
            f"remove the file `{name}` from {{it}} in a commit with the subject `{subject}`; older commits stay as they are",
            f"take `{name}` out of {{it}} (both the file and its entry in Git) and record the removal as `{subject}`",
            f"commit the removal of `{name}` to {{it}}, with the message `{subject}` and no other change",
        ),
        (
            git_way(
                "git rm",
                git(repo, draw, f"rm -q {name}", f"commit -q -m {sh(subject)}"),
                "",
                "git rm deletes the file and stages the removal in one go.",
                f"`{name}` goes from the work tree and from the index, then I commit.",
                "The history keeps the old versions, only the newest tree lacks the file.",
            ),
            git_way(
                "rm",
                f"rm {repo}/{name} && git -C {repo} commit -q -a -m {sh(subject)}",
                "rm",
                "The file is tracked, so a commit with -a notices that it is gone.",
                f"I delete `{name}` and let git commit all changes to tracked files.",
                "A plain rm is enough, because -a stages removals too.",
            ),
        ),
        (
            f"removed `{name}` from `{state.focus.path}` in `{subject}`",
            f"`{name}` is gone from `{state.focus.path}`; the commit is `{subject}`",
        ),
    )


def _untrack(state: State, draw: Draw, facts: Repository, name: str, rest: dict[str, bytes]) -> Application:
    subject = draw.pick(
        (f"Ignore {name}", f"Stop tracking {name.rpartition('/')[2]}", "Keep a local file out of the history")
    )
    repo, path = sh(state.focus.path), state.focus.path
    after = with_commit(facts, subject, {**rest, ".gitignore": f"{name}\n".encode()})
    write = draw.pick((f"echo {name} > {repo}/.gitignore", f"printf '%s\\n' {name} >> {repo}/.gitignore"))
    made = changed(
        state,
        after,
        "git-repository",
        (
            f"stop tracking `{name}` in {{it}} but keep the file on disk; add a `.gitignore` whose only line is `{name}`, and commit both changes as `{subject}`",
            f"in {{it}}, take `{name}` out of version control without deleting it from the work tree, list it in a new `.gitignore` (one line, `{name}`) and commit with the subject `{subject}`",
            f"`{name}` in {{it}} should stay where it is but no longer belong to the repository: untrack it, ignore it with a `.gitignore` that holds just the line `{name}`, and commit this as `{subject}`",
            f"make Git forget `{name}` in {{it}} from the next commit on, the file itself being kept; that commit is called `{subject}` and also brings a `.gitignore` with the single line `{name}`",
        ),
        (
            git_way(
                "rm --cached",
                f"{write} && {git(repo, draw, f'rm -q --cached {name}', 'add .gitignore', f'commit -q -m {sh(subject)}')}",
                "echo printf",
                "With --cached git forgets the file but leaves it on disk.",
                f"`{name}` leaves the index only; the ignore rule keeps it out from now on.",
                "The rule is written first, then the file is untracked, then both are committed.",
            ),
            git_way(
                "update-index",
                f"{write} && {git(repo, draw, f'update-index --force-remove {name}', 'add .gitignore', f'commit -q -m {sh(subject)}')}",
                "echo printf",
                "update-index can drop the entry of a file that still exists.",
                f"Only the index entry of `{name}` is to go, not the file.",
                "The index loses one entry and gains .gitignore; the work tree keeps the file.",
            ),
        ),
        (
            f"`{name}` is no longer tracked in `{path}` but still there; the commit is `{subject}`",
            f"untracked and ignored `{name}` in `{path}`",
        ),
        slips=(
            Slip(
                command=f"git -C {repo} rm -q {name}",
                why=(f"git rm takes `{name}` out of the index.", "The file has to leave the index first."),
                look=f"ls {repo}/{name}",
                sign="No such file",
                remark=(
                    "git rm has deleted the file as well, but it should stay. --cached was missing.",
                    "The file is gone from disk; only the tracking should end.",
                ),
                undo=f"git -C {repo} reset -q --hard",
                tools=("git", "ls"),
            ),
        ),
    )
    kept = head(facts).files[name]
    return Application(
        outputs=made.outputs,
        asks=made.asks,
        results=(),
        rules=(),
        ways=made.ways,
        checks=(*made.checks, expect_bytes(f"{path}/{name}", kept)),
        after=made.after,
        done=made.done,
        slips=made.slips,
    )


def revert_last(state: State, draw: Draw) -> Application | None:
    """Undo the newest commit by a new one."""
    facts = repository_of(state, 3)
    if facts is None or facts.commits[-1].subject.startswith(("Revert", "Reapply")):
        return None
    last, before = facts.commits[-1], facts.commits[-2]
    if '"' in last.subject:
        return None
    subject = f'Revert "{last.subject}"'
    repo = sh(state.focus.path)
    return changed(
        state,
        with_commit(facts, subject, before.files),
        "git-repository",
        (
            f"undo the newest commit of {{it}} by a new commit with the usual subject `{subject}`; the history keeps both",
            f"revert the last commit of {{it}} (`{last.subject}`) without rewriting history, leaving the default message that starts with `{subject}`",
            f"the last commit in {{it}} was a mistake: take its changes back in an additional commit with the subject `{subject}`",
            f"add a commit `{subject}` to the current branch of {{it}} that undoes what the newest one did and nothing else",
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
    PackSkill("git-add-file", "git", "Add a file and commit it.", _PRE, "git-repository", add_file),
    PackSkill("git-rename-file", "git", "Rename a tracked file and commit.", _PRE, "git-repository", rename_file),
    PackSkill("git-remove-file", "git", "Remove or untrack a file and commit.", _PRE, "git-repository", remove_file),
    PackSkill("git-revert-last", "git", "Revert the newest commit.", _PRE, "git-repository", revert_last),
)
