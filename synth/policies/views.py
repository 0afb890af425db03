"""Ways to look at an artefact, and what an honest reader says of what was shown.

A view's reading is computed from the observation, never from what the model of the state would have shown.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.facts import (
    Archive,
    Database,
    Document,
    Facts,
    Folder,
    Lines,
    Log,
    Records,
    Repository,
    Script,
    Settings,
    Text,
)
from trajmill.synth.packs.naming import sh

Reading = Callable[[str, random.Random], str]


@dataclass(frozen=True, slots=True)
class View:
    """A command that shows something, and what it tells."""

    command: str
    why: tuple[str, ...]
    read: Reading
    tools: tuple[str, ...] = ()
    orienting: bool = False
    """It helps to find one's way in an input, and proves nothing about a result."""
    shows: Callable[[bytes], str] | None = None
    """What the command prints for a file of these bytes, where that can be said; so that a check is a real comparison."""


def views_of(path: str, facts: Facts, rng: random.Random) -> tuple[View, ...]:
    """Views that suit the kind of artefact, in drawn order."""
    options = list(_views(path, facts, rng))
    rng.shuffle(options)
    return tuple(options)


def _views(path: str, facts: Facts, rng: random.Random) -> tuple[View, ...]:
    match facts:
        case Table():
            return _table_views(path, facts, rng)
        case Records() | Document():
            return _json_views(path, rng)
        case Log():
            return _log_views(path, rng)
        case Folder():
            return _folder_views(path)
        case Archive():
            return _archive_views(path, facts)
        case Database():
            return _database_views(path)
        case Repository():
            return _repository_views(path)
        case Text():
            return _raw_views(path)
        case Settings() | Script():
            return (_whole(path), _counted(path))
        case Lines():
            return (_first_lines(path, rng), _counted(path), _last_lines(path, rng))


def _table_views(path: str, table: Table, rng: random.Random) -> tuple[View, ...]:
    mark = table.dialect.delimiter
    shown = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}.get(mark, "one character")
    count = rng.randint(2, 6)

    def columns(seen: str, chance: random.Random) -> str:
        first = seen.split("\n", 1)[0]
        width = first.count(mark) + 1
        if width < 2 or '"' in first:
            return ""
        return chance.choice(
            (
                f"The fields are separated by {shown}, {width} of them.",
                f"{width} columns, split by {shown}.",
                f"So each record has {width} fields with {shown} between them.",
                f"I can see {width} columns; {shown} separate them.",
                f"A plain layout: {width} fields per line, {shown} in between.",
            )
        )

    head = View(
        f"head -n {count} {sh(path)}",
        (
            f"First a look at the top of `{path}`.",
            f"Let me see what the columns of `{path}` are.",
            f"I want to know the layout of `{path}` before touching it.",
            f"The header of `{path}` tells me which field is which.",
            f"I check how `{path}` begins.",
            f"What do the records of `{path}` look like?",
        ),
        columns,
        shows=lambda data: _text(b"".join(data.splitlines(keepends=True)[:count])),
    )
    numbered = View(
        f"head -n 1 {sh(path)} | tr '{_tr(mark)}' '\\n' | nl",
        (
            f"I number the columns of `{path}`, to address them rightly.",
            f"Which position has which column in `{path}`?",
            f"Field numbers matter here, so I list the header of `{path}` one name a line.",
        ),
        _numbered_columns,
        ("tr", "nl"),
        orienting=True,
    )
    ends = View(
        f"sed -n '1p;$p' {sh(path)}",
        (
            f"The first and the last line of `{path}` show me the range.",
            f"I compare the header of `{path}` with its last record.",
            f"Top and bottom line of `{path}`, to be sure that the end is intact.",
        ),
        columns,
        ("sed",),
        shows=lambda data: _text(
            b"".join(data.splitlines(keepends=True)[:1] + data.splitlines(keepends=True)[1:][-1:])
        ),
    )
    return (head, _counted(path, table=True), numbered, ends)


def _numbered_columns(seen: str, rng: random.Random) -> str:
    count = len([line for line in seen.splitlines() if line.strip()])
    if not count:
        return ""
    return rng.choice(
        (
            f"{count} columns in that order.",
            f"The list runs to {count}.",
            f"Now I have the positions of all {count} columns.",
            f"That gives me the number of each of the {count} fields.",
        )
    )


