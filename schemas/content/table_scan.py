"""Reading delimited text: which dialect it is in, and a strict scan that keeps line numbers and every fault."""

from __future__ import annotations

import csv
import functools
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from trajmill.schemas.content.encodings import Encoding, Text, decode, known_encoding, mark_of
from trajmill.schemas.content.notes import ContentError, listed
from trajmill.schemas.content.tables import Dialect, Row, Table, make_table

DELIMITERS = (",", ";", "\t", "|")
_DETECT_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a delimited file."""

    line: int
    """Line on which it begins, from 1; every CRLF, LF and lone CR ends a line, also inside quotes."""
    fields: Row


@dataclass(frozen=True, slots=True)
class TableScan:
    """A delimited file as it is, faults included; records exclude the header and blank lines."""

    dialect: Dialect
    header: Row
    records: tuple[Record, ...]
    blank_lines: tuple[int, ...]
    quoted: bool
    """Some field is written with quotes."""
    mixed_endings: bool
    final_newline: bool
    lines: int

    @property
    def ragged(self) -> tuple[Record, ...]:
        """The records whose number of fields is not the header's."""
        return tuple(r for r in self.records if len(r.fields) != len(self.header))

    def table(self) -> Table:
        """The table, typed. Raises ContentError ``ragged`` or ``blank_line`` with the lines."""
        if self.ragged:
            worst = self.ragged[0]
            detail = f"Line {worst.line} has {len(worst.fields)} fields, expected {len(self.header)}"
            raise ContentError("ragged", listed(tuple(r.line for r in self.ragged), "line"), detail)
        if self.blank_lines:
            raise ContentError("blank_line", listed(self.blank_lines, "line"), "A blank line is no row")
        made = make_table(self.header, (r.fields for r in self.records), self.dialect)
        return replace(made, quoted=self.quoted, final_newline=self.final_newline)


@functools.lru_cache(maxsize=256)
def read_table(data: bytes, dialect: Dialect | None = None) -> Table:
    """Read a delimited file strictly; the dialect is detected unless given.

    Raises ContentError: ``not_a_table``, ``bad_quotes``, ``ragged``, ``blank_line``, ``bad_encoding`` or ``empty``.
    """
    if dialect is None:
        text = decode(data)
        found = detect_dialect(text)
        if found is None:
            raise ContentError("not_a_table", "", "No delimiter splits every line into the same fields")
        return scan_table(text, found).table()
    return scan_table(_decode_as(data, dialect), dialect).table()


def detect_dialect(text: Text) -> Dialect | None:
    """The dialect of a text that is a table of at least two columns, or None; told from content alone."""
    sample = text.text[:_DETECT_CHARACTERS]
    cut = len(sample) < len(text.text)
    scored = [s for d in DELIMITERS if (s := _score(sample, d, cut)) is not None]
    if not scored:
        return None
    best = max(scored, key=lambda s: (s.share, s.width, -DELIMITERS.index(s.delimiter)))
    return _dialect(text, best.delimiter, best.quoting)


def single_column(text: Text) -> Dialect:
    """The dialect of a table with one column."""
    return _dialect(text, ",", _quotes_hold(text.text, ","))


def scan_table(text: Text, dialect: Dialect) -> TableScan:
    """Read every record with its line. Raises ContentError ``empty`` or ``bad_quotes``."""
    records: list[Record] = []
    blank: list[int] = []
    lines = 0
    try:
        for line, fields, last in _parse(text.text, dialect.delimiter, dialect.quoting):
            lines = last
            if fields:
                records.append(Record(line, fields))
            else:
                blank.append(line)
    except csv.Error as error:
        raise ContentError("bad_quotes", f"after line {lines}", f"Quotes do not match: {error}") from error
    if not records:
        raise ContentError("empty", "", "There is no header")
    if dialect.quoting and _loose_quote(text.text, dialect.delimiter):
        raise ContentError("bad_quotes", "", "A quote stands inside a field that is not quoted")
    quoted = dialect.quoting and '"' in text.text
    inside = any("\n" in f or "\r" in f for r in records for f in r.fields) if quoted else False
    return TableScan(
        dialect=dialect,
        header=records[0].fields,
        records=tuple(records[1:]),
        blank_lines=tuple(blank),
        quoted=quoted,
        mixed_endings=text.endings.style == "mixed" and not inside,
        final_newline=text.final_newline,
        lines=lines,
    )


@dataclass(frozen=True, slots=True)
class _Score:
    delimiter: str
    quoting: bool
    share: float
    """Share of records with as many fields as the header."""
    width: int


def _score(sample: str, delimiter: str, cut: bool) -> _Score | None:
    if delimiter not in sample:
        return None
    quoting = _quotes_hold(sample, delimiter, cut)
    widths = _widths(sample, delimiter, quoting, cut)
    if not widths or widths[0] < 2:
        return None
    share = Counter(widths)[widths[0]] / len(widths)
    return _Score(delimiter, quoting, share, widths[0]) if share >= 0.5 else None


def _widths(sample: str, delimiter: str, quoting: bool, cut: bool) -> list[int]:
    widths: list[int] = []
    try:
        widths.extend(len(fields) for _, fields, _ in _parse(sample, delimiter, quoting) if fields)
    except csv.Error:
        return widths if cut else []
    return widths[:-1] if cut and len(widths) > 1 else widths


def _quotes_hold(sample: str, delimiter: str, cut: bool = False) -> bool:
    """Quotes are quotes if every one of them belongs to a field that begins and ends with one."""
    if '"' not in sample:
        return True
    if _loose_quote(sample, delimiter, cut):
        return False
    try:
        for _ in _parse(sample, delimiter, True):
            pass
    except csv.Error as error:
        return cut and "unexpected end" in str(error)
    return True


def _loose_quote(text: str, delimiter: str, cut: bool = False) -> bool:
    if '"' not in text:
        return False
    edge = re.escape(delimiter)
    proper = re.compile(rf'(?:(?<=[{edge}\r\n])|\A)"(?:[^"]|"")*+"(?=[{edge}\r\n]|\Z)')
    rest = proper.sub("", text)
    if cut:  # the sample may end inside a quoted field
        rest = re.sub(rf'(?:(?<=[{edge}\r\n])|\A)"[^"]*\Z', "", rest)
    return '"' in rest


def _parse(text: str, delimiter: str, quoting: bool) -> Iterator[tuple[int, Row, int]]:
    """First line, fields and last line of every record; a blank line has no fields."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quotechar='"' if quoting else None,
        quoting=csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE,
        strict=True,
    )
    before = 0
    for fields in reader:
        yield before + 1, tuple(fields), reader.line_num
        before = reader.line_num


def _dialect(text: Text, delimiter: str, quoting: bool) -> Dialect:
    ends = text.endings
    newline = "\r\n" if ends.crlf > max(ends.lf, ends.cr) else ("\r" if ends.cr > max(ends.lf, ends.crlf) else "\n")
    return Dialect(delimiter, quoting, newline, text.encoding.name, text.encoding.bom)


def _decode_as(data: bytes, dialect: Dialect) -> Text:
    """Decode as the dialect says; a byte order mark is taken off where the dialect has one and is a fault elsewhere."""
    name = "utf-8" if dialect.encoding == "ascii" else dialect.encoding
    marked = Encoding(known_encoding(name), bom=True)
    has_mark = bool(mark_of(marked)) and data.startswith(mark_of(marked))
    if has_mark and not dialect.bom:
        raise ContentError("byte_order_mark", "byte 0", "The file begins with a byte order mark")
    return decode(data, replace(marked, bom=has_mark))
