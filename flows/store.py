"""The run store: the ledger of everything that was run, shared by all builds; the only file that imports duckdb.

STORE/trajmill-store.json                     says that the folder is ours, and which format it has
STORE/units/ab/....parquet                    finished units, immutable, shared by all builds
STORE/replies/                                model replies
STORE/builds/BUILD/build.json, lock           what the build is (written once), and who works on it
STORE/builds/BUILD/shards/0003/journal.jsonl  units of a shard that is being run
STORE/builds/BUILD/sample/, units.txt, telemetry/
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from trajmill.flows.durable import remove_file, write_whole
from trajmill.flows.journal import JOURNAL_NAME, Commit, ShardJournal, read_journal
from trajmill.flows.lock import owned
from trajmill.flows.telemetry import Telemetry
from trajmill.flows.unit_files import UnitIndex, unit_files, unit_table, write_units
from trajmill.schemas.errors import StoreError
from trajmill.schemas.ids import Json, canonical_json

FORMAT = 1
MARKER = "trajmill-store.json"
QUERY_MEMORY = "512MB"

_UNITS_VIEW = """
    create view units as
    select unit_id, kind, task_id, policy, attempt, failed, record::json as record
    from (select *, row_number() over (partition by unit_id order by failed, filename) as place from ({source}))
    where place = 1
"""


class Store:
    """A run store on disk; open it with ``Store.open``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.units = root / "units"
        self.replies = root / "replies"
        self.builds = root / "builds"
        self.prefect_home = root / "prefect"
        self._index = UnitIndex(self.units)

    @classmethod
    def open(cls, root: Path) -> Store:
        """Open a run store, made if there is none.

        Raises StoreError, with nothing written, for any other non-empty folder.
        """
        if root.exists() and not root.is_dir():
            raise StoreError(f"{root} is not a folder.", remedy="Name a new or empty folder for the run store.")
        marker = root / MARKER
        if not marker.exists():
            if root.is_dir() and any(not name.startswith(f".{MARKER}.") for name in _names(root)):
                raise StoreError(
                    f"The folder {root} is not empty and is not a run store.",
                    remedy="Name a new or empty folder for the run store.",
                )
            write_whole(marker, canonical_json({"format": FORMAT, "what": "trajmill run store"}) + b"\n")
        elif _read_json(marker).get("format") != FORMAT:
            raise StoreError(
                f"The run store {root} has another format than this version of Trajmill reads ({FORMAT}).",
                remedy="Use a new folder, or the version that wrote it.",
            )
        return cls(root)

    @contextmanager
    def begin(self, build_id: str, document: Json) -> Iterator[BuildRun]:
        """Work on a build: hold its lock, write or check ``build.json``, and bring what a crash left in order.

        Raises UsageError if another process works on the build, StoreError if it is damaged or another build.
        """
        folder = self.builds / build_id
        with ExitStack() as stack:
            ownership = stack.enter_context(owned(folder / "lock", f"The build {build_id}"))
            _write_document(folder, document)
            run = BuildRun(self, build_id, folder, ownership.note)
            stack.callback(run.close)
            run.recover()
            yield run

    def known(self, unit_ids: Iterable[str], *, retry_failed: bool = False) -> set[str]:
        """Which of these units are finished, in any build.

        Units that failed in the sandbox count as finished unless ``retry_failed``.
        """
        self._index.refresh()
        places = ((unit_id, self._index.place(unit_id)) for unit_id in unit_ids)
        return {unit_id for unit_id, place in places if place and not (retry_failed and place.failed)}

    def records(self, unit_ids: Sequence[str]) -> Iterator[Commit]:
        """The finished units in the order asked for, a few files in memory at a time.

        Raises StoreError for a unit that is not there.
        """
        self._index.refresh()
        return self._index.records(unit_ids)

    def query(self, sql: str) -> pa.Table:
        """Run SQL over ``units`` (journals and Parquet together), ``builds`` and ``build_units``; reads only.

        Raises StoreError for damage in the store and for wrong SQL.
        """
        journals = unit_table(self._journalled())
        files = [str(path) for path in unit_files(self.units)]
        temporary = self.root / "tmp"
        settings: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "memory_limit": QUERY_MEMORY,
            "temp_directory": str(temporary),
        }
        try:
            with duckdb.connect(":memory:", config=settings) as connection:
                connection.register("journals", journals)
                connection.register("builds", self._build_table())
                connection.register("build_units", self._build_unit_table())
                connection.execute(_UNITS_VIEW.format(source=_source(files)))
                connection.execute(f"set allowed_paths = [{', '.join(map(_quoted, files))}]")
                connection.execute(f"set allowed_directories = [{_quoted(str(temporary))}]")
                connection.execute("set enable_external_access = false")
                connection.execute("set lock_configuration = true")
                return connection.sql(sql).to_arrow_table()
        except duckdb.Error as problem:
            raise StoreError(f"The query on {self.root} failed: {problem}") from problem

    def _journalled(self) -> list[Commit]:
        commits: dict[str, Commit] = {}
        for path in sorted(self.builds.glob(f"*/shards/*/{JOURNAL_NAME}")):
            for unit_id, commit in read_journal(path).commits.items():
                commits.setdefault(unit_id, commit)
        return list(commits.values())

    def _build_table(self) -> pa.Table:
        documents = sorted(self.builds.glob("*/build.json"))
        columns = {
            "build_id": [path.parent.name for path in documents],
            "document": [path.read_text(encoding="utf-8") for path in documents],
        }
        return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})

    def _build_unit_table(self) -> pa.Table:
        pairs = [
            (path.parent.name, line)
            for path in sorted(self.builds.glob("*/units.txt"))
            for line in path.read_text(encoding="ascii").splitlines()
        ]
        columns = {"build_id": [build for build, _ in pairs], "unit_id": [unit for _, unit in pairs]}
        return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})


