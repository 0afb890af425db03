"""Judges what a way leaves behind with the project's own checks, so that test and verifier cannot drift apart."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import stat
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tests.synth.packs.ways import SHELL, run, workspace
from trajmill.schemas.task import Environment
from trajmill.schemas.tree import FileEntry, FolderEntry, LinkEntry, Tree
from trajmill.synth.packs.skill import Application, Slip
from trajmill.synth.packs.state import World
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks import check_function


def assert_passes(application: Application, world: World) -> None:
    """The checks refuse the untouched workspace and accept what every way and every mended slip leaves."""
    with workspace(world) as folder:
        assert faults(application, folder), "the checks accept a workspace in which nothing was done"
    ways = [w for w in application.ways if all(shutil.which(t) for t in w.tools)]
    assert ways, "no way can run here"
    for way in ways:
        with workspace(world) as folder:
            before = _paths(folder)
            for act in way.acts:
                done = run(act.command, folder)
                assert done.returncode == 0, f"{act.command}\nfailed with {done.returncode}: {done.stdout}"
                assert str(folder) not in done.stdout, f"{act.command} prints where it ran"
            assert not faults(application, folder), f"{way.name}: {faults(application, folder)}\n{way.acts[0].command}"
            _assert_model(application, folder, before, way.name)
    for slip in application.slips:
        if all(shutil.which(t) for t in slip.tools):
            _assert_slip(slip, application, world)


def faults(application: Application, folder: Path) -> list[str]:
    """What the checks find wrong with the workspace as it is."""
    return asyncio.run(_faults(application, folder))


async def _faults(application: Application, folder: Path) -> list[str]:
    evidence = cast(Evidence, _Here(tree_of(folder), _Box(folder), Environment(workdir="/workspace")))
    found = [(c.name, await check_function(c.kind)(c.params, evidence)) for c in application.checks]
    return [f"{name}: {finding.detail}" for name, finding in found if not finding.passed]


def tree_of(folder: Path) -> Tree:
    """The folder as a verifier would get it."""
    entries: dict[str, Any] = {}
    for place in folder.rglob("*"):
        path = place.relative_to(folder).as_posix()
        if place.is_symlink():
            entries[path] = LinkEntry(str(place.readlink()))
        elif place.is_dir():
            entries[path] = FolderEntry(stat.S_IMODE(place.stat().st_mode))
        else:
            entries[path] = FileEntry(place.read_bytes(), stat.S_IMODE(place.stat().st_mode))
    return Tree(entries)


def _assert_model(application: Application, folder: Path, before: set[str], label: str) -> None:
    after = application.after
    for path in after.tree.entries:
        entry = after.tree.file(path)
        if entry is not None and path not in after.loose:
            assert (folder / path).read_bytes() == entry.data, f"{label}: {path} is not as predicted"
            assert stat.S_IMODE((folder / path).stat().st_mode) == entry.mode, f"{label}: mode of {path}"
    known = {*before, *application.outputs}
    for path in _paths(folder):
        assert any(path == k or path.startswith(f"{k}/") for k in known), f"{label} left {path}"
        hidden = any(path.startswith(f"{made}/") for made in after.opaque)
        assert hidden or after.holds(path), f"{label}: the model knows nothing of {path}"


def _paths(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file() or p.is_symlink()}


def _assert_slip(slip: Slip, application: Application, world: World) -> None:
    with workspace(world) as folder:
        seen = run(slip.command, folder).stdout
        seen = run(slip.look, folder).stdout if slip.look else seen
        assert re.search(slip.sign, seen), f"the slip does not show: {slip.command}\n{slip.sign}\n{seen}"
        if slip.undo:
            done = run(slip.undo, folder)
            assert done.returncode == 0, f"undo failed: {done.stdout}"
        for act in application.ways[0].acts:
            done = run(act.command, folder)
            assert done.returncode == 0, f"after the slip: {act.command}\n{done.stdout}"
        assert not faults(application, folder), f"after {slip.command}: {faults(application, folder)}"
        if slip.look:
            again = run(slip.look, folder).stdout
            assert not re.search(slip.sign, again), f"the sign is there when all is right: {slip.sign}\n{again}"


@dataclass(frozen=True)
class _Result:
    exit_code: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    omitted_bytes: int = 0


@dataclass(frozen=True)
class _Box:
    folder: Path

    async def exec(
        self, argv: Sequence[str], *, env: Mapping[str, str] | None = None, timeout: float = 20.0
    ) -> _Result:
        done = subprocess.run(
            list(argv), cwd=self.folder, env={**SHELL, **(env or {})}, capture_output=True, timeout=timeout, check=False
        )
        return _Result(done.returncode, done.stdout, done.stderr)

    async def put(self, tree: Tree, folder: str) -> None:
        for path, entry in tree.entries.items():
            assert isinstance(entry, FileEntry)
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_bytes(entry.data)


@dataclass(frozen=True)
class _Here:
    tree: Tree
    _box: _Box
    environment: Environment = field(default_factory=Environment)

    async def box(self) -> _Box:
        return self._box

    async def put(self, box: _Box, files: Tree) -> bool:
        await box.put(files, "/workspace")
        return True

    @contextlib.asynccontextmanager
    async def own_box(self) -> AsyncIterator[_Box]:
        yield self._box


def apply_often(apply: Any, world: World, seeds: Sequence[int], **how: Any) -> list[Application]:
    """What the skill makes of the world with these seeds, without the refusals."""
    from tests.synth.packs.states import draw

    found: list[Application | None] = []
    for seed in seeds:
        with contextlib.suppress(IndexError):
            found.append(apply(world.state, draw(seed, **how)))
    return [a for a in found if a is not None]
