"""Tagging a commit, and packing the files of a tag."""

from __future__ import annotations

import re
from dataclasses import replace

from trajmill.synth.packs.expect import expect_archive
from trajmill.synth.packs.facts import Repository
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.archive_pack import archived
from trajmill.synth.packs.terminal.files_choice import base, many
from trajmill.synth.packs.terminal.git_changes import git_way
from trajmill.synth.packs.terminal.git_choice import REPOSITORIES, expect_history, head, quotable, repository_of


def tag_release(state: State, draw: Draw) -> Application | None:
    """Tag the newest or an earlier commit."""
    facts = repository_of(state, 2)
    if facts is None:
        return None
    tag = draw.pick(("v1.0", "v1.0.0", "release-1", "2024.1", "v0.9"))
    tags = dict(facts.tags or {})
    subjects = [c.subject for c in facts.commits]
    index = len(subjects) - 1 if draw.rng.random() < 0.5 else draw.rng.randrange(1, len(subjects))
    if tag in tags or subjects.count(subjects[index]) > 1 or not quotable(subjects[index]):
        return None
    newest = index == len(subjects) - 1
    after: Repository = replace(facts, tags={**tags, tag: index})
    path, repo = state.focus.path, sh(state.focus.path)
    back = len(subjects) - 1 - index
    where = "the newest commit" if newest else f"the commit `{subjects[index]}`"
    at = "" if newest else f" HEAD~{back}"
    message = sh(f"Release {tag}")
    by_hash = (
        f"git -C {repo} tag {tag} \"$(git -C {repo} log --format='%H %s' | awk -v s={sh(subjects[index])} "
        f"'substr($0, 42) == s {{ print $1 }}')\""
    )
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
                f"The history has {len(subjects)} commits; the tag goes to "
                f"{'the last' if newest else 'an earlier one'}.",
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
            f"pack the files of {{it}} at the tag `{tag}`{note} as `{output}`, a gzip-compressed tar archive in "
            f"which every name begins with `{prefix}/` (such as `{example}`)",
            f"make a source archive `{output}` (tar, gzip) of the tag `{tag}` of {{it}}{note}: just the tracked "
            f"files, each below `{prefix}/`, for example `{example}`",
            f"release `{tag}` of {{it}} as `{output}`: a tar.gz with the files of that tag{note} in the folder "
            f"`{prefix}`, as in `{example}`, and without `.git`",
            f"create `{output}` from {{it}}, a compressed tar (gzip) of exactly the files that the tag `{tag}` "
            f"has{note}, named `{prefix}/...` (`{example}`, for one)",
        ),
        results=(
            f"a gzip-compressed tar archive of the files of {{it}} at the tag `{tag}`{note}, all below `{prefix}/` "
            f"(such as `{example}`)",
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
                            "git archive packs the tree of a tag without checking it out, and takes a prefix for the "
                            "names.",
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
                            f'd=$(mktemp -d) && mkdir "$d"/{prefix} && git -C {repo} archive {tag} | tar -x -C '
                            f'"$d"/{prefix} && tar -czf {target} -C "$d" {prefix} && rm -r "$d"',
                        ),
                        (
                            "In a temporary folder I lay the tree out under its prefix and pack that.",
                            f"The {count} files are unpacked under `{prefix}` outside the workspace, packed and "
                            "cleared away.",
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
    PackSkill("git-tag-release", "git", "Tag a commit.", REPOSITORIES, "git-release", tag_release),
    PackSkill(
        "git-archive-release", "git", "Pack the files of a tag.", ("git-release",), "tar-archive", archive_release
    ),
)
