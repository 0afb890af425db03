"""Skills that write a history down: its subjects, or a table of its commits."""

from __future__ import annotations

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.git_choice import REPOSITORIES, repository_of
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
    walk = (
        f'git -C {repo} rev-list{reverse} HEAD | while read -r c; do git -C {repo} show -s --format=%s "$c"; done > '
        f"{target}"
    )
    script = f"""
import subprocess

command = ["git", "-C", {py(state.focus.path)}, "log", "--format=%s"]
log = subprocess.run(command, capture_output=True, text=True, check=True)
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
                f"write the subject lines of all commits on the current branch of {{it}} to `{output}`, {order}, one "
                "per line and nothing else",
                f"list the history of {{it}} in `{output}`: only the subject of each commit of the current branch, "
                f"one per line, {order}",
                f"make `{output}` from the log of {{it}}, with one line per commit that holds its subject; the "
                f"{'oldest' if oldest else 'newest'} comes first",
                f"for a change log, save the subjects of all commits in {{it}} (current branch, {order}) in "
                f"`{output}`, one per line",
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
                f"turn the history of {{it}} (current branch) into a CSV table `{output}` with the columns `date` "
                f"(author date, YYYY-MM-DD), `author` (name) and `subject`, {order}",
                f"export the commits on the current branch of {{it}} to `{output}`: comma-separated, header "
                "`date,author,subject`, dates as YYYY-MM-DD (of authoring), author names, one row per commit, "
                f"{order}",
                f"write `{output}`, one row for each commit of the current branch of {{it}} and {order}: author date "
                "without the time (YYYY-MM-DD), name of the author, subject; CSV with the header "
                "`date,author,subject`",
                (
                    f"I want the log of {{it}} as a table in `{output}` (CSV, header `date,author,subject`, current "
                    f"branch, {order}); the date is the author date in the form YYYY-MM-DD"
                ).replace("I want", "give me"),
            ),
            (
                f"a CSV table `date,author,subject` with one row per commit on the current branch of {{it}}, "
                f"{order}, author dates as YYYY-MM-DD",
            ),
            (f"`{output}` has {len(rows)} commits, {order}", f"wrote the {len(rows)} commits to `{output}`"),
        ),
        ways,
    )


SKILLS = (
    PackSkill(
        "git-list-subjects", "git", "List the subjects of the commits.", REPOSITORIES, "git-report", list_subjects
    ),
    PackSkill("git-log-table", "git", "Write the history as a table.", REPOSITORIES, "csv-table", log_table),
)
