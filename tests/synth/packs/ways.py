"""Runs the ways and slips of an application for real and compares what they leave with what the skill predicts."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from trajmill.schemas.task import Check
from trajmill.schemas.tree import FileEntry, FolderEntry, LinkEntry, Tree
from trajmill.synth.packs.skill import Act, Application, Slip
from trajmill.synth.packs.state import World

SHELL = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "GIT_AUTHOR_NAME": "Agent",
    "GIT_AUTHOR_EMAIL": "agent@example.com",
    "GIT_COMMITTER_NAME": "Agent",
    "GIT_COMMITTER_EMAIL": "agent@example.com",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00+00:00",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00+00:00",
    "GIT_CONFIG_NOSYSTEM": "1",
}


def assert_ways(application: Application, world: World) -> None:
    """Every way whose tools are here gives the predicted outputs; every slip shows and the first way puts it right."""
    ways = [w for w in application.ways if all(shutil.which(t) for t in w.tools)]
    assert ways, "no way can run here"
    for way in ways:
        with workspace(world) as folder:
            _do(way.acts, folder)
            assert_outputs(application, folder, world, way.name)
    for slip in application.slips:
        if all(shutil.which(t) for t in slip.tools):
            _assert_slip(slip, application, world)


@contextmanager
def workspace(world: World) -> Iterator[Path]:
    """A folder with the world's files in it and its setup done."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "workspace"
        folder.mkdir()
        put_tree(world.files, folder)
        for script in world.setup:
            done = run(script, folder)
            assert done.returncode == 0, f"setup failed: {done.stdout}"
        yield folder


def put_tree(tree: Tree, folder: Path) -> None:
    """Write the entries of a tree."""
    for path, entry in tree.entries.items():
        place = folder / path
        if isinstance(entry, FolderEntry):
            place.mkdir(parents=True, exist_ok=True)
            place.chmod(entry.mode)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(entry, LinkEntry):
            place.symlink_to(entry.target)
        else:
            place.write_bytes(entry.data)
            place.chmod(entry.mode)
            os.utime(place, (entry.mtime, entry.mtime))


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """One command in the workspace, standard output and error together."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**SHELL, "HOME": str(folder.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=20,
        umask=0o022,
        check=False,
    )


def assert_outputs(application: Application, folder: Path, world: World, label: str) -> None:
    """The outputs hold what the checks claim, other files of the world are as they were, and nothing else appeared."""
    for check in application.checks:
        wrong = _failure(check, folder)
        assert not wrong, f"{label}: {check.name}: {wrong}"
    after = application.after
    for path in after.tree.entries:
        entry = after.tree.file(path)
        if entry is not None and path not in after.loose:
            assert (folder / path).read_bytes() == entry.data, f"{label}: {path} is not as predicted"
            assert (folder / path).stat().st_mode & 0o7777 == entry.mode, f"{label}: mode of {path}"
    known = {*after.tree.entries, *after.opaque, *world.files.entries}
    for place in folder.rglob("*"):
        path = place.relative_to(folder).as_posix()
        if place.is_file() and ".git" not in place.parts:
            inside = any(path == k or path.startswith(f"{k}/") for k in known)
            assert inside or any(o == path or path.startswith(f"{o}/") for o in application.outputs), (
                f"{label} left {path}"
            )


def _assert_slip(slip: Slip, application: Application, world: World) -> None:
    with workspace(world) as folder:
        seen = run(slip.command, folder).stdout
        if slip.look:
            seen = run(slip.look, folder).stdout
        assert re.search(slip.sign, seen), f"the slip does not show: {slip.command}\n{slip.sign}\n{seen}"
        if slip.undo:
            done = run(slip.undo, folder)
            assert done.returncode == 0, f"undo failed: {done.stdout}"
        _do(application.ways[0].acts, folder)
        assert_outputs(application, folder, world, "after the slip")
        if slip.look:
            again = run(slip.look, folder).stdout
            assert not re.search(slip.sign, again), f"the sign is there when all is right: {slip.sign}\n{again}"


def _do(acts: tuple[Act, ...], folder: Path) -> None:
    for act in acts:
        done = run(act.command, folder)
        assert done.returncode == 0, f"{act.command}\nfailed with {done.returncode}: {done.stdout}"


def _failure(check: Check, folder: Path) -> str:
    """What is wrong, or nothing; kinds that need more than the file are left to the checks of the verifiers."""
    path = folder / str(check.params.get("path", "."))
    params: Mapping[str, Any] = check.params
    match check.kind:
        case "file" if "text" in params:
            return _differs(path.read_bytes(), params["text"].encode())
        case "lines":
            got = path.read_text("utf-8").removesuffix("\n").split("\n") if path.stat().st_size else []
            want = params["lines"]
            return _differs(got, want) if params["ordered"] else _differs(sorted(got), sorted(want))
        case "table":
            return _table_failure(path, params)
        case "json":
            return _differs(_loads(path.read_text("utf-8")), _loads(params["json"]))
        case "json_lines":
            lines = [_loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
            want = [_loads(line) for line in params["lines"]]
            return (
                _differs(lines, want)
                if params["ordered"]
                else _differs(sorted(map(str, lines)), sorted(map(str, want)))
            )
        case "folder":
            found = {p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file()}
            return _differs(found, set(params["files"]))
        case "modes":
            modes = {p: f"{(folder / p).stat().st_mode & 0o7777:04o}" for p in params["modes"]}
            return _differs(modes, dict(params["modes"]))
        case "absent":
            return next((f"{p} exists" for p in params["paths"] if os.path.lexists(folder / p)), "")
    return ""


def _table_failure(path: Path, params: Mapping[str, Any]) -> str:
    text = path.read_bytes().decode("utf-8")
    lines, delimiter = io.StringIO(text, newline=""), params["delimiter"]
    tabs = delimiter == "\t"
    reader = (
        csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
        if tabs
        else csv.reader(lines, delimiter=delimiter)
    )
    rows = list(reader)
    if params["header"] is not None:
        if rows[:1] != [params["header"]]:
            return f"header is {rows[:1]}, not {params['header']}"
        rows = rows[1:]
    want = [list(r) for r in params["rows"]]
    return _differs(rows, want) if params["ordered"] else _differs(sorted(rows), sorted(want))


def _differs(got: object, want: object) -> str:
    return "" if got == want else f"got {str(got)[:600]}\nwant {str(want)[:600]}"


def _loads(text: str) -> Any:
    return json.loads(text, parse_float=Decimal)


def file(data: bytes | str, mode: int = 0o644) -> FileEntry:
    """A file entry from text or bytes."""
    return FileEntry(data.encode() if isinstance(data, str) else data, mode)