def _tr(mark: str) -> str:
    return "\\t" if mark == "\t" else mark


def _counted(path: str, *, table: bool = False) -> View:
    def read(seen: str, rng: random.Random) -> str:
        found = re.match(r"\s*(\d+)\b", seen)
        if not found:
            return ""
        count = int(found[1])
        if table and count:
            return rng.choice(
                (
                    f"{count} lines with the header.",
                    f"That makes {count - 1} lines below the header.",
                    f"{count} lines, one of them the header.",
                    f"So there are {count - 1} lines of data.",
                )
            )
        return rng.choice(
            (f"{count} lines.", f"It has {count} lines.", f"So {count} lines in all.", f"{count} lines to deal with.")
        )

    return View(
        f"wc -l {sh(path)}",
        (
            f"How long is `{path}`?",
            f"I count the lines of `{path}`.",
            f"The size of `{path}` is worth knowing.",
            f"A line count of `{path}` gives me something to compare with later.",
            f"Let me see how many lines `{path}` has.",
        ),
        read,
        shows=lambda data: f"{data.count(10)} {path}",
    )


def _json_views(path: str, rng: random.Random) -> tuple[View, ...]:
    count = rng.randint(12, 40) * 10

    def top(seen: str, chance: random.Random) -> str:
        first = seen.lstrip()[:1]
        if first == "[":
            return chance.choice(("It is an array at the top.", "The file is one array.", "An array of entries, then."))
        if first == "{":
            return chance.choice(
                ("It starts with an object.", "Objects with named fields, then.", "The first thing in it is an object.")
            )
        return ""

    def kind(seen: str, chance: random.Random) -> str:
        parts = seen.split()
        if len(parts) != 2 or not parts[1].isdigit():
            return ""
        what = {"list": "array", "dict": "object"}.get(parts[0], parts[0])
        return chance.choice(
            (f"The top level is an {what} of {parts[1]}.", f"So it is an {what} with {parts[1]} members.")
        )

    script = f"import json; d = json.load(open({path!r})); print(type(d).__name__, len(d))"
    return (
        View(
            f"head -c {count} {sh(path)}",
            (
                f"The first characters of `{path}` show its structure.",
                f"I look at how `{path}` is built.",
                f"Let me see which fields `{path}` has.",
                f"What is the shape of `{path}`?",
            ),
            top,
        ),
        View(
            f"wc -c {sh(path)}",
            (
                f"How big is `{path}`?",
                f"I check the size of `{path}` first, so that I don't print too much of it.",
                f"Is `{path}` small enough to print?",
            ),
            lambda seen, chance: (
                chance.choice(
                    (
                        f"{seen.split()[0]} bytes.",
                        f"It takes {seen.split()[0]} bytes.",
                        f"So {seen.split()[0]} bytes in all.",
                    )
                )
                if seen.split()[:1] and seen.split()[0].isdigit()
                else ""
            ),
        ),
        View(
            f"python3 -c {_quoted(script)}",
            (
                f"I let Python say what `{path}` holds.",
                f"Is `{path}` an array or an object, and how long?",
                f"A quick load tells me whether `{path}` is valid JSON and how many entries it has.",
            ),
            kind,
            ("python3",),
        ),
    )


def _quoted(script: str) -> str:
    import shlex

    return shlex.quote(script)


def _log_views(path: str, rng: random.Random) -> tuple[View, ...]:
    return (_first_lines(path, rng), _counted(path), _last_lines(path, rng))


def _first_lines(path: str, rng: random.Random) -> View:
    count = rng.randint(3, 8)
    return View(
        f"head -n {count} {sh(path)}",
        (
            f"I read the beginning of `{path}`.",
            f"What do the lines of `{path}` look like?",
            f"First the top lines of `{path}`.",
            f"Let me look into `{path}`.",
        ),
        _line_shape,
        shows=lambda data: _text(b"".join(data.splitlines(keepends=True)[:count])),
    )


