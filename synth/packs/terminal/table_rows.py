"""Skills that choose rows of a CSV table by a condition."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from trajmill.schemas.content.tables import Column, Table
from trajmill.synth.packs.naming import place_output, slug
from trajmill.synth.packs.outputs import awkable, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import (
    COMMA,
    brief,
    listed,
    measured_columns,
    numbers,
    numeric_columns,
    sayable,
    table_of,
)
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    awk,
    awk_text,
    head_slip,
    lines_of,
    one_act,
    py,
    python_act,
    sql,
    sql_table,
)


@dataclass(frozen=True, slots=True)
class _Condition:
    """What a row must fulfil: in a sentence, in awk, in Python over ``row``, in SQL."""

    column: Column
    words: str
    """``whose `state` is exactly `TX```."""
    awk: str
    python: str
    sql: str
    imports: str = ""
    easy: bool = True
    """Whether the values can be written in awk and SQL."""


def filter_rows(state: State, draw: Draw) -> Application | None:
    """Keep the rows in which one text column has one value, or one of two."""
    table, source = table_of(state), state.focus.path
    options = _group_values(table) if table else []
    if table is None or not options:
        return None
    name, values = draw.pick(options)
    chosen = draw.some(values, 1, 2) if len(values) > 2 and draw.rng.random() < 0.3 else (draw.pick(values),)
    at = table.index(name)
    kept = tuple(row for row in table.rows if row[at] in chosen)
    if len(kept) == len(table):
        return None
    field = f"${at + 1}"
    exact = f"is exactly `{chosen[0]}`" if len(chosen) == 1 else f"is {listed(chosen, 'or')}"
    sql_values = ", ".join("'" + v.replace("'", "''") + "'" for v in chosen)
    condition = _Condition(
        table.about(name),
        f"whose `{name}` {exact}",
        " || ".join(f"{field} == {awk_text(v)}" for v in chosen),
        f"row[{py(name)}] == {py(chosen[0])}"
        if len(chosen) == 1
        else f"row[{py(name)}] in ({', '.join(py(v) for v in chosen)})",
        f"{name} IN ({sql_values})" if len(chosen) > 1 else f"{name} = {sql_values}",
        easy=not any("'" in v or "\\" in v or '"' in v for v in chosen),
    )
    value = slug("_".join(chosen))
    output = place_output(state, draw, (value, f"{brief(source)}_{value}", f"only_{value}"), ".csv")
    return _filtered(state, draw, table, condition, kept, output)


def _group_values(table: Table) -> list[tuple[str, list[str]]]:
    found = []
    for column in table.columns:
        counts = Counter(table.column(column.name)) if column.type in ("text", "boolean") else {}
        values = [v for v, n in counts.items() if n >= 2 and sayable(v)]
        if values and len(counts) > 1:
            found.append((column.name, values))
    return found


def filter_numeric(state: State, draw: Draw) -> Application | None:
    """Keep the rows in which a number is at least, at most, above, below or between limits."""
    table, source = table_of(state, least=5), state.focus.path
    columns = (
        [c for c in measured_columns(table) or numeric_columns(table) if len(set(table.column(c.name))) > 4]
        if table
        else []
    )
    if table is None or not columns:
        return None
    column = draw.pick(columns)
    name, at = column.name, table.index(column.name)
    values = numbers(table, name)
    ranked = sorted(set(zip(values, table.column(name), strict=True)))
    (low, low_text), (high, high_text) = ranked[len(ranked) // 4], ranked[len(ranked) * 3 // 4]
    field = f"${at + 1}"
    number = f"Decimal(row[{py(name)}])"
    cast = f"CAST({name} AS REAL)"
    low_py, high_py = f'Decimal("{low_text}")', f'Decimal("{high_text}")'
    kind = draw.pick(("least", "most", "above", "below", "between"))
    forms = {
        "least": (f"whose `{name}` is {high_text} or more", ">=", high),
        "most": (f"whose `{name}` is {low_text} or less", "<=", low),
        "above": (f"whose `{name}` is greater than {high_text}", ">", high),
        "below": (f"whose `{name}` is less than {low_text}", "<", low),
    }
    if kind == "between":
        words = f"whose `{name}` lies between {low_text} and {high_text} (limits included)"
        rows = tuple(r for r, v in zip(table.rows, values, strict=True) if low <= v <= high)
        condition = _Condition(
            column,
            words,
            f"{field} >= {low_text} && {field} <= {high_text}",
            f"{low_py} <= {number} <= {high_py}",
            f"{cast} BETWEEN {low_text} AND {high_text}",
            "from decimal import Decimal\n",
        )
    else:
        words, sign, limit = forms[kind]
        text = high_text if kind in ("least", "above") else low_text
        rows = tuple(r for r, v in zip(table.rows, values, strict=True) if _holds(v, sign, limit))
        condition = _Condition(
            column,
            words,
            f"{field} {sign} {text}",
            f'{number} {sign} Decimal("{text}")',
            f"{cast} {sign} {text}",
            "from decimal import Decimal\n",
        )
    if not rows or len(rows) == len(table):
        return None
    word = {"least": "high", "above": "high", "most": "low", "below": "low"}.get(kind, "range")
    output = place_output(
        state, draw, (f"{word}_{slug(name)}", f"{brief(source)}_{word}", f"{slug(name)}_{word}"), ".csv"
    )
    return _filtered(state, draw, table, condition, rows, output)


def _holds(value: Decimal, sign: str, limit: Decimal) -> bool:
    return {">=": value >= limit, "<=": value <= limit, ">": value > limit, "<": value < limit}[sign]


def _filtered(
    state: State, draw: Draw, table: Table, condition: _Condition, rows: tuple[tuple[str, ...], ...], output: str
) -> Application:
    source, words = state.focus.path, condition.words
    kept = table.with_rows(rows).with_dialect(COMMA)
    written = write_table(state, draw, output, kept, "csv-subset")
    count = len(rows)
    noun = "row" if count == 1 else "rows"
    return applied(
        written,
        output,
        Words(
            (
                f"keep only the rows of {{it}} {words} and save them, header included, as `{output}`",
                f"filter {{it}} down to the records {words} and write them with the header to `{output}`",
                f"pull the rows {words} out of {{it}} into `{output}`, keeping the header and the order of the rows",
                f"write a file `{output}` with the header of {{it}} and just those rows {words}",
                f"select from {{it}} the rows {words}; they go to `{output}` in their present order, below the header",
            ),
            (
                f"the rows of {{it}} {words}, with the header and in their original order",
                f"header and rows of {{it}}, reduced to the records {words}",
            ),
            (
                f"`{output}` holds the header and the {count} {noun} {words}",
                f"kept {count} of {len(table)} rows, those {words}, in `{output}`",
                f"saved the {count} {noun} {words} as `{output}`",
            ),
        ),
        _filter_ways(state, draw, table, condition, source, output),
        [_header_dropped(state, table, condition, source, output, rows)],
    )


def _filter_ways(state: State, draw: Draw, table: Table, condition: _Condition, source: str, output: str) -> list[Way]:
    name, at = condition.column.name, table.index(condition.column.name)
    script = f"""
