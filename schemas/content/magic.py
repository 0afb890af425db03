"""What bytes are by their first bytes, whatever the file is called."""

from __future__ import annotations

import re
from typing import Literal

MagicKind = Literal[
    "sqlite", "gzip", "zip", "tar", "xz", "bzip2", "zstd", "png", "jpeg", "gif", "pdf", "elf", "parquet"
]

ARCHIVES: frozenset[str] = frozenset({"gzip", "zip", "tar", "xz", "bzip2", "zstd"})

_STARTS: tuple[tuple[bytes, MagicKind], ...] = (
    (b"SQLite format 3\x00", "sqlite"),
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"%PDF-", "pdf"),
    (b"\x7fELF", "elf"),
    (b"PAR1", "parquet"),
)
_TAR_AT = 257
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE | re.DOTALL)


def magic_kind(data: bytes) -> MagicKind | None:
    """The kind that the first bytes prove, or None; a text that begins with ``BZh`` is no archive."""
    for start, kind in _STARTS:
        if data.startswith(start) and (kind != "bzip2" or data[4:10] in (b"1AY&SY", b"\x17rE8P\x90")):
            return kind
    return "tar" if data[_TAR_AT : _TAR_AT + 5] == b"ustar" else None


def looks_like_html(data: bytes) -> bool:
    """Begins, after blanks, comments and a byte order mark, with a doctype or an html, head or body tag."""
    return bool(_HTML.match(data[:4096].removeprefix(b"\xef\xbb\xbf")))
