"""Skills on branches: work on a new one, and merging it."""

from __future__ import annotations

from dataclasses import replace

from trajmill.synth.packs.naming import folder_of, sh
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.git_changes import NEW_FILES, git_way
from trajmill.synth.packs.terminal.git_choice import expect_history, git, head, may_ignore, repository_of, with_commit


def branch_commit(state: State, draw: Draw) -> Application | None:
    """Make a branch and commit a new file there."""
    facts = repository_of(state, 2)
    if facts is None or facts.branch != "main":
        return None
    now = head(facts).files
    options = [o for o in NEW_FILES if o[0] not in now and o[0].split("/")[0] not in now and o[0] != ".gitattributes"]
    options = [o for o in options if not may_ignore(now, o[0])]
    if not options:
        return None
    name, line, subject = draw.pick(options)
    branch = draw.pick(("docs", "add-notes", "draft", "review", "update-2024"))
    after = with_commit(replace(facts, branch=branch), subject, {**now, name: f"{line}\n".encode()})
    path, repo = state.focus.path, sh(state.focus.path)
    make = f"mkdir -p {repo}/{folder_of(name)} && " if folder_of(name) else ""
    write = draw.pick((f"echo {sh(line)} > {repo}/{name}", f"printf '%s\\n' {sh(line)} > {repo}/{name}"))
    start = draw.pick((f"switch -q -c {branch}", f"checkout -q -b {branch}"))
    check = expect_history(path, after, branches=[branch, "main"], tips={"main": head(facts).subject})
    inner = f"mkdir -p {folder_of(name)} && " if folder_of(name) else ""
    inside = (
        f"(cd {repo} && git branch {branch} && git switch -q {branch} && {inner}echo {sh(line)} > {name} && git add "
        f"{name} && git commit -q -m {sh(subject)})"
    )
    return Application(
        outputs=(path,),
        asks=(
            f"make a branch `{branch}` in {{it}} and commit there a new file `{name}` with the one line `{line}`, "
            f"subject `{subject}`; `main` stays as it is, and `{branch}` stays checked out",
            f"in {{it}}, start the branch `{branch}` from the newest commit of `main`, add `{name}` to it, "
            f"containing just the line `{line}`, and commit with the message `{subject}`; leave the new branch "
            "checked out",
            f"on a new branch `{branch}` of {{it}}, record a commit `{subject}` that adds `{name}` (a single line, "
            f"`{line}`). Do not touch `main`, and end on `{branch}`",
            f"work on a separate branch of {{it}}: create `{branch}` off `main`, put `{line}` as the only line into "
            f"the new file `{name}` there, commit it as `{subject}` and stay on that branch",
        ),
        results=(),
        rules=(),
        ways=(
            git_way(
                "git -C",
                f"git -C {repo} {start} && {make}{write} && "
                f"{git(repo, draw, f'add {name}', f'commit -q -m {sh(subject)}')}",
                "mkdir echo printf",
                f"First the branch, then the file, so that `{name}` is committed in the right place.",
                f"The commit `{subject}` belongs on `{branch}`, which starts at the tip of `main`.",
                "Switching before the commit keeps `main` where it is.",
            ),
            git_way(
                "inside",
                inside,
                "mkdir echo",
                f"I create `{branch}`, move over to it and work from within the repository.",
                "Branch, switch, write, add, commit: all in one subshell.",
                f"`{branch}` is made at the present commit and checked out before anything is written.",
            ),
        ),
        checks=(check,),
        after=state.made(path, "git-branch", after),
        done=(
            f"`{branch}` in `{path}` has the commit `{subject}`; `main` is unchanged",
            f"committed `{name}` on the new branch `{branch}` of `{path}`",
        ),
        slips=(
            Slip(
                command=f"git -C {repo} branch {branch} && git -C {repo} symbolic-ref --short HEAD",
                why=(f"I create the branch `{branch}`.", f"`git branch` makes `{branch}` at the present commit."),
                sign=r"\Amain",
                remark=(
                    "The branch exists but I am still on main; a commit now would go there.",
                    "git branch does not switch. I remove it and do both at once.",
                ),
                undo=f"git -C {repo} branch -q -D {branch}",
                tools=("git",),
            ),
        ),
    )


def merge_branch(state: State, draw: Draw) -> Application | None:
    """Bring a branch into main."""
    facts = repository_of(state, 2)
    if facts is None or facts.branch == "main":
        return None
    branch, path, repo = facts.branch, state.focus.path, sh(state.focus.path)
    after = replace(facts, branch="main")
    drop = draw.pick((True, False))
    branches = ["main"] if drop else [branch, "main"]
    also = f", and delete `{branch}` afterwards" if drop else f", and keep `{branch}`"
    last = [f"branch -q -d {branch}"] if drop else []
    switch = draw.pick(("switch -q main", "checkout -q main"))
    merge = draw.pick((f"merge -q {branch}", f"merge -q --ff-only {branch}", f"merge --quiet {branch}"))
    other = [f"merge-base --is-ancestor main {branch}", f"branch -q -f main {branch}", switch, *last]
    subject = head(facts).subject
    return Application(
        outputs=(path,),
        asks=(
            f"merge the branch `{branch}` of {{it}} into `main` by fast-forward and leave `main` checked out{also}",
            f"bring the work on `{branch}` in {{it}} over to `main`, without a merge commit, and end on `main`{also}",
            f"in {{it}}, move `main` forward to the tip of `{branch}` and check it out{also}",
            f"let `main` in {{it}} have everything that is on `{branch}` (a fast-forward is possible, so no merge "
            f"commit), be on `main` at the end{also}",
        ),
        results=(),
        rules=(),
        ways=(
            git_way(
                "merge",
                git(repo, draw, switch, merge, *last),
                "",
                f"main has nothing of its own since `{branch}` began, so the merge only moves it forward.",
                "One has to be on the branch that receives the work, so I switch to main first.",
                f"After switching to main, merging `{branch}` is a fast-forward.",
            ),
            git_way(
                "move main",
                git(repo, draw, *other),
                "",
                f"As main is an ancestor of `{branch}`, it can simply be set to its tip.",
                "I make sure that main lies behind, then move it and check it out.",
                "A fast-forward is no more than moving the name, if the one is an ancestor of the other.",
            ),
        ),
        checks=(expect_history(path, after, branches=branches),),
        after=state.made(path, "git-repository", after),
        done=(
            f"`main` in `{path}` now includes `{subject}`" + (f"; `{branch}` is deleted" if drop else ""),
            f"merged `{branch}` into `main` of `{path}` by fast-forward",
        ),
        slips=(
            Slip(
                command=f"git -C {repo} merge main",
                why=(f"I merge the two branches `{branch}` and `main`.", "git merge joins main and the branch."),
                sign="Already up to date",
                remark=(
                    f"I am still on `{branch}`, and main has nothing new for it. It is the other way round.",
                    "Nothing to do in that direction: first I have to switch to main.",
                ),
                tools=("git",),
            ),
        ),
    )


SKILLS = (
    PackSkill(
        "git-branch-commit",
        "git",
        "Commit a file on a new branch.",
        ("git-repository", "git-release"),
        "git-branch",
        branch_commit,
    ),
    PackSkill("git-merge-branch", "git", "Merge a branch into main.", ("git-branch",), "git-repository", merge_branch),
)
