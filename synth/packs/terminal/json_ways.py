"""How JSON files are read and written in the ways of skills, and what their records promise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Records
from trajmill.synth.packs.naming import mkdir_first, sh
from trajmill.synth.packs.outputs import literal, python_way
from trajmill.synth.packs.skill import Act, Draw, Way
from trajmill.synth.packs.state import State

Rows = tuple[Mapping[str, Json], ...]

_EXACT_INTEGER = 1 << 53
_JQ_WORDS = frozenset(
    (
        "and",
        "or",
        "if",
        "then",
        "elif",
        "else",
        "end",
        "as",
        "def",
        "reduce",
        "foreach",
        "try",
        "catch",
        "label",
        "import",
    )
)


def rows_of(state: State, least: int = 4) -> Rows | None:
    """The focus's records if there are at least so many and all have the same keys, else None."""
    facts = state.focus.facts
    if not isinstance(facts, Records) or len(facts.rows) < least:
        return None
    keys = set(facts.rows[0])
    return facts.rows if keys and all(set(row) == keys for row in facts.rows) else None


def is_number(value: Json) -> bool:
    """Whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def text_fields(rows: Rows, *, empty: bool = False) -> list[str]:
    """Names of the fields that hold text in every record; ``empty`` lets empty strings pass."""
    return [k for k in rows[0] if tame(k) and all(isinstance(r[k], str) and (empty or r[k]) for r in rows)]


def number_fields(rows: Rows, *, gaps: bool = False) -> list[str]:
    """Names of the fields that hold a number in every record; with ``gaps`` null may stand in up to half of them."""
    names = []
    for key in rows[0]:
        numbers = [r[key] for r in rows if is_number(r[key])]
        rest = [r[key] for r in rows if not is_number(r[key])]
        if tame(key) and numbers and all(v is None for v in rest) and len(rest) <= (len(rows) // 2 if gaps else 0):
            names.append(key)
    return names


def is_label(name: str) -> bool:
    """Whether a numeric field, by its name, is a year, place or code, so that its sum says nothing."""
    return bool(
        re.search(
            r"lat|lon|year|month|date|zip|code|phone|numeric|rank|index|\bid\b|_id$|^no$|^nr$|^row$|number$",
            name,
            re.IGNORECASE,
        )
    )


def tame(text: str) -> bool:
    """Whether a text can stand between back quotes in prose and between any quotes in a script."""
    odd = set("`'\"\\$!{}")
    return 0 < len(text) <= 40 and text == text.strip() and text.isprintable() and not odd & set(text)


def survives(value: Json) -> bool:
    """Whether every reader and writer keeps the value: no integer beyond a double, no decimal that a double changes."""
    if isinstance(value, dict):
        return all(survives(v) for v in value.values())
    if isinstance(value, list):
        return all(survives(v) for v in value)
    if isinstance(value, Decimal):
        return abs(value) < 10**15 and Decimal(repr(float(value))) == value
    return not is_number(value) or abs(value) < _EXACT_INTEGER


def one_spelling(value: Json) -> bool:
    """Whether every tool writes this value as the same text: no ``5.0`` that may become ``5``, no exponents."""
    if isinstance(value, Decimal):
        text = format(value, "f")
        digits = len(value.as_tuple().digits)
        return "." in text and not text.endswith("0") and digits <= 15 and abs(value) >= Decimal("0.001")
    return value is None or isinstance(value, str) or (is_number(value) and survives(value))


def spelled(value: Json) -> str:
    """A value as a field of a text or table: null is empty."""
    if value is None:
        return ""
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def plain_number(value: Decimal) -> int | Decimal:
    """The same number without needless zeros: ``5.0`` is 5, ``2.50`` is 2.5."""
    if value == value.to_integral_value():
        return int(value)
    return value.normalize() if value.as_tuple().digits[-1] == 0 else value


def as_double(value: Decimal) -> Decimal:
    """A number that some tools write with a decimal point and some without, marked as such: 41 becomes ``41.0``."""
    whole = value == value.to_integral_value()
    return Decimal(f"{int(value)}.0") if whole else value.normalize()


def field_of(name: str) -> str:
    """A field as jq names it."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name not in _JQ_WORDS
    return f".{name}" if plain else f".[{literal(name)}]"


def is_lines(state: State) -> bool:
    """Whether the focus holds one record per line."""
    return state.focus.scenario == "json-lines"


def jq_way(
    state: State, draw: Draw, output: str, program: str, why: Sequence[str], *, flags: str = "", name: str = "jq"
) -> Way:
    """A way that runs a jq program on the focus, JSON Lines slurped into an array first."""
    slurp = "-s " if is_lines(state) else ""
    source, target = sh(state.focus.path), sh(output)
    shown = f"{flags} " if flags else ""
    command = draw.pick(
        (
            f"jq {slurp}{shown}'{program}' {source} > {target}",
            f"jq {shown}{slurp}'{program}' < {source} > {target}",
            f"cat {source} | jq {slurp}{shown}'{program}' > {target}",
        )
    )
    return Way(name, ("jq",), (Act(mkdir_first(state, output, command), tuple(why)),))


def python_json_way(
    state: State,
    draw: Draw,
    output: str,
    body: str,
    why: Sequence[str],
    *,
    imports: Sequence[str] = (),
    writes: bool = False,
    name: str = "python",
) -> Way:
    """A way in Python: the body finds ``rows`` and sets ``result``, or ``writes`` the output itself.

    What is set is written as JSON; without a body, the rows are.
    """
    needs, reading = load_rows(state.focus.path, draw, lines=is_lines(state))
    ending = () if writes else (dump_result(output, draw, "result" if body else "rows"),)
    heads = sorted({"import json", *imports, *needs}, key=lambda head: (head.startswith("from"), head))
    script = "\n".join((*heads, "", reading, *filter(None, (body.strip(),)), *ending))
    return Way(name, ("python3",), (Act(mkdir_first(state, output, python_way(script)), tuple(why)),))


def load_rows(path: str, draw: Draw, *, lines: bool, name: str = "rows") -> tuple[tuple[str, ...], str]:
    """Imports and statements that read a JSON array, or JSON Lines, into a variable."""
    quoted = literal(path)
    if lines:
        return draw.pick(
            (
                ((), f"with open({quoted}) as f:\n    {name} = [json.loads(line) for line in f]"),
                ((), f"{name} = [json.loads(line) for line in open({quoted})]"),
                ((), f"with open({quoted}) as f:\n    {name} = list(map(json.loads, f))"),
            )
        )
    return draw.pick(
        (
            ((), f"with open({quoted}) as f:\n    {name} = json.load(f)"),
            ((), f"{name} = json.load(open({quoted}))"),
            (("from pathlib import Path",), f"{name} = json.loads(Path({quoted}).read_text())"),
        )
    )


def dump_result(output: str, draw: Draw, name: str = "result") -> str:
    """Statements that write a variable as JSON with a final newline."""
    quoted = literal(output)
    return draw.pick(
        (
            f'with open({quoted}, "w") as out:\n    json.dump({name}, out, indent=2, ensure_ascii=False)\n    '
            f'out.write("\\n")',
            f'with open({quoted}, "w") as out:\n    out.write(json.dumps({name}, indent=2) + "\\n")',
            f'with open({quoted}, "w") as out:\n    print(json.dumps({name}, ensure_ascii=False), file=out)',
            f'with open({quoted}, "w") as out:\n    print(json.dumps({name}, indent=4), file=out)',
        )
    )
