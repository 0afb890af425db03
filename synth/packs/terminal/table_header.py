"""Skills that change the header of a CSV table."""

from __future__ import annotations

import re
from dataclasses import replace

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import place_output, sh, stem
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, easy, listed, table_of
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
)


def rename_columns(state: State, draw: Draw) -> Application | None:
    """Give one or two columns new names."""
    table, source = table_of(state), state.focus.path
    first = state.focus.scenario in ("csv-table", "csv-clean")
    options = (
        [(n, new) for n in table.header if (new := _new_name(n, source, first, draw)) is not None] if table else []
    )
    taken = {n.casefold() for n in table.header} if table else set()
    options = [(old, new) for old, new in options if new.casefold() not in taken or new.casefold() == old.casefold()]
    if table is None or not options:
        return None
    pairs = draw.some(options, 1, 2)
    if len({new.casefold() for _, new in pairs}) < len(pairs):
        return None
    names = dict(pairs)
    renamed = replace(
        table, columns=tuple(replace(c, name=names.get(c.name, c.name)) for c in table.columns)
    ).with_dialect(COMMA)
    output = place_output(
        state, draw, (f"{brief(source)}_renamed", f"{brief(source)}_headers", "renamed", "relabelled"), ".csv"
    )
    written = write_table(state, draw, output, renamed, "csv-relabelled")
    to = " and ".join(f"`{old}` to `{new}`" for old, new in pairs)
    noun = "column" if len(pairs) == 1 else "columns"
    now = " and ".join(f"`{new}` instead of `{old}`" for old, new in pairs)
    return applied(
        written,
        output,
        Words(
            (
                f"rename the {noun} {to} in the header of {{it}}, leave everything else as it is and save the table "
                f"as `{output}`",
                f"change the header of {{it}} so that it says {now}; write the result with all rows to `{output}`",
                f"save {{it}} again as `{output}` with {now} in the header and the rows untouched",
                f"give {{it}} a new header in `{output}`: {to.replace(' to ', ' becomes ')}, while all other names "
                "and all rows stay",
            ),
            (
                f"all of {{it}} with the {noun} {to.replace(' to ', ' renamed to ')}",
                f"the rows of {{it}} below a header that says {now}",
            ),
            (
                f"`{output}` has {now} in its header and the same {len(table)} rows",
                f"renamed {to} in `{output}`",
                f"copied the table to `{output}` with {now}",
            ),
        ),
        _rename_ways(state, draw, table, renamed, names, source, output),
        _rename_slips(state, table, renamed, names, source, output),
    )


def _new_name(name: str, source: str, first: bool, draw: Draw) -> str | None:
    snake = re.sub(r"[^a-z0-9]+", "_", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()).strip("_")
    if not snake:
        return None
    words = snake.split("_")
    plural = re.fullmatch(r"([a-z]{3,12})s", stem(source)) if first else None
    options = [snake.upper(), "".join([words[0], *(w.title() for w in words[1:])]), " ".join(words).capitalize()]
    options += [snake] + ([f"{plural[1]}_{snake}"] if plural and len(words) < 3 else [])
    options = [o for o in options if o != name]
    return draw.pick(options) if options else None


def _rename_ways(
    state: State, draw: Draw, table: Table, renamed: Table, names: dict[str, str], source: str, output: str
) -> list[Way]:
    mapping = ", ".join(f"{py(o)}: {py(n)}" for o, n in names.items())
    script = draw.pick(
        (
            f"""
import csv

names = {{{mapping}}}
with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.reader(f)
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow([names.get(name, name) for name in next(rows)])
    writer.writerows(rows)
""",
            f"""
import csv

with open({py(source)}, newline="") as f:
    header, *rows = csv.reader(f)
"""
            + "\n".join(f"header[header.index({py(o)})] = {py(n)}" for o, n in names.items())
            + f"""
with open({py(output)}, "w", newline="") as f:
    csv.writer(f, lineterminator="\\n").writerows([header, *rows])
""",
        )
    )
    old = listed(list(names))
    python = python_act(
        state,
        output,
        script,
        f"A script that swaps {old} in the header row and copies the other rows is safe against quoting.",
        f"I map {old} to the new name in the first row only and write the rest back.",
        f"Python reads the header as a list, so I can replace {old} there.",
    )
    if not awkable(state) or not all(easy(n) for n in (*table.header, *renamed.header)):
        return [python]
    header, s, o = ",".join(renamed.header), sh(source), sh(output)
    whole = one_act(
        state,
        output,
        "coreutils",
        ("sed", "tail"),
        draw.pick(
            (
                f"sed '1s/.*/{header}/' {s} > {o}",
                f"{{ echo '{header}'; tail -n +2 {s}; }} > {o}",
                f"sed '1c\\\n{header}' {s} > {o}",
                f"(printf '%s\\n' '{header}'; sed 1d {s}) > {o}",
            )
        ),
        f"Only line 1 changes, so I write the new header of {len(table.columns)} names and copy the rows.",
        f"The header is line 1 and holds {old}; I replace that line as a whole.",
        f"A new first line does it: the {len(table)} rows below need no change.",
    )
    sets = "; ".join(f'${table.index(o) + 1} = "{n}"' for o, n in names.items())
    fields = awk(f'BEGIN {{ FS = OFS = "," }} NR == 1 {{ {sets} }} {{ print }}', source, output).replace(
        "awk -F, ", "awk ", 1
    )
    why = (
        f"On line 1 I set the fields that hold {old}; every line is printed.",
        "awk can assign the new name to its field while NR is 1, which leaves equal words in the rows alone.",
        f"By position in the header: {old} gets its new name, and the rest passes through.",
    )
    return [whole, python, one_act(state, output, "awk", ("awk",), fields, *why)]


def _rename_slips(
    state: State, table: Table, renamed: Table, names: dict[str, str], source: str, output: str
) -> list[Slip | None]:
    """Replacing the word everywhere, not in the header only; or the first match, which is another column."""
    (old, new), *_ = names.items()
    if not awkable(state) or not all(easy(n) for n in (*table.header, *renamed.header)):
        return []
    edits = "; ".join(f"s/{o}/{n}/" for o, n in names.items())
    wrong = []
    for line in lines_of(table):
        for o, n in names.items():
            line = line.replace(o, n, 1)
        wrong.append(line)
    mistake = Mistake(
        f"sed '{edits}' {sh(source)} > {sh(output)}",
        (f"Replacing `{old}` by `{new}` with sed renames it.", f"sed can put `{new}` where `{old}` stands."),
        (
            f"The pattern `{old}` also hit text that is not this header name. I have to replace exactly that field "
            "of line 1.",
            f"More than the header name changed: `{old}` occurs elsewhere as well, so the edit must be limited.",
        ),
        ("sed",),
    )
    return [head_slip(state, output, mistake, wrong, lines_of(renamed))]


SKILLS = (
    PackSkill(
        name="csv-rename-column",
        domain="tables",
        summary="Give columns of a table new names.",
        pre=(*(s for s in COMMA_TABLES if s != "csv-relabelled"), "group-summary", "calendar-summary"),
        post="csv-relabelled",
        apply=rename_columns,
    ),
)
