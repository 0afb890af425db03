"""Small worlds built by hand for the tests of skills."""

from __future__ import annotations

import random

from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Dialect, Table
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Facts, Lines
from trajmill.synth.packs.skill import Application, Apply, Draw
from trajmill.synth.packs.state import Artefact, State, World

TOOLS = frozenset({"awk", "sed", "grep", "sort", "python3", "jq", "sqlite3", "perl", "git", "tar", "gzip", "zip"})


def draw(seed: int = 0, *, strictness: str = "content", tools: frozenset[str] = TOOLS) -> Draw:
    """A source of chance with a fixed seed."""
    return Draw(random.Random(seed), tools, strictness)


def file_world(path: str, data: str | bytes, scenario: str, facts: Facts, **others: str | bytes) -> World:
    """A world with one file in focus and others beside it (keyword ``notes_txt`` is the file ``notes.txt``)."""
    files = {path: data, **{name.replace("_", "."): text for name, text in others.items()}}
    tree = Tree({p: FileEntry(d.encode() if isinstance(d, str) else d) for p, d in files.items()})
    return World(tree, State(tree, Artefact(path, scenario, facts)))


def table_world(
    text: str | bytes, *, path: str = "data.csv", scenario: str = "csv-table", dialect: Dialect | None = None
) -> World:
    """A world with a delimited file in focus, its facts read from it."""
    data = text.encode() if isinstance(text, str) else text
    return file_world(path, data, scenario, table_facts(data, dialect))


def table_facts(data: bytes, dialect: Dialect | None = None) -> Table:
    """The table that the bytes hold."""
    return read_table(data, dialect)


def lines_world(*lines: str, path: str = "list.txt", scenario: str = "value-list") -> World:
    """A world with a text file in focus."""
    return file_world(path, "".join(f"{line}\n" for line in lines), scenario, Lines(lines))


def table_after(application: Application | None) -> Table:
    """The table that an application leaves in focus."""
    assert application is not None
    facts = application.after.focus.facts
    assert isinstance(facts, Table)
    return facts


def lines_after(application: Application | None) -> tuple[str, ...]:
    """The lines that an application leaves in focus."""
    assert application is not None
    facts = application.after.focus.facts
    assert isinstance(facts, Lines)
    return facts.lines


def asked(apply: Apply, world: World, words: str, *, seeds: int = 200) -> Application:
    """The first application over the seeds whose first request holds these words."""
    for seed in range(seeds):
        application = apply(world.state, draw(seed))
        if application is not None and words in application.asks[0]:
            return application
    raise AssertionError(f"no request says {words!r}")
