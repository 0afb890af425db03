"""One build in the run store, while a process works on it: journals, compaction, and order after a crash."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from trajmill.flows.durable import remove_file, write_whole
from trajmill.flows.journal import JOURNAL_NAME, Commit, ShardJournal, read_journal
from trajmill.flows.telemetry import Telemetry
from trajmill.flows.unit_files import write_units
from trajmill.schemas.errors import StoreError
from trajmill.schemas.ids import Json, canonical_json


class Ledger(Protocol):
    """What a build needs of the store that it is in."""

    units: Path

    def known(self, unit_ids: Iterable[str], *, retry_failed: bool = False) -> set[str]:
        """Which of these units are in finished files."""

    def records(self, unit_ids: Sequence[str]) -> Iterator[Commit]:
        """The records of these units, from finished files."""


@dataclass(slots=True)
class BuildRun:
    """A build that this process works on, made by ``Store.begin``."""

    ledger: Ledger
    build_id: str
    folder: Path
    note: str
    """One sentence if the build was taken over from a process that is gone, else empty."""
    dangling: tuple[str, ...] = ()
    """Units that an earlier process began and left without an outcome."""
    _open: dict[int, ShardJournal] | None = None

    @property
    def sample(self) -> Path:
        """Folder for what was sampled before shards were cut."""
        return self.folder / "sample"

    def known(self, unit_ids: Iterable[str], *, retry_failed: bool = False) -> set[str]:
        """Which of these units are committed, in the finished files of any build or in a journal of this one."""
        wanted = list(unit_ids)
        journals = self._journals().values()
        return self.ledger.known(wanted, retry_failed=retry_failed) | {
            i for i in wanted if any(i in j for j in journals)
        }

    def records(self, unit_ids: Sequence[str]) -> Iterator[Commit]:
        """The finished units of compacted shards in the order asked for."""
        return self.ledger.records(unit_ids)

    def journal(self, shard: int) -> ShardJournal:
        """The journal of a shard, opened once and closed by ``compact`` or at the end of the block."""
        journals = self._journals()
        if shard not in journals:
            journals[shard] = ShardJournal(self._shard_folder(shard))
        return journals[shard]

    def telemetry(self, name: str) -> Telemetry:
        """The telemetry file of this build for a subject such as ``shard-0003``."""
        return Telemetry(self.folder / "telemetry" / f"{name}.jsonl")

    def compact(self, shard: int) -> None:
        """Turn a shard's journal into an immutable file, then remove the journal.

        A crash in between loses and repeats nothing.
        """
        journal = self._journals().pop(shard, None)
        if journal is not None:
            journal.close()
        self._settle(self._shard_folder(shard) / JOURNAL_NAME)

    def finish(self, unit_ids: Iterable[str]) -> None:
        """Write ``units.txt``, the sorted ids of the units that the build consists of."""
        write_whole(self.folder / "units.txt", "".join(f"{i}\n" for i in sorted(set(unit_ids))).encode("ascii"))

    def recover(self) -> None:
        """Settle the journals that an earlier process left, and remember its dangling units."""
        dangling: set[str] = set()
        for path in sorted((self.folder / "shards").glob("*/*")):
            if path.name != JOURNAL_NAME:
                raise StoreError(f"The file {path} does not belong into a run store.", remedy="Move it away.")
            dangling.update(read_journal(path).dangling)
            self._settle(path)
        self.dangling = tuple(sorted(dangling - self.ledger.known(dangling)))

    def close(self) -> None:
        """Close the journals; what they hold is kept for the next run."""
        for journal in self._journals().values():
            journal.close()
        self._journals().clear()

    def _settle(self, path: Path) -> None:
        commits = read_journal(path).commits
        if commits:
            write_units(self.ledger.units, commits.values())
        if path.exists():
            remove_file(path)
            path.parent.rmdir()

    def _shard_folder(self, shard: int) -> Path:
        return self.folder / "shards" / f"{shard:04d}"

    def _journals(self) -> dict[int, ShardJournal]:
        if self._open is None:
            self._open = {}
        return self._open


def write_document(folder: Path, document: Json) -> None:
    """Write ``build.json`` once. Raises StoreError if it is damaged, missing where it must be, or of another build."""
    path = folder / "build.json"
    if path.exists():
        held = read_object(path)
        if canonical_json(held) != canonical_json(document):
            keys = sorted(k for k in {*held, *document} if held.get(k) != document.get(k))
            raise StoreError(
                f"{path} describes another build: {', '.join(keys)} differ.", remedy="Use another run store."
            )
        return
    if (folder / "shards").exists():
        raise StoreError(f"{path} is missing.", remedy=f"Move {folder} away; finished units are kept in units/.")
    write_whole(path, canonical_json(document) + b"\n")


def read_object(path: Path) -> dict[str, Json]:
    """The JSON object in one of our files. Raises StoreError naming a damaged one."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as problem:
        raise StoreError(f"{path} is damaged.", remedy="Restore it, or use another run store.") from problem
    if not isinstance(value, dict):
        raise StoreError(f"{path} is damaged.", remedy="Restore it, or use another run store.")
    return value
