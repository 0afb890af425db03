"""How table scenarios are set up from real tables: as they are, or with defects put in at drawn places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.tables import Dialect, Row, Table, make_table, render_table, retyped
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import place_input, slug, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.table_choice import COMMA, TAB, group_columns, sayable
from trajmill.synth.sources.excerpt import excerpt
from trajmill.synth.sources.material import Material

_MOST_BYTES = 40 << 10


def table_in(material: Material, draw: Draw, *, most: int = 300) -> tuple[bytes, Table] | None:
    """An excerpt of a material that is a table with columns to address by name, as bytes and as facts; or None."""
    if material.kind not in ("csv", "tsv") or not material.usable_for("table"):
        return None
    part = excerpt(material, draw.rng, max_records=most, max_bytes=_MOST_BYTES)
    try:
        table = part.table()
    except ContentError:
        return None
    named = all(sayable(n) for n in table.header) and len(table.columns) > 1
    return (part.data, table) if named and len(table) >= 4 and len(part.data) <= 2 * _MOST_BYTES else None


def as_comma(table: Table) -> Table | None:
    """The table as plain comma-separated values with decimal points; None where that would change what it says."""
    if not table.dialect.quoting or table.dialect.encoding not in ("ascii", "utf-8"):
        return None
    commas = {i for i, c in enumerate(table.columns) if c.type == "decimal_comma"}
    if not commas:
        return replace(table.with_dialect(COMMA))
    rows = (tuple(f.replace(",", ".") if i in commas else f for i, f in enumerate(row)) for row in table.rows)
    return make_table(table.header, rows, COMMA)


def single_file(path: str, data: bytes, scenario: str, table: Table, **others: bytes) -> World:
    """A world of one table, and of other files by name if any."""
    tree = Tree({path: FileEntry(data), **{name: FileEntry(more) for name, more in others.items()}})
    return World(tree, State(tree, Artefact(path, scenario, table)))


def csv_path(material: Material, draw: Draw, ending: str = ".csv") -> str:
    """A place in the workspace for a table from this material, under a name that needs no quoting."""
    return place_input(f"{re.sub(r'[^A-Za-z0-9._-]+', '_', stem(material.name)).strip('_.-') or 'table'}{ending}", draw)


def csv_table(material: Material, draw: Draw) -> World | None:
    """A comma-separated table as it is."""
    found = table_in(material, draw)
    if (
        found is None
        or not found[1].dialect.simple
        or found[1].dialect.delimiter != ","
        or not found[1].dialect.quoting
    ):
        return None
    return single_file(csv_path(material, draw), found[0], "csv-table", found[1])


def iso_date_table(material: Material, draw: Draw) -> World | None:
    """A comma-separated table that has an ISO date column."""
    world = csv_table(material, draw)
    table = world.state.focus.facts if world else None
    if world is None or not isinstance(table, Table) or not any(c.format == "%Y-%m-%d" for c in table.columns):
        return None
    focus = replace(world.state.focus, scenario="iso-date-table")
    return replace(world, state=replace(world.state, focus=focus))


def _comma(material: Material, draw: Draw, *, most: int = 160) -> Table | None:
    found = table_in(material, draw, most=most)
    return as_comma(found[1]) if found else None


def csv_duplicated(material: Material, draw: Draw) -> World | None:
    """A table in which some rows occur again further down."""
    table = _comma(material, draw)
    if table is None:
        return None
    rows = list(dict.fromkeys(table.rows))
    if len(rows) < 6:
        return None
    for _ in range(draw.rng.randint(2, max(3, len(rows) // 10))):
        at = draw.rng.randrange(len(rows) - 1)
        rows.insert(draw.rng.randint(at + 1, len(rows)), rows[at])
    repeated = table.with_rows(rows)
    return single_file(csv_path(material, draw), render_table(repeated), "csv-duplicated", repeated)


def csv_gaps(material: Material, draw: Draw) -> World | None:
    """A table with empty cells, its own or put in at drawn places of one or two columns."""
    table = _comma(material, draw)
    if table is None:
        return None
    if not any(c.missing for c in table.columns):
        rows = [list(row) for row in table.rows]
        columns = draw.some(range(1, len(table.columns)), 1, min(2, len(table.columns) - 1))
        for column in columns:
            for at in draw.rng.sample(range(len(rows)), draw.rng.randint(2, max(2, len(rows) // 6))):
                rows[at][column] = ""
        table = retyped(table.with_rows(tuple(row) for row in rows))
    if all(all(row) for row in table.rows) or not any(all(row) for row in table.rows):
        return None
    return single_file(csv_path(material, draw), render_table(table), "csv-gaps", table)


def csv_semicolon(material: Material, draw: Draw) -> World | None:
    """A table with semicolons and decimal commas: as it is, or a comma-separated one written that way."""
    found = table_in(material, draw, most=220)
    if found is None:
        return None
    data, table = found
    if table.dialect.delimiter == ";" and table.dialect.simple and table.named("decimal_comma"):
        return single_file(csv_path(material, draw), data, "csv-semicolon", table)
    plain = as_comma(table)
    if plain is None or not plain.named("decimal"):
        return None
    decimals = {i for i, c in enumerate(plain.columns) if c.type == "decimal"}
    rows = (tuple(f.replace(".", ",") if i in decimals else f for i, f in enumerate(row)) for row in plain.rows)
    european = make_table(plain.header, rows, Dialect(delimiter=";"))
    if {i for i, c in enumerate(european.columns) if c.type == "decimal_comma"} != decimals:
        return None
    return single_file(csv_path(material, draw), render_table(european), "csv-semicolon", european)


def tsv_table(material: Material, draw: Draw) -> World | None:
    """A tab-separated table without quoting: as it is, or a comma-separated one written that way."""
    found = table_in(material, draw)
    if found is None:
        return None
    data, table = found
    if table.dialect.delimiter == "\t" and table.dialect.simple and table.with_dialect(TAB).plain:
        return single_file(csv_path(material, draw, ".tsv"), data, "tsv-table", table.with_dialect(TAB))
    plain = as_comma(table)
    if plain is None or not plain.with_dialect(TAB).plain:
        return None
    tabbed = plain.with_dialect(TAB)
    return single_file(csv_path(material, draw, ".tsv"), render_table(tabbed), "tsv-table", tabbed)


FOREIGN = (
    Dialect(newline="\r\n"),
    Dialect(newline="\r\n", bom=True),
    Dialect(bom=True),
    Dialect(encoding="latin-1"),
    Dialect(encoding="utf-16-le", newline="\r\n", bom=True),
)
"""Ways in which a table comes from another system."""
_OWN_FOREIGN = (
    *FOREIGN,
    Dialect(encoding="latin-1", newline="\r\n"),
    Dialect(encoding="utf-16-le", bom=True),
)
"""And those that are only known from a user's own files."""


