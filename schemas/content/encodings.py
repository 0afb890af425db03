"""How bytes become text: byte order marks, UTF-8 or not, NUL bytes, line endings. Guesses are marked as guesses."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from trajmill.schemas.content.notes import ContentError

EncodingName = Literal["ascii", "utf-8", "utf-16-le", "utf-16-be", "latin-1", "cp1252", "binary"]
EndingStyle = Literal["lf", "crlf", "cr", "mixed", "none"]

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_NUL_RUN = re.compile(rb"\x00+")
_MOST_NUL_RUNS = 16
_MOST_CONTROL_SHARE = 0.01
_SAMPLE = 1 << 20


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoding of a file."""

    name: EncodingName
    bom: bool = False
    guess: bool = False
    """True where the bytes do not prove the encoding: single-byte text, or UTF-16 without a byte order mark."""
    bad_offset: int | None = None
    """Offset of the first byte that is not UTF-8, for what is not UTF-8."""

    @property
    def is_utf8(self) -> bool:
        """Readable as UTF-8 by any tool: ASCII or UTF-8, with or without a byte order mark."""
        return self.name in ("ascii", "utf-8")


@dataclass(frozen=True, slots=True)
class Endings:
    """How many of each line ending a text has."""

    crlf: int = 0
    lf: int = 0
    cr: int = 0

    @property
    def style(self) -> EndingStyle:
        """The one style used, ``mixed`` for several, ``none`` for a text without any."""
        used: list[EndingStyle] = []
        if self.crlf:
            used.append("crlf")
        if self.lf:
            used.append("lf")
        if self.cr:
            used.append("cr")
        return used[0] if len(used) == 1 else ("mixed" if used else "none")

    @property
    def total(self) -> int:
        """All endings together."""
        return self.crlf + self.lf + self.cr


@dataclass(frozen=True, slots=True)
class NulRun:
    """NUL bytes in a row, as an unclean stop leaves them in a log."""

    offset: int
    length: int
    line: int


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded text with what is known about its bytes; the byte order mark is not part of ``text``."""

    text: str
    encoding: Encoding
    endings: Endings
    nul_runs: tuple[NulRun, ...] = ()

    @property
    def final_newline(self) -> bool:
        """The text ends with a line ending (an empty text does not)."""
        return self.text.endswith(("\n", "\r"))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines without their endings, where CRLF, LF and a lone CR each end a line."""
        parts = re.split(r"\r\n|\n|\r", self.text)
        return tuple(parts[:-1] if parts[-1] == "" else parts)


def detect_encoding(data: bytes) -> Encoding:
    """Say how bytes are encoded; ``binary`` if they are no text. Never raises."""
    marked = _by_mark(data)
    if marked is not None:
        return marked
    wide = _wide_guess(data)
    if wide is not None:
        return wide
    if _is_binary(data):
        return Encoding("binary", bad_offset=first_bad_utf8(data))
    if data.isascii():
        return Encoding("ascii")
    bad = first_bad_utf8(data)
    if bad is None:
        return Encoding("utf-8")
    return Encoding(_single_byte(data), guess=True, bad_offset=bad)


def decode(data: bytes, encoding: Encoding | None = None) -> Text:
    """Decode bytes strictly, by their own encoding unless one is given.

    Raises ContentError ``not_text`` for binary content and ``bad_encoding`` where the bytes break the encoding.
    """
    known = encoding or detect_encoding(data)
    if known.name == "binary":
        raise ContentError("not_text", "", "The content is binary")
    body = data[len(mark_of(known)) :] if known.bom else data
    try:
        text = body.decode(known.name)
    except UnicodeDecodeError as error:
        at = f"byte {error.start + len(data) - len(body)}"
        raise ContentError("bad_encoding", at, f"The content is not {known.name}") from error
    runs = nul_runs(data) if known.is_utf8 or known.guess else ()
    return Text(text, known, count_endings(text), runs)


def encode(text: str, encoding: str = "utf-8", *, bom: bool = False) -> bytes:
    """Encode text strictly, with a byte order mark if asked. Raises ContentError ``bad_encoding``."""
    try:
        body = text.encode(encoding)
    except UnicodeEncodeError as error:
        raise ContentError("bad_encoding", f"character {error.start}", f"Not to be written in {encoding}") from error
    return (mark_of(Encoding(known_encoding(encoding), bom=True)) if bom else b"") + body


