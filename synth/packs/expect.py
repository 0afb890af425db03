"""Builders of checks: the claims that a skill makes about the world after it. ``verifiers/checks`` reads them."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.content.tables import Table
from trajmill.schemas.ids import Json, digest_bytes
from trajmill.schemas.task import Check


@dataclass(frozen=True, slots=True)
class Same:
    """In place of bytes: what the file at this workspace path holds when verified; it has a check of its own."""

    path: str


Content: TypeAlias = bytes | Same


def expect_bytes(path: str, data: bytes) -> Check:
    """The file holds exactly these bytes."""
    return Check(f"{path} is exact", "file", {"path": path, **_content(data)}, (path,))


def expect_lines(path: str, lines: Sequence[str], *, ordered: bool = True) -> Check:
    """The file holds these lines; a missing final newline is forgiven, and the order if it does not matter."""
    return Check(f"{path} has the lines", "lines", {"path": path, "lines": list(lines), "ordered": ordered}, (path,))


def expect_table(path: str, table: Table, *, ordered: bool = True, header: bool = True) -> Check:
    """The file holds this table, in its dialect's delimiter; quoting and line ends are forgiven."""
    params = {
        "path": path,
        "delimiter": table.dialect.delimiter,
        "header": [c.name for c in table.columns] if header else None,
        "rows": [list(row) for row in table.rows],
        "ordered": ordered,
    }
    return Check(f"{path} has the table", "table", params, (path,))


def expect_json(path: str, value: Json) -> Check:
    """The file holds this JSON value; key order and layout are forgiven, numbers are compared by exact value."""
    return Check(f"{path} has the JSON", "json", {"path": path, "json": _exact(value)}, (path,))


def expect_json_lines(path: str, values: Sequence[Json], *, ordered: bool = True) -> Check:
    """The file holds one of these JSON values per line."""
    params = {"path": path, "lines": [_exact(v) for v in values], "ordered": ordered}
    return Check(f"{path} has the records", "json_lines", params, (path,))


def expect_archive(path: str, form: str, members: Mapping[str, Content]) -> Check:
    """The archive holds exactly these files; folders and ``./`` are forgiven.

    Forms are ``tar``, ``tar.gz``, ``tar.xz``, ``zip`` and ``gz``. For ``gz`` the one member's name is not compared.
    """
    params = {"path": path, "format": form, "members": _contents(members)}
    return Check(f"{path} has the members", "archive", params, (path, *_others(members)))


def expect_checksums(path: str, files: Sequence[str], *, algorithm: str = "sha256", folder: str = "") -> Check:
    """The file lists ``DIGEST  NAME`` for exactly these workspace files as they are; names relative to ``folder``."""
    params = {"path": path, "files": list(files), "algorithm": algorithm, "folder": folder}
    return Check(f"{path} has the checksums", "checksums", params, (path, *files))


def expect_folder(path: str, files: Mapping[str, Content]) -> Check:
    """The folder holds exactly these regular files (empty folders are forgiven), names relative to it."""
    params = {"path": path, "files": _contents(files)}
    return Check(f"{path} has the files", "folder", params, (path, *_others(files)))


def expect_modes(modes: Mapping[str, int]) -> Check:
    """Each path has exactly these permission bits."""
    shown = {path: f"{mode:04o}" for path, mode in modes.items()}
    return Check(f"{next(iter(modes))} has its mode", "modes", {"modes": shown}, tuple(modes))


def expect_link(path: str, target: str, *, relative: bool = False) -> Check:
    """The path is a symbolic link that leads to this workspace path; ``relative`` refuses an absolute spelling."""
    return Check(f"{path} is a link", "link", {"path": path, "target": target, "relative": relative}, (path,))


def expect_absent(*paths: str) -> Check:
    """Nothing exists at these paths."""
    return Check(f"{paths[0]} is gone", "absent", {"paths": list(paths)}, paths)


def expect_query(path: str, query: str, rows: Sequence[Sequence[Json]], *, ordered: bool = True) -> Check:
    """The SQLite file answers this query with these rows. Run in a fresh sandbox."""
    params = {"path": path, "query": query, "rows": [list(row) for row in rows], "ordered": ordered}
    return Check(f"{path} answers {query[:60]}", "sqlite", params, (path,))


def expect_git(path: str, **facts: Json) -> Check:
    """Facts of a repository, read by git in a fresh sandbox.

    Known facts: ``branch`` (current), ``branches`` (sorted list), ``tips`` (branch to subject of its newest commit),
    ``subjects`` (of the current branch, newest first, as many as given), ``tags`` (tag to subject of its commit),
    ``head_files`` (all paths at HEAD to ``content(...)``), ``clean`` (true).
    """
    return Check(f"{path} has the history", "git", {"path": path, **facts}, (path,))


def expect_run(
    path: str, cases: Sequence[Mapping[str, Json]], *, interpreter: str = "bash", executable: bool = False
) -> Check:
    """The script prints the right text: cases of ``args``, ``files`` (path to text, put there first) and ``stdout``.

    Run in a fresh sandbox that holds the evidence; trailing white space at the end of the output is forgiven.
    ``executable``: its owner must be allowed to execute it, whatever else its mode says.
    """
    params = {"path": path, "interpreter": interpreter, "executable": executable, "cases": [dict(c) for c in cases]}
    return Check(f"{path} prints the right text", "run", params, (path,))


def expect_unchanged(files: Mapping[str, bytes]) -> Check:
    """These files still hold what they held at the start."""
    digests = {name: digest_bytes(data) for name, data in files.items()}
    return Check("inputs are unchanged", "unchanged", {"files": digests}, tuple(files))


def content(data: Content) -> Json:
    """How a check names content: ``{"sha256": ...}`` or ``{"same": PATH}``."""
    return {"same": data.path} if isinstance(data, Same) else {"sha256": digest_bytes(data)}


def _exact(value: Json) -> str:
    """JSON text that keeps every number exactly, which a JSON number in the task record might not."""
    return render_json(value, indent=None, spaced=False).decode().strip()


def _contents(files: Mapping[str, Content]) -> dict[str, Json]:
    return {name: content(data) for name, data in files.items()}


def _others(files: Mapping[str, Content]) -> tuple[str, ...]:
    return tuple(data.path for data in files.values() if isinstance(data, Same))


def _content(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}