def csv_foreign(material: Material, draw: Draw) -> World | None:
    """A comma-separated table as another system wrote it: Windows line ends, a byte order mark, Latin-1 or UTF-16."""
    own = _foreign_as_it_is(material)
    if own is not None:
        return single_file(csv_path(material, draw), material.data, "csv-foreign", own)
    table = _comma(material, draw)
    if table is None or any("\r" in f or "\n" in f for row in table.rows for f in row):
        return None
    text = "".join("".join(row) for row in (table.header, *table.rows))
    single = not text.isascii() and text.encode("latin-1", "ignore").decode("latin-1") == text and not _controls(text)
    dialects = [d for d in FOREIGN if d.encoding != "latin-1" or single]
    table = table.with_dialect(draw.pick(dialects))
    return single_file(csv_path(material, draw), render_table(table), "csv-foreign", table)


def _foreign_as_it_is(material: Material) -> Table | None:
    """The table of a file that is foreign by itself and written without needless quotes, or None."""
    if material.kind != "csv" or len(material.data) > _MOST_BYTES:
        return None
    try:
        table = material.table()
        encoding = "utf-8" if table.dialect.encoding == "ascii" else table.dialect.encoding
        table = table.with_dialect(replace(table.dialect, encoding=encoding))
        same = table.dialect in _OWN_FOREIGN and render_table(table) == material.data
    except ContentError:
        return None
    return table if same and table.unique_header and len(table) >= 2 else None


def _controls(text: str) -> bool:
    return bool(re.search("[\x80-\x9f]", text))


