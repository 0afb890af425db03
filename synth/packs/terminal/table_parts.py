"""Skills that split a CSV table into files by group, and put such files together again."""

from __future__ import annotations

import re
from dataclasses import replace

from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Table, make_table
from trajmill.schemas.task import Check
from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.expect import Same, expect_folder, expect_table
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import place_output, sh, slug, stem
from trajmill.synth.packs.outputs import awkable, python_way, write_table
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import COMMA, group_columns, table_of
from trajmill.synth.packs.terminal.table_order import BY_CODE
from trajmill.synth.packs.terminal.table_starts import parts_of
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act

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
        state, draw, (f"by_{slug(name)}", f"{stem(source)}_parts", f"{slug(name)}_parts", "parts"), ""
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
    if not awkable(state):
        return (python,)
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
                f"combine the parts in {{it}} to one table `{output}`: one header, then the rows of each file, "
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
            (
                draw.pick(BY_CODE)
                .replace("Text is", "File names are")
                .replace("Compare text", "Compare file names")
                .replace("For text", "For file names"),
            ),
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
        "csv-split-by-group",
        "tables",
        "Split a table into one file per value of a column.",
        (*COMMA_TABLES,),
        "csv-parts",
        split_by_group,
    ),
    PackSkill(
        "csv-merge-parts", "tables", "Put the tables of a folder together.", ("csv-parts",), "csv-ordered", merge_parts
    ),
)
