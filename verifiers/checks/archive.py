"""``archive``: exactly these files are in the archive; folders and a leading ``./`` are forgiven."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import struct
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

XZ_MEMORY = 256 << 20
"""Bytes that a decompressor may use; the strongest preset of xz needs 65 MB."""

TAR_FORMS = {"tar": "", "tar.gz": "gz", "tar.xz": "xz", "tar.bz2": "bz2"}
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those that the standard library unpacks in bounded memory, and the only ones that ``zip`` uses by itself."""
ZIP_ENTRY = b"PK\x01\x02"
"""Start of a directory entry; the standard library reads all of them before it says how many there are."""
UNREADABLE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    lzma.LZMAError,
    zlib.error,
    struct.error,
    OSError,
    EOFError,
    ArithmeticError,
    LookupError,
    RuntimeError,
    ValueError,
)
"""What the standard library's readers raise for bytes that are no archive."""


class _BadArchive(Exception):
    """The archive cannot be read, or is too large; the text says why."""


async def check_archive(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``format`` (a key of TAR_FORMS, ``zip`` or ``gz``), ``members`` (name to content)."""
    path, form = str(params["path"]), str(params["format"])
    data = read_file(evidence.tree, path)
    if isinstance(data, Finding):
        return data
    members: Mapping[str, Mapping[str, Json]] = params["members"]
    try:
        if form == "gz":
            (content,) = members.values()
            return _check_gz(path, data, content, evidence)
        found = _read_zip(data) if form == "zip" else _read_tar(data, TAR_FORMS[form])
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
        return _unpacked(data, "gz")
    except UNREADABLE as error:
        raise _BadArchive(f"is no gzip file: {error}") from error


def _unpacked(data: bytes, form: str) -> bytes:
    """The bytes below the compression, never more than a workspace may hold."""
    if not data:
        raise EOFError("it is empty")
    if form == "xz":
        return _bounded(_unpack_xz(data))
    with io.BytesIO(data) as packed:
        if form == "gz":
            return _bounded(gzip.GzipFile(fileobj=packed).read(MOST_BYTES + 1))
        if form == "bz2":
            return _bounded(bz2.BZ2File(packed).read(MOST_BYTES + 1))
    return _bounded(data)


def _unpack_xz(data: bytes) -> bytes:
    """Stream by stream; the standard library's file object would take as much memory as a stream asks for."""
    parts = []
    left = MOST_BYTES + 1
    while data and left:
        stream = lzma.LZMADecompressor(memlimit=XZ_MEMORY)
        parts.append(stream.decompress(data, left))
        left -= len(parts[-1])
        while left and not stream.eof and not stream.needs_input:
            parts.append(stream.decompress(b"", left))
            left -= len(parts[-1])
        if left and not stream.eof:
            raise EOFError("the compressed data end too early")
        data = stream.unused_data.lstrip(b"\0")
    return b"".join(parts)


def _bounded(content: bytes) -> bytes:
    if len(content) > MOST_BYTES:
        raise _BadArchive("unpacks to more than a workspace may hold")
    return content


def _read_tar(data: bytes, compression: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    total = 0
    try:
        plain = io.BytesIO(_unpacked(data, compression))
        with tarfile.open(fileobj=plain, mode="r:") as archive:
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
    except UNREADABLE as error:
        raise _BadArchive(f"is not the archive expected: {error}") from error
    return found


def _read_zip(data: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    if data.count(ZIP_ENTRY) > MOST_MEMBERS:
        raise _BadArchive("holds more than a workspace may hold")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(m.file_size for m in members) > MOST_BYTES:
                raise _BadArchive("holds more than a workspace may hold")
            for member in members:
                name = _plain(member.filename)
                if member.is_dir():
                    continue
                if stat.S_ISLNK(member.external_attr >> 16):
                    raise _BadArchive(f"has the member {name}, which is no regular file")
                if member.compress_type not in ZIP_METHODS:
                    raise _BadArchive(f"packs the member {name} in an unusual way")
                with archive.open(member) as stream:
                    _add(found, name, stream.read(member.file_size + 1))
    except UNREADABLE as error:
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
