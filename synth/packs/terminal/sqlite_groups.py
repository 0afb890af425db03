"""Figures by group, asked of a database."""

from __future__ import annotations

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.sqlite_choice import (
    DATABASES,
    held_table,
    query_ways,
    shell_sql,
    sql_type,
)
from trajmill.synth.packs.terminal.table_choice import summable_columns
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip


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
                f"summarise the table `{held.name}` of the SQLite database {{it}} in `{output}` (CSV, header "
                f"`{header}`): for each `{group}` {said}, {order}",
                f"for every `{group}` in `{held.name}` of {{it}}, work out {said} and write a CSV table `{output}` "
                f"with the header `{header}`, {order}",
                f"group `{held.name}` in {{it}} by `{group}` and save, {order}, {head} to `{output}` as CSV with the "
                f"header `{header}`",
                f"make a CSV summary `{output}` of `{held.name}` from {{it}} with one row per `{group}`: {said}, "
                f"{order}, under the header `{header}`",
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


SKILLS = (
    PackSkill(
        "sqlite-group-query", "sqlite", "Summarise a table by group with SQL.", DATABASES, "group-summary", query_groups
    ),
)
