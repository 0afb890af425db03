"""Git repositories: a history made from real records, and the user's own, as far as it was read and found fit.

An own repository is set up anew from what was read: other branches, message bodies and what nothing refers to any more
do not get into a workspace, and neither does its configuration.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.ids import Json
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Commit, Repository
from trajmill.synth.packs.naming import sh, slug, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.files_starts import table_bytes
from trajmill.synth.packs.terminal.json_lists import line_like
from trajmill.synth.packs.terminal.json_material import material_rows
from trajmill.synth.packs.terminal.json_ways import spelled
from trajmill.synth.sources.material import Material

PEOPLE = (
    ("Mira Kovac", "mira@example.com"),
    ("Jonas Lind", "jonas@example.com"),
    ("Aisha Bello", "aisha@example.com"),
    ("Tomas Ruiz", "tomas@example.com"),
)
"""Made-up people at a domain that is kept for examples."""

_FIRST = 1_672_650_000
"""2023-01-02T09:00:00Z."""
_DAY = 86_400
_STREAM = ".history"
_FOLDER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")

Rows = Sequence[dict[str, Json]]


def repository_start(material: Material, draw: Draw) -> World | None:
    """A repository of four to nine commits, in which a real table grows and other files come and go."""
    rows = material_rows(material, draw, 18, 60)
    if rows is None or not all(r[k] is None or line_like(spelled(r[k])) for r in rows for k in r):
        return None
    name = slug(stem(material.name))
    steps = _steps(rows, name, draw)
    folder = draw.pick((name, f"{name}-data", "repo", "project", f"{name}_repo"))
    people = draw.some(PEOPLE, 2, 3)
    commits = []
    at = _FIRST + draw.rng.randrange(300) * _DAY
    for subject, files in steps:
        who = draw.pick(people)
        at += draw.rng.randint(1, 9) * _DAY + draw.rng.randint(0, 8) * 3600 + draw.rng.randint(0, 59) * 60
        commits.append(Commit(*who, _iso(at), subject, dict(sorted(files.items()))))
    tags = {"v0.1": draw.rng.randint(1, len(commits) - 2)} if draw.rng.random() < 0.5 else {}
    return repository_world(folder, Repository(tuple(commits), "main", tags))


def own_repository(material: Material, draw: Draw) -> World | None:
    """The newest commits of the user's own repository, under its own name."""
    if material.history is None:
        return None
    name = material.name.rpartition("/")[2]
    return repository_world(name if _FOLDER.fullmatch(name) else slug(name), material.history)


def repository_world(folder: str, facts: Repository) -> World:
    """A workspace with a repository of this history; every author is the committer too, at the same time."""
    stream = Tree({_STREAM: FileEntry(_stream(facts))})
    setup = (
        f"git init -q -b {sh(facts.branch)} --template= {sh(folder)} && git -C {sh(folder)} fast-import --quiet < "
        f"{_STREAM} "
        f"&& git -C {sh(folder)} reset -q --hard && rm {_STREAM}"
    )
    state = State(Tree({}), Artefact(folder, "git-repository", facts), opaque={folder: facts})
    return World(stream, state, (setup,), ("git", "rm"))


def _steps(rows: Rows, name: str, draw: Draw) -> list[tuple[str, Mapping[str, bytes]]]:
    """Subject and whole tree of each commit."""
    table = draw.pick((f"{name}.csv", f"data/{name}.csv"))
    size = draw.rng.randint(6, len(rows) // 2)
    files: dict[str, bytes] = {table: table_bytes(rows[:size])}
    steps: list[tuple[str, Mapping[str, bytes]]] = [(f"Add the first {size} rows of {name}", dict(files))]
    files["README.md"] = f"# {name}\n\nRows of {name}, one per line, in {table}.\n".encode()
    steps.append(("Say what the table holds", dict(files)))
    for step in draw.some(("columns", "more", "sample", "note", "trim", "more again", "unsample"), 3, 7):
        before = dict(files)
        subject = ""
        if step in ("more", "more again") and size < len(rows):
            grown = min(len(rows), size + draw.rng.randint(3, 12))
            subject = f"Add {grown - size} more rows" if step == "more" else f"Extend the table to {grown} rows"
            size = grown
            files[table] = table_bytes(rows[:size])
        elif step == "columns":
            files["docs/columns.txt"] = "".join(f"{k}\n" for k in rows[0]).encode()
            subject = "List the columns"
        elif step == "sample":
            files["sample.json"] = render_json([dict(r) for r in rows[:3]])
            subject = "Add a sample in JSON"
        elif step == "note":
            files["README.md"] += f"\nThe table has {size} rows at present.\n".encode()
            subject = f"Note that there are {size} rows"
        elif step == "trim" and size > 8:
            size -= 2
            files[table] = table_bytes(rows[:size])
            subject = "Take out the last two rows, which were not checked"
        elif step == "unsample" and "sample.json" in files:
            del files["sample.json"]
            subject = "Remove the sample again"
        if subject and files != before:
            steps.append((subject, dict(files)))
    return steps


def _stream(facts: Repository) -> bytes:
    """The history as git fast-import reads it: of every commit what differs from the one before."""
    parts: list[bytes] = []
    before: Mapping[str, bytes] = {}
    for number, commit in enumerate(facts.commits, 1):
        who = f"{commit.author} <{commit.email}> {_raw(commit.date)}"
        subject = commit.subject.encode()
        head = f"commit refs/heads/{facts.branch}\nmark :{number}\nauthor {who}\ncommitter {who}\ndata {len(subject)}\n"
        parts += [
            head.encode(),
            subject,
            b"\n",
            f"from :{number - 1}\n".encode() if number > 1 else b"",
        ]
        parts += [f"D {name}\n".encode() for name in before if name not in commit.files]
        for name, data in commit.files.items():
            if before.get(name) != data:
                parts += [f"M 100644 inline {name}\ndata {len(data)}\n".encode(), data, b"\n"]
        before = commit.files
    for tag, index in (facts.tags or {}).items():
        parts.append(f"reset refs/tags/{tag}\nfrom :{index + 1}\n\n".encode())
    return b"".join(parts)


def _raw(date: str) -> str:
    """A time in ISO 8601 as git writes it: seconds since 1970 and the offset."""
    time = datetime.fromisoformat(date)
    return f"{int(time.timestamp())} {time.strftime('%z')[:5]}"


def _iso(time: int) -> str:
    """A time in UTC as ISO 8601 with offset."""
    return datetime.fromtimestamp(time, UTC).isoformat()


STARTS = (Start("git-repository", repository_start), Start("git-repository", own_repository, own="git"))
