"""Skills that move tables in and out of SQLite: loading a CSV file, exporting a table, describing the schema."""

from __future__ import annotations

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.expect import expect_query
from trajmill.synth.packs.facts import Database
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug, stem
from trajmill.synth.packs.outputs import python_way, write_table
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import many
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.sqlite_choice import (
    DATABASES,
    Held,
    expect_rows,
    held_table,
    query_ways,
    shell_sql,
    speakable,
    sql_type,
    stored,
)
from trajmill.synth.packs.terminal.sqlite_starts import create_table
from trajmill.synth.packs.terminal.table_choice import table_of
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, py


def load_csv(state: State, draw: Draw) -> Application | None:
    """Load a table into a new database with stated types."""
    table, source = table_of(state, least=4), state.focus.path
    kept = stored(table) if table is not None and all(map(speakable, table.header)) else None
    if table is None or kept is None or any(f != f.strip() for r in table.rows for f in r):
        return None
    name = slug(stem(source))
    name = name if speakable(name) else f"t_{name}"
    output = place_output(state, draw, (name, f"{name}_data", "store"), draw.pick((".db", ".sqlite")))
    held = Held(output, name, kept)
    types = held.types()
    said = ", ".join(f"`{n}` {k}" for n, k in types.items())
    missing = [c.name for c in kept.columns if c.missing]
    nulls = " An empty field becomes NULL." if missing else ""
    create = create_table(name, kept)
    fix = [f"UPDATE {name} SET {n} = NULL WHERE {n} = ''" for n in missing]
    steps = [create, f".import --csv --skip 1 {source} {name}", *fix]
    command = f"sqlite3 {sh(output)} " + " ".join(shell_sql(s) for s in steps)
    marks = ", ".join("?" for _ in types)
    convert = "[value or None for value in row]" if missing else "row"
    script = f"""
import csv
import sqlite3

db = sqlite3.connect({py(output)})
db.execute({py(create)})
with open({py(source)}, newline="") as f:
    reader = csv.reader(f)
    next(reader)
    db.executemany({py(f"INSERT INTO {name} VALUES ({marks})")}, ({convert} for row in reader))
db.commit()
db.close()
"""
    ways = [
        Way(
            "python",
            ("python3",),
            (
                Act(
                    mkdir_first(state, output, python_way(script)),
                    (
                        "The column types turn the text of the CSV into numbers as it is inserted.",
                        f"Python reads the {len(kept)} rows and inserts them in one go.",
                        "csv handles quoting, sqlite3 the types.",
                    ),
                ),
            ),
        )
    ]
    if all(c.isalnum() or c in "_./-" for c in source):
        ways.insert(
            0,
            Way(
                "sqlite3",
                ("sqlite3",),
                (
                    Act(
                        mkdir_first(state, output, command),
                        (
                            "The table is made first, with its types; the import then skips the header line.",
                            f"{len(kept)} rows are imported into a table whose types I declare myself.",
                            "An import into an existing table keeps its types, so CREATE comes first."
                            if not missing
                            else "After the import, empty strings still have to become NULL.",
                        ),
                    ),
                ),
            ),
        )
    types_check = expect_query(
        output,
        f"SELECT name, upper(type) FROM pragma_table_info('{name}') ORDER BY cid",
        [[n, k] for n, k in types.items()],
    )
    after = state.made(output, "sqlite-database", Database({name: kept}))
    numeric = any(k != "TEXT" for k in types.values())
    slips = (
        (
            Slip(
                command=mkdir_first(
                    state, output, f"sqlite3 {sh(output)} {shell_sql(f'.import --csv {source} {name}')}"
                ),
                why=(
                    "sqlite3 can import a CSV file and makes the table itself.",
                    f"One import of `{source}` into a new table.",
                ),
                look=f"sqlite3 {sh(output)} .schema",
                sign=r"(?s)\A(?!.*\b(?:INTEGER|REAL)\b)",
                remark=(
                    "All columns came out as text. The types have to be declared before the import.",
                    "The schema knows nothing of numbers; an import that makes the table takes all for text.",
                ),
                undo=f"rm {sh(output)}",
                tools=("sqlite3", "rm"),
            ),
        )
        if numeric and all(c.isalnum() or c in "_./-" for c in source)
        else ()
    )
    return Application(
        outputs=(output,),
        asks=(
            f"load {{it}} into a new SQLite database `{output}` as the table `{name}` with the columns {said}, rows "
            "in file order",
            f"make a SQLite file `{output}` with one table `{name}` that holds all rows of {{it}} in their order; "
            f"declare the columns as {said}",
            f"put the rows of {{it}} into SQLite: database `{output}`, table `{name}`, columns and types {said}, in "
            "the order of the file",
            f"build the SQLite database `{output}` out of {{it}}. Its table is called `{name}` and declares {said}; "
            "insert the rows as they come, without the header",
        ),
        results=(f"a SQLite database with all rows of {{it}} in the table `{name}`, in file order, columns {said}",),
        rules=(nulls.strip(),) if nulls else (),
        ways=tuple(ways),
        checks=(expect_rows(held, kept.rows), types_check),
        after=after,
        done=(
            f"loaded {many(len(kept), 'row')} into the table `{name}` of `{output}`",
            f"`{output}` has the table `{name}` with {many(len(kept), 'row')} and {len(types)} typed columns",
        ),
        slips=slips,
    )


