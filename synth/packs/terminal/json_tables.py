"""Skills between JSON and CSV: arrays of flat objects become tables and tables become arrays."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table, make_table
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, stem
from trajmill.synth.packs.outputs import awkable, literal, python_way, write_records, write_table
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_material import table_row
from trajmill.synth.packs.terminal.json_ways import (
    dump_result,
    field_of,
    is_lines,
    is_number,
    jq_way,
    one_spelling,
    python_json_way,
    rows_of,
    spelled,
    survives,
    tame,
)
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES, JSON_ARRAYS


def records_to_csv(state: State, draw: Draw) -> Application | None:
    """Write the objects as a CSV table with stated columns; null becomes an empty field."""
    rows = rows_of(state)
    if rows is None:
        return None
    usable = [k for k in rows[0] if tame(k) and "," not in k and all(_cell(row[k]) for row in rows)]
    if len(usable) < 2:
        return None
    names = usable if len(usable) <= 5 and draw.rng.random() < 0.4 else draw.some(usable, 2, min(5, len(usable)))
    table = make_table(names, [[spelled(row[k]) for k in names] for row in rows])
    output = place_output(state, draw, (stem(state.focus.path), f"{stem(state.focus.path)}_table", "table"), ".csv")
    written = write_table(state, draw, output, table, "csv-table")
    order = ", ".join(f"`{n}`" for n in names)
    gaps = any(row[k] is None for row in rows for k in names)
    empty = "; null becomes an empty field" if gaps else ""
    fields = ", ".join(field_of(n) for n in names)
    header = ", ".join(literal(n) for n in names)
    return Application(
        outputs=(output,),
        asks=(
            f"convert {{it}} to CSV: `{output}` with a header row and the columns {order} in that order, one row "
            f"per object{empty}",
            f"write the objects of {{it}} as the comma-separated file `{output}`, columns {order} in this order "
            f"under a header{empty}",
            f"we need {{it}} as a spreadsheet: save `{output}` as CSV with the header {order} and one line for "
            f"each object, order unchanged{empty}",
            f"turn each object in {{it}} into a row of `{output}`, a CSV file with exactly the columns {order}, "
            f"header first{empty}",
        ),
        results=(
            f"{{it}} as CSV with a header and the columns {order} in that order, one row per object{empty}",
            f"a CSV table of the objects in {{it}}, columns {order} with header{empty}",
        ),
        rules=written.rules,
        ways=(
            python_json_way(
                state,
                draw,
                output,
                draw.pick(
                    (
                        f"columns = [{header}]\n"
                        f'with open({literal(output)}, "w", newline="") as out:\n'
                        '    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\\n")\n'
                        "    writer.writeheader()\n    writer.writerows(rows)",
                        f"columns = [{header}]\n"
                        f'with open({literal(output)}, "w", newline="") as out:\n'
                        '    writer = csv.writer(out, lineterminator="\\n")\n'
                        "    writer.writerow(columns)\n"
                        "    writer.writerows([row[name] for name in columns] for row in rows)",
                    )
                ),
                (
                    "The csv module quotes a field only where it must, and writes null as an empty field.",
                    f"I list the {len(names)} columns in the wanted order and let the csv module write the rows.",
                    "A fixed list of columns keeps header and fields in step.",
                ),
                imports=("import csv",),
                writes=True,
            ),
            *_jq_csv(state, draw, output, table, header, fields),
        ),
        checks=(written.check,),
        after=written.state,
        done=(
            f"`{output}` has a header and {len(rows)} rows with the columns {order}",
            f"wrote the {len(rows)} objects as CSV rows to `{output}`",
        ),
        slips=_raw_slip(state, output, names, fields, header, table),
    )


def _cell(value: Json) -> bool:
    return (
        one_spelling(value) and "\n" not in str(value) and "\r" not in str(value) and str(value) == str(value).strip()
    )


def _jq_csv(state: State, draw: Draw, output: str, table: Table, header: str, fields: str) -> tuple[Way, ...]:
    """Jq's own CSV quotes every text; with nothing to quote, plain joining gives the bare form."""
    if not table.plain:
        return ()
    texts = f'[{fields}] | map(if . == null then "" else tostring end) | join(",")'
    return (
        jq_way(
            state,
            draw,
            output,
            draw.pick((f'([{header}] | join(",")), (.[] | {texts})', f'"{",".join(table.header)}", (.[] | {texts})')),
            (
                "No value holds a comma or a quote, so joining the fields with commas is safe.",
                "I print the header once and then one joined line per object, in raw form.",
                "Raw output and a join give the bare CSV lines here, since nothing needs quoting.",
            ),
            flags="-r",
        ),
    )


def _raw_slip(
    state: State, output: str, names: tuple[str, ...] | list[str], fields: str, header: str, table: Table
) -> tuple[Slip, ...]:
    """CSV lines that are still JSON strings because raw output was forgotten."""
    slurp = "-s " if is_lines(state) else ""
    target = sh(output)
    if not table.plain:
        return ()
    return (
        Slip(
            command=mkdir_first(
                state, output, f"jq {slurp}'([{header}], (.[] | [{fields}])) | @csv' {sh(state.focus.path)} > {target}"
            ),
            why=(
                "@csv can format the header and every row.",
                "I build arrays in column order and let @csv format them.",
            ),
            look=f"head -n 3 {target}",
            sign=r'\A"\\"',
            remark=(
                "Each line is a JSON string with escaped quotes. That is not CSV; the raw text is needed.",
                "The backslashes show that the lines were printed as JSON strings. I write the fields bare instead.",
            ),
            tools=("jq",),
        ),
    )


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
        state, draw, (stem(state.focus.path), f"{stem(state.focus.path)}_records", "records"), ".json"
    )
    written = write_records(state, output, rows, "json-records")
    types = _types(numeric, len(table.columns)) + ("; an empty field becomes null" if gaps else "")
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


