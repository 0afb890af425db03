"""Skills that bring a CSV table from another system into plain form, or into the form that such a system expects."""

from __future__ import annotations

from dataclasses import dataclass

from trajmill.schemas.content.tables import Dialect, Table, render_table
from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import Written
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.encoding_starts import came_from_windows
from trajmill.synth.packs.terminal.scenarios import COMMA_TABLES
from trajmill.synth.packs.terminal.table_choice import COMMA, brief, table_of
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act

PLAIN = "UTF-8 without a byte order mark and with Unix line ends"


@dataclass(frozen=True, slots=True)
class _Form:
    """How a foreign table is described, read by Python and read by shell tools."""

    words: str
    codec: str
    shell: str
    tools: tuple[str, ...]


def _form(dialect: Dialect, source: str) -> _Form:
    strip, bom = "s/\\r$//", "1s/^\\xEF\\xBB\\xBF//"
    windows = dialect.newline == "\r\n"
    if dialect.encoding == "utf-16-le":
        words = "in UTF-16 with a byte order mark" + (" and Windows line ends" if windows else "")
        pipe = f"iconv -f UTF-16 -t UTF-8 {sh(source)}" + (f" | sed '{strip}'" if windows else "")
        return _Form(words, "utf-16", pipe, ("iconv", "sed"))
    if dialect.encoding == "latin-1":
        words = "in ISO-8859-1" + (" with Windows line ends" if windows else "")
        pipe = f"iconv -f ISO-8859-1 -t UTF-8 {sh(source)}" + (f" | sed '{strip}'" if windows else "")
        return _Form(words, "latin-1", pipe, ("iconv", "sed"))
    edits = "; ".join(e for e, on in ((bom, dialect.bom), (strip, windows)) if on)
    traits = " and ".join(w for w, on in (("a byte order mark", dialect.bom), ("Windows line ends", windows)) if on)
    codec = "utf-8-sig" if dialect.bom else "utf-8"
    return _Form(f"in UTF-8 with {traits}", codec, f"sed '{edits}' {sh(source)}", ("sed",))


def from_foreign(state: State, draw: Draw) -> Application | None:
    """Write a table from another system in UTF-8 with Unix line ends and without a byte order mark."""
    table, source = state.focus.facts, state.focus.path
    if not isinstance(table, Table) or table.dialect.simple or table.dialect.delimiter != ",":
        return None
    if state.tree.file(source) is None or render_table(table) != state.data(source):
        return None
    plain, form = table.with_dialect(COMMA), _form(table.dialect, source)
    output = place_output(
        state, draw, (f"{brief(source)}_utf8", f"{brief(source)}_unix", f"{brief(source)}_plain"), ".csv"
    )
    written = _exactly(state, output, plain, "csv-table")
    script = draw.pick(
        (
            f"""
with open({py(source)}, encoding={py(form.codec)}, newline="") as f:
    text = f.read()
with open({py(output)}, "w", encoding="utf-8", newline="") as f:
    f.write(text.replace("\\r\\n", "\\n"))
""",
            f"""
from pathlib import Path

text = Path({py(source)}).read_bytes().decode({py(form.codec)})
Path({py(output)}).write_bytes(text.replace("\\r\\n", "\\n").encode())
""",
        )
    )
    ways = [
        one_act(
            state,
            output,
            form.tools[0],
            form.tools,
            f"{form.shell} > {sh(output)}",
            f"The table is {form.words}; a small conversion of the bytes is enough.",
            f"From {form.words[3:]} to plain UTF-8: the fields themselves need no change.",
            "Only bytes around the values differ, so no parsing of columns is needed.",
        ),
        python_act(
            state,
            output,
            script,
            f"I decode the file as {form.codec} and write it back as UTF-8 with plain line feeds.",
            f"In Python the codec {form.codec} deals with what is special here; line ends I replace myself.",
            f"The file is {form.words}, which is a matter of decoding and encoding.",
        ),
    ]
    return applied(
        written,
        output,
        Words(
            (
                f"convert {{it}}, which is {form.words}, to {PLAIN}, and save it as `{output}`",
                f"write {{it}} (it is {form.words}) to `{output}` in {PLAIN}; the table itself stays as it is",
                f"save {{it}} as `{output}` in {PLAIN}, so that Unix tools can read it; at present it is {form.words}",
                f"bring {{it}} into plain form: it is {form.words}, and `{output}` should be in {PLAIN}",
            ),
            (
                f"{{it}} (now {form.words}) in {PLAIN}",
                f"the same table as {{it}}, rewritten from its present form ({form.words}) in {PLAIN}",
            ),
            (
                f"`{output}` is the table in {PLAIN}",
                f"converted the table to plain UTF-8 with line feeds in `{output}`",
                f"wrote the {len(table)} rows to `{output}` in UTF-8 with Unix line ends",
            ),
        ),
        ways,
        [_only_line_ends(state, table, source, output)],
    )