def export_table(state: State, draw: Draw) -> Application | None:
    """Write a whole table as CSV."""
    held = held_table(state, draw)
    if held is None or len(held.table) > 400:
        return None
    output = place_output(state, draw, (held.name, f"{held.name}_export", "export"), ".csv")
    written = write_table(state, draw, output, held.table, "csv-table")
    query = f"SELECT * FROM {held.name} ORDER BY rowid"
    count = len(held.table)
    missing = any(c.missing for c in held.table.columns)
    bare = [",".join(row) for row in held.table.rows]
    mistake = Mistake(
        f"sqlite3 -separator , {sh(held.path)} {shell_sql(query)} > {sh(output)}",
        (
            f"A query for all of `{held.name}`, with commas between the values.",
            "SELECT * gives every column, so that is enough.",
        ),
        (
            "The header is missing; sqlite3 prints it only if told to.",
            "The first line should be the column names, not data.",
        ),
        ("sqlite3",),
    )
    slip = head_slip(state, output, mistake, bare, [",".join(held.table.header), *bare]) if held.table.plain else None
    return applied(
        written,
        output,
        Words(
            (
                f"export the whole table `{held.name}` of the SQLite database {{it}} to `{output}` as CSV with a "
                "header, rows in order of their rowid",
                f"write all rows and columns of `{held.name}` in {{it}} to the CSV file `{output}`, column names "
                "first, in rowid order",
                f"dump the table `{held.name}` from {{it}} as `{output}`: comma-separated, header line, ordered by "
                "rowid",
                f"make a CSV copy `{output}` of the table `{held.name}` that {{it}} holds, with its column names on "
                "top and the rows by rowid",
            ),
            (f"all rows of the table `{held.name}` in {{it}} as CSV with a header, by rowid",),
            (
                f"`{output}` has the {count} rows of `{held.name}`",
                f"exported {count} rows from `{held.name}` to `{output}`",
            ),
            ("NULL becomes an empty field.",) if missing else (),
        ),
        query_ways(
            state,
            draw,
            held.path,
            output,
            query,
            held.table,
            (
                "sqlite3 prints a header and commas if asked to, so one query is the whole export.",
                f"All {count} rows of `{held.name}` come out in order of rowid.",
                "The order is only certain if the query says so.",
            ),
            (
                "The cursor knows the names of the columns, and csv writes the rows.",
                f"Python fetches the {count} rows and hands them to the csv module.",
                "None is written as an empty field, which is what NULL should become."
                if missing
                else "The csv module quotes a value only where it must.",
            ),
        ),
        (slip,),
    )


def schema_report(state: State, draw: Draw) -> Application | None:
    """List the columns of all tables with their types."""
    facts, path = state.focus.facts, state.focus.path
    if not isinstance(facts, Database) or sum(len(t.columns) for t in facts.tables.values()) < 3:
        return None
    if state.focus.scenario != "sqlite-database" or facts.own:
        return None
    rows = [(n, c.name, sql_type(c)) for n, t in sorted(facts.tables.items()) for c in t.columns]
    output = place_output(state, draw, ("schema", f"{stem(path)}_schema", "columns"), ".csv")
    table = make_table(("table", "column", "type"), rows)
    written = write_table(state, draw, output, table, "group-summary")
    query = (
        'SELECT m.name AS "table", p.name AS "column", p.type AS "type" FROM sqlite_master AS m '
        "JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table' ORDER BY m.name, p.cid"
    )
    tables = len(facts.tables)
    return applied(
        written,
        output,
        Words(
            (
                f"describe the schema of the SQLite database {{it}} in `{output}`, CSV with the header "
                "`table,column,type`: a row per column, tables by name, columns in the order in which they were "
                "declared",
                f"list all columns of all tables in {{it}} in `{output}` with their declared types (CSV, header "
                "`table,column,type`, ordered by table name and then by position)",
                f"make a CSV overview `{output}` of the tables in {{it}}: `table`, `column` and declared `type`, one "
                "row per column, sorted by table name, columns in their own order",
                f"which tables and columns does {{it}} have? Put table, column and declared type into `{output}`, "
                "comma-separated under the header `table,column,type`, by table name and column position",
            ),
            (
                "a CSV table `table,column,type` of all columns in {it} with their declared types, by table name and "
                "position",
            ),
            (
                f"`{output}` describes {many(len(rows), 'column')} in {many(tables, 'table')}",
                f"wrote the schema ({many(tables, 'table')}, {many(len(rows), 'column')}) to `{output}`",
            ),
        ),
        query_ways(
            state,
            draw,
            path,
            output,
            query,
            table,
            (
                "sqlite_master has the tables and pragma_table_info their columns, so a join lists all.",
                "The schema can be queried like a table.",
                f"{many(tables, 'table')} with {many(len(rows), 'column')}: one query over the catalogue.",
            ),
            (
                "From Python I ask the catalogue for tables and columns and write the rows as CSV.",
                f"{many(len(rows), 'row')} should come out, one for each column.",
                "pragma_table_info works as a table in a query, from Python as well.",
            ),
        ),
    )


SKILLS = (
    PackSkill(
        "sqlite-load-csv", "sqlite", "Load a CSV table into a database.", COMMA_TABLES, "sqlite-database", load_csv
    ),
    PackSkill("sqlite-export-table", "sqlite", "Export a table as CSV.", DATABASES, "csv-table", export_table),
    PackSkill(
        "sqlite-schema-report",
        "sqlite",
        "Tabulate the columns of a database.",
        ("sqlite-database",),
        "group-summary",
        schema_report,
    ),
)