def _types(numeric: list[str], columns: int) -> str:
    if not numeric:
        return "every value is text"
    if len(numeric) == columns:
        return "every value is a number"
    listed = ", ".join(f"`{n}`" for n in numeric[:-1]) + (" and " if len(numeric) > 1 else "") + f"`{numeric[-1]}`"
    return (
        f"{listed} {'are' if len(numeric) > 1 else 'is'} {'numbers' if len(numeric) > 1 else 'a number'}, the "
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


def summary_to_csv(state: State, draw: Draw) -> Application | None:
    """Write an object of figures as a two-column table, sorted by name."""
    facts = state.focus.facts
    if not isinstance(facts, Document) or not isinstance(facts.value, dict) or len(facts.value) < 2:
        return None
    items = sorted(facts.value.items())
    if not all(is_number(v) and one_spelling(v) and "," not in k and tame(k) for k, v in items):
        return None
    first, second = draw.pick((("name", "figure"), ("key", "value"), ("item", "amount"), ("entry", "number")))
    table = make_table((first, second), [(k, spelled(v)) for k, v in items])
    output = place_output(state, draw, (stem(state.focus.path), f"{stem(state.focus.path)}_table", "figures"), ".csv")
    written = write_table(state, draw, output, table, "group-summary")
    return Application(
        outputs=(output,),
        asks=(
            f"list the entries of {{it}} in the CSV file `{output}` with the columns `{first}` and `{second}`, "
            f"sorted by `{first}` in code point order",
            f"make a two-column CSV `{output}` out of {{it}}, header `{first}`,`{second}`, one row per key and the "
            f"keys in code point order",
            f"turn the object in {{it}} into rows: `{output}` is CSV with header, `{first}` for the key and "
            f"`{second}` for its number, ordered by key (code points)",
            f"save {{it}} as a table in `{output}`, comma-separated, columns `{first}` and `{second}`, keys sorted "
            f"by code point",
        ),
        results=(
            f"the entries of {{it}} as CSV with the columns `{first}` and `{second}`, sorted by `{first}` in code "
            f"point order",
            f"a two-column CSV (`{first}`, `{second}`) of the keys and numbers in {{it}}, keys in code point order",
        ),
        rules=written.rules,
        ways=(
            Way(
                "jq",
                ("jq",),
                (
                    Act(
                        mkdir_first(
                            state,
                            output,
                            draw.pick(
                                (
                                    f'jq -r \'"{first},{second}", (to_entries | sort_by(.key)[] | '
                                    f'"\\(.key),\\(.value)")\' {sh(state.focus.path)} > {sh(output)}',
                                    f'jq -r \'(["{first}", "{second}"] | join(",")), (. as $all | keys[] | '
                                    f'"\\(.),\\($all[.])")\' {sh(state.focus.path)} > {sh(output)}',
                                )
                            ),
                        ),
                        (
                            "The object is flat, so its entries can be printed one a line after the header.",
                            f"There are {len(items)} keys; I print them in sorted order with their numbers.",
                            "No key holds a comma, so simple joining is right.",
                        ),
                    ),
                ),
            ),
            Way(
                "python",
                ("python3",),
                (
                    Act(
                        mkdir_first(
                            state,
                            output,
                            python_way(
                                f"import csv\nimport json\n\nfigures = json.load(open({literal(state.focus.path)}))\n"
                                f'with open({literal(output)}, "w", newline="") as out:\n'
                                f'    writer = csv.writer(out, lineterminator="\\n")\n    '
                                f'writer.writerow(["{first}", "{second}"])\n'
                                f"    writer.writerows(sorted(figures.items()))"
                            ),
                        ),
                        (
                            "Sorting the items and writing them with the csv module gives the table.",
                            f"I load the {len(items)} figures and write them as rows in key order.",
                            "Python sorts keys by code point, which is the order wanted.",
                        ),
                    ),
                ),
            ),
        ),
        checks=(written.check,),
        after=written.state,
        done=(
            f"`{output}` lists the {len(items)} figures as rows",
            f"wrote {len(items)} rows of `{first}` and `{second}` to `{output}`",
        ),
    )


SKILLS = (
    PackSkill(
        name="json-records-to-csv",
        domain="json",
        summary="Write the objects of a JSON array as a CSV table with stated columns.",
        pre=(*JSON_ARRAYS, "json-lines"),
        post="csv-table",
        apply=records_to_csv,
    ),
    PackSkill(
        name="csv-to-json-records",
        domain="json",
        summary="Write the rows of a CSV table as a JSON array of typed objects.",
        pre=COMMA_TABLES,
        post="json-records",
        apply=csv_to_records,
    ),
    PackSkill(
        name="json-summary-to-csv",
        domain="json",
        summary="Write a flat JSON object of figures as a two-column CSV table.",
        pre=("json-summary",),
        post="group-summary",
        apply=summary_to_csv,
    ),
)
