"""How table skills are written as commands: quoting, header-keeping pipelines, SQL over CSV, and slips that show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.naming import mkdir_first, sh
from trajmill.synth.packs.outputs import Written, literal, python_way
from trajmill.synth.packs.skill import Act, Application, Draw, Slip, Way
from trajmill.synth.packs.state import State

_SHOWN = 8
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = frozenset(
    ("order", "group", "index", "table", "select", "from", "where", "values", "set", "default", "key")
)


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of an application."""

    asks: tuple[str, ...]
    results: tuple[str, ...]
    done: tuple[str, ...]
    rules: tuple[str, ...] = ()


def applied(
    written: Written, output: str, words: Words, ways: Sequence[Way], slips: Sequence[Slip | None] = ()
) -> Application:
    """The application of a skill with one output."""
    return Application(
        outputs=(output,),
        asks=words.asks,
        results=words.results,
        rules=(*words.rules, *written.rules),
        ways=tuple(ways),
        checks=(written.check,),
        after=written.state,
        done=words.done,
        slips=tuple(s for s in slips if s is not None),
    )


def one_act(state: State, output: str, name: str, tools: Sequence[str], command: str, *why: str) -> Way:
    """A way of one command; makes the output's folder first if it is missing."""
    return Way(name, tuple(tools), (Act(mkdir_first(state, output, command), why),))


def python_act(state: State, output: str, script: str, *why: str) -> Way:
    """A way that is one Python script; it runs on standard library only."""
    return one_act(state, output, "python", ("python3",), python_way(script), *why)


def into(draw: Draw, source: str, output: str, pipeline: str) -> str:
    """Header of the source, then its other lines through a pipeline, into the output; the spelling is drawn."""
    s, o = sh(source), sh(output)
    return draw.pick(
        (
            f"{{ head -n 1 {s}; tail -n +2 {s} | {pipeline}; }} > {o}",
            f"(head -n 1 {s} && tail -n +2 {s} | {pipeline}) > {o}",
            f"head -n 1 {s} > {o} && tail -n +2 {s} | {pipeline} >> {o}",
            f"{{ sed -n 1p {s}; sed 1d {s} | {pipeline}; }} > {o}",
        )
    )


def body(draw: Draw, source: str) -> str:
    """A command that prints all lines but the header; the spelling is drawn."""
    return draw.pick((f"tail -n +2 {sh(source)}", f"sed 1d {sh(source)}"))


def awk_text(value: str) -> str:
    """A text as an awk string literal."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def awk(program: str, source: str, output: str, *, delimiter: str = ",") -> str:
    """An awk command that reads the source with this delimiter and writes the output with it."""
    shown = delimiter if delimiter == "," else "'\\t'" if delimiter == "\t" else f"'{delimiter}'"
    return f"awk -F{shown} {shlex.quote(program)} {sh(source)} > {sh(output)}"


def sql_table(table: Table, source: str) -> bool:
    """Whether file and column names can stand in SQL and in an import command without quotes."""
    named = all(_NAME.fullmatch(n) and n.lower() not in _RESERVED for n in table.header)
    return named and bool(re.fullmatch(r"[\w./][\w./-]*", source))


def sql(source: str, output: str, query: str) -> str:
    """A query over a comma-separated file as table ``t``; for values that need no quotes, since none are written."""
    return f"sqlite3 -header -separator , :memory: '.import --csv {source} t' {_double(query)} > {sh(output)}"


def lines_of(table: Table) -> list[str]:
    """The lines of a table that needs no quotes, header first."""
    return [table.dialect.delimiter.join(row) for row in (table.header, *table.rows)]


@dataclass(frozen=True, slots=True)
class Mistake:
    """What a slip does and says."""

    command: str
    why: tuple[str, ...]
    remark: tuple[str, ...]
    tools: tuple[str, ...]


def head_slip(state: State, output: str, mistake: Mistake, wrong: Sequence[str], right: Sequence[str]) -> Slip | None:
    """A slip that the first lines of the output give away; None if they do not differ within the first eight."""
    same = 0
    while same < min(len(wrong), len(right)) and wrong[same] == right[same]:
        same += 1
    if same >= _SHOWN or same >= len(right) or not wrong[: same + 1]:
        return None
    shown = max(same + 1, 3)
    expected = re.escape("\n".join(right[: same + 1]))
    return Slip(
        command=mkdir_first(state, output, mistake.command),
        why=mistake.why,
        look=f"head -n {shown} {sh(output)}",
        sign=rf"\A(?!{expected}(?:\r?\n|\Z))",
        remark=mistake.remark,
        tools=mistake.tools,
    )


def header_slip(state: State, output: str, mistake: Mistake, name: str, groups: Iterable[str]) -> Slip | None:
    """A slip that took the header line for a row, so that a line ``name,...`` stands among the groups."""
    if any(group == name for group in groups):
        return None
    return Slip(
        command=mkdir_first(state, output, mistake.command),
        why=mistake.why,
        look=f"grep -n {shlex.quote(f'^{name},')} {sh(output)}",
        sign=r"(?m)^(?!1:)\d+:",
        remark=mistake.remark,
        tools=("grep", *mistake.tools),
    )


def py(value: str) -> str:
    """A Python literal for a text."""
    return literal(value)


def _double(query: str) -> str:
    return '"' + query.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("`", "\\`") + '"'
