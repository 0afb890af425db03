"""Skills that rename, remove or no longer track a file, and commit that."""

from __future__ import annotations

from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.facts import Repository
from trajmill.synth.packs.naming import folder_of, sh
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.git_changes import ON_MAIN, changed, git_way
from trajmill.synth.packs.terminal.git_choice import git, head, may_ignore, repository_of, with_commit


def rename_file(state: State, draw: Draw) -> Application | None:
    """Rename a tracked file and commit."""
    facts = repository_of(state)
    if facts is None:
        return None
    now = head(facts).files
    options = [
        (old, new) for old in now if (new := _new_name(old, draw)) and new not in now and new.split("/")[0] not in now
    ]
    options = [(old, new) for old, new in options if not may_ignore(now, new)]
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
            f"in {{it}}, move the tracked file `{old}` to `{new}` (content unchanged) and record it as a commit "
            f"`{subject}`",
            f"give `{old}` in {{it}} the new path `{new}`, in one commit on the current branch called `{subject}`",
            f"let the file `{old}` of {{it}} be called `{new}` from now on: rename it and commit with the message "
            f"`{subject}`",
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
                command=(
                    f"{make}mv {repo}/{sh(old)} {repo}/{sh(new)} && git -C {repo} commit -q -a -m {sh(subject)} && "
                    f"git -C {repo} status --short"
                ),
                why=("I move the file and commit all changes.", "mv, then a commit with -a."),
                sign=r"\?\? ",
                remark=(
                    "The new path is untracked: -a only sees files that git knows already.",
                    "Only the removal was committed; the new file is still outside.",
                ),
                undo=(
                    f"git -C {repo} reset -q --soft HEAD~1 && git -C {repo} reset -q && mv {repo}/{sh(new)} "
                    f"{repo}/{sh(old)}"
                )
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
    if not options:
        return None
    name = draw.pick(options)
    rest = {n: data for n, data in now.items() if n != name}
    ignoring = any(n.rpartition("/")[2] == ".gitignore" for n in now)
    untrack = draw.rng.random() < 0.5 and not ignoring
    return _untrack(state, draw, facts, name, rest) if untrack else _remove(state, draw, facts, name, rest)


def _remove(state: State, draw: Draw, facts: Repository, name: str, rest: dict[str, bytes]) -> Application:
    subject = draw.pick((f"Remove {name}", "Drop a file that nobody reads", f"Delete {name.rpartition('/')[2]}"))
    repo = sh(state.focus.path)
    return changed(
        state,
        with_commit(facts, subject, rest),
        "git-repository",
        (
            f"delete `{name}` from the repository {{it}}, work tree included, and commit that as `{subject}`",
            f"remove the file `{name}` from {{it}} in a commit with the subject `{subject}`; older commits stay as "
            "they are",
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
    dropped = f"update-index --force-remove {name}"
    forget = git(repo, draw, dropped, "add .gitignore", f"commit -q -m {sh(subject)}")
    write = draw.pick((f"echo {name} > {repo}/.gitignore", f"printf '%s\\n' {name} >> {repo}/.gitignore"))
    made = changed(
        state,
        after,
        "git-repository",
        (
            f"stop tracking `{name}` in {{it}} but keep the file on disk; add a `.gitignore` whose only line is "
            f"`{name}`, and commit both changes as `{subject}`",
            f"in {{it}}, take `{name}` out of version control without deleting it from the work tree, list it in a "
            f"new `.gitignore` (one line, `{name}`) and commit with the subject `{subject}`",
            f"`{name}` in {{it}} should stay where it is but no longer belong to the repository: untrack it, ignore "
            f"it with a `.gitignore` that holds just the line `{name}`, and commit this as `{subject}`",
            f"make Git forget `{name}` in {{it}} from the next commit on, the file itself being kept; that commit is "
            f"called `{subject}` and also brings a `.gitignore` with the single line `{name}`",
        ),
        (
            git_way(
                "rm --cached",
                f"{write} && "
                f"{git(repo, draw, f'rm -q --cached {name}', 'add .gitignore', f'commit -q -m {sh(subject)}')}",
                "echo printf",
                "With --cached git forgets the file but leaves it on disk.",
                f"`{name}` leaves the index only; the ignore rule keeps it out from now on.",
                "The rule is written first, then the file is untracked, then both are committed.",
            ),
            git_way(
                "update-index",
                f"{write} && {forget}",
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


SKILLS = (
    PackSkill("git-rename-file", "git", "Rename a tracked file and commit.", ON_MAIN, "git-repository", rename_file),
    PackSkill("git-remove-file", "git", "Remove or untrack a file and commit.", ON_MAIN, "git-repository", remove_file),
)
