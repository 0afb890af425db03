"""Taking one file out of an archive."""

from __future__ import annotations

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.facts import Facts, Lines
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.archive_unpack import PACKED, Packed, packed_of
from trajmill.synth.packs.terminal.files_choice import base, ending_of
from trajmill.synth.packs.terminal.table_choice import COMMA, sayable
from trajmill.synth.packs.terminal.table_ways import one_act, py, python_act


def extract_table(state: State, draw: Draw) -> Application | None:
    """Take one CSV table out of an archive."""
    packed = packed_of(state)
    options = []
    for name, data in packed.members.items() if packed else ():
        table = table_in(data) if name.endswith(".csv") else None
        if table is not None:
            options.append((name, data, table))
    if packed is None or not options:
        return None
    name, data, table = draw.pick(options)
    return _extracted(state, draw, packed, name, data, "csv-table", table)


def extract_text(state: State, draw: Draw) -> Application | None:
    """Take one text file out of an archive."""
    packed = packed_of(state)
    options = [
        (n, data, lines)
        for n, data in (packed.members.items() if packed else ())
        if ending_of(n) in ("txt", "md") and (lines := lines_in(data)) is not None
    ]
    if packed is None or not options:
        return None
    name, data, lines = draw.pick(options)
    return _extracted(state, draw, packed, name, data, "plain-text", Lines(lines))


def table_in(data: bytes) -> Table | None:
    """A plain comma-separated table of some rows with a header that can be spoken of, or None."""
    try:
        table = read_table(data, COMMA)
    except ContentError:
        return None
    return table if len(table) >= 3 and table.unique_header and all(map(sayable, table.header)) else None


def lines_in(data: bytes) -> tuple[str, ...] | None:
    """The lines of a printable UTF-8 text of three lines or more, or None."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    fair = text.endswith("\n") and all(c.isprintable() or c in "\n\t" for c in text)
    lines = tuple(text.removesuffix("\n").split("\n"))
    return lines if fair and len(lines) >= 3 else None


def _extracted(
    state: State, draw: Draw, packed: Packed, name: str, data: bytes, scenario: str, facts: Facts
) -> Application:
    ending = f".{ending_of(name)}"
    output = place_output(state, draw, (base(name)[: -len(ending)], f"restored_{base(name)[: -len(ending)]}"), ending)
    source, target, member = sh(packed.path), sh(output), sh(name)
    if packed.form == "zip":
        shell = draw.pick((f"unzip -p {source} {member} > {target}", f"unzip -qp {source} {member} > {target}"))
    else:
        shell = draw.pick(
            (
                f"tar -xO{packed.flag}f {source} {member} > {target}",
                f"tar -x{packed.flag}f {source} -O {member} > {target}",
            )
        )
        if packed.dotted:
            shell = f"tar -xO{packed.flag}f {source} --wildcards {sh('*' + name)} > {target}"
    read = f"zipfile.ZipFile({py(packed.path)})" if packed.form == "zip" else f"tarfile.open({py(packed.path)})"
    get = (
        f"    data = archive.read({py(name)})"
        if packed.form == "zip"
        else (
            f'    member = next(m for m in archive if m.name.removeprefix("./") == {py(name)})\n    data = '
            "archive.extractfile(member).read()"
        )
    )
    script = (
        f"import {'zipfile' if packed.form == 'zip' else 'tarfile'}\nfrom pathlib import Path\n\nwith {read} as "
        f"archive:\n{get}\nPath({py(output)}).write_bytes(data)"
    )
    after = state.wrote(output, data, scenario, facts, exact=True)
    several = sum(n.endswith(f"/{base(name)}") for n in packed.members) > 1
    unclear = packed.dotted and sum(n.endswith(name) for n in packed.members) > 1
    ways = [] if unclear and packed.form != "zip" else [
        one_act(
            state,
            output,
            "unzip" if packed.form == "zip" else "tar",
            packed.tools,
            shell,
            "The member goes to standard output and from there to its new place.",
            f"Nothing but `{base(name)}` is needed, so the rest stays packed.",
            f"Of the {len(packed.members)} members I take one, by its full name.",
        )
    ]  # fmt: skip
    ways.append(
        python_act(
            state,
            output,
            script,
            "Python reads the one member and writes its bytes to the new file.",
            f"I open the archive, read `{base(name)}` and leave the other members alone.",
            f"One of {len(packed.members)} members, read by its name.",
        )
    )
    missing = Slip(
        command=mkdir_first(
            state,
            output,
            f"unzip -p {source} {sh(base(name))} > {target}"
            if packed.form == "zip"
            else f"tar -xO{packed.flag}f {source} {sh(base(name))} > {target}",
        ),
        why=(f"I take `{base(name)}` out of the archive.", f"The file is called `{base(name)}`, so I ask for that."),
        sign="not matched|Not found|not found",
        remark=(
            "The archive knows it by its full path only.",
            f"No member of that name: it is `{name}` with the folder.",
        ),
        tools=packed.tools,
    )
    return Application(
        outputs=(output,),
        asks=(
            f"take just the member `{name}` out of {{it}} and save it as `{output}`",
            f"extract the single file `{name}` from {{it}} to `{output}`, and nothing else",
            f"get `{name}` from {{it}} and store it, unchanged, under the name `{output}`; the other members stay "
            "packed",
            f"`{output}` should be the file that is `{name}` in {{it}}; leave the rest of the archive unpacked",
        ),
        results=(f"the member `{name}` of {{it}}, unchanged", f"a copy of `{name}` from {{it}}"),
        rules=(),
        ways=tuple(ways),
        checks=(expect_bytes(output, data),),
        after=after,
        done=(
            f"extracted `{name}` to `{output}`",
            f"`{output}` is the member `{name}` of `{packed.path}`" + (", not one of its namesakes" if several else ""),
        ),
        slips=(missing,) if "/" in name else (),
    )


SKILLS = (
    PackSkill(
        "archive-extract-table", "archives", "Take one table out of an archive.", PACKED, "csv-table", extract_table
    ),
    PackSkill(
        "archive-extract-text", "archives", "Take one text out of an archive.", PACKED, "plain-text", extract_text
    ),
)
