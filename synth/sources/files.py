"""The user's own files as a source: taken whole and unchanged, or refused in one sentence before any work."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from trajmill.schemas.content.database import merged_database
from trajmill.schemas.content.magic import magic_kind
from trajmill.schemas.content.notes import ContentError, Note
from trajmill.schemas.errors import InputError
from trajmill.schemas.verdict import Drop
from trajmill.synth.sources.found import Found
from trajmill.synth.sources.listing import Limits, ListedFile, Listing, list_folder, open_regular, read_pieces
from trajmill.synth.sources.material import Material, Source, left_out
from trajmill.synth.sources.names import shown_name
from trajmill.synth.sources.provenance import FILE_NAME, Provenance, read_provenance
from trajmill.synth.sources.recognise import recognise
from trajmill.synth.sources.repository import read_repository
from trajmill.synth.sources.secrets import secret_content, secret_name

_COMPANIONS = ("-wal", "-shm", "-journal")
_BY_RECORDS = frozenset({"csv", "tsv", "jsonl", "log", "text"})
_MOST_SHOWN = 8


def read_folder(folder: Path, limits: Limits | None = None, *, include: frozenset[str] = frozenset()) -> Source:
    """Take every usable file of a folder; nothing in it is written, renamed or followed out of it.

    ``include`` names files that are wanted although they look like secrets. Files of no use (empty, binary, pipes,
    secrets) are left out with their reason. Raises InputError, before anything is read whole, if the folder is
    missing, holds nothing usable, or holds what cannot be taken safely.
    """
    bounds = limits or Limits()
    listing = _listed(folder, bounds)
    reader = _Reader(folder, bounds, include)
    materials: list[Material] = []
    dropped: list[Drop] = list(listing.left_out)
    terms = _provenance(reader, listing)
    companions = _companions(reader, listing)
    for file in listing.files:
        if file.name == FILE_NAME or file.name in companions:
            continue
        mine = tuple(listed for listed in listing.files if companions.get(listed.name) == file.name)
        taken = reader.take(file, mine)
        _sort_in(taken, terms.get(file.name), materials, dropped)
        if isinstance(taken, Drop):
            dropped.extend(left_out(c.name, taken.reason, f"belongs to {file.name}") for c in mine)
    for name in listing.repositories:
        taken = read_repository(folder / name, name or folder.resolve().name, bounds)
        _sort_in(taken, terms.get(name), materials, dropped)
    _require_usable(folder, materials, dropped)
    return Source(
        name=folder.resolve().name,
        materials=tuple(sorted(materials, key=lambda m: m.name)),
        left_out=tuple(sorted(dropped, key=lambda d: d.subject)),
    )


def _listed(folder: Path, limits: Limits) -> Listing:
    shown = shown_name(os.fspath(folder))
    if not folder.exists():
        raise InputError(f"The source folder {shown} does not exist.", remedy="Check [source] files.")
    if not folder.is_dir():
        raise InputError(f"The source {shown} is not a folder.", remedy="Name the folder that holds the files.")
    listing = list_folder(folder, limits)
    if listing.faults:
        shortened = "; ".join(listing.faults[:_MOST_SHOWN])
        more = len(listing.faults) - _MOST_SHOWN
        tail = f"; and {more} more" if more > 0 else ""
        raise InputError(
            f"The source folder {shown} cannot be taken safely: {shortened}{tail}.",
            remedy="Take these out of the folder, or mend them, and run again.",
        )
    if not (listing.files or listing.repositories or listing.left_out):
        raise InputError(f"The source folder {shown} holds no file.", remedy="Put the files to work on into it.")
    return listing


def _require_usable(folder: Path, materials: list[Material], dropped: list[Drop]) -> None:
    if any(m.found.usable for m in materials):
        return
    found = [f"{shown_name(d.subject)} ({d.reason})" for d in dropped]
    found += [f"{shown_name(m.name)} ({_why_not(m.found)})" for m in materials]
    more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    shown = ", ".join(found[:_MOST_SHOWN])
    raise InputError(
        f"The source folder {shown_name(os.fspath(folder))} holds nothing usable: {shown}{more}.",
        remedy="Add CSV, JSON, JSON Lines, logs, text, SQLite or settings files.",
    )


def _why_not(found: Found) -> str:
    return f"{found.kind}: {found.notes[0]}" if found.notes else found.kind


def _sort_in(taken: Material | Drop, terms: Provenance | None, materials: list[Material], dropped: list[Drop]) -> None:
    if isinstance(taken, Drop):
        dropped.append(taken)
    elif terms is None:
        materials.append(taken)
    else:
        materials.append(replace(taken, licence=terms.licence, origin=terms.origin))


def _provenance(reader: _Reader, listing: Listing) -> Mapping[str, Provenance]:
    file = next((f for f in listing.files if f.name == FILE_NAME), None)
    if file is None:
        return {}
    names = frozenset(f.name for f in listing.files) | frozenset(listing.repositories)
    return read_provenance(reader.read(file).head, names)


def _companions(reader: _Reader, listing: Listing) -> dict[str, str]:
    """Files that belong to a SQLite database beside them, and which one: they are one thing and are taken together."""
    by_name = {f.name: f for f in listing.files}
    found: dict[str, str] = {}
    for name in by_name:
        for ending in _COMPANIONS:
            main = name.removesuffix(ending)
            if main != name and main in by_name and magic_kind(reader.start(by_name[main])) == "sqlite":
                found[name] = main
    return found


@dataclass(frozen=True, slots=True)
class _Content:
    head: bytes
    """The first bytes, all of them unless the file is larger than ``whole_bytes``."""
    sha256: str
    """Of the whole file."""


class _Reader:
    """Opens the files of one folder, each once, for reading only."""

    def __init__(self, folder: Path, limits: Limits, include: frozenset[str]) -> None:
        self.folder = os.fspath(folder)
        self.limits = limits
        self.include = include

    def take(self, file: ListedFile, companions: tuple[ListedFile, ...]) -> Material | Drop:
        """The material in a file, or why it is left out."""
        why = "" if file.name in self.include else secret_name(file.name)
        if why:
            return left_out(file.name, "looks_like_secret", why)
        content = self.read(file)
        part = _head(file, content, self.limits.record_bytes) if file.size > self.limits.record_bytes else None
        if part is None and file.size > self.limits.whole_bytes:
            size = f"{file.size:,} bytes; above {self.limits.whole_bytes:,} only records are taken"
            return left_out(file.name, "too_large_to_use", size)
        material = part or Material(file.name, content.head, recognise(file.name, content.head), content.sha256)
        if material.kind == "sqlite" and companions:
            material = self._merged(material, companions)
        if material.kind in ("empty", "binary"):
            return left_out(file.name, material.kind, "; ".join(n.detail for n in material.found.notes))
        why = "" if file.name in self.include else secret_content(content.head)
        if why:
            return left_out(file.name, "looks_like_secret", why)
        return _noted(material, Note("mode_ignored", "", "mode 0000, read as root")) if file.mode == 0 else material

    def read(self, file: ListedFile) -> _Content:
        """Head and hash of a file. Raises InputError if it changes or vanishes meanwhile."""
        head = bytearray()
        sha, length = hashlib.sha256(), 0
        try:
            descriptor = open_regular(f"{self.folder}/{file.name}")
        except OSError as error:
            raise InputError(f"{shown_name(file.name)} cannot be read any more.", remedy="Run again.") from error
        try:
            for piece in read_pieces(descriptor):
                sha.update(piece)
                length += len(piece)
                if length > file.size:
                    break
                head += piece[: self.limits.whole_bytes - len(head)]
        finally:
            os.close(descriptor)
        if length != file.size:
            raise InputError(
                f"{shown_name(file.name)} changed while it was read.", remedy="Run again when nothing writes to it."
            )
        return _Content(bytes(head), sha.hexdigest())

    def start(self, file: ListedFile) -> bytes:
        """The first bytes of a file, enough to tell what it is."""
        descriptor = open_regular(f"{self.folder}/{file.name}")
        try:
            return os.read(descriptor, 512)
        finally:
            os.close(descriptor)

    def _merged(self, material: Material, companions: tuple[ListedFile, ...]) -> Material:
        """A database with what its companions hold; they were all read before anything is opened as a database."""
        parts = {c.name.removeprefix(material.name): self.read(c) for c in companions}
        wal, journal = parts.get("-wal"), parts.get("-journal")
        try:
            data = merged_database(
                material.data, wal=wal.head if wal else b"", journal=journal.head if journal else b""
            )
        except ContentError as error:
            note = Note(error.code, error.place, error.detail)
            return replace(material, found=Found("sqlite", material.found.facts, (note,)))
        found = recognise(material.name, data)
        hashes = {f"{material.name}{ending}": part.sha256 for ending, part in parts.items() if ending != "-shm"}
        found = replace(found, facts={**found.facts, "companions": hashes})
        merged = replace(material, data=data, found=found)
        return _noted(merged, Note("journal_merged", "", f"with {', '.join(hashes)}")) if hashes else merged


def _noted(material: Material, note: Note) -> Material:
    return replace(material, found=replace(material.found, notes=(note, *material.found.notes)))


def _head(file: ListedFile, content: _Content, room: int) -> Material | None:
    """The whole records at the start of a large file, or None where a part of it means nothing."""
    data = content.head[:room]
    cut = _cut(data)
    if cut == 0 or data.startswith((b"\xff\xfe", b"\xfe\xff")) or magic_kind(data) is not None:
        return None
    found = recognise(file.name, data[:cut])
    if found.kind not in _BY_RECORDS or (found.kind == "text" and data.lstrip()[:1] in (b"{", b"[")):
        return None
    part = f"bytes 1-{cut} of {file.size}"
    return _noted(Material(file.name, data[:cut], found, content.sha256, excerpt=part), Note("head_only", "", part))


def _cut(data: bytes) -> int:
    """End of the last line after which no quoted field is open; of the last line if there is none such."""
    last = end = data.rfind(b"\n") + 1
    quotes = data.count(b'"', 0, end)
    for _ in range(1_000):
        if end == 0 or quotes % 2 == 0:
            break
        before = data.rfind(b"\n", 0, end - 1) + 1
        quotes -= data.count(b'"', before, end)
        end = before
    return end or last
