"""``archive``: members and bombs."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import resource
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable

import pytest

from tests.verifiers.evidence import look
from trajmill.schemas.ids import digest_bytes
from trajmill.verifiers.checks import archive as archive_check

MEMBERS = {"a.txt": {"sha256": digest_bytes(b"a\n")}, "sub/b.txt": {"same": "b.txt"}}
RIGHT = {"a.txt": b"a\n", "sub/b.txt": b"b\n"}
PACK: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes,
    "tar.gz": gzip.compress,
    "tar.bz2": bz2.compress,
    "tar.xz": lzma.compress,
}


def tar(members: dict[str, bytes], *more: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for info in more:
            archive.addfile(info)
    return buffer.getvalue()


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def check(form: str, data: bytes) -> str:
    files = {"o": data, "b.txt": b"b\n"}
    return look("archive", {"path": "o", "format": form, "members": MEMBERS}, files).detail


@pytest.mark.parametrize("form", PACK)
def test_a_right_tar_is_accepted(form: str) -> None:
    data = tar({f"./{name}": content for name, content in RIGHT.items()}, special("./sub", tarfile.DIRTYPE))
    assert check(form, PACK[form](data)) == ""


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_right_zip_is_accepted(method: int) -> None:
    assert check("zip", zipped({**RIGHT, "sub/": b""}, method)) == ""


def test_xz_in_several_streams_is_read_as_one() -> None:
    data = tar(RIGHT)
    assert check("tar.xz", lzma.compress(data[:700]) + lzma.compress(data[700:]) + bytes(8)) == ""


@pytest.mark.parametrize("form", [*PACK, "zip"])
@pytest.mark.parametrize("data", [b"", b"\0", b"PK\x03\x04", b"not an archive\n" * 100, bytes(range(256)) * 8])
def test_what_is_no_archive_is_refused(form: str, data: bytes) -> None:
    detail = check(form, data)
    assert detail
    assert detail.isprintable()


@pytest.mark.parametrize("form", [*PACK, "zip"])
def test_an_archive_that_is_cut_short_is_refused(form: str) -> None:
    noise = bytes((n * 31 + n * n) % 251 for n in range(40_000))
    whole = zipped({"a.txt": noise}) if form == "zip" else PACK[form](tar({"a.txt": noise}))
    assert check(form, whole[: len(whole) // 2])


@pytest.mark.parametrize("form", ["tar.gz", "zip"])
@pytest.mark.parametrize(
    ("members", "detail"),
    [
        ({"a.txt": b"a\n"}, "o member sub/b.txt is missing"),
        ({**RIGHT, "c": b""}, "o member c is not expected"),
        ({**RIGHT, "a.txt": b"A\n"}, "o member a.txt has other content than expected"),
        ({**RIGHT, "../evil": b""}, "o member ../evil is not expected"),
        ({**RIGHT, "/etc/passwd": b""}, "o member /etc/passwd is not expected"),
        ({"top/a.txt": b"a\n", "top/sub/b.txt": b"b\n"}, "o member a.txt is missing"),
    ],
)
def test_other_members_are_named(form: str, members: dict[str, bytes], detail: str) -> None:
    assert check(form, zipped(members) if form == "zip" else gzip.compress(tar(members))) == detail


@pytest.mark.parametrize(
    "info",
    [
        special("a.txt", tarfile.SYMTYPE, "/etc/passwd"),
        special("a.txt", tarfile.LNKTYPE, "b.txt"),
        special("a.txt", tarfile.FIFOTYPE),
        special("a.txt", tarfile.CHRTYPE),
    ],
    ids=["symbolic link", "hard link", "FIFO", "device"],
)
def test_a_special_member_is_refused(info: tarfile.TarInfo) -> None:
    assert check("tar", tar({}, info)) == "o has the member a.txt, which is no regular file"


def test_a_symbolic_link_in_a_zip_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        link = zipfile.ZipInfo("a.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert check("zip", buffer.getvalue()) == "o has the member a.txt, which is no regular file"


def test_a_member_twice_is_refused() -> None:
    data = tar({"a.txt": b"x"}, tarfile.TarInfo("./a.txt"))
    assert check("tar", data) == "o has the member a.txt twice"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", b"x")
        archive.writestr("./a.txt", b"a\n")
    assert check("zip", buffer.getvalue()) == "o has the member a.txt twice"


def test_an_encrypted_zip_is_refused() -> None:
    data = bytearray(zipped(RIGHT))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in check("zip", bytes(data))


def gz(data: bytes) -> str:
    params = {"path": "o.gz", "format": "gz", "members": {"o": {"sha256": digest_bytes(b"text\n")}}}
    return look("archive", params, {"o.gz": data}).detail


def test_gz_compares_the_content_only() -> None:
    assert gz(gzip.compress(b"text\n")) == ""
    assert gz(gzip.compress(b"te") + gzip.compress(b"xt\n")) == ""
    assert gz(gzip.compress(b"Text\n")) == "content of o.gz has other content than expected"
    assert "is no gzip file" in gz(b"text\n")
    assert "is no gzip file" in gz(gzip.compress(b"text\n")[:-4])
    assert "is no gzip file" in gz(b"")


MEGABYTE = bytes(1 << 20)
GZ_ZEROS = gzip.compress(MEGABYTE) * 256
LIMIT = 8 << 20


def header(kind: bytes, size: int, name: str = "x") -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


def lying_zip(method: int, bomb: bytes) -> bytes:
    """A zip whose directory says that a member is small, and whose packed bytes unfold without end."""
    data = bytearray(zipped({"a.txt": b"a\n"}, method))
    entry, end, start = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06"), 30 + len("a.txt")
    packed = len(bomb).to_bytes(4, "little")
    data[18:22] = packed
    data[entry + 20 : entry + 24] = packed
    data[end + 16 : end + 20] = (start + len(bomb)).to_bytes(4, "little")
    return bytes(data[:start]) + bomb + bytes(data[entry:])


def deflated_zeros() -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return b"".join([*(packer.compress(MEGABYTE) for _ in range(64)), packer.flush()])


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "gz of zeros": ("tar.gz", lambda: GZ_ZEROS),
    "bz2 of zeros": ("tar.bz2", lambda: bz2.compress(MEGABYTE) * 256),
    "xz of zeros": ("tar.xz", lambda: lzma.compress(MEGABYTE, preset=0) * 256),
    "a name of 8 GB": ("tar.gz", lambda: gzip.compress(header(tarfile.GNUTYPE_LONGNAME, 8 << 30)) + GZ_ZEROS),
    "a member that says it is large": ("tar.gz", lambda: gzip.compress(header(tarfile.REGTYPE, 8 << 30))),
    "headers of headers": ("tar", lambda: header(tarfile.GNUTYPE_LONGNAME, 0) * 5_000),
    "pax headers of pax headers": ("tar", lambda: header(tarfile.XHDTYPE, 0) * 5_000),
    "many members": ("tar", lambda: b"".join(header(tarfile.REGTYPE, 0, str(n)) for n in range(10_001))),
    "zip that lies": ("zip", lambda: lying_zip(zipfile.ZIP_DEFLATED, deflated_zeros())),
    "zip that lies, packed by bz2": ("zip", lambda: lying_zip(zipfile.ZIP_BZIP2, bz2.compress(MEGABYTE) * 64)),
    "zip of zeros": ("zip", lambda: zipped({"a.txt": bytes(LIMIT + 1)})),
    "zip with many entries": ("zip", lambda: (b"PK\x01\x02" + bytes(42)) * 1_000_000),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_little_memory_and_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_check, "MOST_BYTES", LIMIT)
    form, make = BOMBS[name]
    data = make()
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    assert check(form, data)
    assert time.process_time() - started < 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000, "kilobytes of memory"


def test_an_xz_stream_that_wants_much_memory_is_refused() -> None:
    data = bytearray(lzma.compress(tar(RIGHT)))
    data[16] = 36  # the dictionary of the first block: 1 GB
    data[20:24] = zlib.crc32(bytes(data[12:20])).to_bytes(4, "little")
    assert "emory" in check("tar.xz", bytes(data))
