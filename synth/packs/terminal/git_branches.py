"""Skills on branches and releases: work on a branch, merging it, tagging a commit, packing a tagged version."""

from __future__ import annotations

import re
from dataclasses import replace

from trajmill.synth.packs.expect import expect_archive
from trajmill.synth.packs.facts import Repository
from trajmill.synth.packs.naming import folder_of, mkdir_first, place_output, sh
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.archive_pack import archived
from trajmill.synth.packs.terminal.files_choice import base, many
from trajmill.synth.packs.terminal.git_changes import NEW_FILES, git_way
from trajmill.synth.packs.terminal.git_choice import REPOSITORIES, expect_history, git, head, repository_of, with_commit


def branch_commit(state: State, draw: Draw) -> Application | None:
    """Make a branch and commit a new file there."""
    facts = repository_of(state, 2)
    if facts is None or facts.branch != "main":
        return None
    now = head(facts).files
    options = [o for o in NEW_FILES if o[0] not in now and o[0].split("/")[0] not in now and o[0] != ".gitattributes"]
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
    inside = f"(cd {repo} && git branch {branch} && git switch -q {branch} && {inner}echo {sh(line)} > {name} && git add {name} && git commit -q -m {sh(subject)})"
    return Application(
        outputs=(path,),
        asks=(
            f"make a branch `{branch}` in {{it}} and commit there a new file `{name}` with the one line `{line}`, subject `{subject}`; `main` stays as it is, and `{branch}` stays checked out",
            f"in {{it}}, start the branch `{branch}` from the newest commit of `main`, add `{name}` to it, containing just the line `{line}`, and commit with the message `{subject}`; leave the new branch checked out",
            f"on a new branch `{branch}` of {{it}}, record a commit `{subject}` that adds `{name}` (a single line, `{line}`). Do not touch `main`, and end on `{branch}`",
            f"work on a separate branch of {{it}}: create `{branch}` off `main`, put `{line}` as the only line into the new file `{name}` there, commit it as `{subject}` and stay on that branch",
        ),
        results=(),
        rules=(),
        ways=(
            git_way(
                "git -C",
                f"git -C {repo} {start} && {make}{write} && {git(repo, draw, f'add {name}', f'commit -q -m {sh(subject)}')}",
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
            f"let `main` in {{it}} have everything that is on `{branch}` (a fast-forward is possible, so no merge commit), be on `main` at the end{also}",
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


def tag_release(state: State, draw: Draw) -> Application | None:
    """Tag the newest or an earlier commit."""
    facts = repository_of(state, 2)
    if facts is None:
        return None
    tag = draw.pick(("v1.0", "v1.0.0", "release-1", "2024.1", "v0.9"))
    tags = dict(facts.tags or {})
    subjects = [c.subject for c in facts.commits]
    index = len(subjects) - 1 if draw.rng.random() < 0.5 else draw.rng.randrange(1, len(subjects))
    if tag in tags or subjects.count(subjects[index]) > 1:
        return None
    newest = index == len(subjects) - 1
    after: Repository = replace(facts, tags={**tags, tag: index})
    path, repo = state.focus.path, sh(state.focus.path)
    back = len(subjects) - 1 - index
    where = "the newest commit" if newest else f"the commit `{subjects[index]}`"
    at = "" if newest else f" HEAD~{back}"
    message = sh(f"Release {tag}")
    by_hash = f"git -C {repo} tag {tag} \"$(git -C {repo} log --format='%H %s' | awk -v s={sh(subjects[index])} 'substr($0, 42) == s {{ print $1 }}')\""
    ref = f"git -C {repo} update-ref refs/tags/{tag} {f'HEAD~{back}' if back else 'HEAD'}"
    return Application(
        outputs=(path,),
        asks=(
            f"tag {where} on the current branch of {{it}} as `{tag}`",
            f"mark {where} of {{it}} as a release by giving it the tag `{tag}`",
            f"set the tag `{tag}` in {{it}} on {where}; no commit is to be added",
            f"let the tag `{tag}` in {{it}} stand for {where} of the current branch",
        ),
        results=(),
        rules=(),
        ways=(
            git_way(
                "tag",
                f"git -C {repo} tag " + draw.pick((f"{tag}{at}", f"-a {tag} -m {message}{at}")),
                "",
                "HEAD is the commit in question, so the tag needs no further argument."
                if newest
                else f"Counted back from HEAD, the commit is number {back}.",
                f"One tag, `{tag}`, on one commit; nothing else changes.",
                f"The history has {len(subjects)} commits; the tag goes to {'the last' if newest else 'an earlier one'}.",
            ),
            git_way(
                "by subject",
                by_hash,
                "awk",
                "I look the commit up by its subject and tag what I find.",
                f"Only one of the {len(subjects)} commits has that subject, so the search is safe.",
                "The subject leads to the hash, and the hash is what gets the tag.",
            )
            if not newest
            else git_way(
                "update-ref",
                ref,
                "",
                "A tag is a reference, which can also be written directly.",
                f"refs/tags/{tag} is set to the commit at HEAD.",
                "The plumbing command sets the reference without further ado.",
            ),
        ),
        checks=(expect_history(path, after),),
        after=state.made(path, "git-release", after),
        done=(f"`{tag}` in `{path}` marks {where}", f"tagged `{subjects[index]}` as `{tag}`"),
        slips=()
        if newest
        else (
            Slip(
                command=f"git -C {repo} tag {tag}",
                why=(f"I set the tag `{tag}`.", "git tag puts the name on a commit."),
                look=f"git -C {repo} log -1 --format=%s {tag}",
                sign=rf"\A(?!{re.escape(subjects[index])}\s*\Z)",
                remark=(
                    "That tagged the newest commit; another one was meant.",
                    "Without an argument the tag goes to HEAD, which is not the commit asked for.",
                ),
                undo=f"git -C {repo} tag -d {tag}",
                tools=("git",),
            ),
        ),
    )


def archive_release(state: State, draw: Draw) -> Application | None:
    """Pack the files of a tagged commit."""
    facts = repository_of(state, 2)
    if facts is None or not facts.tags:
        return None
    tag = draw.pick(sorted(facts.tags))
    files = facts.commits[facts.tags[tag]].files
    if len(files) < 2:
        return None
    path, repo = state.focus.path, sh(state.focus.path)
    prefix = f"{base(path)}-{tag.removeprefix('v')}"
    members = {f"{prefix}/{n}": data for n, data in files.items()}
    output = place_output(state, draw, (prefix, f"{base(path)}_{tag}", "release"), ".tar.gz")
    target, count = sh(output), len(members)
    example = next(iter(sorted(members)))
    compressed = f"git -C {repo} archive --format=tar.gz --prefix={prefix}/ {tag} > {target}"
    piped = f"git -C {repo} archive --prefix={prefix}/ {tag} | gzip -9 > {target}"
    differs = head(facts).files != files
    slip = Slip(
        command=mkdir_first(state, output, f"git -C {repo} archive --format=tar.gz {tag} > {target}"),
        why=("git archive packs the tree of a tag.", f"I let git pack `{tag}`."),
        look=f"tar -tzf {target} | head -n 3",
        sign=rf"\A(?!{re.escape(prefix)}/)",
        remark=(
            f"The names lack the folder `{prefix}/` in front.",
            "Unpacked, this would spill its files; the prefix is missing.",
        ),
        tools=("git", "tar", "gzip", "head"),
    )
    note = " (not what is checked out now)" if differs else ""
    return Application(
        outputs=(output,),
        asks=(
            f"pack the files of {{it}} at the tag `{tag}`{note} as `{output}`, a gzip-compressed tar archive in which every name begins with `{prefix}/` (such as `{example}`)",
            f"make a source archive `{output}` (tar, gzip) of the tag `{tag}` of {{it}}{note}: just the tracked files, each below `{prefix}/`, for example `{example}`",
            f"release `{tag}` of {{it}} as `{output}`: a tar.gz with the files of that tag{note} in the folder `{prefix}`, as in `{example}`, and without `.git`",
            f"create `{output}` from {{it}}, a compressed tar (gzip) of exactly the files that the tag `{tag}` has{note}, named `{prefix}/...` (`{example}`, for one)",
        ),
        results=(
            f"a gzip-compressed tar archive of the files of {{it}} at the tag `{tag}`{note}, all below `{prefix}/` (such as `{example}`)",
        ),
        rules=(),
        ways=(
            Way(
                "git archive",
                ("git", "gzip"),
                (
                    Act(
                        mkdir_first(state, output, draw.pick((compressed, piped))),
                        (
                            "git archive packs the tree of a tag without checking it out, and takes a prefix for the names.",
                            f"The tag has {many(count, 'file')}; git packs them from its own store.",
                            "Only tracked files belong in there, which git archive sees to.",
                        ),
                    ),
                ),
            ),
            Way(
                "tar",
                ("git", "tar", "gzip", "mktemp", "mkdir", "rm"),
                (
                    Act(
                        mkdir_first(
                            state,
                            output,
                            f'd=$(mktemp -d) && mkdir "$d"/{prefix} && git -C {repo} archive {tag} | tar -x -C "$d"/{prefix} && tar -czf {target} -C "$d" {prefix} && rm -r "$d"',
                        ),
                        (
                            "In a temporary folder I lay the tree out under its prefix and pack that.",
                            f"The {count} files are unpacked under `{prefix}` outside the workspace, packed and cleared away.",
                            "tar packs what git hands out, once it lies in a folder of the right name.",
                        ),
                    ),
                ),
            ),
        ),
        checks=(expect_archive(output, "tar.gz", members),),
        after=archived(state, output, "tar-archive", "tar.gz", members, True),
        done=(
            f"`{output}` has the {count} files of `{tag}`, below `{prefix}/`",
            f"packed {many(count, 'file')} of the tag `{tag}` into `{output}`",
        ),
        slips=(slip,),
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
    PackSkill("git-tag-release", "git", "Tag a commit.", REPOSITORIES, "git-release", tag_release),
    PackSkill(
        "git-archive-release", "git", "Pack the files of a tag.", ("git-release",), "tar-archive", archive_release
    ),
)
