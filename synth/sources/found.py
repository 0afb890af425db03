"""What a recogniser says about a file: kind, facts, notes, and which groups of skills may touch it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from trajmill.schemas.content.encodings import Encoding
from trajmill.schemas.content.notes import Note
from trajmill.schemas.content.tables import Dialect
from trajmill.schemas.ids import Json

Kind = Literal[
    "csv", "tsv", "json", "jsonl", "log", "text", "ini", "env", "toml", "yaml", "html",
    "sqlite", "gzip", "zip", "tar", "git", "binary", "empty",
]  # fmt: skip
"""``csv``: every delimiter but the tab; ``gzip``: also xz, bzip2 and zstd (``facts["format"]`` says which)."""

Capability = Literal[
    "table", "table_plain", "table_by_position", "table_header", "table_with_encoding", "malformed_rows",
    "json", "json_jq", "jsonl", "jsonl_jq", "jsonl_lines", "jsonl_skip_broken", "broken_lines",
    "log_records", "log_levels", "log_lines", "log_grep_levels", "log_times", "log_offset_times",
    "text", "text_with_encoding", "newlines", "final_newline", "reencode", "strip_bom", "strip_nul",
    "ini", "env", "toml", "yaml", "yaml_values", "sqlite", "archive", "git", "html",
]  # fmt: skip
"""What may be done with a file so that every correct way of doing it gives the same answer.

``table``: rows and columns by name, with a real CSV reader; ``table_plain``: also with cut, awk, sort, head and wc;
``table_by_position``: columns by number only (repeated names); ``table_header``: there is a header;
``table_with_encoding`` and ``text_with_encoding``: only if the instruction states the encoding;
``json_jq`` and ``jsonl_jq``: jq does not change the numbers; ``jsonl_lines``: one record a line, wc and grep are right;
``jsonl_skip_broken``: only ways that go on after a broken line; ``log_lines``: one record a line;
``log_grep_levels``: grep for a level counts records; ``log_times``: order and durations over all records;
``log_offset_times``: over the records that state their offset; ``yaml_values``: only the paths in ``facts["safe"]``.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """What a file is."""

    kind: Kind
    facts: Mapping[str, Json] = field(default_factory=dict)
    """What was measured, by kind; plain JSON, no content of secrets."""
    notes: tuple[Note, ...] = ()
    usable: frozenset[str] = frozenset()
    """The capabilities; empty means that the file may lie in a workspace, but no skill reads it."""
    encoding: Encoding | None = None
    """For text of any kind."""
    dialect: Dialect | None = None
    """For csv and tsv."""

    def noted(self, code: str) -> bool:
        """There is a note with this code."""
        return any(note.code == code for note in self.notes)