import csv
{condition.imports}
with open({py(source)}, newline="") as f, open({py(output)}, "w", newline="") as out:
    rows = csv.DictReader(f)
    writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\\n")
    writer.writeheader()
    writer.writerows(row for row in rows if {condition.python})
"""
    loop = script.replace(
        f"    writer.writerows(row for row in rows if {condition.python})",
        f"    for row in rows:\n        if {condition.python}:\n            writer.writerow(row)",
    )
    python = python_act(
        state,
        output,
        draw.pick((script, loop)),
        f"Python's csv module reads quoting right, so I filter on `{name}` with it.",
        f"I copy the header and the rows whose `{name}` matches with a short Python script.",
        f"With DictReader the condition on `{name}` reads like the request.",
    )
    if not awkable(state) or not condition.easy:
        return [python]
    test = condition.awk if draw.rng.random() < 0.5 or "&&" not in condition.awk else f"({condition.awk})"
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            awk(draw.pick((f"NR == 1 || {test}", f"NR == 1 {{ print; next }} {condition.awk}")), source, output),
            f"`{name}` is field {at + 1} and nothing is quoted, so awk can keep the header and the matching rows.",
            f"No quotes in this file: awk on field {at + 1} will do.",
            f"Line 1 passes anyway; for the others awk tests field {at + 1}, which is `{name}`.",
        ),
        python,
    ]
    if sql_table(table, source):
        query = f"SELECT * FROM t WHERE {condition.sql}"
        why = (
            f"A WHERE clause on `{name}` states the condition; SQLite keeps the rows in file order.",
            f"I import the file into SQLite and select on `{name}`.",
            "SQLite reads the CSV and prints header and matching rows in one go.",
        )
        ways.append(
            one_act(state, output, "sqlite", ("sqlite3",), sql(source, output, f"{query} ORDER BY rowid"), *why)
        )
    return ways


def _header_dropped(
    state: State,
    table: Table,
    condition: _Condition,
    source: str,
    output: str,
    rows: tuple[tuple[str, ...], ...],
) -> Slip | None:
    """The condition applied to line 1 as well."""
    if not awkable(state) or not condition.easy:
        return None
    at = table.index(condition.column.name)
    if condition.column.numeric and (">" in condition.awk and "<" not in condition.awk):
        return None  # awk compares a header with a number as text, and letters come after digits
    mistake = Mistake(
        awk(condition.awk, source, output),
        (
            f"awk can select on field {at + 1} directly.",
            f"I select the lines by their field {at + 1}.",
            f"The condition on field {at + 1} is all that awk needs.",
        ),
        (
            "The header is missing: the condition dropped line 1 as well. I have to let the first line through.",
            f"The file starts with data, not with `{table.header[0]}`. The first line needs to pass the filter too.",
            "There is no header in the output, because line 1 failed the test. It has to be exempt.",
        ),
        ("awk",),
    )
    wrong = [",".join(row) for row in rows]
    return head_slip(state, output, mistake, wrong, lines_of(table.with_rows(rows)))


_PRE = tuple(s for s in COMMA_TABLES if s != "csv-subset")


SKILLS = (
    PackSkill(
        "csv-filter-rows", "tables", "Keep the rows with a given value in a column.", _PRE, "csv-subset", filter_rows
    ),
    PackSkill(
        "csv-filter-numeric",
        "tables",
        "Keep the rows whose number fulfils a condition.",
        _PRE,
        "csv-subset",
        filter_numeric,
    ),
)
