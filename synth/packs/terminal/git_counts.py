"""Skills that count commits: by author, and by the files that they touch."""

from __future__ import annotations

from collections import Counter

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.git_choice import REPOSITORIES, head, odd_paths, repository_of
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, py, python_act


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
            f"{{ echo author,commits; git -C {repo} log --format=%an | sort | uniq -c | sed -E 's/^ *([0-9]+) "
            f"(.*)$/\\2,\\1/' | sort -t, -k2,2nr -k1,1; }} > {target}",
            f"echo author,commits > {target} && git -C {repo} log --format=%an | awk '{{ n[$0]++ }} END {{ for (a in "
            f'n) print a "," n[a] }}\' | sort -t, -k2,2nr -k1,1 >> {target}',
        )
    )
    short = (
        f"{{ echo author,commits; git -C {repo} shortlog -sn HEAD | awk -F'\\t' '{{ gsub(/ /, \"\", $1); print $2 "
        f'"," $1 }}\' | sort -t, -k2,2nr -k1,1; }} > {target}'
    )
    script = f"""
import csv
import subprocess
from collections import Counter

command = ["git", "-C", {py(state.focus.path)}, "log", "--format=%an"]
log = subprocess.run(command, capture_output=True, text=True, check=True)
counts = Counter(log.stdout.splitlines())
with open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow(["author", "commits"])
    writer.writerows(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
"""
    rule = "Authors with equal counts are ordered by name, ascending." if tie else ""
    ascending = sorted(rows, key=lambda r: (int(r[1]), r[0]))
    mistake = Mistake(
        f"{{ echo author,commits; git -C {repo} log --format=%an | sort | uniq -c | sed -E 's/^ *([0-9]+) "
        f"(.*)$/\\2,\\1/' | sort -t, -k2,2n -k1,1; }} > {target}",
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
                f"count how many commits each author has on the current branch of {{it}} and write the result to "
                f"`{output}` as CSV with the header `author,commits`, the highest count first",
                f"make a table `{output}` of authors and their numbers of commits in {{it}} (current branch): "
                "comma-separated, header `author,commits`, in descending order of the number",
                f"who has committed how often to the current branch of {{it}}? Put a row per author name into "
                f"`{output}`, CSV with the columns `author` and `commits`, largest number on top",
                f"save as `{output}` a CSV summary of the commits on the current branch of {{it}} by author name "
                "(`author,commits`), sorted by falling count",
            ),
            (
                "a CSV table `author,commits` with the number of commits per author name on the current branch of "
                "{it}, highest first",
            ),
            (
                f"`{top[0]}` has the most commits ({top[1]} of {len(facts.commits)}); `{output}` has all {len(rows)} "
                "authors"
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
    if len(counts) < 2 or odd_paths(facts):
        return None
    rows = sorted(((f, str(n)) for f, n in counts.items()), key=lambda r: (-int(r[1]), r[0]))
    output = place_output(state, draw, ("file_changes", "churn", "changes_per_file"), ".csv")
    written = write_table(state, draw, output, make_table(("file", "commits"), rows), "group-summary")
    repo, target = sh(state.focus.path), sh(output)
    log = f"git -C {repo} log --no-renames --format= --name-only"
    shell = draw.pick(
        (
            f"{{ echo file,commits; {log} | grep . | sort | uniq -c | awk '{{ print $2 \",\" $1 }}' | sort -t, "
            f"-k2,2nr -k1,1; }} > {target}",
            f"echo 'file,commits' > {target} && {log} | awk 'NF {{ n[$0]++ }} END {{ for (f in n) print f \",\" n[f] "
            f"}}' | sort -t, -k2,2nr -k1,1 >> {target}",
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
                f"count for every file in the history of {{it}} how many commits of the current branch added, "
                f"changed or removed it, and write `{output}`: CSV, header `file,commits`, highest count first",
                f"make a table `{output}` that says how often each file of {{it}} was touched: header "
                "`file,commits`, comma-separated, a row per path, `commits` being the number of commits on the "
                "current branch that change it, in falling order",
                f"which files of {{it}} change most? Write path and number of commits that touch it (current branch) "
                f"to `{output}` as CSV with the header `file,commits`, the largest number first",
                f"save the number of commits per file in {{it}} (current branch; adding, editing or removing the "
                f"file) as `{output}`, CSV columns `file` and `commits`, descending by count",
            ),
            (
                (
                    "a CSV table `file,commits`: for each path in the history of {it}'s current branch the number of "
                    "commits that touch it, highest first"
                ).replace("{it}'s current branch", "the current branch of {it}"),
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


SKILLS = (
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
)
