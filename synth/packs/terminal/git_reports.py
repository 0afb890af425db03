"""Skills that read a history: subjects, authors, files that changed, an old version of a file."""

from __future__ import annotations

import re
from collections import Counter

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.facts import Repository
from trajmill.synth.packs.naming import place_output, sh, slug, stem
from trajmill.synth.packs.outputs import write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.archive_unpack import table_in
from trajmill.synth.packs.terminal.files_choice import base, ending_of, many
from trajmill.synth.packs.terminal.git_choice import REPOSITORIES, head, repository_of
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, py, python_act


def list_subjects(state: State, draw: Draw) -> Application | None:
    """List the subjects of the commits, oldest or newest first."""
    facts = repository_of(state, 3)
    if facts is None:
        return None
    oldest = draw.pick((True, True, False))
    subjects = [c.subject for c in facts.commits]
    kept = subjects if oldest else subjects[::-1]
    output = place_output(state, draw, ("history", "subjects", "changelog", "commits"), ".txt")
    written = write_lines(state, draw, output, kept, "git-report")
    repo, target = sh(state.focus.path), sh(output)
    order, reverse = ("oldest first", " --reverse") if oldest else ("newest first", "")
    shell = draw.pick(
        (
            f"git -C {repo} log{reverse} --format=%s > {target}",
            f"git -C {repo} log{reverse} --pretty=format:%s%n | grep . > {target}",
        )
    )
    walk = f'git -C {repo} rev-list{reverse} HEAD | while read -r c; do git -C {repo} show -s --format=%s "$c"; done > {target}'
    script = f"""
import subprocess

log = subprocess.run(["git", "-C", {py(state.focus.path)}, "log", "--format=%s"], capture_output=True, text=True, check=True)
subjects = log.stdout.splitlines()
with open({py(output)}, "w") as out:
    out.writelines(s + "\\n" for s in {"reversed(subjects)" if oldest else "subjects"})
"""
    mistake = Mistake(
        f"git -C {repo} log --format=%s > {target}",
        ("git log with a format prints the subjects.", "The format %s gives just what is wanted."),
        (
            "The newest commit is on top; the oldest should be.",
            "git log starts at the end of the history, so the order is the wrong way round.",
        ),
        ("git",),
    )
    return applied(
        written,
        output,
        Words(
            (
                f"write the subject lines of all commits on the current branch of {{it}} to `{output}`, {order}, one per line and nothing else",
                f"list the history of {{it}} in `{output}`: only the subject of each commit of the current branch, one per line, {order}",
                f"make `{output}` from the log of {{it}}, with one line per commit that holds its subject; the {'oldest' if oldest else 'newest'} comes first",
                f"for a change log, save the subjects of all commits in {{it}} (current branch, {order}) in `{output}`, one per line",
            ),
            (f"the subject of every commit on the current branch of {{it}}, one per line, {order}",),
            (f"`{output}` lists the {len(kept)} subjects, {order}", f"wrote {len(kept)} subject lines to `{output}`"),
        ),
        (
            one_act(
                state,
                output,
                "git log",
                ("git", "grep"),
                shell,
                f"The format %s prints subjects alone, {order}.",
                "git log can reverse its order, and the format keeps everything but the subject out."
                if oldest
                else "git log begins with the newest commit, as it should here.",
                f"{len(kept)} commits, so {len(kept)} lines are to be expected.",
            ),
            one_act(
                state,
                output,
                "rev-list",
                ("git",),
                walk,
                "rev-list gives the commits in order, and show prints the subject of each.",
                f"I go through the {len(kept)} commits one by one and print what each says in its first line.",
                "One commit at a time, with nothing printed but the subject.",
            ),
            python_act(
                state,
                output,
                script,
                "Python takes the log from git and writes the lines in the order that is asked for.",
                f"git gives the {len(kept)} subjects; Python puts them {order}.",
                "The subjects come from git log, the order from Python.",
            ),
        ),
        (head_slip(state, output, mistake, subjects[::-1], kept) if oldest else None,),
    )


