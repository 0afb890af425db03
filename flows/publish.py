"""Writing a dataset so that a crash leaves the old one or the new one, and never touches what is not ours."""

from __future__ import annotations

import json
import os
import platform
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pyarrow.parquet as pq

from trajmill.flows.card import write_card
from trajmill.flows.dataset import MANIFEST, RUN, DatasetContent, table_path
from trajmill.flows.durable import make_folder, sync_folder, writing
from trajmill.flows.export import export_dataset
from trajmill.flows.manifest import WHAT, manifest_of
from trajmill.schemas.errors import StoreError, UnavailableError
from trajmill.schemas.ids import Json, canonical_json, digest_bytes
from trajmill.schemas.row import drop_row, task_row
from trajmill.schemas.table import TABLES, parquet_options, row_groups, to_table


@dataclass(frozen=True, slots=True)
class Published:
    """A dataset on disk."""

    folder: Path
    manifest: Json
    unchanged: bool
    """The folder held these very bytes already."""


def require_free(out: Path, build_id: str, *, replacing: bool = False) -> None:
    """Raise StoreError if ``out`` holds anything but this dataset (or, with ``replacing``, a dataset of ours).

    A replacement that was cut short between its two renames is taken back first. Raises UnavailableError if nothing can
    be written where ``out`` lies.
    """
    _require_writable(out.absolute().parent)
    _take_back(out)
    if not out.exists() and not out.is_symlink():
        return
    if not out.is_dir():
        raise StoreError(f"{out} exists and is not a folder.", remedy="Name another folder with --out.")
    if not any(out.iterdir()):
        return
    there = read_manifest(out)
    if there is None:
        raise StoreError(
            f"The folder {out} holds something that is not a Trajmill dataset.",
            remedy="Name another folder with --out.",
        )
    if there["build_id"] != build_id and not replacing:
        raise StoreError(
            f"The folder {out} holds the dataset of another build ({there['build_id']}).",
            remedy="Name another folder with --out, or replace it with --replace.",
        )


def _require_writable(folder: Path) -> None:
    """The nearest folder that exists must take new names: better known before the work than after it."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        raise StoreError(f"{there} is not a folder.", remedy="Name another folder with --out.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UnavailableError(
            f"The folder {there} cannot be written to.", remedy="Allow it, or name another with --out."
        )


def read_manifest(folder: Path) -> dict[str, Json] | None:
    """The manifest of a dataset folder, or None if the folder is none of ours."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return manifest if isinstance(manifest, dict) and manifest.get("what") == WHAT and "build_id" in manifest else None


def publish(content: DatasetContent, out: Path, *, replacing: bool = False) -> Published:
    """Write the dataset beside its place, then put it there; equal content, equal bytes in every file but run.json."""
    out = out.resolve()
    require_free(out, content.build_id, replacing=replacing)
    make_folder(out.parent)
    fresh = out.parent / f".{out.name}.{content.build_id}.tmp"
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        with writing(out):
            manifest = _write(content, fresh)
            unchanged = _same(out, manifest)
            if unchanged:
                shutil.rmtree(fresh)
            else:
                _put_in_place(fresh, out)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return Published(out, manifest, unchanged)


def _write(content: DatasetContent, folder: Path) -> Json:
    tables: Mapping[str, Sequence[Mapping[str, Json]]] = {
        "tasks": [task_row(task) for task in content.tasks],
        "trajectories": content.trajectories,
        "drops": [drop_row(drop) for drop in content.drops],
    }
    for name, rows in tables.items():
        write_rows(table_path(folder, name), rows, name)
    exports: dict[str, Json] = {
        name: export_dataset(folder, name, folder / "sft", checked=True) for name in content.config.export.to
    }
    counts = {name: len(rows) for name, rows in tables.items()}
    (folder / "README.md").write_text(write_card(content, counts), encoding="utf-8")
    hashes = {path.relative_to(folder).as_posix(): digest_bytes(path.read_bytes()) for path in sorted(_files(folder))}
    manifest = manifest_of(content, counts, exports, hashes)
    (folder / MANIFEST).write_bytes(canonical_json(manifest) + b"\n")
    (folder / RUN).write_bytes(canonical_json(_run_facts()) + b"\n")
    _sync(folder)
    return manifest


def write_rows(path: Path, rows: Sequence[Mapping[str, Json]], table: str) -> None:
    """Write the rows of one of a dataset's tables as Parquet; equal rows give equal bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = TABLES[table]
    with pq.ParquetWriter(path, schema, **parquet_options()) as writer:
        for group in row_groups(to_table(rows, schema)):
            writer.write_table(group)


def _run_facts() -> Json:
    """What depends on when and where; kept apart so that equal builds differ in this file only."""
    return {
        "finished_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "system": platform.system(),
        "packages": {name: version(name) for name in ("trajmill", "pyarrow", "duckdb", "networkx")},
    }


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _same(out: Path, manifest: Json) -> bool:
    """Whether ``out`` holds exactly the files that the manifest lists, byte for byte."""
    if read_manifest(out) != manifest:
        return False
    files: Mapping[str, str] = manifest["files"]
    return all(
        (out / name).is_file() and digest_bytes((out / name).read_bytes()) == want for name, want in files.items()
    )


def _put_in_place(fresh: Path, out: Path) -> None:
    old = _old(out)
    if out.exists() and not any(out.iterdir()):
        out.rmdir()
    if out.exists():
        _remove_ours(old)
        out.rename(old)
    fresh.rename(out)
    sync_folder(out.parent)
    _remove_ours(old)


def _old(out: Path) -> Path:
    """Where the replaced dataset lies between the two renames."""
    return out.parent / f".{out.name}.old"


def _take_back(out: Path) -> None:
    old = _old(out)
    if not out.exists() and read_manifest(old) is not None:
        old.rename(out)


def _remove_ours(old: Path) -> None:
    """Remove a replaced dataset; whatever else is called so stays and is in the way."""
    if not old.exists():
        return
    if read_manifest(old) is None:
        raise StoreError(f"{old} is in the way and no Trajmill dataset.", remedy="Move it elsewhere.")
    shutil.rmtree(old)


def _sync(folder: Path) -> None:
    for path in _files(folder):
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
    for path in (folder, *(p for p in folder.rglob("*") if p.is_dir())):
        sync_folder(path)
