"""Rows of a CSV table as a JSON array of typed objects."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.schemas.content.tables import Table
from trajmill.schemas.ids import Json
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import awkable, literal, python_way, write_records
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_material import table_row
from trajmill.synth.packs.terminal.json_ways import (
    dump_result,
    survives,
    tame,
)
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import brief, listed


def csv_to_records(state: State, draw: Draw) -> Application | None:
    """Write the rows of a table as an array of objects with typed values."""
    table = state.focus.facts
    if not isinstance(table, Table) or not 3 <= len(table.rows) <= 400 or not table.unique_header:
        return None
    if not all(tame(c.name) for c in table.columns):
        return None
    numeric = [c.name for c in table.columns if c.type in ("integer", "decimal")]
    gaps = any(c.missing for c in table.columns)
    rows = [table_row(table, row) for row in table.rows]
    if not all(survives(list(row.values())) for row in rows):
        return None
    output = place_output(
        state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_records", "records"), ".json"
    )
    written = write_records(state, output, rows, "json-records")
    types = _types(numeric, table.header) + ("; an empty field becomes null" if gaps else "")
    return Application(
        outputs=(output,),
        asks=(
            f"convert {{it}} to a JSON array of objects in `{output}`, one per row with the column names as keys; "
            f"{types}",
            f"write `{output}`: each row of {{it}} as a JSON object keyed by the header, all in one array in row "
            f"order; {types}",
            f"our importer wants JSON, so save the rows of {{it}} as an array of objects in `{output}`; {types}",
            f"represent {{it}} as JSON in `{output}`, an array with one object per data row whose keys come from "
            f"the header; {types}",
        ),
        results=(
            f"the rows of {{it}} as a JSON array of objects keyed by the header; {types}",
            f"a JSON array with one object per row of {{it}}; {types}",
        ),
        rules=written.rules,
        ways=_csv_json_ways(state, draw, table, output, numeric, gaps),
        checks=(written.check,),
        after=written.state,
        done=(
            f"`{output}` is an array of {len(rows)} objects",
            f"turned the {len(rows)} rows into objects in `{output}`",
        ),
        slips=_text_slip(state, output, numeric, rows),
    )


def _types(numeric: list[str], columns: Sequence[str]) -> str:
    if not numeric:
        return "every value is text"
    texts = [name for name in columns if name not in numeric]
    if not texts:
        return "every value is a number"
    if len(numeric) > 6 and len(texts) <= 3:
        return f"{listed(texts)} {'are' if len(texts) > 1 else 'is'} text, all other values are numbers"
    return (
        f"{listed(numeric)} {'are' if len(numeric) > 1 else 'is'} {'numbers' if len(numeric) > 1 else 'a number'}, the "
        f"rest is text"
    )


def _csv_json_ways(
    state: State, draw: Draw, table: Table, output: str, numeric: list[str], gaps: bool
) -> tuple[Way, ...]:
    source = state.focus.path
    names = ", ".join(literal(n) for n in numeric)
    convert = ""
    if numeric:
        guard = "row[name] = number(row[name])" + (" if row[name] else None" if gaps else "")
        convert = f"    for name in [{names}]:\n        {guard}\n"
    blank = "    row = {name: value or None for name, value in row.items()}\n" if gaps else ""
    number = 'def number(text):\n    return float(text) if "." in text else int(text)\n\n' if numeric else ""
    script = (
        f"import csv\nimport json\n\n{number}result = []\n"
        f'for row in csv.DictReader(open({literal(source)}, newline="")):\n{blank}{convert}    result.append(row)\n'
        f"{dump_result(output, draw)}"
    )
    python = Way(
        "python",
        ("python3",),
        (
            Act(
                mkdir_first(state, output, python_way(script)),
                (
                    "DictReader keys each row by the header; the numeric columns need converting from text.",
                    f"I read {len(table.rows)} rows with the csv module, set the types and dump them as JSON.",
                    "The csv module yields text only, so I convert what should be numbers before dumping.",
                )
                if numeric
                else (
                    "DictReader keys each row by the header, and all columns are text anyway.",
                    f"I read the {len(table.rows)} rows with the csv module and dump them as JSON.",
                    "Every value stays text, so the rows can go into JSON as they are.",
                ),
            ),
        ),
    )
    if not awkable(state):
        return (python,)
    return (python, _split_way(state, table, output, numeric))


def _split_way(state: State, table: Table, output: str, numeric: list[str]) -> Way:
    parts = []
    for at, column in enumerate(table.columns):
        value = f".[{at}]"
        if column.missing:
            value = f'(if {value} == "" then null else {value}{" | tonumber" if column.name in numeric else ""} end)'
        elif column.name in numeric:
            value = f"(.[{at}] | tonumber)"
        parts.append(f"{literal(column.name)}: {value}")
    program = '[inputs | split(",") | {' + ", ".join(parts) + "}]"
    command = f"jq -R -n 'input | {program}' {sh(state.focus.path)} > {sh(output)}"
    return Way(
        "jq",
        ("jq",),
        (
            Act(
                mkdir_first(state, output, command),
                (
                    "Nothing in this file is quoted, so splitting each line at commas is safe; the header is "
                    "skipped first.",
                    "Reading raw lines, dropping the header and naming the pieces gives the objects.",
                    f"With {len(table.columns)} plain columns I can split the lines and name each part.",
                ),
            ),
        ),
    )


def _text_slip(state: State, output: str, numeric: list[str], rows: list[dict[str, Json]]) -> tuple[Slip, ...]:
    """Numbers left as text."""
    if not numeric or rows[0][numeric[0]] is None:
        return ()
    script = (
        f'import csv, json\nrows = list(csv.DictReader(open({literal(state.focus.path)}, newline="")))\n'
        f'json.dump(rows, open({literal(output)}, "w"), indent=2)'
    )
    name = numeric[0]
    check = f"import json; row = json.load(open({literal(output)}))[0]; print(type(row[{literal(name)}]).__name__)"
    return (
        Slip(
            command=mkdir_first(state, output, python_way(script)),
            why=(
                "DictReader already gives dictionaries that can be dumped.",
                "The rows can be dumped as they are read.",
            ),
            look=f"python3 -c '{check}'",
            sign=r"\Astr\b",
            remark=(
                f"`{name}` came out as text. The csv module does not convert, so I must turn it into a number.",
                f"A string in `{name}` is not what was asked: it has to be a number.",
            ),
            tools=("python3",),
        ),
    )


SKILLS = (
    PackSkill(
        "csv-to-json-records",
        "json",
        "Write the rows of a CSV table as a JSON array of typed objects.",
        COMMA_TABLES,
        "json-records",
        csv_to_records,
    ),
)
