"""Skills that ask a database: chosen rows and columns, figures by group, two tables joined."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from trajmill.schemas.content.tables import Table, make_table
from trajmill.synth.packs.facts import Database
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug
from trajmill.synth.packs.outputs import write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import many
from trajmill.synth.packs.terminal.sqlite_choice import (
    DATABASES,
    Held,
    held_table,
    query_ways,
    quoted,
    shell_sql,
    speakable,
    sql_type,
)
from trajmill.synth.packs.terminal.table_choice import listed, sayable, summable_columns
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip


class Condition:
    """A condition on one column, in words and in SQL, and the rows that meet it."""

    __slots__ = ("said", "sql", "where")

    def __init__(self, said: str, sql: str, where: Sequence[bool]) -> None:
        self.said = said
        self.sql = sql
        self.where = where


def condition(table: Table, draw: Draw) -> Condition | None:
    """A condition that some rows meet and others do not, none of them by an empty value; or None."""
    options = []
    for column in table.columns:
        values = table.column(column.name)
        kind = sql_type(column)
        filled = sorted({v for v in values if v})
        if kind == "TEXT":
            for value in filled:
                share = values.count(value)
                if 2 <= share <= len(values) * 0.7 and sayable(value) and "'" not in value:
                    hits = [v == value for v in values]
                    options.append(Condition(f"`{column.name}` is `{value}`", f"{column.name} = {quoted(value)}", hits))
                    break
            continue
        if len(filled) < 4:
            continue
        numbers = sorted(Decimal(v) for v in filled)
        for at in (len(numbers) // 3, len(numbers) // 2, 2 * len(numbers) // 3):
            limit = numbers[at]
            above = [bool(v) and Decimal(v) > limit for v in values]
            below = [bool(v) and Decimal(v) < limit for v in values]
            if 2 <= sum(above) < len(values):
                options.append(Condition(f"`{column.name}` is greater than {limit}", f"{column.name} > {limit}", above))
            if 2 <= sum(below) < len(values):
                options.append(Condition(f"`{column.name}` is less than {limit}", f"{column.name} < {limit}", below))
    return draw.pick(options) if options else None


def query_filter(state: State, draw: Draw) -> Application | None:
    """Select rows by a condition and columns by name, in a stated order."""
    held = held_table(state, draw, 6)
    found = condition(held.table, draw) if held else None
    if held is None or found is None or len(held.table.columns) < 2:
        return None
    table = held.table
    columns = draw.some(table.header, 2, min(4, len(table.header)))
    rows = [r for r, hit in zip(table.rows, found.where, strict=True) if hit]
    if len(rows) > 300:
        return None
    order = _order(table, rows, draw)
    if order is None:
        return None
    key, words, sql = order
    if key is not None:
        at = table.index(key)
        numeric = sql_type(table.about(key)) != "TEXT"
        rows = sorted(
            rows, key=lambda r: (Decimal(r[at]), "") if numeric else (Decimal(0), r[at]), reverse=sql.endswith("DESC")
        )
    places = [table.index(c) for c in columns]
    result = make_table(columns, [tuple(r[i] for i in places) for r in rows])
    output = place_output(state, draw, ("result", f"{held.name}_selected", "query_result"), ".csv")
    written = write_table(state, draw, output, result, "sql-result")
    query = f"SELECT {', '.join(columns)} FROM {held.name} WHERE {found.sql} ORDER BY {sql}"
    count = len(rows)
    missing = any(not f for r in result.rows for f in r)
    nulls = any(c.missing for c in table.columns)
    slip = _everything(state, output, held, columns, sql, result)
    return applied(
        written,
        output,
        Words(
            (
                f"from the table `{held.name}` in the SQLite database {{it}}, select {listed(columns)} of the rows in which {found.said}, {words}, and save the result as `{output}` (CSV with a header)",
                f"query {{it}}: the columns {listed(columns)} of `{held.name}` where {found.said}, {words}; write them with a header to the CSV file `{output}`",
                f"write a CSV file `{output}` with {listed(columns)} (header included) of all rows of the table `{held.name}` in {{it}} whose value says that {found.said}, {words}".replace(
                    "whose value says that", "for which"
                ),
                f"get the rows of `{held.name}` from {{it}} for which {found.said}, reduced to {listed(columns)} and {words}, as `{output}`, comma-separated with the column names on top",
            ),
            (
                f"{listed(columns)} of the rows of `{held.name}` in {{it}} for which {found.said}, {words}, as CSV with a header",
            ),
            (
                f"`{output}` has {many(count, 'row')} of {len(table)}, those in which {found.said}",
                f"selected {many(count, 'row')} from `{held.name}` into `{output}`",
            ),
            ("NULL becomes an empty field.",) if missing or (nulls and draw.rng.random() < 0.3) else (),
        ),
        query_ways(
            state,
            draw,
            held.path,
            output,
            query,
            result,
            (
                "Condition, columns and order all fit into one SELECT.",
                f"The condition is on {found.sql.split()[0]}; sqlite3 can write the result with a header.",
                f"{len(table)} rows are in the table; the WHERE clause picks those that are wanted.",
            ),
            (
                "From Python the query is the same, and csv writes its result.",
                f"I run one SELECT over `{held.name}` and write header and rows.",
                "sqlite3 in Python gives the rows, the csv module takes care of quotes.",
            ),
        ),
        (slip,),
    )


def _order(table: Table, rows: Sequence[tuple[str, ...]], draw: Draw) -> tuple[str | None, str, str] | None:
    """A column to order by without ties or gaps, in words and SQL; else the rowid."""
    options: list[tuple[str | None, str, str]] = []
    for column in table.columns:
        values = [r[table.index(column.name)] for r in rows]
        if len(set(values)) == len(values) and all(values):
            kind = sql_type(column)
            if kind != "TEXT":
                options.append((column.name, f"in descending order of `{column.name}`", f"{column.name} DESC"))
            options.append((column.name, f"in ascending order of `{column.name}`", column.name))
    if not options or draw.rng.random() < 0.3:
        return (None, "in order of rowid", "rowid")
    return draw.pick(options)


def _everything(state: State, output: str, held: Held, columns: Sequence[str], sql: str, result: Table) -> Slip | None:
    """The condition forgotten: more rows than there should be."""
    command = f"sqlite3 -header -separator , {sh(held.path)} {shell_sql(f'SELECT {chr(44).join(columns)} FROM {held.name} ORDER BY {sql}')} > {sh(output)}"
    right = len(result) + 1
    if any("\n" in f for r in held.table.rows for f in r):
        return None
    return Slip(
        command=mkdir_first(state, output, command),
        why=(
            f"I select {listed(columns)} from `{held.name}`.",
            "The columns and the order are clear, so here is the query.",
        ),
        look=f"wc -l {sh(output)}",
        sign=rf"\A\s*(?!{right}\b)\d+",
        remark=(
            f"Those are all {len(held.table)} rows; I left the condition out.",
            "Far too many rows: the WHERE clause is missing.",
        ),
        tools=("sqlite3", "wc"),
    )


def query_groups(state: State, draw: Draw) -> Application | None:
    """Count rows by group, with a sum, maximum or minimum of whole numbers if there are any."""
    held = held_table(state, draw, 6)
    if held is None:
        return None
    table = held.table
    groups = [
        c.name
        for c in table.columns
        if sql_type(c) == "TEXT" and not c.missing and 2 <= len(set(table.column(c.name))) <= min(30, len(table) // 2)
    ]
    if not groups:
        return None
    group = draw.pick(groups)
    summable = {c.name for c in summable_columns(table)}
    whole = [c.name for c in table.columns if sql_type(c) == "INTEGER" and not c.missing and c.name in summable]
    members: dict[str, list[tuple[str, ...]]] = {}
    for row in table.rows:
        members.setdefault(row[table.index(group)], []).append(row)
    names, select, said = [group, "rows"], [group, "COUNT(*) AS rows"], "the number of rows as `rows`"
    figures: dict[str, list[str]] = {g: [str(len(r))] for g, r in members.items()}
    if whole and draw.rng.random() < 0.8:
        column = draw.pick(whole)
        word = draw.pick(("total", "highest", "lowest"))
        function = {"total": "SUM", "highest": "MAX", "lowest": "MIN"}[word]
        label = f"{word}_{column}"
        names.append(label)
        select.append(f"{function}({column}) AS {label}")
        noun = {"total": "sum", "highest": "maximum", "lowest": "minimum"}[word]
        said += f" and the {noun} of `{column}` as `{label}`"
        for g, rows in members.items():
            numbers = [int(r[table.index(column)]) for r in rows]
            figures[g].append(str({"total": sum(numbers), "highest": max(numbers), "lowest": min(numbers)}[word]))
    if len({n.lower() for n in names}) < len(names):
        return None
    falling = draw.pick((True, False))
    keys = sorted(members, key=lambda g: (-len(members[g]), g)) if falling else sorted(members)
    result = make_table(names, [(g, *figures[g]) for g in keys])
    ties = falling and len({len(r) for r in members.values()}) < len(members)
    order = "most rows first" if falling else f"in ascending order of `{group}`"
    clause = f"rows DESC, {group}" if falling else group
    rules = [f"Groups with equally many rows are ordered by `{group}`, ascending."] if ties else []
    output = place_output(state, draw, (f"by_{slug(group)}", "summary", f"{held.name}_summary"), ".csv")
    written = write_table(state, draw, output, result, "group-summary")
    query = f"SELECT {', '.join(select)} FROM {held.name} GROUP BY {group} ORDER BY {clause}"
    quick = sorted(result.rows, key=lambda r: (int(r[1]), r[0]))
    header = ",".join(names)
    mistake = Mistake(
        f"sqlite3 -header -separator , {sh(held.path)} {shell_sql(query.replace('rows DESC', 'rows'))} > {sh(output)}",
        (f"Group by {group}, count, and order by the count.", "A GROUP BY with an order on the count gives the table."),
        (
            "The smallest group is on top; the order has to be descending.",
            "ORDER BY is ascending by default, and I wanted the largest first.",
        ),
        ("sqlite3",),
    )
    slip = (
        head_slip(state, output, mistake, [header, *map(",".join, quick)], [header, *map(",".join, result.rows)])
        if falling and result.plain
        else None
    )
    head = f"`{group}`, {said}".replace(", the number", " with the number")
    return applied(
        written,
        output,
        Words(
            (
                f"summarise the table `{held.name}` of the SQLite database {{it}} in `{output}` (CSV, header `{header}`): for each `{group}` {said}, {order}",
                f"for every `{group}` in `{held.name}` of {{it}}, work out {said} and write a CSV table `{output}` with the header `{header}`, {order}",
                f"group `{held.name}` in {{it}} by `{group}` and save, {order}, {head} to `{output}` as CSV with the header `{header}`",
                f"make a CSV summary `{output}` of `{held.name}` from {{it}} with one row per `{group}`: {said}, {order}, under the header `{header}`",
            ),
            (f"a CSV table `{header}`: for each `{group}` in the table `{held.name}` of {{it}} {said}, {order}",),
            (
                f"`{output}` has {len(result)} groups of `{group}`, {len(table)} rows in all",
                f"summarised {len(table)} rows by `{group}` in `{output}`",
            ),
            tuple(rules),
        ),
        query_ways(
            state,
            draw,
            held.path,
            output,
            query,
            result,
            (
                f"GROUP BY {group} with a count is a single query.",
                f"The {len(table)} rows fall into {len(result)} groups, which SQL counts in one go.",
                "Aliases in the SELECT give the header that is wanted.",
            ),
            (
                "The query groups and orders; Python only writes what comes back.",
                f"{len(result)} rows are to come out, one per {group}.",
                "I leave the grouping to SQL and the CSV to Python.",
            ),
        ),
        (slip,),
    )


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
    if not others or len(table) > 300 or not all(table.column(reference)):
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
    query = f"SELECT {', '.join(f'm.{c}' for c in columns)}, l.{named} FROM {main} AS m JOIN {lookup} AS l ON l.id = m.{reference}{where} ORDER BY m.rowid"
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
                f"in the SQLite database {{it}}, join `{main}` with `{lookup}` (`{main}.{reference}` refers to `{lookup}.id`) and write {shown} to the CSV file `{output}`, with a header and in order of the rowid of `{main}`{only}",
                f"write `{output}`, a CSV file with the columns {shown}, from the tables `{main}` and `{lookup}` of {{it}}, where `{reference}` in the first is the `id` in the second; header on top, rows as ordered by rowid in `{main}`{only}",
                f"replace the numbers by names: for each row of `{main}` in {{it}}, look up `{named}` in `{lookup}` (its `id` equals `{reference}`) and save {shown} as `{output}`, CSV with a header, by rowid of `{main}`{only}",
                f"query {{it}} for {shown}, the last of them from `{lookup}` by way of `{main}.{reference}` = `{lookup}.id`, in the order of the rowid of `{main}`{only}, and store the result with a header as the CSV file `{output}`",
            ),
            (
                f"a CSV table with {shown} from `{main}` joined with `{lookup}` in {{it}} (`{main}.{reference}` = `{lookup}.id`), header included, by rowid of `{main}`{only}",
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
    PackSkill(
        "sqlite-query-filter", "sqlite", "Select rows and columns by a query.", DATABASES, "sql-result", query_filter
    ),
    PackSkill(
        "sqlite-group-query", "sqlite", "Summarise a table by group with SQL.", DATABASES, "group-summary", query_groups
    ),
    PackSkill("sqlite-join-query", "sqlite", "Join two tables of a database.", DATABASES, "sql-result", query_join),
)
