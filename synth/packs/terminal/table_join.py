"""How two CSV tables of a workspace belong together, and skills that resolve codes with a lookup table."""

from __future__ import annotations

from dataclasses import dataclass

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import brief, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    head_slip,
    lines_of,
    one_act,
    py,
    python_act,
    sql_table,
)


@dataclass(frozen=True, slots=True)
class Join:
    """Two tables with a key: every row of the main one finds exactly one row of the other."""

    main: Table
    main_path: str
    other: Table
    other_path: str
    key: str
    plain: bool

    @property
    def at(self) -> int:
        """Position of the key in the main table."""
        return self.main.index(self.key)

    @property
    def added(self) -> tuple[str, ...]:
        """Names of the columns that the other table adds."""
        return tuple(n for n in self.other.header if n != self.key)

    def found(self, value: str) -> tuple[str, ...]:
        """What the other table has for this value of the key."""
        at = self.other.index(self.key)
        row = next(r for r in self.other.rows if r[at] == value)
        return tuple(f for i, f in enumerate(row) if i != at)


def join_lookup(state: State, draw: Draw) -> Application | None:
    """Replace codes by what a lookup table says, or add it."""
    table = table_of(state)
    if table is None:
        return None
    join = partner(state, table, main_is_focus=True)
    if join is None or len(join.added) != 1:
        return None
    name = join.added[0]
    replaced = draw.rng.random() < 0.5
    at = join.at
    if replaced:
        header = [name if i == at else n for i, n in enumerate(table.header)]
        rows = [tuple(join.found(f)[0] if i == at else f for i, f in enumerate(row)) for row in table.rows]
    else:
        header = [*table.header, name]
        rows = [(*row, *join.found(row[at])) for row in table.rows]
    joined = make_table(header, rows)
    output = place_output(
        state, draw, (f"{brief(join.main_path)}_{slug(name)}", f"{brief(join.main_path)}_joined", "joined"), ".csv"
    )
    written = write_table(state, draw, output, joined, "csv-joined")
    lookup, key = join.other_path, join.key
    if replaced:
        what = f"the column `{key}` replaced by `{name}` from `{lookup}`, in the same place"
        ask = (
            f"replace the codes in the column `{key}` of {{it}} by the names that `{lookup}` has for them; the "
            f"column is then called `{name}` and stays in its place, and the table goes to `{output}`"
        )
        other = (
            f"look up each `{key}` of {{it}} in `{lookup}` and write `{output}` with the column `{name}` in place "
            f"of `{key}`, all else unchanged"
        )
    else:
        what = f"a last column `{name}` looked up by `{key}` in `{lookup}`"
        ask = (
            f"add `{name}` from `{lookup}` to {{it}} as the last column, matching the rows on `{key}`, and save the "
            f"table as `{output}`"
        )
        other = (
            f"look up each `{key}` of {{it}} in `{lookup}` and write `{output}` with `{name}` as an additional "
            "column at the end"
        )
    return applied(
        written,
        output,
        Words(
            (
                ask,
                other,
                f"join {{it}} with `{lookup}` on `{key}`: `{output}` should have header and rows of the former in "
                f"their order, with {what}",
                f"write `{output}` as a copy of {{it}} with {what}, header included and rows in their order",
            ),
            (f"all of {{it}} with {what}", f"the rows of {{it}} in their order, with {what}"),
            (
                f"`{output}` has all {len(table)} rows with `{name}` looked up",
                f"matched the rows with the {len(join.other)} entries of `{lookup}` and saved them as `{output}`",
                f"resolved `{key}` for {len(table)} rows in `{output}`",
            ),
        ),
        _lookup_ways(state, draw, join, name, replaced, output),
        _lookup_slips(state, join, name, replaced, output, joined),
    )


def partner(state: State, focus: Table, *, main_is_focus: bool) -> Join | None:
    """The one other CSV file of the workspace that shares exactly one column, a key on the side that is looked up."""
    fits = []
    for path in state.tree:
        if path == state.focus.path or not path.endswith(".csv"):
            continue
        table = _read(state, path)
        if table is None:
            continue
        shared = [n for n in focus.header if n in table.header]
        if len(shared) != 1:
            continue
        main, other = (focus, table) if main_is_focus else (table, focus)
        keys = other.column(shared[0])
        if len(set(keys)) == len(keys) and all(keys) and set(main.column(shared[0])) <= set(keys):
            paths = (state.focus.path, path) if main_is_focus else (path, state.focus.path)
            fits.append(Join(main, paths[0], other, paths[1], shared[0], main.plain and other.plain))
    return fits[0] if len(fits) == 1 else None


def _read(state: State, path: str) -> Table | None:
    entry = state.tree.file(path)
    if entry is None or len(entry.data) > 1 << 17:
        return None
    try:
        table = read_table(entry.data)
    except ContentError:
        return None
    simple = table.dialect.delimiter == "," and table.dialect.simple and table.dialect.quoting
    return table if simple and table.unique_header and 1 < len(table) <= 400 else None


