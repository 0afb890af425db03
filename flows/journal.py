"""The journal of one shard: what was begun and what is done, one JSON line each, only ever appended to.

An ``intent`` line is written before a unit spends anything and a ``commit`` line, which carries its record, after.
Every line ends in a checksum of itself. What follows the last line end was torn by a crash and counts as never
written; damage anywhere else is refused.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from trajmill.flows.durable import make_folder, sync_folder, writing
from trajmill.flows.units import Unit
from trajmill.schemas.errors import StoreError
from trajmill.schemas.ids import Json

JOURNAL_NAME = "journal.jsonl"
LINES_PER_SYNC = 64
"""Lines of free units that are brought to the disk by one fsync; a kill of the process loses none of them."""

_RECORD_KEY = b',"record":'
_SUM_KEY = b',"crc":"'
_SUM_LENGTH = len(_SUM_KEY) + 8 + len(b'"}')


@dataclass(frozen=True, slots=True)
class Commit:
    """A finished unit as it is stored."""

    unit_id: str
    kind: str
    task_id: str
    policy: str
    attempt: int
    failed: bool
    """The sandbox failed to the last retry; such a record gives way to a later one of the same unit."""
    record: str
    """The record's JSON text, character for character as it was committed."""


@dataclass(frozen=True, slots=True)
class JournalContent:
    """What a journal says."""

    commits: Mapping[str, Commit] = field(default_factory=dict)
    """By unit id, in the order of the commits."""
    intents: frozenset[str] = frozenset()
    size: int = 0
    """Bytes up to the last whole line."""

    @property
    def dangling(self) -> tuple[str, ...]:
        """Units that were begun and have no outcome, sorted: a crash may have spent on them in vain."""
        return tuple(sorted(self.intents - self.commits.keys()))


def record_text(record: Json) -> str:
    """The canonical JSON text of a record, numbers exact. Raises StoreError for NaN and what is not JSON."""
    try:
        text = json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError) as problem:
        raise StoreError(f"A record cannot be stored as JSON: {problem}.") from problem
    return text


def read_journal(path: Path) -> JournalContent:
    """Read a journal; a missing one is empty. Raises StoreError naming file and line for damage before the torn end."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return JournalContent()
    except OSError as problem:
        raise StoreError(f"The journal {path} cannot be read: {problem.strerror}.") from problem
    commits: dict[str, Commit] = {}
    intents: set[str] = set()
    size = data.rfind(b"\n") + 1
    for number, line in enumerate(_lines(data[:size]), start=1):
        entry = _read_line(line)
        if isinstance(entry, str):
            intents.add(entry)
        elif entry is None or entry.unit_id not in intents or commits.get(entry.unit_id, entry) != entry:
            raise StoreError(
                f"The journal {path} is damaged in line {number}.",
                remedy="Move the journal away to give up the units in it; they are run again.",
            )
        else:
            commits[entry.unit_id] = entry
    return JournalContent(commits, frozenset(intents), size)


class ShardJournal:
    """The open journal of one shard; one process writes to it, which the lock of the build sees to."""

    def __init__(self, folder: Path) -> None:
        """Read what ``folder`` holds already; nothing is written before the first intent."""
        self.path = folder / JOURNAL_NAME
        content = read_journal(self.path)
        self.dangling = content.dangling
        """Units that an earlier process began and did not finish, as found on opening."""
        self._intents = set(content.intents)
        self._committed = set(content.commits)
        self._size = content.size
        self._descriptor: int | None = None
        self._unsynced = 0

    @property
    def committed(self) -> frozenset[str]:
        """Ids of the units committed here."""
        return frozenset(self._committed)

    def __contains__(self, unit_id: object) -> bool:
        """Whether a unit is committed here."""
        return unit_id in self._committed

    def intent(self, unit_id: str, *, durable: bool = True) -> None:
        """Note that a unit is about to spend; on the disk when this returns if ``durable``."""
        self._append(_sealed({"intent": unit_id}), durable)
        self._intents.add(unit_id)

    def commit(self, unit: Unit, record: Json, *, failed: bool = False, durable: bool = True) -> None:
        """Store the outcome of a unit; on the disk when this returns if ``durable``.

        Raises StoreError for a unit without an intent, for a second commit and for a record that is not JSON.
        """
        if unit.id not in self._intents or unit.id in self._committed:
            state = "committed already" if unit.id in self._committed else "not begun"
            raise StoreError(f"The unit {unit.id} is {state} in {self.path}.")
        head: dict[str, Json] = {"commit": unit.id, "kind": unit.kind, "task_id": unit.task_id}
        head |= {"policy": unit.policy, "attempt": unit.attempt, "failed": failed}
        self._append(_sealed(head, record_text(record)), durable)
        self._committed.add(unit.id)

    def sync(self) -> None:
        """Bring everything written so far to the disk."""
        if self._descriptor is not None and self._unsynced:
            with writing(self.path):
                os.fsync(self._descriptor)
            self._unsynced = 0

    def close(self) -> None:
        """Sync and close; safe to call twice."""
        if self._descriptor is not None:
            try:
                self.sync()
            finally:
                os.close(self._descriptor)
                self._descriptor = None

    def __enter__(self) -> ShardJournal:
        """The journal itself, closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _append(self, line: bytes, durable: bool) -> None:
        descriptor = self._open()
        with writing(self.path):
            try:
                rest = memoryview(line)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
            except OSError:
                os.ftruncate(descriptor, self._size)
                raise
        self._size += len(line)
        self._unsynced += 1
        if durable or self._unsynced >= LINES_PER_SYNC:
            self.sync()

    def _open(self) -> int:
        if self._descriptor is None:
            make_folder(self.path.parent)
            with writing(self.path):
                self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
                os.ftruncate(self._descriptor, self._size)
                sync_folder(self.path.parent)
        return self._descriptor


def _sealed(head: Json, record: str | None = None) -> bytes:
    text = json.dumps(head, ensure_ascii=True, separators=(",", ":"))[:-1].encode("ascii")
    if record is not None:
        text += _RECORD_KEY + record.encode("utf-8")
    return text + _SUM_KEY + f"{zlib.crc32(text):08x}".encode("ascii") + b'"}\n'


def _lines(data: bytes) -> Iterator[bytes]:
    return iter(data.split(b"\n")[:-1])


def _read_line(line: bytes) -> str | Commit | None:
    """The intent's unit id, the commit, or None for a damaged line."""
    text, end = line[:-_SUM_LENGTH], line[-_SUM_LENGTH:]
    if end != _SUM_KEY + f"{zlib.crc32(text):08x}".encode("ascii") + b'"}':
        return None
    head, key, record = text.partition(_RECORD_KEY)
    try:
        fields = json.loads(head + b"}")
        if not key:
            return str(fields["intent"])
        return Commit(fields.pop("commit"), record=record.decode("utf-8"), **fields)
    except (ValueError, TypeError, KeyError):
        return None
