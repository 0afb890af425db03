"""Skills that compare two points of a history, or fetch a file from an earlier one."""

from __future__ import annotations

from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.naming import place_output, sh, slug, stem
from trajmill.synth.packs.outputs import write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.archive_extract import table_in
from trajmill.synth.packs.terminal.files_choice import base, ending_of, many
from trajmill.synth.packs.terminal.git_choice import REPOSITORIES, head, odd_paths, quotable, repository_of
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, py, python_act


def changed_files(state: State, draw: Draw) -> Application | None:
    """List the files that differ between two points of the history."""
    facts = repository_of(state, 4)
    if facts is None or odd_paths(facts):
        return None
    tags = {t: i for t, i in (facts.tags or {}).items() if i < len(facts.commits) - 1}
    back = draw.rng.randint(2, min(5, len(facts.commits) - 1))
    tag = draw.pick(sorted(tags)) if tags and draw.rng.random() < 0.6 else ""
    start = tags[tag] if tag else len(facts.commits) - 1 - back
    old, new = facts.commits[start].files, head(facts).files
    kept = sorted(n for n in {*old, *new} if old.get(n) != new.get(n))
    if not kept or not quotable(facts.commits[start].subject):
        return None
    named = tag or f"HEAD~{back}"
    said = (
        f"the tag `{tag}`"
        if tag
        else f"the commit {back} before the newest one (subject `{facts.commits[start].subject}`)"
    )
    output = place_output(
        state, draw, ("changed_files", f"since_{slug(tag)}" if tag else "changed", "diff_files"), ".txt"
    )
    written = write_lines(state, draw, output, kept, "git-report")
    repo, target = sh(state.focus.path), sh(output)
    shell = draw.pick(
        (
            f"git -C {repo} diff --no-renames --name-only {named} HEAD | sort > {target}",
            f"git -C {repo} diff --no-renames --name-only {named}..HEAD | LC_ALL=C sort > {target}",
            f"git -C {repo} diff --no-renames --name-status {named} HEAD | cut -f2 | sort > {target}",
        )
    )
    plumbing = f"git -C {repo} diff-tree -r --no-renames --name-only {named} HEAD | sort > {target}"
    script = f"""
import subprocess

def tree(commit):
    command = ["git", "-C", {py(state.focus.path)}, "ls-tree", "-r", commit]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {{line.split("\\t")[1]: line.split("\\t")[0] for line in lines}}

old, new = tree({py(named)}), tree("HEAD")
with open({py(output)}, "w") as out:
    for name in sorted(old | new):
        if old.get(name) != new.get(name):
            print(name, file=out)
"""
    return applied(
        written,
        output,
        Words(
            (
                f"list in `{output}` which files of {{it}} differ between {said} and the newest commit of the "
                "current branch: paths within the repository, one per line, ascending; added and removed files count",
                f"compare the newest commit of {{it}} (current branch) with {said} and write the paths of all files "
                f"that were added, changed or removed in total to `{output}`, sorted and one per line",
                f"what has changed in {{it}} from {said} up to the newest commit? Put the paths of the files that "
                f"are not the same at both points (added and removed ones included) into `{output}`, sorted, one per "
                "line",
                f"save the sorted paths of all files that are different, new or gone in the newest commit of {{it}} "
                f"as against {said} in `{output}`, one per line",
            ),
            (
                f"the sorted paths of all files in {{it}} that differ (or are new or gone) between {said} and the "
                "newest commit, one per line",
            ),
            (
                f"{many(len(kept), 'file')} {'differs' if len(kept) == 1 else 'differ'} since "
                f"{said.replace('the ', 'the ', 1)}; `{output}` lists the result",
                f"`{output}` lists {many(len(kept), 'path')} that changed",
            ),
            (draw.pick(TEXT_ORDER.single),) if any(c.isupper() for n in kept for c in n) else (),
        ),
        (
            one_act(
                state,
                output,
                "diff",
                ("git", "sort", "cut"),
                shell,
                f"A diff between {named} and HEAD with names only is what is asked for.",
                "Names only, without rename detection, so that both sides of a move would show.",
                f"git compares the two trees; {named} is the older one.",
            ),
            one_act(
                state,
                output,
                "diff-tree",
                ("git", "sort"),
                plumbing,
                "diff-tree compares two trees directly; -r goes down into folders.",
                f"The trees of {named} and HEAD are compared file by file.",
                "The plumbing command prints one path per line, which suits this list.",
            ),
            python_act(
                state,
                output,
                script,
                "Two listings of trees with blob ids tell which paths differ.",
                f"I read the tree at {named} and at HEAD and compare them in Python.",
                "A path is in the list if its blob is not the same at both points, or missing at one.",
            ),
        ),
    )