def _only_line_ends(state: State, table: Table, source: str, output: str) -> Slip | None:
    """The line ends mended and the byte order mark forgotten."""
    if not table.dialect.bom or table.dialect.newline == "\n" or table.dialect.encoding != "utf-8":
        return None
    return Slip(
        command=mkdir_first(state, output, f"tr -d '\\r' < {sh(source)} > {sh(output)}"),
        why=("Deleting the carriage returns gives Unix line ends.", "tr can take the carriage returns out."),
        look=f"head -c 3 {sh(output)} | od -An -tx1",
        sign=r"ef bb bf",
        remark=(
            "The file still begins with ef bb bf, the byte order mark, which has to go as well.",
            "Line ends are fine now, but the byte order mark is still in front of the header.",
        ),
        tools=("tr", "head", "od"),
    )


TARGETS = (
    (Dialect(newline="\r\n"), "with Windows line ends (CRLF) and otherwise unchanged"),
    (Dialect(newline="\r\n", bom=True), "with a UTF-8 byte order mark at its start and Windows line ends (CRLF)"),
    (Dialect(bom=True), "with a UTF-8 byte order mark at its start and otherwise unchanged"),
    (
        Dialect(encoding="utf-16-le", newline="\r\n", bom=True),
        "in UTF-16 little endian with a byte order mark and Windows line ends (CRLF)",
    ),
)


def to_foreign(state: State, draw: Draw) -> Application | None:
    """Write a table for a spreadsheet on Windows."""
    table, source = table_of(state), state.focus.path
    if table is None or state.tree.file(source) is None:
        return None
    if render_table(table.with_dialect(COMMA)) != state.data(source) or not table.plain or came_from_windows(state):
        return None
    dialect, words = draw.pick(TARGETS)
    wanted = table.with_dialect(dialect)
    output = place_output(
        state, draw, (f"{brief(source)}_windows", f"{brief(source)}_excel", f"{brief(source)}_export"), ".csv"
    )
    written = _exactly(state, output, wanted, "windows-table")
    return applied(
        written,
        output,
        Words(
            (
                f"prepare {{it}} for a spreadsheet on Windows: save it as `{output}` {words}",
                f"write a copy of {{it}} to `{output}` {words}",
                f"make a Windows version of {{it}} called `{output}`, {words}",
                f"save {{it}} once more as `{output}`, for a colleague with a spreadsheet on Windows, {words}",
            ),
            (f"the table of {{it}} {words}", f"a copy of {{it}} {words}"),
            (
                f"`{output}` is the table {words}",
                f"saved the {len(table)} rows as `{output}` {words}",
                f"wrote a version for Windows to `{output}`",
            ),
            ("No field needs quotes, and every line ends in the same way, the last one too.",),
        ),
        _foreign_ways(state, draw, dialect, source, output, len(table)),
    )


def _foreign_ways(state: State, draw: Draw, dialect: Dialect, source: str, output: str, count: int) -> list[Way]:
    s, o = sh(source), sh(output)
    windows = dialect.newline == "\r\n"
    wide = dialect.encoding == "utf-16-le"
    codec = "utf-16-le" if wide else "utf-8-sig" if dialect.bom else "utf-8"
    newline = "\\r\\n" if windows else "\\n"
    start = '    f.write("\\ufeff")\n' if wide else ""
    script = f"""
with open({py(source)}, encoding="utf-8") as f:
    lines = f.readlines()
with open({py(output)}, "w", encoding="{codec}", newline="{newline}") as f:
{start}    f.writelines(lines)
"""
    lines = f"sed 's/$/\\r/' {s}" if windows else f"cat {s}"
    mark = "printf '\\xFF\\xFE'; " if wide else "printf '\\xEF\\xBB\\xBF'; " if dialect.bom else ""
    pipe = f"{lines} | iconv -f UTF-8 -t UTF-16LE" if wide else lines
    command = f"{{ {mark}{pipe}; }} > {o}" if mark else f"{pipe} > {o}"
    return [
        one_act(
            state,
            output,
            "coreutils",
            ("iconv", "sed", "cat") if wide else ("sed", "cat"),
            command,
            "Mark and line ends can be added to the bytes; the fields need not be parsed.",
            f"The {count} rows stay as they are, only what stands around them changes.",
            "A few bytes in front or at the ends of the lines make the difference, so I stream the file.",
        ),
        python_act(
            state,
            output,
            script,
            f"Opened for writing as {codec}, Python produces the right bytes by itself.",
            "Encoding and newline are arguments of open, which makes this a copy of lines.",
            f"I copy the lines in Python; {codec} and the newline setting do the conversion.",
        ),
    ]


def _exactly(state: State, output: str, table: Table, scenario: str) -> Written:
    data = render_table(table)
    return Written(state.wrote(output, data, scenario, table, exact=True), expect_bytes(output, data), ())


SKILLS = (
    PackSkill(
        "csv-to-utf8",
        "encodings",
        "Bring a foreign table into plain form.",
        ("csv-foreign",),
        "csv-table",
        from_foreign,
    ),
    PackSkill("csv-for-windows", "encodings", "Write a table for Windows.", COMMA_TABLES, "windows-table", to_foreign),
)
