"""What is known of an artefact: the typed content that a scenario promises and a skill computes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from trajmill.schemas.content.tables import Table
from trajmill.schemas.ids import Json


@dataclass(frozen=True, slots=True)
class Records:
    """Flat objects, as in a JSON array or JSON Lines; numbers are int or Decimal, keys keep their order."""

    rows: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """Any JSON value."""

    value: Json


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of text without their ends; the file ends in a newline."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A text with an encoding and line ends that matter."""

    text: str
    """Decoded, with ``\\n`` line ends."""
    encoding: str = "utf-8"
    newline: str = "\n"


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One record of a log: its first line taken apart, and the lines that belong to it."""

    time: str
    level: str
    source: str
    message: str
    line: str
    """The whole first line."""
    more: tuple[str, ...] = ()
    """Continuation lines, such as a stack trace."""


@dataclass(frozen=True, slots=True)
class Log:
    """Records in file order."""

    records: tuple[LogRecord, ...]


@dataclass(frozen=True, slots=True)
class Folder:
    """Files below a folder by relative path; what else lies there is in the state's tree."""

    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Archive:
    """Members of an archive by name; the archive's own bytes depend on the tool that made it."""

    format: str
    """``tar``, ``tar.gz``, ``tar.xz``, ``zip`` or ``gz``."""
    members: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Database:
    """Tables of a SQLite file by name."""

    tables: Mapping[str, Table]
    others: frozenset[str] = frozenset()
    """Names, in lower case, of all else that it holds: indexes, views and tables that no skill speaks of."""
    guarded: frozenset[str] = frozenset()
    """Tables with constraints, which could refuse a new value."""
    own: bool = False
    """It is a user's: the declared types, and tables that no skill speaks of, are not among the facts."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit; ``files`` is the whole tree after it."""

    author: str
    email: str
    date: str
    """ISO 8601 with offset."""
    subject: str
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Repository:
    """History of the current branch, oldest first."""

    commits: tuple[Commit, ...]
    branch: str = "main"
    tags: Mapping[str, int] | None = None
    """Tag to index of the commit."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Options by section; the section ``""`` holds those before any section (and all of a dotenv file)."""

    sections: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Script:
    """An executable script and what it prints for given inputs."""

    text: str
    input: str = ""
    """A workspace file that it can be run on."""
    arguments: tuple[str, ...] = ()
    """What follows that file on the command line."""
    prints: tuple[str, ...] = ()
    """The lines that it prints for that file and these arguments."""


Facts: TypeAlias = (
    Table | Records | Document | Lines | Text | Log | Folder | Archive | Database | Repository | Settings | Script
)
