"""Decompressing single files."""

from __future__ import annotations

from dataclasses import replace

from trajmill.schemas.content.table_scan import read_table
from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.facts import Archive, Facts, Folder, Lines
from trajmill.synth.packs.naming import place_output, sh, stem
from trajmill.synth.packs.outputs import write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.archive_extract import lines_in, table_in
from trajmill.synth.packs.terminal.files_choice import base, ending_of
from trajmill.synth.packs.terminal.table_choice import COMMA
from trajmill.synth.packs.terminal.table_ways import one_act, py, python_act


def gunzip_table(state: State, draw: Draw) -> Application | None:
    """Decompress a gzip file that holds a table."""
    facts = state.focus.facts
    if not isinstance(facts, Archive) or facts.format != "gz":
        return None
    ((name, data),) = facts.members.items()
    table = table_in(data) if name.endswith(".csv") else None
    return _gunzipped(state, draw, name, data, "csv-table", table) if table is not None else None


def gunzip_text(state: State, draw: Draw) -> Application | None:
    """Decompress a gzip file that holds a text."""
    facts = state.focus.facts
    if not isinstance(facts, Archive) or facts.format != "gz":
        return None
    ((name, data),) = facts.members.items()
    lines = lines_in(data) if ending_of(name) in ("txt", "md") else None
    return _gunzipped(state, draw, name, data, "plain-text", Lines(lines)) if lines is not None else None


def _gunzipped(state: State, draw: Draw, name: str, data: bytes, scenario: str, facts: Facts) -> Application:
    source = state.focus.path
    plain = source.removesuffix(".gz")
    ending = f".{ending_of(name)}"
    beside = plain != source and not state.holds(plain) and draw.rng.random() < 0.5
    output = plain if beside else place_output(state, draw, (stem(name), f"{stem(name)}_plain", "restored"), ending)
    s, o = sh(source), sh(output)
    loose = source in state.loose
    if loose and isinstance(facts, Lines):
        written = write_lines(state, draw, output, facts.lines, scenario)
        after, check = written.state, written.check
    elif loose and not isinstance(facts, Archive | Folder | Lines):
        table = read_table(data, COMMA)
        done = write_table(replace(state), replace(draw, strictness="content"), output, table, scenario)
        after, check = done.state, done.check
    else:
        after, check = state.wrote(output, data, scenario, facts, exact=True), expect_bytes(output, data)
    keep = draw.pick((f"gunzip -k {s}", f"gzip -dk {s}", f"gunzip -c {s} > {o}")) if beside else ""
    shell = keep or draw.pick((f"gunzip -c {s} > {o}", f"zcat {s} > {o}", f"gzip -dc {s} > {o}"))
    tool = shell.split()[0]
    script = draw.pick(
        (
            f'import gzip\nimport shutil\n\nwith gzip.open({py(source)}) as packed, open({py(output)}, "wb") as '
            "plain:\n    shutil.copyfileobj(packed, plain)",
            "import gzip\nfrom pathlib import "
            f"Path\n\nPath({py(output)}).write_bytes(gzip.decompress(Path({py(source)}).read_bytes()))",
        )
    )
    slips = (
        (
            Slip(
                command=f"gunzip {s}",
                why=("gunzip restores the plain file.", f"gunzip turns `{source}` into `{plain}`."),
                look=f"wc -c {s}",
                sign="No such file",
                remark=(
                    "gunzip has removed the compressed file, which should stay.",
                    f"`{source}` is gone: I should have told gunzip to keep it.",
                ),
                undo=f"gzip {sh(plain)}",
                tools=("gunzip", "wc", "gzip"),
            ),
        )
        if beside and source in state.opaque
        else ()
    )
    return Application(
        outputs=(output,),
        asks=(
            f"decompress {{it}} to `{output}` and keep the compressed file",
            f"unpack the gzip file {{it}} as `{output}`, leaving the original in place",
            f"save the uncompressed content of {{it}} as `{output}`; the packed file stays",
            f"`{output}` should hold what {{it}} contains, uncompressed, and the compressed file should still be there",
        ),
        results=(
            "the uncompressed content of {it}, which itself stays",
            "{it} without its compression (the packed file stays)",
        ),
        rules=(),
        ways=(
            one_act(
                state,
                output,
                "gzip",
                (tool,),
                shell,
                "The compressed file has to stay, so I keep it or write to standard output.",
                f"Decompressing to `{base(output)}` must not remove the original.",
                f"`{base(source)}` is a gzip file; its content goes to a file of its own.",
            ),
            python_act(
                state,
                output,
                script,
                "The gzip module reads the content, and the packed file is left alone.",
                f"Python decompresses `{base(source)}` into `{base(output)}`.",
                "gzip in Python gives back the bytes as they were.",
            ),
        ),
        checks=(check,),
        after=after,
        done=(
            f"decompressed `{source}` to `{output}`",
            f"`{output}` has the plain content of `{source}`, which is still there",
        ),
        slips=slips,
    )


SKILLS = (
    PackSkill(
        "gunzip-table",
        "archives",
        "Decompress a table.",
        ("gz-file",),
        "csv-table",
        gunzip_table,
    ),
    PackSkill(
        "gunzip-text",
        "archives",
        "Decompress a text.",
        ("gz-file",),
        "plain-text",
        gunzip_text,
    ),
)
