"""Skills that split a CSV table into one file per group."""

from __future__ import annotations

import re
from dataclasses import replace

from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Table
from trajmill.schemas.task import Check
from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.expect import Same, expect_folder, expect_table
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import awkable, python_way
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, group_columns, table_of
from trajmill.synth.packs.terminal.table_starts import parts_of
from trajmill.synth.packs.terminal.table_ways import py

_MOST_PARTS = 12


def split_by_group(state: State, draw: Draw) -> Application | None:
    """Write one CSV file per value of a column into a new folder."""
    table, source = table_of(state, least=4), state.focus.path
    columns = group_columns(table, most=_MOST_PARTS) if table else []
    options = [(c, files) for c in columns if table is not None and (files := parts_of(table, c.name)) is not None]
    if table is None or not options:
        return None
    column, files = draw.pick(options)
    name, at = column.name, table.index(column.name)
    folder = place_output(
        state, draw, (f"by_{slug(name)}", f"{brief(source)}_parts", f"{slug(name)}_parts", "parts"), ""
    )
    odd = any(not re.fullmatch(r"[A-Za-z0-9-]+", v) for v in set(table.column(name)))
    rule = (
        " In the file names, every character of the value that is not an ASCII letter, a digit or a hyphen becomes "
        "an underscore."
        if odd
        else ""
    )
    entries = {f"{folder}/{n}": FileEntry(data) for n, data in files.items()}
    after = state.changed(entries, focus=Artefact(folder, "csv-parts", Folder(files)))
    after = replace(after, loose=after.loose | set(entries))
    example = sorted(files)[0]
    count = len(files)
    form = f"`{folder}/VALUE.csv`, VALUE being the `{name}` in question"
    return Application(
        outputs=(folder,),
        asks=(
            f"split {{it}} by `{name}` into one CSV file per value: {form}, each with the header and the matching "
            "rows in their order",
            f"write for every `{name}` in {{it}} a file {form}, that has the header and just the rows with this value",
            f"divide the rows of {{it}} among files in the folder `{folder}`, one per `{name}` and named after it "
            f"(such as `{folder}/{example}`), all with the header and with unchanged rows in order",
            f"make a folder `{folder}` with one table per `{name}` of {{it}}, each called after its value plus "
            f"`.csv` (for instance `{example}`), with header and rows as in the input",
        ),
        results=(
            f"a folder with one CSV file per `{name}` of {{it}}, named after the value (such as `{example}`), each "
            "with the header and its rows in order",
        ),
        rules=(rule.strip(),) if rule else (),
        ways=_split_ways(state, draw, name, at, odd, source, folder, count),
        checks=(_folder_check(folder, files), *_part_checks(folder, files)),
        after=after,
        done=(
            f"`{folder}` has {count} files, one for each value of `{name}`",
            f"split the {len(table)} rows into {count} files in `{folder}`",
            f"wrote one table per `{name}` to `{folder}`, {count} in all",
        ),
        slips=_split_slips(state, table, name, at, odd, source, folder, example),
    )


def _folder_check(folder: str, files: dict[str, bytes]) -> Check:
    return expect_folder(folder, {name: Same(f"{folder}/{name}") for name in files})


def _part_checks(folder: str, files: dict[str, bytes]) -> list[Check]:
    return [expect_table(f"{folder}/{name}", read_table(data, COMMA)) for name, data in files.items()]


def _split_ways(
    state: State, draw: Draw, name: str, at: int, odd: bool, source: str, folder: str, count: int
) -> tuple[Way, ...]:
    clean = 're.sub(r"[^A-Za-z0-9-]", "_", value)' if odd else "value"
    script = f"""
import csv
{"import re" + chr(10) if odd else ""}from collections import defaultdict
from pathlib import Path

groups = defaultdict(list)
with open({py(source)}, newline="") as f:
    header, *rows = csv.reader(f)
for row in rows:
    groups[row[{at}]].append(row)
folder = Path({py(folder)})
folder.mkdir(parents=True, exist_ok=True)
for value, members in groups.items():
    name = {clean}
    with open(folder / f"{{name}}.csv", "w", newline="") as out:
        csv.writer(out, lineterminator="\\n").writerows([header, *members])
"""
    python = Way(
        "python",
        ("python3",),
        (
            Act(
                python_way(script),
                (
                    f"I group the rows by `{name}` in Python and write each group with the header.",
                    f"A dictionary from `{name}` to its rows makes the {count} files easy to write.",
                    f"Reading once and writing one file per `{name}` is clearest in Python.",
                ),
            ),
        ),
    )
    if not awkable(state) or (odd and not state.data(source).isascii()):
        return (python,)  # awk may count bytes where Python counts characters
    gsub = ' gsub(/[^A-Za-z0-9-]/, "_", v);' if odd else ""
    program = (
        f'NR == 1 {{ header = $0; next }} {{ v = ${at + 1};{gsub} file = "{folder}/" v ".csv"; '
        "if (!(file in seen)) { print header > file; seen[file] } print > file }"
    )
    awk = Way(
        "awk",
        ("mkdir", "awk"),
        (
            Act(
                f"mkdir -p {sh(folder)} && awk -F, '{program}' {sh(source)}",
                (
                    f"awk can write each line to a file named by field {at + 1}, with the header first.",
                    f"In one pass, every row goes to the file of its `{name}`; new files start with the header.",
                    f"awk keeps {count} output files open without trouble, one per value of field {at + 1}.",
                ),
            ),
        ),
    )
    return (awk, python)


def _split_slips(
    state: State, table: Table, name: str, at: int, odd: bool, source: str, folder: str, example: str
) -> tuple[Slip, ...]:
    if not awkable(state) or odd or table.header[at] in table.column(name):
        return ()
    header = table.header[0]
    first = next(row for row in table.rows if f"{row[at]}.csv" == example)
    if first[0] == header:
        return ()
    command = f'mkdir -p {sh(folder)} && awk -F, \'NR > 1 {{ print > ("{folder}/" ${at + 1} ".csv") }}\' {sh(source)}'
    return (
        Slip(
            command=command,
            why=(
                f"awk sends each row to the file of its field {at + 1}.",
                f"One print per row, into a file named by `{name}`, splits the table.",
            ),
            look=f"head -n 2 {sh(f'{folder}/{example}')}",
            sign=rf"\A(?!{re.escape(header)},)",
            remark=(
                "The parts have no header. Each file must begin with the first line of the input.",
                f"`{example}` starts with data; the header was skipped and has to go into every file.",
            ),
            tools=("mkdir", "awk", "head"),
        ),
    )


SKILLS = (
    PackSkill(
        "csv-split-by-group",
        "tables",
        "Split a table into one file per value of a column.",
        (*COMMA_TABLES,),
        "csv-parts",
        split_by_group,
    ),
)