def count_by_author(state: State, draw: Draw) -> Application | None:
    """Count the commits of each author."""
    facts = repository_of(state, 3)
    if facts is None:
        return None
    counts = Counter(c.author for c in facts.commits)
    if len(counts) < 2:
        return None
    rows = sorted(((a, str(n)) for a, n in counts.items()), key=lambda r: (-int(r[1]), r[0]))
    output = place_output(state, draw, ("authors", "commits_by_author", "contributors"), ".csv")
    written = write_table(state, draw, output, make_table(("author", "commits"), rows), "group-summary")
    repo, target = sh(state.focus.path), sh(output)
    tie = len(set(counts.values())) < len(counts)
    shell = draw.pick(
        (
            f"{{ echo author,commits; git -C {repo} log --format=%an | sort | uniq -c | sed -E 's/^ *([0-9]+) (.*)$/\\2,\\1/' | sort -t, -k2,2nr -k1,1; }} > {target}",
            f"echo author,commits > {target} && git -C {repo} log --format=%an | awk '{{ n[$0]++ }} END {{ for (a in n) print a \",\" n[a] }}' | sort -t, -k2,2nr -k1,1 >> {target}",
        )
    )
    short = f"{{ echo author,commits; git -C {repo} shortlog -sn HEAD | awk -F'\\t' '{{ gsub(/ /, \"\", $1); print $2 \",\" $1 }}' | sort -t, -k2,2nr -k1,1; }} > {target}"
    script = f"""
import csv
import subprocess
from collections import Counter

log = subprocess.run(["git", "-C", {py(state.focus.path)}, "log", "--format=%an"], capture_output=True, text=True, check=True)
counts = Counter(log.stdout.splitlines())
with open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow(["author", "commits"])
    writer.writerows(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
"""
    rule = "Authors with equal counts are ordered by name, ascending." if tie else ""
    ascending = sorted(rows, key=lambda r: (int(r[1]), r[0]))
    mistake = Mistake(
        f"{{ echo author,commits; git -C {repo} log --format=%an | sort | uniq -c | sed -E 's/^ *([0-9]+) (.*)$/\\2,\\1/' | sort -t, -k2,2n -k1,1; }} > {target}",
        (
            "uniq counts the names, sed swaps the columns, sort orders by count.",
            "Names, counts, and a numeric sort on the second field.",
        ),
        ("The smallest count is on top; it should be the largest.", "Sorted the wrong way round: I left out the r."),
        ("git", "sort", "uniq", "sed", "echo"),
    )
    top = rows[0]
    return applied(
        written,
        output,
        Words(
            (
                f"count how many commits each author has on the current branch of {{it}} and write the result to `{output}` as CSV with the header `author,commits`, the highest count first",
                f"make a table `{output}` of authors and their numbers of commits in {{it}} (current branch): comma-separated, header `author,commits`, in descending order of the number",
                f"who has committed how often to the current branch of {{it}}? Put a row per author name into `{output}`, CSV with the columns `author` and `commits`, largest number on top",
                f"save as `{output}` a CSV summary of the commits on the current branch of {{it}} by author name (`author,commits`), sorted by falling count",
            ),
            (
                "a CSV table `author,commits` with the number of commits per author name on the current branch of {it}, highest first",
            ),
            (
                f"`{top[0]}` has the most commits ({top[1]} of {len(facts.commits)}); `{output}` has all {len(rows)} authors"
                if not tie or int(top[1]) > int(rows[1][1])
                else f"`{output}` has the commit counts of {len(rows)} authors",
                f"counted {len(facts.commits)} commits by {len(rows)} authors in `{output}`",
            ),
            (rule,) if rule else (),
        ),
        (
            one_act(
                state,
                output,
                "log",
                ("git", "sort", "uniq", "sed", "awk", "echo"),
                shell,
                "The author names of the log, one per line, only have to be counted.",
                f"{len(facts.commits)} names come out of the log; counting and sorting them gives the table.",
                "Name per commit, counted, then ordered by count and name.",
            ),
            one_act(
                state,
                output,
                "shortlog",
                ("git", "awk", "sort", "echo"),
                short,
                "shortlog counts by author; with HEAD given it does not wait for standard input.",
                "git can count by author itself, I only bring its output into the wanted form.",
                "The summary of shortlog has count and name, parted by a tab.",
            ),
            python_act(
                state,
                output,
                script,
                "A Counter over the author names gives the numbers, and a key with minus sign the order.",
                f"git prints one name for each of the {len(facts.commits)} commits; Python counts.",
                "Counting in Python makes the order of equal counts easy to state.",
            ),
        ),
        (
            head_slip(
                state,
                output,
                mistake,
                ["author,commits", *map(",".join, ascending)],
                ["author,commits", *map(",".join, rows)],
            ),
        ),
    )


