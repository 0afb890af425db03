"""``archive``: exactly these files are in the archive; folders and a leading ``./`` are forgiven."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import compare_files, read_file, wanted_digest
from trajmill.verifiers.finding import Finding, failed

MOST_BYTES = 64 << 20
"""Bytes that an archive may unpack to: as much as a workspace may hold."""
MOST_MEMBERS = 10_000

TAR_MODES = {"tar": "r:", "tar.gz": "r:gz", "tar.xz": "r:xz", "tar.bz2": "r:bz2"}


class _BadArchive(Exception):
    """The archive cannot be read, or is too large; the text says why."""


async def check_archive(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``format`` (a key of TAR_MODES, ``zip`` or ``gz``), ``members`` (name to content)."""
    path, form = str(params["path"]), str(params["format"])
    data = read_file(evidence.tree, path)
    if isinstance(data, Finding):
        return data
    members: Mapping[str, Mapping[str, Json]] = params["members"]
    try:
        if form == "gz":
            (content,) = members.values()
            return _check_gz(path, data, content, evidence)
        found = _read_zip(data) if form == "zip" else _read_tar(data, TAR_MODES[form])
    except _BadArchive as problem:
        return failed(f"{path} {problem}")
    return compare_files(evidence.tree, members, found, f"{path} member")


def _check_gz(path: str, data: bytes, content: Mapping[str, Json], evidence: Evidence) -> Finding:
    want = wanted_digest(evidence.tree, content)
    if isinstance(want, Finding):
        return want
    return compare_files(evidence.tree, {path: {"sha256": want}}, {path: _read_gz(data)}, "content of")


def _read_gz(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            content = stream.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise _BadArchive(f"is no gzip file: {error}") from error
    if len(content) > MOST_BYTES:
        raise _BadArchive("unpacks to more than a workspace may hold")
    return content


def _read_tar(data: bytes, mode: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    total = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode=mode) as archive:  # type: ignore[call-overload]
            for number, member in enumerate(archive):
                total += member.size
                if number >= MOST_MEMBERS or total > MOST_BYTES:
                    raise _BadArchive("holds more than a workspace may hold")
                name = _plain(member.name)
                if member.isdir():
                    continue
                if not member.isreg():
                    raise _BadArchive(f"has the member {name}, which is no regular file")
                stream = archive.extractfile(member)
                _add(found, name, stream.read() if stream else b"")
    except (tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
        raise _BadArchive(f"is not the archive expected: {error}") from error
    return found


def _read_zip(data: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) > MOST_MEMBERS or sum(m.file_size for m in members) > MOST_BYTES:
                raise _BadArchive("holds more than a workspace may hold")
            for member in members:
                if not member.is_dir():
                    with archive.open(member) as stream:
                        _add(found, _plain(member.filename), stream.read(MOST_BYTES))
    except (zipfile.BadZipFile, OSError, EOFError, zlib.error, RuntimeError, NotImplementedError, ValueError) as error:
        raise _BadArchive(f"is no zip archive: {error}") from error
    return found


def _add(found: dict[str, bytes], name: str, data: bytes) -> None:
    if name in found:
        raise _BadArchive(f"has the member {name} twice")
    found[name] = data


def _plain(name: str) -> str:
    while name.startswith("./"):
        name = name[2:]
    return name.rstrip("/")