@dataclass(slots=True)
class BuildRun:
    """A build that this process works on, made by ``Store.begin``."""

    store: Store
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
        return self.store.known(wanted, retry_failed=retry_failed) | {
            i for i in wanted if any(i in j for j in journals)
        }

    def records(self, unit_ids: Sequence[str]) -> Iterator[Commit]:
        """The finished units of compacted shards in the order asked for."""
        return self.store.records(unit_ids)

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
        self.dangling = tuple(sorted(dangling - self.store.known(dangling)))

    def close(self) -> None:
        """Close the journals; what they hold is kept for the next run."""
        for journal in self._journals().values():
            journal.close()
        self._journals().clear()

    def _settle(self, path: Path) -> None:
        commits = read_journal(path).commits
        if commits:
            write_units(self.store.units, commits.values())
        if path.exists():
            remove_file(path)
            path.parent.rmdir()

    def _shard_folder(self, shard: int) -> Path:
        return self.folder / "shards" / f"{shard:04d}"

    def _journals(self) -> dict[int, ShardJournal]:
        if self._open is None:
            self._open = {}
        return self._open


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError as problem:
        raise StoreError(f"The folder {folder} cannot be read: {problem.strerror}.") from problem


def _write_document(folder: Path, document: Json) -> None:
    path = folder / "build.json"
    if path.exists():
        held = _read_json(path)
        if canonical_json(held) != canonical_json(document):
            keys = sorted(k for k in {*held, *document} if held.get(k) != document.get(k))
            raise StoreError(
                f"{path} describes another build: {', '.join(keys)} differ.", remedy="Use another run store."
            )
        return
    if (folder / "shards").exists():
        raise StoreError(f"{path} is missing.", remedy=f"Move {folder} away; finished units are kept in units/.")
    write_whole(path, canonical_json(document) + b"\n")


def _read_json(path: Path) -> dict[str, Json]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as problem:
        raise StoreError(f"{path} is damaged.", remedy="Restore it, or use another run store.") from problem
    if not isinstance(value, dict):
        raise StoreError(f"{path} is damaged.", remedy="Restore it, or use another run store.")
    return value


def _source(files: Sequence[str]) -> str:
    journals = "select *, '' as filename from journals"
    if not files:
        return journals
    return (
        f"select * from read_parquet([{', '.join(map(_quoted, files))}], filename = true) union all by name {journals}"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