def changes_per_file(state: State, draw: Draw) -> Application | None:
    """Count in how many commits each file was changed."""
    facts = repository_of(state, 4)
    if facts is None:
        return None
    counts: Counter[str] = Counter()
    before: dict[str, bytes] = {}
    for commit in facts.commits:
        now = dict(commit.files)
        counts.update(n for n in {*before, *now} if before.get(n) != now.get(n))
        before = now
    if len(counts) < 2 or _moved(facts):
        return None
    rows = sorted(((f, str(n)) for f, n in counts.items()), key=lambda r: (-int(r[1]), r[0]))
    output = place_output(state, draw, ("file_changes", "churn", "changes_per_file"), ".csv")
    written = write_table(state, draw, output, make_table(("file", "commits"), rows), "group-summary")
    repo, target = sh(state.focus.path), sh(output)
    log = f"git -C {repo} log --no-renames --format= --name-only"
    shell = draw.pick(
        (
            f"{{ echo file,commits; {log} | grep . | sort | uniq -c | awk '{{ print $2 \",\" $1 }}' | sort -t, -k2,2nr -k1,1; }} > {target}",
            f"echo 'file,commits' > {target} && {log} | awk 'NF {{ n[$0]++ }} END {{ for (f in n) print f \",\" n[f] }}' | sort -t, -k2,2nr -k1,1 >> {target}",
        )
    )
    script = f"""
import csv
import subprocess
from collections import Counter

command = ["git", "-C", {py(state.focus.path)}, "log", "--no-renames", "--format=", "--name-only"]
names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\\n")
counts = Counter(name for name in names if name)
with open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow(["file", "commits"])
    writer.writerows(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
"""
    rules = ["Files with equal counts are ordered by path, ascending."]
    if any(n not in head(facts).files for n in counts):
        rules.append("Files that no longer exist count too, and a removal counts as a change.")
    return applied(
        written,
        output,
        Words(
            (
                f"count for every file in the history of {{it}} how many commits of the current branch added, changed or removed it, and write `{output}`: CSV, header `file,commits`, highest count first",
                f"make a table `{output}` that says how often each file of {{it}} was touched: header `file,commits`, comma-separated, a row per path, `commits` being the number of commits on the current branch that change it, in falling order",
                f"which files of {{it}} change most? Write path and number of commits that touch it (current branch) to `{output}` as CSV with the header `file,commits`, the largest number first",
                f"save the number of commits per file in {{it}} (current branch; adding, editing or removing the file) as `{output}`, CSV columns `file` and `commits`, descending by count",
            ),
            (
                "a CSV table `file,commits`: for each path in the history of {it}'s current branch the number of commits that touch it, highest first".replace(
                    "{it}'s current branch", "the current branch of {it}"
                ),
            ),
            (
                f"`{output}` has the counts of {len(rows)} files; `{rows[0][0]}` leads with {rows[0][1]}"
                if len(rows) < 2 or rows[0][1] != rows[1][1]
                else f"`{output}` has the counts of {len(rows)} files",
                f"counted the commits of {len(rows)} files in `{output}`",
            ),
            tuple(rules),
        ),
        (
            one_act(
                state,
                output,
                "log",
                ("git", "grep", "sort", "uniq", "awk", "echo"),
                shell,
                "With an empty format the log prints only the names of the files each commit touches.",
                "Every name in the output of the log stands for one commit that touched the file; I count them.",
                f"The names from {len(facts.commits)} commits are counted and put in order.",
            ),
            python_act(
                state,
                output,
                script,
                "A Counter over the names of the touched files gives the table.",
                f"git names the files of each of the {len(facts.commits)} commits, and Python counts them.",
                "Empty lines between commits are dropped before counting.",
            ),
        ),
    )


def _moved(facts: Repository) -> bool:
    """Some path cannot stand in the output of git without quotes."""
    return any(not re.fullmatch(r"[A-Za-z0-9_./-]+", n) for c in facts.commits for n in c.files)


