"""Skills that put CSV tables of a folder together."""

from __future__ import annotations

import re

from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_choice import COMMA
from trajmill.synth.packs.terminal.table_comparison import order_matters
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act

_NAMES_BY_CODE = (
    "Compare file names by character code, as in the C locale.",
    "File names are ordered by character code, so capitals come before small letters.",
    "For file names, use the order of the character codes (capitals before small letters).",
)


def merge_parts(state: State, draw: Draw) -> Application | None:
    """Put the files of a folder together in the order of their names, with one header."""
    facts, folder = state.focus.facts, state.focus.path
    if not isinstance(facts, Folder) or not 2 <= len(facts.files) <= 40:
        return None
    names = sorted(facts.files)
    if not all(n.endswith(".csv") and re.fullmatch(r"[A-Za-z0-9_.-]+", n) for n in names):
        return None
    tables = [read_table(facts.files[n], COMMA) for n in names]
    if len({t.header for t in tables}) > 1 or not sum(len(t) for t in tables) <= 400:
        return None
    label = draw.pick((None, "source", "file", "part"))
    if label in tables[0].header:
        label = None
    rows = [
        (*row, n.removesuffix(".csv")) if label else row for n, t in zip(names, tables, strict=True) for row in t.rows
    ]
    first = tables[0]
    merged = make_table((*first.header, label) if label else first.header, rows)
    output = place_output(
        state, draw, ("merged", "combined", f"{slug(folder.rsplit('/', 1)[-1])}_all", "all_rows"), ".csv"
    )
    written = write_table(state, draw, output, merged, "csv-ordered")
    plain = all(t.plain for t in tables) and all(
        state.tree.file(f"{folder}/{n}") is not None and state.data(f"{folder}/{n}") == facts.files[n] for n in names
    )
    extra = f", with a last column `{label}` that holds the name of the file without `.csv`" if label else ""
    count, total = len(names), len(rows)
    return applied(
        written,
        output,
        Words(
            (
                f"merge the CSV files in {{it}} into `{output}` in the order of their file names, with the header "
                f"only once{extra}",
                f"put all tables of {{it}} one below the other into `{output}`, sorted by file name and under a "
                f"single header{extra}",
                f"combine the parts in {{it}} into one table `{output}`: one header, then the rows of each file, "
                f"files in ascending order of their names{extra}",
                f"write `{output}` with the common header and the rows of every CSV file in {{it}}, taking the "
                f"files by name in ascending order{extra}",
            ),
            (
                "the rows of all CSV files in {it}, files in ascending order of their names, under one "
                f"header{extra}",
                f"one table of all the parts in {{it}}, in the order of the file names, with a single header{extra}",
            ),
            (
                f"`{output}` holds the {total} rows of {count} files",
                f"merged {count} files with {total} rows into `{output}`",
                f"put the parts together in `{output}`, {total} rows under one header",
            ),
            (draw.pick(_NAMES_BY_CODE),) if order_matters(names) else (),
        ),
        _merge_ways(state, draw, folder, names, label, plain, output),
        [_merge_slip(state, folder, names, tables, label, plain, output)],
    )


def _merge_ways(
    state: State, draw: Draw, folder: str, names: list[str], label: str | None, plain: bool, output: str
) -> list[Way]:
    tail = ", path.stem" if label else ""
    script = f"""
import csv
from pathlib import Path

with open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    for number, path in enumerate(sorted(Path({py(folder)}).glob("*.csv"))):
        with open(path, newline="") as f:
            header, *rows = csv.reader(f)
        if number == 0:
            writer.writerow([*header{f", {py(label)}" if label else ""}])
        writer.writerows([*row{tail}] for row in rows)
"""
    python = python_act(
        state,
        output,
        script,
        f"sorted over the paths gives the order; the header is written for the first of the {len(names)} files only.",
        "I read file after file in Python and write one header and all rows.",
        f"Python's glob is unordered, so I sort the {len(names)} paths before reading them.",
    )
    if not plain:
        return [python]
    where, o = sh(folder), sh(output)
    if label is None:
        command = draw.pick(
            (
                f"awk 'FNR > 1 || NR == 1' {where}/*.csv > {o}",
                f"{{ head -n 1 {sh(f'{folder}/{names[0]}')}; tail -q -n +2 {where}/*.csv; }} > {o}",
                f'head -n 1 {sh(f"{folder}/{names[0]}")} > {o} && for f in {where}/*.csv; do sed 1d "$f" >> {o}; done',
            )
        )
        why = (
            "The shell expands the pattern in the order of the names; only the first file may give its header.",
            f"All {len(names)} files share their header, so I take line 1 once and the other lines of each.",
            "The glob is sorted by name, and dropping the first line of each file leaves the rows.",
        )
    else:
        program = (
            'FNR == 1 { n = split(FILENAME, p, "/"); name = p[n]; sub(/\\.csv$/, "", name); '
            f'if (NR == 1) print $0 ",{label}"; next }} '
            '{ print $0 "," name }'
        )
        command = f"awk '{program}' {where}/*.csv > {o}"
        why = (
            "awk knows the file it is reading, so it can append the name to each row.",
            f"FILENAME without folder and ending is what `{label}` needs; headers are skipped after the first.",
            f"The pattern lists the {len(names)} files by name, and awk adds where each row comes from.",
        )
    return [one_act(state, output, "shell", ("awk", "head", "tail", "sed"), command, *why), python]


def _merge_slip(
    state: State, folder: str, names: list[str], tables: list[Table], label: str | None, plain: bool, output: str
) -> Slip | None:
    if not plain or label is not None:
        return None
    header = ",".join(tables[0].header)
    return Slip(
        command=f"mkdir -p {sh(output.rsplit('/', 1)[0])} && cat {sh(folder)}/*.csv > {sh(output)}"
        if "/" in output
        else f"cat {sh(folder)}/*.csv > {sh(output)}",
        why=(
            "cat joins the files in the order of their names.",
            f"The {len(names)} parts only need to be put one after the other.",
        ),
        look=f"grep -cxF {sh(header)} {sh(output)}",
        sign=rf"\A{len(names)}\b",
        remark=(
            f"The header is in there {len(names)} times, once per file. It may only stand on the first line.",
            "Every part brought its own header line along; all but the first have to go.",
        ),
        tools=("cat", "grep"),
    )


SKILLS = (
    PackSkill(
        "csv-merge-parts",
        "tables",
        "Put the tables of a folder together.",
        ("csv-parts",),
        "csv-ordered",
        merge_parts,
        not_after=("csv-split-by-group",),
    ),
)
