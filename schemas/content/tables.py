"""Tables as values: dialect, typed columns, rows of exact text; strict reading and minimal rendering."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from trajmill.schemas.content.column_types import ColumnType, Number, infer, to_number
from trajmill.schemas.content.encodings import encode
from trajmill.schemas.content.notes import ContentError

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a delimited file is written."""

    delimiter: str = ","
    quoting: bool = True
    """False where a double quote is an ordinary character, as with inch signs."""
    newline: str = "\n"
    encoding: str = "utf-8"
    bom: bool = False

    @property
    def simple(self) -> bool:
        """UTF-8 without byte order mark and LF endings: what bytewise tools expect."""
        return self.newline == "\n" and self.encoding in ("ascii", "utf-8") and not self.bom


@dataclass(frozen=True, slots=True)
class Column:
    """A column and what all its values are."""

    name: str
    type: ColumnType = "unknown"
    format: str = ""
    """``strptime`` format of a date or datetime column, such as ``%d.%m.%Y``."""
    missing: int = 0
    """Number of empty values."""

    @property
    def numeric(self) -> bool:
        """Integer, decimal or decimal with comma."""
        return self.type in ("integer", "decimal", "decimal_comma")


@dataclass(frozen=True, slots=True)
class Table:
    """A header and rows that all have as many fields; every field is the text in the file, without its quotes."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    dialect: Dialect = Dialect()
    quoted: bool = False
    """Some field was written with quotes in the file that this was read from."""
    final_newline: bool = True

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def header(self) -> Row:
        """The names of the columns."""
        return tuple(c.name for c in self.columns)

    @property
    def plain(self) -> bool:
        """Only then do ``cut``, ``awk -F``, ``sort``, ``head`` and ``wc -l`` see the fields and rows of a CSV reader.

        No quotes in the file, no field with delimiter, quote, line break or space at an end, no empty header name,
        UTF-8 without byte order mark, LF endings and a final newline.
        """
        if self.quoted or not self.dialect.simple or not self.final_newline:
            return False
        return all(self.header) and all(_is_plain(row, self.dialect.delimiter) for row in (self.header, *self.rows))

    @property
    def unique_header(self) -> bool:
        """No two names are equal, even if case is ignored, and none is empty: columns can be addressed by name."""
        return len({n.casefold() for n in self.header}) == len(self.header) and all(self.header)

    def index(self, name: str) -> int:
        """Position of a column from 0. Raises KeyError if the name is missing or stands for two columns."""
        places = [i for i, c in enumerate(self.columns) if c.name == name]
        if len(places) != 1:
            raise KeyError(f"{len(places)} columns are named {name!r}")
        return places[0]

    def column(self, name: str) -> tuple[str, ...]:
        """The values of a column as written, in row order."""
        at = self.index(name)
        return tuple(row[at] for row in self.rows)

    def about(self, name: str) -> Column:
        """The column's record. Raises KeyError as ``index`` does."""
        return self.columns[self.index(name)]

    def numbers(self, name: str) -> tuple[Number, ...]:
        """The exact numbers of a numeric column in row order, without its empty values; ValueError for other types."""
        kind = self.about(name).type
        return tuple(to_number(value, kind) for value in self.column(name) if value)

    def named(self, *types: ColumnType) -> tuple[str, ...]:
        """Names of the columns of these types, in file order."""
        return tuple(c.name for c in self.columns if c.type in types)

    def with_rows(self, rows: Iterable[Row]) -> Table:
        """The same columns over other rows; types stay as they were, missing values are counted anew."""
        kept = tuple(rows)
        columns = (replace(c, missing=sum(not r[i] for r in kept)) for i, c in enumerate(self.columns))
        return replace(self, columns=tuple(columns), rows=kept)

    def selected(self, names: Sequence[str]) -> Table:
        """These columns in this order."""
        places = [self.index(n) for n in names]
        rows = tuple(tuple(row[i] for i in places) for row in self.rows)
        return replace(self, columns=tuple(self.columns[i] for i in places), rows=rows)

    def with_dialect(self, dialect: Dialect) -> Table:
        """The same content, to be written another way; values are not touched."""
        return replace(self, dialect=dialect, quoted=False, final_newline=True)


def make_table(header: Sequence[str], rows: Iterable[Sequence[str]], dialect: Dialect | None = None) -> Table:
    """A table with column types told from its values. Raises ContentError ``ragged`` if a row is too short or long."""
    kept = tuple(tuple(row) for row in rows)
    for number, row in enumerate(kept, 1):
        if len(row) != len(header):
            raise ContentError("ragged", f"row {number}", f"{len(row)} fields where {len(header)} are expected")
    columns = tuple(typed_column(name, [row[i] for row in kept]) for i, name in enumerate(header))
    return Table(columns, kept, dialect or Dialect())


def typed_column(name: str, values: Sequence[str]) -> Column:
    """A column whose type is told from these values."""
    known = infer(values)
    return Column(name, known.type, known.format, known.missing)


def retyped(table: Table) -> Table:
    """The same table with types told anew, as a reader of the rendered file would see it."""
    columns = tuple(typed_column(c.name, [r[i] for r in table.rows]) for i, c in enumerate(table.columns))
    return replace(table, columns=columns)


def render_table(table: Table, *, header: bool = True) -> bytes:
    """Write a table: quotes only where a reader needs them, the dialect's newline after every row.

    Raises ContentError ``needs_quotes`` if the dialect has no quoting and a field holds delimiter or line break.
    """
    rows = (table.header, *table.rows) if header else table.rows
    text = "".join([_render_row(row, table.dialect) + table.dialect.newline for row in rows])
    return encode(text, table.dialect.encoding, bom=table.dialect.bom)


def _is_plain(row: Row, delimiter: str) -> bool:
    text = "".join(row)
    return not (delimiter in text or _is_odd(text)) and all([field == field.strip() for field in row])


def _is_odd(text: str) -> bool:
    return '"' in text or "\n" in text or "\r" in text


def _render_row(row: Row, dialect: Dialect) -> str:
    if dialect.quoting:
        if row == ("",):
            return '""'
        joined = dialect.delimiter.join(row)
        if joined.count(dialect.delimiter) == len(row) - 1 and not _is_odd(joined):
            return joined
        return dialect.delimiter.join([_quoted(field, dialect.delimiter) for field in row])
    for field in row:
        if dialect.delimiter in field or "\n" in field or "\r" in field:
            raise ContentError("needs_quotes", "", f"The field {field!r} cannot be written without quotes")
    return dialect.delimiter.join(row)


def _quoted(field: str, delimiter: str) -> str:
    if delimiter in field or _is_odd(field):
        return '"' + field.replace('"', '""') + '"'
    return field