def mark_of(encoding: Encoding) -> bytes:
    """The byte order mark that belongs to an encoding, empty where it has none."""
    marks: dict[str, bytes] = {
        "utf-8": codecs.BOM_UTF8,
        "ascii": codecs.BOM_UTF8,
        "utf-16-le": codecs.BOM_UTF16_LE,
        "utf-16-be": codecs.BOM_UTF16_BE,
    }
    return marks.get(encoding.name, b"") if encoding.bom else b""


def first_bad_utf8(data: bytes) -> int | None:
    """Offset of the first byte that is not UTF-8, or None."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def count_endings(text: str) -> Endings:
    """Count CRLF pairs, lone LF and lone CR."""
    crlf = text.count("\r\n")
    return Endings(crlf=crlf, lf=text.count("\n") - crlf, cr=text.count("\r") - crlf)


def nul_runs(data: bytes) -> tuple[NulRun, ...]:
    """Every run of NUL bytes with its offset, length and line (lines end at LF and count from 1)."""
    if 0 not in data:
        return ()
    runs: list[NulRun] = []
    line, seen = 1, 0
    for match in _NUL_RUN.finditer(data):
        line += data.count(b"\n", seen, match.start())
        seen = match.start()
        runs.append(NulRun(match.start(), match.end() - match.start(), line))
        if len(runs) > _MOST_NUL_RUNS:
            break
    return tuple(runs)


def known_encoding(name: str) -> EncodingName:
    """The same name as a checked one. Raises ContentError ``bad_encoding`` for an encoding that is not supported."""
    known: dict[str, EncodingName] = {
        "ascii": "ascii",
        "utf-8": "utf-8",
        "utf-16-le": "utf-16-le",
        "utf-16-be": "utf-16-be",
        "latin-1": "latin-1",
        "cp1252": "cp1252",
    }
    if name not in known:
        raise ContentError("bad_encoding", "", f"The encoding {name!r} is not supported")
    return known[name]


def _by_mark(data: bytes) -> Encoding | None:
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return Encoding("binary")
    if data.startswith(codecs.BOM_UTF8):
        bad = first_bad_utf8(data)
        return Encoding("utf-8", bom=True) if bad is None else Encoding("binary", bad_offset=bad)
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return (
                Encoding(known_encoding(name), bom=True, bad_offset=0) if _decodes(data, name) else Encoding("binary")
            )
    return None


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _wide_guess(data: bytes) -> Encoding | None:
    """UTF-16 without a mark: text in Latin letters has a NUL in every second byte."""
    sample = data[: _SAMPLE & ~1]
    half = len(sample) // 2
    if len(data) % 2 or half < 8:
        return None
    names: tuple[tuple[int, EncodingName], ...] = ((1, "utf-16-le"), (0, "utf-16-be"))
    for start, name in names:
        high, low = sample[start::2], sample[1 - start :: 2]
        if high.count(0) > 0.7 * half and low.count(0) == 0 and not _CONTROL.search(low) and _decodes(data, name):
            return Encoding(name, guess=True, bad_offset=first_bad_utf8(data))
    return None


def _is_binary(data: bytes) -> bool:
    """Control bytes make content binary, except a few runs of NUL in what is otherwise clean UTF-8."""
    if not _CONTROL.search(data):
        return False
    if 0 not in data:
        return len(_CONTROL.findall(data[:_SAMPLE])) > _MOST_CONTROL_SHARE * min(len(data), _SAMPLE)
    runs = nul_runs(data)
    rest = data.replace(b"\x00", b"")
    too_many = len(runs) > _MOST_NUL_RUNS or len(rest) * 2 < len(data)
    return too_many or bool(_CONTROL.search(rest)) or first_bad_utf8(rest) is not None


def _single_byte(data: bytes) -> EncodingName:
    """cp1252 where bytes 0x80 to 0x9F are used as letters and signs; else both agree and latin-1 is named."""
    high = {b for b in set(data) if 0x80 <= b <= 0x9F}
    if not high:
        return "latin-1"
    return "cp1252" if not high & {0x81, 0x8D, 0x8F, 0x90, 0x9D} else "binary"
