"""Ways to look at what holds other things: folders, archives, databases, repositories."""

from __future__ import annotations

import random
import re

from trajmill.synth.packs.facts import Archive
from trajmill.synth.packs.naming import sh
from trajmill.synth.policies.view import View, counted, python_one_liner
from trajmill.synth.policies.views_files import line_shape


def folder_views(path: str) -> tuple[View, ...]:
    """Names and number of the files."""

    def count(seen: str, rng: random.Random) -> str:
        lines = [line for line in seen.splitlines() if line.strip()]
        if not lines:
            return ""
        return rng.choice(
            (
                f"{counted(len(lines), 'entry', 'entries')} listed.",
                f"That lists {counted(len(lines), 'name')}.",
                f"I see {counted(len(lines), 'entry', 'entries')}.",
            )
        )

    def number(seen: str, rng: random.Random) -> str:
        files = counted(int(seen), "file") if seen.strip().isdigit() else ""
        return rng.choice((f"{files} in there.", f"So {files}.", f"It holds {files}.")) if files else ""

    return (
        View(
            f"find {sh(path)} -type f | sort | head -n 30",
            (
                f"Which files lie below `{path}`?",
                f"I list what `{path}` holds, subfolders included.",
                f"Let me see the files of `{path}`.",
                f"A sorted list of everything in `{path}`.",
            ),
            count,
            ("find", "sort"),
        ),
        View(
            f"find {sh(path)} -type f | wc -l",
            (
                f"How many files are in `{path}`?",
                f"I count the files of `{path}`.",
                f"The number of files in `{path}` is a useful check.",
            ),
            number,
            ("find",),
        ),
        View(
            f"ls {sh(path)}",
            (f"What is in `{path}`?", f"I look into the folder `{path}`.", f"First the contents of `{path}`."),
            count,
        ),
    )


def archive_views(path: str, facts: Archive) -> tuple[View, ...]:
    """The table of contents, or the start of what one compressed file holds."""

    def members(seen: str, rng: random.Random) -> str:
        lines = [line for line in seen.splitlines() if line.strip()]
        if not lines:
            return ""
        return rng.choice(
            (
                f"{counted(len(lines), 'name')} in it.",
                f"The archive lists {counted(len(lines), 'entry', 'entries')}.",
                f"{counted(len(lines), 'entry', 'entries')} inside.",
            )
        )

    why = (
        f"What does `{path}` contain?",
        f"I list `{path}` without unpacking it.",
        f"First the table of contents of `{path}`.",
        f"Let me see what is inside `{path}`.",
    )
    if facts.format == "zip":
        return (View(f"unzip -Z1 {sh(path)}", why, members, ("unzip",)),)
    if facts.format == "gz":
        return (View(f"gzip -dc {sh(path)} | head -n 3", why, line_shape, ("gzip",)),)
    return (View(f"tar -tf {sh(path)}", why, members, ("tar",)),)


def database_views(path: str) -> tuple[View, ...]:
    """The schema, by either tool."""
    why = (
        f"Which tables does `{path}` have?",
        f"I need the schema of `{path}` first.",
        f"Let me see how `{path}` is structured.",
        f"The table definitions of `{path}` come first.",
    )

    def tables(seen: str, rng: random.Random) -> str:
        count = len(re.findall(r"CREATE TABLE", seen, re.IGNORECASE))
        if not count:
            return ""
        noun = "table" if count == 1 else "tables"
        return rng.choice(
            (
                f"{count} {noun}, with the columns named there.",
                f"I see {count} {noun}.",
                f"There is what I need: {count} {noun}.",
            )
        )

    query = "select sql from sqlite_master"
    script = f'import sqlite3\nfor (sql,) in sqlite3.connect("{path}").execute("{query}"):\n    print(sql)'
    return (
        View(f"sqlite3 {sh(path)} .schema", why, tables, ("sqlite3",)),
        View(python_one_liner(script), why, tables, ("python3",)),
    )


COMMITS = ("{} shown.", "I see {} here.", "That lists {}.")


def repository_views(path: str) -> tuple[View, ...]:
    """History, state and work tree."""

    def commits(seen: str, rng: random.Random) -> str:
        count = len([line for line in seen.splitlines() if line.strip()])
        return rng.choice(tuple(frame.format(counted(count, "commit")) for frame in COMMITS)) if count else ""

    def branch(seen: str, rng: random.Random) -> str:
        found = re.match(r"## ([^\s.]\S*?)(?:\.\.\.\S+)?(?: \[.*\])?$", seen, re.MULTILINE)
        if not found:
            return ""
        clean = len(seen.strip().splitlines()) == 1
        state = "nothing uncommitted" if clean else "there are uncommitted changes"
        return rng.choice(
            (
                f"The branch is `{found[1]}`, {state}.",
                f"On `{found[1]}`, and {state}.",
                f"It stands on `{found[1]}`; {state}.",
            )
        )

    return (
        View(
            f"git -C {sh(path)} log --format='%h %s' | head -n 12",
            (
                f"I read the history of `{path}`.",
                f"What has happened in `{path}` so far?",
                f"First the commits of `{path}`.",
                f"Let me look at the log of `{path}`.",
            ),
            commits,
            ("git",),
        ),
        View(
            f"git -C {sh(path)} status -sb",
            (
                f"Is `{path}` clean, and on which branch?",
                f"I check the state of `{path}`.",
                f"Where does `{path}` stand?",
            ),
            branch,
            ("git",),
        ),
        View(
            f"ls {sh(path)}",
            (f"Which files are checked out in `{path}`?", f"What lies in the work tree of `{path}`?"),
            lambda seen, rng: "",
        ),
    )
