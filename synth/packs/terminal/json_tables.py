"""The objects of a JSON array as a CSV table."""

from __future__ import annotations

from trajmill.schemas.content.tables import Table, make_table
from trajmill.schemas.ids import Json
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    field_of,
    is_lines,
    jq_way,
    one_spelling,
    python_json_way,
    rows_of,
    spelled,
    tame,
)
from trajmill.synth.packs.terminal.scenarios import JSON_ARRAYS
from trajmill.synth.packs.terminal.table_choice import brief


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
    output = place_output(state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_table", "table"), ".csv")
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


SKILLS = (
    PackSkill(
        "json-records-to-csv",
        "json",
        "Write the objects of a JSON array as a CSV table with stated columns.",
        (*JSON_ARRAYS, "json-lines"),
        "csv-table",
        records_to_csv,
        not_after=("csv-to-json-records",),
    ),
)
