"""Joining a table with the lookup table that it refers to."""

from __future__ import annotations

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.facts import Database
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import many
from trajmill.synth.packs.terminal.sqlite_choice import (
    DATABASES,
    query_ways,
    quoted,
    shell_sql,
    speakable,
)
from trajmill.synth.packs.terminal.table_choice import listed, sayable
from trajmill.synth.packs.terminal.table_ways import Words, applied


def query_join(state: State, draw: Draw) -> Application | None:
    """Join a table with the lookup table that it refers to."""
    facts = state.focus.facts
    pair = _pair(facts) if isinstance(facts, Database) else None
    if pair is None or not isinstance(facts, Database):
        return None
    main, lookup, reference, named = pair
    table, names = facts.tables[main], facts.tables[lookup]
    meaning = {row[0]: row[1] for row in names.rows}
    others = [c for c in table.header if c != reference]
    known = len(meaning) == len(names) and all(meaning.values()) and meaning.keys() >= set(table.column(reference))
    if not others or len(table) > 300 or not known:
        return None
    columns = draw.some(others, 1, min(3, len(others)))
    values = sorted(set(table.column(reference)), key=int)
    some = [
        v
        for v in values
        if 2 <= table.column(reference).count(v) < len(table) and sayable(meaning[v]) and "'" not in meaning[v]
    ]
    if not some:
        return None
    chosen = draw.pick(some) if draw.rng.random() < 0.5 else None
    at = table.index(reference)
    kept = [r for r in table.rows if chosen is None or r[at] == chosen]
    result = make_table((*columns, named), [(*(r[table.index(c)] for c in columns), meaning[r[at]]) for r in kept])
    output = place_output(state, draw, ("joined", f"{main}_named", "result"), ".csv")
    written = write_table(state, draw, output, result, "sql-result")
    where = f" WHERE l.{named} = {quoted(meaning[chosen])}" if chosen else ""
    query = (
        f"SELECT {', '.join(f'm.{c}' for c in columns)}, l.{named} FROM {main} AS m JOIN {lookup} AS l ON l.id = "
        f"m.{reference}{where} ORDER BY m.rowid"
    )
    only = f", only for `{named}` = `{meaning[chosen]}`" if chosen else ""
    shown = listed((*columns, named))
    missing = any(not f for r in result.rows for f in r)
    path = state.focus.path
    crossed = (
        f"SELECT {', '.join(f'm.{c}' for c in columns)}, l.{named} FROM {main} AS m, {lookup} AS l ORDER BY m.rowid"
    )
    slip = Slip(
        command=mkdir_first(
            state, output, f"sqlite3 -header -separator , {sh(path)} {shell_sql(crossed)} > {sh(output)}"
        ),
        why=(
            f"Both tables go into the FROM clause, {main} and {lookup}.",
            "A query over the two tables gives names instead of numbers.",
        ),
        look=f"wc -l {sh(output)}",
        sign=rf"\A\s*(?!{len(result) + 1}\b)\d+",
        remark=(
            "Every row was paired with every name. The condition that joins them is missing.",
            f"That is {len(table) * len(names)} rows, the product of both tables; I forgot how they belong together.",
        ),
        tools=("sqlite3", "wc"),
    )
    return applied(
        written,
        output,
        Words(
            (
                f"in the SQLite database {{it}}, join `{main}` with `{lookup}` (`{main}.{reference}` refers to "
                f"`{lookup}.id`) and write {shown} to the CSV file `{output}`, with a header and in order of the "
                f"rowid of `{main}`{only}",
                f"write `{output}`, a CSV file with the columns {shown}, from the tables `{main}` and `{lookup}` of "
                f"{{it}}, where `{reference}` in the first is the `id` in the second; header on top, rows as ordered "
                f"by rowid in `{main}`{only}",
                f"replace the numbers by names: for each row of `{main}` in {{it}}, look up `{named}` in `{lookup}` "
                f"(its `id` equals `{reference}`) and save {shown} as `{output}`, CSV with a header, by rowid of "
                f"`{main}`{only}",
                f"query {{it}} for {shown}, the last of them from `{lookup}` by way of `{main}.{reference}` = "
                f"`{lookup}.id`, in the order of the rowid of `{main}`{only}, and store the result with a header as "
                f"the CSV file `{output}`",
            ),
            (
                f"a CSV table with {shown} from `{main}` joined with `{lookup}` in {{it}} (`{main}.{reference}` = "
                f"`{lookup}.id`), header included, by rowid of `{main}`{only}",
            ),
            (
                f"`{output}` has {many(len(result), 'row')} with `{named}` spelled out",
                f"joined `{main}` and `{lookup}` into `{output}`, {many(len(result), 'row')}",
            ),
            ("NULL becomes an empty field.",) if missing else (),
        ),
        query_ways(
            state,
            draw,
            path,
            output,
            query,
            result,
            (
                f"`{reference}` leads from `{main}` to `{lookup}`, so an inner join is right.",
                f"The lookup table has {len(names)} names; each row of {main} gets its own.",
                "The order has to come from the main table, so I sort by its rowid.",
            ),
            (
                "The join is done in SQL; Python writes the rows that come back.",
                f"I join on {reference} and let csv write header and rows.",
                "With short aliases for both tables the query stays readable.",
            ),
        ),
        (slip,),
    )


def _pair(facts: Database) -> tuple[str, str, str, str] | None:
    """Main table, lookup table, referring column and named column; None if the database has no such pair."""
    for lookup, names in facts.tables.items():
        if len(names.header) != 2 or names.header[0] != "id" or not speakable(names.header[1]):
            continue
        reference = f"{names.header[1]}_id"
        for main, table in facts.tables.items():
            if reference in table.header and names.header[1] not in table.header and all(map(speakable, table.header)):
                return main, lookup, reference, names.header[1]
    return None


SKILLS = (
    PackSkill("sqlite-join-query", "sqlite", "Join two tables of a database.", DATABASES, "sql-result", query_join),
)