def log_table(state: State, draw: Draw) -> Application | None:
    """Write the history as a table of date, author and subject."""
    facts = repository_of(state, 4)
    if facts is None or any('"' in c.subject for c in facts.commits):
        return None
    oldest = draw.pick((True, False))
    rows = [(c.date[:10], c.author, c.subject) for c in facts.commits]
    rows = rows if oldest else rows[::-1]
    output = place_output(state, draw, ("log", "history", "commits"), ".csv")
    written = write_table(state, draw, output, make_table(("date", "author", "subject"), rows), "csv-table")
    repo, target = sh(state.focus.path), sh(output)
    reverse, order = (" --reverse", "oldest first") if oldest else ("", "newest first")
    form = draw.pick(("--date=short --format=%ad,%an,%s", "--format=%as,%an,%s"))
    plain = not any("," in c.subject for c in facts.commits)
    script = f"""
import csv
import subprocess

command = ["git", "-C", {py(state.focus.path)}, "log", {'"--reverse", ' if oldest else ""}"--format=%as%x09%an%x09%s"]
log = subprocess.run(command, capture_output=True, text=True, check=True).stdout
with open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow(["date", "author", "subject"])
    writer.writerows(line.split("\\t") for line in log.splitlines())
"""
    ways = [
        python_act(
            state,
            output,
            script,
            "git prints the three fields with tabs between, and the csv module does the quoting.",
            f"{len(rows)} commits become rows; a comma in a subject would be quoted by csv.",
            "The fields come from the log, the table from the csv module.",
        )
    ]
    if plain:
        command = draw.pick(
            (
                f"{{ echo date,author,subject; git -C {repo} log{reverse} {form}; }} > {target}",
                f"echo 'date,author,subject' > {target} && git -C {repo} log{reverse} {form} >> {target}",
            )
        )
        ways.insert(
            0,
            one_act(
                state,
                output,
                "log",
                ("git", "echo"),
                command,
                "No subject has a comma, so the format of git log can write the rows directly.",
                "The short date, the author and the subject are all known to the format of the log.",
                f"A header and {len(rows)} lines from git log make the table.",
            ),
        )
    return applied(
        written,
        output,
        Words(
            (
                f"turn the history of {{it}} (current branch) into a CSV table `{output}` with the columns `date` (author date, YYYY-MM-DD), `author` (name) and `subject`, {order}",
                f"export the commits on the current branch of {{it}} to `{output}`: comma-separated, header `date,author,subject`, dates as YYYY-MM-DD (of authoring), author names, one row per commit, {order}",
                f"write `{output}`, one row for each commit of the current branch of {{it}} and {order}: author date without the time (YYYY-MM-DD), name of the author, subject; CSV with the header `date,author,subject`",
                f"I want the log of {{it}} as a table in `{output}` (CSV, header `date,author,subject`, current branch, {order}); the date is the author date in the form YYYY-MM-DD".replace(
                    "I want", "give me"
                ),
            ),
            (
                f"a CSV table `date,author,subject` with one row per commit on the current branch of {{it}}, {order}, author dates as YYYY-MM-DD",
            ),
            (f"`{output}` has {len(rows)} commits, {order}", f"wrote the {len(rows)} commits to `{output}`"),
        ),
        ways,
    )


def changed_files(state: State, draw: Draw) -> Application | None:
    """List the files that differ between two points of the history."""
    facts = repository_of(state, 4)
    if facts is None or _moved(facts):
        return None
    tags = {t: i for t, i in (facts.tags or {}).items() if i < len(facts.commits) - 1}
    back = draw.rng.randint(2, min(5, len(facts.commits) - 1))
    tag = draw.pick(sorted(tags)) if tags and draw.rng.random() < 0.6 else ""
    start = tags[tag] if tag else len(facts.commits) - 1 - back
    old, new = facts.commits[start].files, head(facts).files
    kept = sorted(n for n in {*old, *new} if old.get(n) != new.get(n))
    if not kept:
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
                f"list in `{output}` which files of {{it}} differ between {said} and the newest commit of the current branch: paths within the repository, one per line, ascending; added and removed files count",
                f"compare the newest commit of {{it}} (current branch) with {said} and write the paths of all files that were added, changed or removed in total to `{output}`, sorted and one per line",
                f"what has changed in {{it}} from {said} up to the newest commit? Put the paths of the files that are not the same at both points (added and removed ones included) into `{output}`, sorted, one per line",
                f"save the sorted paths of all files that are different, new or gone in the newest commit of {{it}} as against {said} in `{output}`, one per line",
            ),
            (
                f"the sorted paths of all files in {{it}} that differ (or are new or gone) between {said} and the newest commit, one per line",
            ),
            (
                f"{many(len(kept), 'file')} {'differs' if len(kept) == 1 else 'differ'} since {said.replace('the ', 'the ', 1)}; `{output}` lists the result",
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
    if facts is None or _moved(facts):
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
    if sum(c.subject == subject for c in facts.commits) > 1:
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
        other = f'git -C {repo} show "$(git -C {repo} log --format=%H --fixed-strings --grep={sh(subject)} | tail -n 1)":{sh(name)} > {target}'
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
            f"get `{name}` out of the history of {{it}}, in the state {said}, and store it as `{output}`; the repository itself stays as it is",
            f"restore a copy of the old `{name}` from {{it}}, the one {said}, under the name `{output}` and leave the checked-out files alone",
            f"`{output}` should hold the content that `{name}` in {{it}} had {said}; nothing in the repository may change",
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
        "git-list-subjects", "git", "List the subjects of the commits.", REPOSITORIES, "git-report", list_subjects
    ),
    PackSkill(
        "git-commits-by-author",
        "git",
        "Count the commits of each author.",
        REPOSITORIES,
        "group-summary",
        count_by_author,
    ),
    PackSkill(
        "git-changes-per-file",
        "git",
        "Count the commits that touch each file.",
        REPOSITORIES,
        "group-summary",
        changes_per_file,
    ),
    PackSkill("git-log-table", "git", "Write the history as a table.", REPOSITORIES, "csv-table", log_table),
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
