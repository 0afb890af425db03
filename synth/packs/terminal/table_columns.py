"""Skills that choose or drop the columns of a CSV table."""

from __future__ import annotations

import re

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, listed, table_of
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    awk,
    head_slip,
    lines_of,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)


def select_columns(state: State, draw: Draw) -> Application | None:
    """Keep some columns, in a stated order that often differs from the file's."""
    table, source = table_of(state), state.focus.path
    if table is None or len(table.columns) < 3:
        return None
    names = list(draw.some(table.header, 2, min(5, len(table.columns) - 1)))
    if draw.rng.random() < 0.6:
        draw.rng.shuffle(names)
    chosen = table.selected(names).with_dialect(COMMA)
    output = place_output(
        state, draw, (f"{brief(source)}_columns", "selected", f"{brief(source)}_slim", "columns"), ".csv"
    )
    written = write_table(state, draw, output, chosen, "csv-projection")
    shown, count = listed(names), len(names)
    return applied(
        written,
        output,
        Words(
            (
                f"reduce {{it}} to the columns {shown}, in this order, and save that with its header as `{output}`",
                f"write a table `{output}` that has only the columns {shown} of {{it}}, in exactly that order and "
                "with a header",
                f"extract {shown} from {{it}} into `{output}`: these {count} columns in the order named, header "
                "included, all rows",
                f"keep {count} columns of {{it}}, namely {shown} in that order, and put them with all rows and the "
                f"header into `{output}`",
            ),
            (
                f"the columns {shown} of {{it}}, in this order, with all rows and the header",
                f"all rows of {{it}} with nothing but the columns {shown}, in that order, under a header",
            ),
            (
                f"`{output}` has the {count} columns {shown} and all {len(table)} rows",
                f"reduced the table to {shown} in `{output}`",
                f"wrote {count} of the {len(table.columns)} columns to `{output}`",
            ),
        ),
        _select_ways(state, draw, table, names, source, output),
        _select_slips(state, table, names, source, output),
    )


def _select_ways(state: State, draw: Draw, table: Table, names: list[str], source: str, output: str) -> list[Way]:
    places = [table.index(n) for n in names]
    in_order = places == sorted(places)
    script = draw.pick((_named_script, _indexed_script))(names, places, source, output)
    python = python_act(
        state,
        output,
        script,
        f"The csv module lets me pick the {len(names)} columns without caring about quoting.",
        f"I copy {listed(names)} row by row with Python.",
        f"A short Python script can write just {listed(names)} in the order asked for.",
    )
    if not awkable(state):
        return [python]
    fields = ", ".join(f"${p + 1}" for p in places)
    numbers = ", ".join(str(p + 1) for p in places)
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            awk(
                draw.pick(
                    (f"BEGIN {{ OFS = FS }} {{ print {fields} }}", f'BEGIN {{ OFS = "," }} {{ print {fields} }}')
                ),
                source,
                output,
            ),
            f"By position these are fields {numbers}; awk prints them in any order, header line included.",
            f"Nothing is quoted here, so printing fields {numbers} with a comma between them is enough.",
            f"awk can print {listed(names)} as fields {numbers} of every line.",
        ),
        python,
    ]
    if in_order:
        cut = f"cut -d, -f{','.join(str(p + 1) for p in places)} {sh(source)} > {sh(output)}"
        why = (
            f"The wanted columns keep the order of the file, so cut with fields {numbers} does it.",
            f"Fields {numbers}, in file order and without quotes: that is a job for cut.",
            f"I cut fields {numbers}; the header line is cut the same way.",
        )
        ways.insert(0, one_act(state, output, "cut", ("cut",), cut, *why))
    if sql_table(table, source):
        query = f"SELECT {', '.join(names)} FROM t"
        why = (
            f"SELECT {', '.join(names)} says it most directly, and SQLite reads CSV.",
            "I let SQLite project the columns, since none of the values needs quotes.",
            "Loaded into an in-memory table, the columns can be named in any order.",
        )
        ways.append(one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, query), *why))
    return ways


def _named_script(names: list[str], places: list[int], source: str, output: str) -> str:
    return f"""
import csv

wanted = [{", ".join(py(n) for n in names)}]
with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    writer = csv.DictWriter(out, wanted, extrasaction="ignore", lineterminator="\\n")
    writer.writeheader()
    writer.writerows(csv.DictReader(f))
"""


def _indexed_script(names: list[str], places: list[int], source: str, output: str) -> str:
    return f"""
import csv
from operator import itemgetter

pick = itemgetter({", ".join(map(str, places))})
with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    csv.writer(out, lineterminator="\\n").writerows(pick(row) for row in csv.reader(f))
"""


