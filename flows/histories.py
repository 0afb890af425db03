"""Histories of the user's git repositories, read by git in a sandbox: git is never run on them outside of one.

Of a repository only its objects and references are put into the sandbox; its configuration, hooks and whatever else
can name a program or lead elsewhere stay outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trajmill.flows.inputs import Inputs
from trajmill.sandboxes.base import Backend, Limits, Sandbox, SandboxSpec
from trajmill.schemas.content.notes import Note
from trajmill.schemas.errors import InputError, SandboxError
from trajmill.schemas.tree import Entry, FileEntry, FolderEntry, Tree
from trajmill.schemas.verdict import Drop
from trajmill.synth.sources.history import (
    LOG_FORMAT,
    MOST_COMMITS,
    TAG_FORMAT,
    HistoryFault,
    make_repository,
    newest_run,
    read_blobs,
    read_listing,
    read_log,
    read_tags,
    require_branch,
    wanted_blobs,
)
from trajmill.synth.sources.material import Material, Source, left_out
from trajmill.synth.sources.names import shown_name
from trajmill.verifiers.checks.git import ENVIRONMENT, PLAIN_CONFIG, SAFE

_TIMEOUT_S = 30.0
_OUTPUT_BYTES = 4 << 20
_KEPT = frozenset({".git/HEAD", ".git/packed-refs", ".git/shallow"})
_UNREADABLE = frozenset({"no_space", "bad_path"})


async def with_histories(inputs: Inputs, backend: Backend, *, git: bool = True) -> Inputs:
    """The inputs with the history of every repository, each read in a sandbox of its own.

    A repository whose history cannot be read or used stays a material, with a note that says why and without a
    capability, and is told among what was left out. ``git`` says whether sandboxes have git; without it no repository
    is used. Raises InputError if nothing usable is left, SandboxError if a sandbox itself fails.
    """
    if not any(material.kind == "git" for material in inputs.materials):
        return inputs
    sources, read = [], {}
    for source in inputs.sources:
        materials = [await _with_history(m, backend, git) if m.kind == "git" else m for m in source.materials]
        drops = [_drop(m) for m in materials if m.kind == "git" and m.history is None]
        read.update({m.name: m for m in materials})
        sources.append(replace(source, materials=tuple(materials), left_out=_sorted(source, drops)))
    _require_usable(tuple(read.values()))
    return Inputs(
        sources=tuple(sources),
        materials=tuple(read[material.name] for material in inputs.materials),
        left_out=tuple(drop for source in sources for drop in source.left_out),
    )


def _sorted(source: Source, drops: Sequence[Drop]) -> tuple[Drop, ...]:
    return tuple(sorted((*source.left_out, *drops), key=lambda drop: drop.subject))


def _drop(material: Material) -> Drop:
    note = material.found.notes[0]
    return left_out(material.name, note.code, note.detail)


def _require_usable(materials: Sequence[Material]) -> None:
    if any(material.found.usable for material in materials):
        return
    unused = next(m for m in materials if m.kind == "git")
    why = unused.found.notes[0].detail
    raise InputError(
        f"The source holds nothing usable; the repository {shown_name(unused.name)} is not used: {why}.",
        remedy="Add other files, or a repository of small text files with at least three commits since its last merge.",
    )


async def _with_history(material: Material, backend: Backend, git: bool) -> Material:
    if material.tree is None or not material.usable_for("git"):
        return material
    try:
        if not git:
            raise HistoryFault("there is no git in the sandbox")
        return await _read(material, material.tree, backend)
    except HistoryFault as fault:
        note = Note(fault.code, ".git", fault.detail)
    except SandboxError as error:
        if error.cause not in _UNREADABLE:
            raise
        note = Note("history_unreadable", ".git", error.message)
    found = material.found
    return replace(material, found=replace(found, notes=(note, *found.notes), usable=found.usable - {"git"}))


async def _read(material: Material, tree: Tree, backend: Backend) -> Material:
    branch = require_branch(str(material.found.facts["branch"]))
    tip = f"refs/heads/{branch}"
    spec = SandboxSpec(_objects(tree), limits=Limits(output_bytes=_OUTPUT_BYTES), label="history")
    async with backend.open(spec) as box:
        newest = ("--first-parent", f"--max-count={MOST_COMMITS}")
        ids = newest_run(await _git(box, "rev-list", "--parents", *newest, tip))
        count = int(await _git(box, "rev-list", "--count", tip))
        log = await _git(box, "log", "-z", "--no-walk=unsorted", f"--format={LOG_FORMAT}", *ids)
        commits = read_log(log, ids)
        listings = [read_listing(await _git(box, "ls-tree", "-r", "-z", "-l", commit)) for commit in ids]
        wanted = wanted_blobs(listings)
        asked = "".join(f"{blob}\n" for blob in wanted).encode()
        blobs = read_blobs(await _git(box, "cat-file", "--batch", stdin=asked), wanted)
        tags = read_tags(await _git(box, "for-each-ref", f"--format={TAG_FORMAT}", "refs/tags"), ids)
    history = make_repository(branch, commits, listings, blobs, tags)
    notes = tuple(note for note in material.found.notes if note.code != "history_not_looked_at")
    part = "" if count == len(ids) else f"newest {len(ids)} of {count} commits"
    return replace(material, found=replace(material.found, notes=notes), history=history, excerpt=part)


def _objects(tree: Tree) -> Tree:
    """What git needs to read the history, beside a configuration that says nothing."""
    kept: dict[str, Entry] = {".git/objects": FolderEntry(), ".git/refs": FolderEntry(), ".git/config": PLAIN_CONFIG}
    for path, entry in tree.entries.items():
        inside = path.startswith((".git/objects/", ".git/refs/")) and not path.startswith(".git/objects/info/")
        if isinstance(entry, FileEntry) and (inside or path in _KEPT):
            kept[path] = entry
    return Tree(kept)


async def _git(box: Sandbox, *arguments: str, stdin: bytes = b"") -> bytes:
    argv = ["git", *SAFE, "--git-dir=.git", *arguments]
    result = await box.exec(argv, stdin=stdin, env=ENVIRONMENT, timeout=_TIMEOUT_S)
    if result.timed_out or result.omitted_bytes:
        why = "takes too long" if result.timed_out else "says more than is read"
        raise HistoryFault(f"git {arguments[0]} {why}", "history_unreadable")
    if result.exit_code != 0:
        lines = result.stderr.decode("utf-8", "replace").splitlines()
        said = next((x for x in lines if x.startswith(("fatal: ", "error: "))), f"it ended with {result.exit_code}")
        raise HistoryFault(f"git {arguments[0]}: {said}", "history_unreadable")
    return result.stdout