def export_file(state: State, draw: Draw) -> Application | None:
    """Get a table as it was at an earlier commit."""
    facts = repository_of(state, 3)
    if facts is None or odd_paths(facts):
        return None
    options = []
    for index, commit in enumerate(facts.commits[:-1]):
        for name, data in commit.files.items():
            table = table_in(data) if name.endswith(".csv") else None
            if table is not None and head(facts).files.get(name) != data:
                options.append((index, name, data, table))
    if not options:
        return None
    index, name, data, table = draw.pick(options)
    subject = facts.commits[index].subject
    if sum(c.subject == subject for c in facts.commits) > 1 or not quotable(subject):
        return None
    back = len(facts.commits) - 1 - index
    tag = next((t for t, i in (facts.tags or {}).items() if i == index), "")
    by_tag = bool(tag) and draw.rng.random() < 0.7
    named = tag if by_tag else f"HEAD~{back}"
    said = f"at the tag `{tag}`" if by_tag else f"right after the commit `{subject}`"
    ending = f".{ending_of(name)}"
    root = stem(name)
    output = place_output(
        state, draw, (f"{root}_old", f"{root}_before", f"{root}_at_{slug(tag) if by_tag else 'commit'}"), ending
    )
    after = state.wrote(output, data, "csv-table", table, exact=True)
    repo, target = sh(state.focus.path), sh(output)
    shell = f"git -C {repo} show {named}:{sh(name)} > {target}"
    if by_tag:
        other = f"git -C {repo} cat-file -p {named}:{sh(name)} > {target}"
    else:
        other = (
            f'git -C {repo} show "$(git -C {repo} log --format=%H --fixed-strings --grep={sh(subject)} | tail -n '
            f'1)":{sh(name)} > {target}'
        )
        if any(subject in c.subject and c.subject != subject for c in facts.commits):
            other = f"git -C {repo} cat-file -p {named}:{sh(name)} > {target}"
    script = f"""
import subprocess
from pathlib import Path

command = ["git", "-C", {py(state.focus.path)}, "show", {py(f"{named}:{name}")}]
Path({py(output)}).write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
"""
    now = head(facts).files.get(name)
    wrong = now.decode().splitlines() if now else []
    mistake = Mistake(
        f"cp {sh(f'{state.focus.path}/{name}')} {target}",
        (f"I copy `{name}` out of the work tree.", "The file lies in the work tree, so a copy will do."),
        (
            "That is the present version, not the old one.",
            "The work tree has the newest state; I need the one from the history.",
        ),
        ("cp",),
    )
    slip = head_slip(state, output, mistake, wrong, data.decode().splitlines()) if now else None
    return Application(
        outputs=(output,),
        asks=(
            f"save the version of `{name}` in {{it}} as it was {said} as `{output}`, without changing the work tree",
            f"get `{name}` out of the history of {{it}}, in the state {said}, and store it as `{output}`; the "
            "repository itself stays as it is",
            f"restore a copy of the old `{name}` from {{it}}, the one {said}, under the name `{output}` and leave "
            "the checked-out files alone",
            f"`{output}` should hold the content that `{name}` in {{it}} had {said}; nothing in the repository may "
            "change",
        ),
        results=(f"`{name}` from {{it}} as it was {said}", f"the version of `{name}` in {{it}} {said}"),
        rules=(),
        ways=(
            one_act(
                state,
                output,
                "show",
                ("git",),
                shell,
                f"git show with a commit and a path prints the file as it was; the commit is {named}.",
                f"The wanted version is that of {named}, so nothing has to be checked out.",
                "Commit, colon, path: that names the old version, and its content goes to the new file.",
            ),
            one_act(
                state,
                output,
                "by commit",
                ("git", "tail"),
                other,
                "The commit is found first, then the file is printed from it.",
                f"git can print `{base(name)}` from any commit without touching the work tree.",
                "I name the commit and the path, and redirect what git prints.",
            ),
            python_act(
                state,
                output,
                script,
                "Python takes the bytes from git and writes them unchanged.",
                f"git show gives the old `{base(name)}`; Python stores it.",
                "Bytes in, bytes out, so nothing about the file can change.",
            ),
        ),
        checks=(expect_bytes(output, data),),
        after=after,
        done=(
            f"`{output}` is `{name}` as it was {said} ({many(len(table), 'row')})",
            f"took `{name}` {said} from the history and saved it as `{output}`",
        ),
        slips=(slip,) if slip else (),
    )


SKILLS = (
    PackSkill(
        "git-files-changed",
        "git",
        "List files that differ between two commits.",
        REPOSITORIES,
        "git-report",
        changed_files,
    ),
    PackSkill(
        "git-export-old-file",
        "git",
        "Get a table as it was at an earlier commit.",
        REPOSITORIES,
        "csv-table",
        export_file,
    ),
)