def _select_slips(state: State, table: Table, names: list[str], source: str, output: str) -> list[Slip | None]:
    places = [table.index(n) for n in names]
    if not awkable(state):
        return []
    right = lines_of(table.selected(names))
    fields = ",".join(str(p + 1) for p in places)
    reordered = Mistake(
        f"cut -d, -f{fields} {sh(source)} > {sh(output)}",
        (f"cut with the field list {fields} gives these columns.", f"These are fields {fields}, so I cut them out."),
        (
            "cut keeps the order of the file whatever the list says, so the columns stand in the wrong order.",
            f"The header shows that cut ignored my order: `{names[0]}` should be the first column.",
        ),
        ("cut",),
    )
    tabbed = Mistake(
        f"cut -f{fields} {sh(source)} > {sh(output)}",
        (f"cut takes fields {fields} of each line.", f"Columns {fields} can be cut out directly."),
        (
            "All columns are still there: cut splits at tabs unless told that the delimiter is a comma.",
            "The lines came through whole, because I did not give cut the comma as its delimiter.",
        ),
        ("cut",),
    )
    in_order = places == sorted(places)
    wrong = table.selected(sorted(names, key=table.index))
    return [
        head_slip(state, output, reordered, lines_of(wrong), right) if not in_order else None,
        head_slip(state, output, tabbed, lines_of(table), right) if in_order else None,
    ]


def drop_columns(state: State, draw: Draw) -> Application | None:
    """Leave one or two columns out."""
    table, source = table_of(state), state.focus.path
    if table is None or len(table.columns) < 4:
        return None
    gone = draw.some(table.header, 1, 2)
    kept = [n for n in table.header if n not in gone]
    output = place_output(
        state,
        draw,
        (
            f"{brief(source)}_trimmed",
            f"{brief(source)}_reduced",
            "trimmed",
            f"without_{'_'.join(re.sub(r'[^a-z0-9]+', '_', n.lower()) for n in gone)}"[:32].strip("_"),
        ),
        ".csv",
    )
    written = write_table(state, draw, output, table.selected(kept).with_dialect(COMMA), "csv-projection")
    shown = listed(gone)
    noun = "column" if len(gone) == 1 else "columns"
    return applied(
        written,
        output,
        Words(
            (
                f"drop the {noun} {shown} from {{it}} and save the rest as `{output}`, with the other columns in "
                "their present order",
                f"write `{output}` as a copy of {{it}} that lacks the {noun} {shown}; header, rows and the order of "
                "the rest stay as they are",
                f"remove {shown} ({noun[:-1] if noun.endswith('s') else noun} and header name) from {{it}}, saving "
                f"the outcome as `{output}`"
                if len(gone) == 1
                else (
                    f"remove {shown} (both columns with their header names) from {{it}}, saving the outcome as "
                    f"`{output}`"
                ),
                f"leave {shown} out of {{it}} and put all remaining columns, header and rows in the same order, "
                f"into `{output}`",
            ),
            (
                f"all of {{it}} except the {noun} {shown}, everything else in its present order",
                f"the columns of {{it}} other than {shown}, with header and all rows",
            ),
            (
                f"`{output}` has the {len(kept)} columns that remain without {shown}",
                f"left {shown} out and saved the other {len(kept)} columns in `{output}`",
                f"wrote all {len(table)} rows without {shown} to `{output}`",
            ),
        ),
        _drop_ways(state, draw, table, list(gone), source, output),
    )


def _drop_ways(state: State, draw: Draw, table: Table, gone: list[str], source: str, output: str) -> list[Way]:
    places = [table.index(n) for n in gone]
    first = f"drop = {{{', '.join(py(n) for n in gone)}}}" if draw.rng.random() < 0.5 else ""
    if first:
        script = f"""
import csv

{first}
with open({py(source)}, newline="") as f:
    rows = list(csv.reader(f))
keep = [i for i, name in enumerate(rows[0]) if name not in drop]
with open({py(output)}, "w", newline="") as f:
    writer = csv.writer(f, lineterminator="\\n")
    writer.writerows([row[i] for i in keep] for row in rows)
"""
    else:
        deletions = "\n        ".join(f"del row[{p}]" for p in sorted(places, reverse=True))
        script = f"""
import csv

with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    for row in csv.reader(f):
        {deletions}
        writer.writerow(row)
"""
    python = python_act(
        state,
        output,
        script,
        f"In Python I can drop {listed(gone)} from every row, the header among them.",
        f"The csv module splits the rows safely; I write them back without {listed(gone)}.",
        f"I remove {listed(gone)} by name or position with a small script.",
    )
    if not awkable(state):
        return [python]
    fields = ",".join(str(p + 1) for p in places)
    rest = ",".join(str(i + 1) for i in range(len(table.columns)) if i not in places)
    cut = draw.pick(
        (
            f"cut -d, --complement -f{fields} {sh(source)} > {sh(output)}",
            f"cut -d, -f{rest} {sh(source)} > {sh(output)}",
        )
    )
    shell = one_act(
        state,
        output,
        "cut",
        ("cut",),
        cut,
        f"{listed(gone)}: field {fields} of {len(table.columns)}; cut keeps all others in order.",
        f"No field is quoted, so cut can leave field {fields} out of each line.",
        f"With field {fields} left out by cut, the rest of every line stays as it is.",
    )
    return [shell, python]


SKILLS = (
    PackSkill(
        name="csv-select-columns",
        domain="tables",
        summary="Keep chosen columns of a table in a stated order.",
        pre=tuple(s for s in COMMA_TABLES if s != "csv-projection"),
        post="csv-projection",
        apply=select_columns,
    ),
    PackSkill(
        name="csv-drop-column",
        domain="tables",
        summary="Leave columns of a table out.",
        pre=tuple(s for s in COMMA_TABLES if s not in ("csv-projection", "csv-derived", "csv-joined")),
        post="csv-projection",
        apply=drop_columns,
    ),
)