def _last_lines(path: str, rng: random.Random) -> View:
    count = rng.randint(2, 5)
    return View(
        f"tail -n {count} {sh(path)}",
        (
            f"And how does `{path}` end?",
            f"The last lines of `{path}` tell me whether it is complete.",
            f"I look at the end of `{path}` as well.",
        ),
        _line_shape,
        shows=lambda data: _text(b"".join(data.splitlines(keepends=True)[-count:])),
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def _line_shape(seen: str, rng: random.Random) -> str:
    lines = seen.splitlines()
    if not lines:
        return rng.choice(("It is empty.", "Nothing in it."))
    if all(" " not in line.strip() for line in lines):
        return rng.choice(("One value a line.", "A single value on each line.", "Each line holds one item."))
    return rng.choice(
        (
            "Each line is an entry of its own.",
            "Plain lines of text.",
            "Readable as it is.",
            "Nothing unusual in the lines.",
            "",
        )
    )


def _folder_views(path: str) -> tuple[View, ...]:
    def count(seen: str, rng: random.Random) -> str:
        lines = [line for line in seen.splitlines() if line.strip()]
        if not lines:
            return ""
        return rng.choice(
            (
                f"{len(lines)} entries listed.",
                f"That lists {len(lines)} names.",
                f"{len(lines)} of them.",
                f"I see {len(lines)} entries.",
            )
        )

    def number(seen: str, rng: random.Random) -> str:
        text = seen.strip()
        return (
            rng.choice((f"{text} files in there.", f"So {text} files.", f"It holds {text} files."))
            if text.isdigit()
            else ""
        )

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


def _archive_views(path: str, facts: Archive) -> tuple[View, ...]:
    def members(seen: str, rng: random.Random) -> str:
        lines = [line for line in seen.splitlines() if line.strip()]
        if not lines:
            return ""
        return rng.choice(
            (f"{len(lines)} names in it.", f"The archive lists {len(lines)} entries.", f"{len(lines)} entries inside.")
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
        return (View(f"gzip -dc {sh(path)} | head -n 3", why, _line_shape, ("gzip",)),)
    return (View(f"tar -tf {sh(path)}", why, members, ("tar",)),)


def _database_views(path: str) -> tuple[View, ...]:
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

    script = f"import sqlite3\nfor (sql,) in sqlite3.connect({path!r}).execute('select sql from sqlite_master'):\n    print(sql)"
    return (
        View(f"sqlite3 {sh(path)} .schema", why, tables, ("sqlite3",)),
        View(f"python3 -c {_quoted(script)}", why, tables, ("python3",)),
    )


def _repository_views(path: str) -> tuple[View, ...]:
    def commits(seen: str, rng: random.Random) -> str:
        count = len([line for line in seen.splitlines() if line.strip()])
        return (
            rng.choice((f"{count} commits shown.", f"I see {count} commits here.", f"That lists {count} commits."))
            if count
            else ""
        )

    def branch(seen: str, rng: random.Random) -> str:
        found = re.match(r"## (\S+)", seen)
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


def _raw_views(path: str) -> tuple[View, ...]:
    def raw(seen: str, rng: random.Random) -> str:
        if "\\r" in seen:
            return rng.choice(
                (
                    "There are carriage returns at the line ends.",
                    "The lines end in `\\r\\n`.",
                    "Windows line ends, as the `\\r` shows.",
                )
            )
        if re.search(r"\b[2-3]\d\d\b", seen):
            return rng.choice(
                (
                    "There are bytes outside ASCII in it.",
                    "Some bytes are not ASCII.",
                    "I can see high bytes, shown in octal.",
                )
            )
        return rng.choice(("Plain characters in this part.", "This part is plain ASCII."))

    return (
        View(
            f"head -c 160 {sh(path)} | od -c | head -n 12",
            (
                f"I look at the raw bytes of `{path}`.",
                f"The bytes of `{path}` tell more than its name.",
                f"Which bytes does `{path}` start with?",
                f"Before converting I look at `{path}` byte by byte.",
            ),
            raw,
            ("od",),
        ),
        _counted(path),
    )


def _whole(path: str) -> View:
    return View(
        f"cat {sh(path)}",
        (
            f"`{path}` is short, so I print it.",
            f"I read `{path}` as a whole.",
            f"Let me see all of `{path}`.",
            f"The content of `{path}` first.",
        ),
        lambda seen, rng: rng.choice(("", f"{len(seen.splitlines())} lines.", "That is all of it.", "Clear enough.")),
        shows=_text,
    )
