"""The run store: the ledger of everything that was run, shared by all builds; the only file that imports duckdb.

STORE/trajmill-store.json                     says that the folder is ours, and which format it has
STORE/units/ab/....parquet                    finished units, immutable, shared by all builds
STORE/replies/                                model replies
STORE/builds/BUILD/build.json, lock           what the build is (written once), and who works on it
STORE/builds/BUILD/shards/0003/journal.jsonl  units of a shard that is being run
STORE/builds/BUILD/sample/, units.txt, telemetry/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from trajmill.flows.build_run import BuildRun, read_object, write_document
from trajmill.flows.durable import write_whole
from trajmill.flows.journal import JOURNAL_NAME, Commit, read_journal
from trajmill.flows.lock import owned
from trajmill.flows.unit_files import Place, UnitIndex, unit_files, unit_table
from trajmill.schemas.errors import StoreError
from trajmill.schemas.ids import Json, canonical_json

__all__ = ["BuildRun", "Store"]

FORMAT = 1
MARKER = "trajmill-store.json"
QUERY_MEMORY = "512MB"
ROWS_AT_ONCE = 200

_RECORDS = """
    select unit_id, kind, task_id, policy, attempt, failed, record
    from wanted join read_parquet([{files}], filename = true, file_row_number = true) as units
    on units.filename = wanted.file and units.file_row_number = wanted.row
    order by position
"""
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
        elif read_object(marker).get("format") != FORMAT:
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
            write_document(folder, document)
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
        """The finished units in the order asked for, in bounded memory however many there are.

        Raises StoreError for a unit that is not there and for a damaged file.
        """
        self._index.refresh()
        return self._read(self._index.places(unit_ids))

    def query(self, sql: str) -> pa.Table:
        """Run SQL over ``units`` (journals and Parquet together), ``builds`` and ``build_units``; reads only.

        Raises StoreError for damage in the store and for wrong SQL.
        """
        journals = unit_table(self._journalled())
        files = [str(path) for path in unit_files(self.units)]
        try:
            with self._connect() as connection:
                connection.register("journals", journals)
                connection.register("builds", self._build_table())
                connection.register("build_units", self._build_unit_table())
                connection.execute(_UNITS_VIEW.format(source=_source(files)))
                connection.execute(f"set allowed_paths = [{', '.join(map(_quoted, files))}]")
                connection.execute(f"set allowed_directories = [{_quoted(str(self.root / 'tmp'))}]")
                connection.execute("set enable_external_access = false")
                connection.execute("set lock_configuration = true")
                return connection.sql(sql).to_arrow_table()
        except duckdb.Error as problem:
            raise StoreError(f"The query on {self.root} failed: {problem}") from problem

    def _connect(self) -> duckdb.DuckDBPyConnection:
        settings: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "memory_limit": QUERY_MEMORY,
            "temp_directory": str(self.root / "tmp"),
        }
        return duckdb.connect(":memory:", config=settings)

    def _read(self, places: Sequence[Place]) -> Iterator[Commit]:
        if not places:
            return
        files = sorted({str(place.path) for place in places})
        wanted = {
            "position": pa.array(range(len(places)), pa.int64()),
            "file": pa.array([str(place.path) for place in places], pa.string()),
            "row": pa.array([place.row for place in places], pa.int64()),
        }
        with self._connect() as connection:
            connection.register("wanted", pa.table(wanted))
            result = connection.execute(_RECORDS.format(files=", ".join(map(_quoted, files))))
            while rows := result.fetchmany(ROWS_AT_ONCE):
                yield from (Commit(*row) for row in rows)

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


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError as problem:
        raise StoreError(f"The folder {folder} cannot be read: {problem.strerror}.") from problem


def _source(files: Sequence[str]) -> str:
    journals = "select *, '' as filename from journals"
    if not files:
        return journals
    return (
        f"select * from read_parquet([{', '.join(map(_quoted, files))}], filename = true) union all by name {journals}"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