def _lookup_ways(state: State, draw: Draw, join: Join, name: str, replaced: bool, output: str) -> list[Way]:
    key, at = join.key, join.at
    store = (
        f"row[{at}] = names[row[{at}]]\n        writer.writerow(row)"
        if replaced
        else f"writer.writerow([*row, names[row[{at}]]])"
    )
    head = f"header[{at}] = {py(name)}" if replaced else f"header.append({py(name)})"
    script = f"""
import csv

with open({py(join.other_path)}, newline="") as f:
    names = {{row[{py(key)}]: row[{py(name)}] for row in csv.DictReader(f)}}
with open({py(join.main_path)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f)
    writer = csv.writer(out, lineterminator="\\n")
    header = next(rows)
    {head}
    writer.writerow(header)
    for row in rows:
        {store}
"""
    python = python_act(
        state,
        output,
        script,
        f"I load `{join.other_path}` into a dictionary and look every `{key}` up while copying the rows.",
        f"With the {len(join.other)} codes in a dictionary, each row needs one lookup.",
        f"A dictionary from `{key}` to `{name}` keeps the order of the rows, unlike a sort and join.",
    )
    if not (join.plain and awkable(state)):
        return [python]
    return [_awk_join(state, join, output, replaced), python, *_sql_join(state, join, name, replaced, output)]


def _awk_join(state: State, join: Join, output: str, replaced: bool) -> Way:
    k, at = join.other.index(join.key) + 1, join.at + 1
    value = 3 - k
    use = f"${at} = name[${at}]; print" if replaced else f'print $0 "," name[${at}]'
    program = f"BEGIN {{ OFS = FS }} NR == FNR {{ name[${k}] = ${value}; next }} {{ {use} }}"
    command = f"awk -F, '{program}' {sh(join.other_path)} {sh(join.main_path)} > {sh(output)}"
    return one_act(
        state,
        output,
        "awk",
        ("awk",),
        command,
        f"awk reads the lookup first, keyed by field {k}, then looks up field {at} of each line; the headers match "
        "too.",
        f"Since `{join.key}` is a header in both files, even line 1 comes out right with the same rule.",
        f"Two files for awk: the first fills an array of {len(join.other)} codes, the second is rewritten with it.",
    )


def _sql_join(state: State, join: Join, name: str, replaced: bool, output: str) -> list[Way]:
    if not (sql_table(join.main, join.main_path) and sql_table(join.other, join.other_path)):
        return []
    chosen = ", ".join((name if n == join.key and replaced else f"t.{n}") for n in join.main.header)
    query = f"SELECT {chosen}{'' if replaced else f', {name}'} FROM t JOIN codes USING ({join.key}) ORDER BY t.rowid"
    command = (
        f"sqlite3 -header -separator , :memory: '.import --csv {join.main_path} t' "
        f"'.import --csv {join.other_path} codes' \"{query}\" > {sh(output)}"
    )
    why = (
        f"A JOIN USING `{join.key}` says this directly; ordering by rowid keeps the file's order.",
        "Both files go into SQLite, which joins them and prints the header by itself.",
        f"SQLite can resolve the {len(join.other)} codes in one query.",
    )
    return [one_act(state, output, "sqlite", ("sqlite3",), command, *why)]


def _lookup_slips(state: State, join: Join, name: str, replaced: bool, output: str, joined: Table) -> list[Slip | None]:
    """The lookup read the wrong way round, so that nothing is found."""
    if not (join.plain and awkable(state)):
        return []
    k, at = join.other.index(join.key) + 1, join.at + 1
    use = f"${at} = name[${at}]; print" if replaced else f'print $0 "," name[${at}]'
    program = f"BEGIN {{ OFS = FS }} NR == FNR {{ name[${3 - k}] = ${k}; next }} {{ {use} }}"
    at0 = at - 1
    wrong_rows = [
        tuple("" if i == at0 else f for i, f in enumerate(row)) if replaced else (*row, "")
        for row in (join.main.header, *join.main.rows)
    ]
    mistake = Mistake(
        f"awk -F, '{program}' {sh(join.other_path)} {sh(join.main_path)} > {sh(output)}",
        (
            f"I fill an array from `{join.other_path}` and use it for field {at}.",
            f"awk takes the codes from the first file and applies them to field {at} of the second.",
        ),
        (
            f"The looked-up values are empty: I keyed the array by the name instead of by `{join.key}`.",
            f"Nothing was found, because key and value of the lookup are the wrong way round; `{join.key}` is field "
            f"{k} there.",
        ),
        ("awk",),
    )
    if set(join.other.column(name)) & {*join.main.column(join.key), join.key}:
        return []
    return [head_slip(state, output, mistake, [",".join(r) for r in wrong_rows], lines_of(joined))]


SKILLS = (
    PackSkill(
        "csv-join-lookup",
        "tables",
        "Resolve codes with a lookup table.",
        ("csv-pair",),
        "csv-joined",
        join_lookup,
    ),
)
