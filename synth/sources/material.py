"""A file as material for workspaces, and the source that it belongs to."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from trajmill.schemas.content.database import Database, read_database
from trajmill.schemas.content.encodings import Text, decode
from trajmill.schemas.content.json_exact import Value, read_json
from trajmill.schemas.content.json_lines import read_json_lines
from trajmill.schemas.content.logs import Log, read_log
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.table_scan import TableScan, read_table, scan_table
from trajmill.schemas.content.tables import Table
from trajmill.schemas.ids import Json, digest, digest_bytes
from trajmill.schemas.task import SourceRef
from trajmill.schemas.tree import Tree
from trajmill.schemas.verdict import Drop
from trajmill.synth.packs.facts import Repository
from trajmill.synth.sources.found import Found
from trajmill.synth.sources.names import escaped_name

UNKNOWN_LICENCE = "unknown"
USER_FILE = "user file"


_json = functools.lru_cache(maxsize=256)(read_json)
_json_lines = functools.lru_cache(maxsize=256)(read_json_lines)
_table = functools.lru_cache(maxsize=256)(read_table)


@dataclass(frozen=True, slots=True)
class Material:
    """One file (or one git repository) that a workspace can be made from."""

    name: str
    """Path relative to the source, with ``/``."""
    data: bytes
    """What goes into a workspace; empty for a repository, whose files are in ``tree``."""
    found: Found
    sha256: str
    """Of the original file; of the tree's manifest for a repository."""
    licence: str = UNKNOWN_LICENCE
    origin: str = USER_FILE
    """Where it comes from, such as a package and its version."""
    tree: Tree | None = None
    excerpt: str = ""
    """Which part of the original is used, if not all: ``records 101-500 of 3376``, ``newest 30 of 77 commits``."""
    history: Repository | None = None
    """Of a repository, once it was read in a sandbox and found fit for use: its newest commits, without merges."""

    @property
    def kind(self) -> str:
        """The kind that was recognised."""
        return self.found.kind

    def usable_for(self, *capabilities: str) -> bool:
        """All of these capabilities are there."""
        return set(capabilities) <= self.found.usable

    def ref(self) -> SourceRef:
        """The record for a task's lineage."""
        return SourceRef(self.name, self.sha256, self.licence, self.origin, self.excerpt)

    def text(self) -> Text:
        """The decoded text. Raises ContentError for what is no text."""
        return decode(self.data, self.found.encoding)

    def table(self) -> Table:
        """The table of a csv or tsv file. Raises ContentError for ragged rows and other faults."""
        return _table(self.data, self.found.dialect)

    def table_scan(self) -> TableScan:
        """The table with its faults and line numbers. Raises ContentError if it is none."""
        if self.found.dialect is None:
            raise ContentError("not_a_table", self.name, f"It is {self.kind}")
        return scan_table(self.text(), self.found.dialect)

    def json(self) -> Value:
        """The exact value of a JSON file, shared between calls: not to be changed. Raises ContentError."""
        return _json(self.data)

    def json_lines(self) -> tuple[Value, ...]:
        """The exact values of a JSON Lines file. Raises ContentError at the first broken line."""
        return _json_lines(self.data)

    def log(self) -> Log:
        """The records of a log."""
        return read_log(self.text().lines)

    def database(self) -> Database:
        """The tables of a SQLite file. Raises ContentError."""
        return read_database(self.data)


@dataclass(frozen=True, slots=True)
class Source:
    """Everything that was taken from one place, and everything that was left out, with its reason."""

    name: str
    """Name of the folder or the data set, without its path."""
    materials: tuple[Material, ...]
    """In order of their names."""
    left_out: tuple[Drop, ...] = ()

    @property
    def content_hash(self) -> str:
        """Changes with all that a build makes or says of this source: content, names, licences, notes, reasons."""
        taken = [
            [m.name, m.sha256, digest_bytes(m.data), m.licence, m.origin, m.excerpt, *_judgement(m.found)]
            for m in self.materials
        ]
        return digest({"materials": taken, "left_out": [[d.subject, d.reason] for d in self.left_out]})

    def material(self, name: str) -> Material:
        """The material of this name. Raises KeyError."""
        for material in self.materials:
            if material.name == name:
                return material
        raise KeyError(name)

    def usable_for(self, *capabilities: str) -> tuple[Material, ...]:
        """The materials that have all of these capabilities."""
        return tuple(m for m in self.materials if m.usable_for(*capabilities))


def _judgement(found: Found) -> tuple[Json, Json]:
    return sorted(found.usable), [str(note) for note in found.notes]


def left_out(name: str, reason: str, detail: str = "") -> Drop:
    """A file that is not taken, as a record; odd bytes of its name are escaped."""
    return Drop("source", escaped_name(name), reason, detail)