def csv_ragged(material: Material, draw: Draw) -> World | None:
    """A table in which some lines lack a field or have one too many: its own faults, or some put in."""
    if material.usable_for("malformed_rows"):
        return _ragged_as_it_is(material, draw)
    table = _comma(material, draw, most=120)
    if table is None or not table.plain or len(table) < 10 or len(table.columns) < 3:
        return None
    lines = [",".join(row) for row in table.rows]
    for at in draw.rng.sample(range(len(lines)), draw.rng.randint(2, max(2, len(lines) // 15))):
        cut = lines[at].rsplit(",", 1)[0]
        longer = f"{lines[at]},{draw.pick(('', 'n/a', 'x'))}"
        lines[at] = draw.pick((cut, longer))
    data = "".join(f"{line}\n" for line in (",".join(table.header), *lines)).encode()
    tree_path = csv_path(material, draw)
    return single_file(tree_path, data, "csv-ragged", table)


def _ragged_as_it_is(material: Material, draw: Draw) -> World | None:
    scan = material.table_scan()
    simple = scan.dialect.simple and scan.dialect.delimiter == "," and not scan.quoted and scan.final_newline
    good = [r.fields for r in scan.records if len(r.fields) == len(scan.header)]
    if not simple or '"' in material.data.decode() or len(material.data) > _MOST_BYTES or not good:
        return None
    return single_file(csv_path(material, draw), material.data, "csv-ragged", make_table(scan.header, good))


def csv_pair(material: Material, draw: Draw) -> World | None:
    """A table in which a text column is replaced by codes, and a lookup table of the codes beside it."""
    table = _comma(material, draw)
    columns = [c for c in group_columns(table) if c.type == "text" and sayable(c.name)] if table else []
    columns = [c for c in columns if table is not None and f"{c.name}_id" not in table.header]
    if table is None or not columns:
        return None
    column = draw.pick(columns)
    at, name = table.index(column.name), f"{column.name}_id"
    values = sorted(set(table.column(column.name)))
    start = draw.pick((1, 1, 10, 100))
    codes = {v: str(start + i) for i, v in enumerate(values)}
    rows = [tuple(codes[f] if i == at else f for i, f in enumerate(row)) for row in table.rows]
    coded = make_table([name if i == at else n for i, n in enumerate(table.header)], rows)
    listed = [(codes[v], v) for v in values]
    draw.rng.shuffle(listed)
    lookup = make_table((name, column.name), listed)
    path = csv_path(material, draw)
    folder = path.rpartition("/")[0]
    beside = f"{folder}/{slug(column.name)}_codes.csv".lstrip("/")
    return single_file(path, render_table(coded), "csv-pair", coded, **{beside: render_table(lookup)})


def csv_parts(material: Material, draw: Draw) -> World | None:
    """A folder of CSV files, one for each value of a column."""
    table = _comma(material, draw)
    columns = [c for c in group_columns(table, most=9) if c.type == "text"] if table else []
    if table is None or not columns:
        return None
    column = draw.pick(columns)
    files = parts_of(table, column.name)
    if files is None:
        return None
    folder = draw.pick(("parts", f"by_{slug(column.name)}", f"{slug(stem(material.name))}_parts", "data"))
    tree = Tree({f"{folder}/{name}": FileEntry(data) for name, data in files.items()})
    return World(tree, State(tree, Artefact(folder, "csv-parts", Folder(files))))


def parts_of(table: Table, name: str) -> dict[str, bytes] | None:
    """One rendered table per value of a column, by file name (see ``part_name``); None if two names clash."""
    at = table.index(name)
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        groups.setdefault(row[at], []).append(row)
    names = {value: part_name(value) for value in groups}
    if len({n.casefold() for n in names.values()}) < len(groups) or not all(names.values()):
        return None
    plain = table.with_dialect(COMMA)
    return {f"{names[v]}.csv": render_table(plain.with_rows(rows)) for v, rows in sorted(groups.items())}


def part_name(value: str) -> str:
    """A value as a file name: ASCII letters, digits and hyphens stay, any other character becomes an underscore."""
    return re.sub(r"[^A-Za-z0-9-]", "_", value)


_BUILDERS = (
    ("csv-table", csv_table),
    ("iso-date-table", iso_date_table),
    ("csv-duplicated", csv_duplicated),
    ("csv-gaps", csv_gaps),
    ("csv-semicolon", csv_semicolon),
    ("tsv-table", tsv_table),
    ("csv-foreign", csv_foreign),
    ("csv-ragged", csv_ragged),
    ("csv-pair", csv_pair),
    ("csv-parts", csv_parts),
)

STARTS: Sequence[Start] = tuple(Start(scenario, build) for scenario, build in _BUILDERS)
