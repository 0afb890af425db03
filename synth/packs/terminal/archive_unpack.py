"""Skills that look into archives or take something out: all of it, one member, the names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.content.tables import Table
from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.expect import expect_bytes, expect_folder
from trajmill.synth.packs.facts import Archive, Facts, Folder, Lines
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, stem
from trajmill.synth.packs.outputs import python_way, write_lines, write_table
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.files_choice import base, ending_of, many, way
from trajmill.synth.packs.terminal.table_choice import COMMA, sayable
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act

_TAR_FLAGS = {"tar.gz": ("z", "gzip"), "tar.xz": ("J", "xz"), "tar": ("", "")}


@dataclass(frozen=True, slots=True)
class _Packed:
    """A tar or zip in focus whose members are certain."""

    path: str
    form: str
    members: Mapping[str, bytes]

    @property
    def tools(self) -> tuple[str, ...]:
        if self.form == "zip":
            return ("unzip",)
        packer = _TAR_FLAGS[self.form][1]
        return ("tar", packer) if packer else ("tar",)

    @property
    def flag(self) -> str:
        return _TAR_FLAGS[self.form][0]

    @property
    def top(self) -> str:
        """The one folder in which all members lie, or empty."""
        tops = {n.split("/")[0] for n in self.members}
        return tops.pop() if len(tops) == 1 and all("/" in n for n in self.members) else ""


def _packed(state: State, least: int = 2, *, certain: bool = True) -> _Packed | None:
    focus = state.focus
    facts = focus.facts
    if not isinstance(facts, Archive) or facts.format == "gz" or not least <= len(facts.members) <= 60:
        return None
    if certain and focus.path in state.loose:
        return None
    return _Packed(focus.path, facts.format, dict(sorted(facts.members.items())))


def unpack(state: State, draw: Draw) -> Application | None:
    """Unpack an archive into a new folder, its one top folder kept or left out."""
    packed = _packed(state)
    if packed is None:
        return None
    flat = bool(packed.top) and draw.pick((True, False))
    cut = len(packed.top) + 1 if flat else 0
    files = {n[cut:]: data for n, data in packed.members.items()}
    folder = place_output(state, draw, ("unpacked", "extracted", stem(packed.path) + "_files", "contents"), "")
    entries = {f"{folder}/{n}": FileEntry(data) for n, data in files.items()}
    after = state.changed(entries, focus=Artefact(folder, "unpacked-folder", Folder(dict(sorted(files.items())))))
    after = replace(after, loose=after.loose - set(entries))
    example = next(iter(files))
    count = len(files)
    so = (
        f", without the top folder `{packed.top}` that all names in it begin with (so `{packed.top}/{example}` becomes `{folder}/{example}`)"
        if flat
        else f", with the paths as they are in the archive (such as `{folder}/{example}`)"
    )
    return Application(
        outputs=(folder,),
        asks=(
            f"unpack {{it}} into the new folder `{folder}`{so}",
            f"extract everything from {{it}} to `{folder}`, a folder that you make for it{so}",
            f"get all files out of {{it}} and put them below `{folder}`{so}; the archive itself stays",
            f"fill a new folder `{folder}` with the complete content of {{it}}{so}",
        ),
        results=(f"a folder with everything from {{it}}{so}",),
        rules=(),
        ways=_unpack_ways(packed, folder, flat, draw),
        checks=(expect_folder(folder, files),),
        after=after,
        done=(
            f"unpacked {many(count, 'file')} from `{packed.path}` into `{folder}`",
            f"`{folder}` has the {count} files of `{packed.path}`"
            + (f", without `{packed.top}/` in front" if flat else ""),
        ),
        slips=_unpack_slips(packed, folder, flat),
    )


def _unpack_ways(packed: _Packed, folder: str, flat: bool, draw: Draw) -> tuple[Way, ...]:
    source, goal, count = sh(packed.path), sh(folder), len(packed.members)
    make = f"mkdir -p {goal}"
    ways = []
    if packed.form != "zip":
        strip = " --strip-components=1" if flat else ""
        flag = draw.pick((packed.flag, packed.flag, ""))
        command = draw.pick(
            (f"{make} && tar -x{flag}f {source} -C {goal}{strip}", f"{make}\ntar -C {goal}{strip} -x{flag}f {source}")
        )
        ways.append(
            Way(
                "tar",
                ("mkdir", *packed.tools),
                (
                    Act(
                        command,
                        (
                            f"The first part of each name goes with --strip-components; it is always {packed.top}."
                            if flat
                            else "tar needs an existing folder to change into, so I make it first.",
                            f"{many(count, 'file')} come out of the archive, below `{folder}`.",
                            f"-C makes tar write into `{folder}` rather than here.",
                        ),
                    ),
                ),
            )
        )
    elif not flat:
        command = draw.pick((f"{make} && unzip -q {source} -d {goal}", f"{make} && unzip -qo {source} -d {goal}"))
        ways.append(
            Way(
                "unzip",
                ("mkdir", "unzip"),
                (
                    Act(
                        command,
                        (
                            f"unzip puts its {count} files where -d says.",
                            f"With -d the files go to `{folder}` instead of the working directory.",
                            "unzip keeps the paths of the archive below the folder that I name.",
                        ),
                    ),
                ),
            )
        )
    else:
        command = f"{make} && unzip -q {source} -d {goal} && mv {goal}/{sh(packed.top)}/* {goal}/ && rmdir {goal}/{sh(packed.top)}"
        ways.append(
            Way(
                "unzip",
                ("mkdir", "unzip", "mv", "rmdir"),
                (
                    Act(
                        command,
                        (
                            f"unzip cannot leave out a folder, so I move what is in {packed.top} up and remove it.",
                            "First everything comes out, then its top folder is dissolved.",
                            f"The {count} files all lie in one folder, which is not wanted.",
                        ),
                    ),
                ),
            )
        )
    ways.append(_python_unpack(packed, folder, flat, count))
    return tuple(ways)


def _python_unpack(packed: _Packed, folder: str, flat: bool, count: int) -> Way:
    if flat:
        opening = "import zipfile" if packed.form == "zip" else "import tarfile"
        reader = f"zipfile.ZipFile({py(packed.path)})" if packed.form == "zip" else f"tarfile.open({py(packed.path)})"
        loop = (
            '    for name in archive.namelist():\n        if name.endswith("/"):\n            continue\n        data = archive.read(name)'
            if packed.form == "zip"
            else "    for member in archive:\n        if not member.isfile():\n            continue\n        name, data = member.name, archive.extractfile(member).read()"
        )
        script = f"""
{opening}
from pathlib import Path

with {reader} as archive:
{loop}
        target = Path({py(folder)}, name.split("/", 1)[1])
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
"""
    else:
        script = f"import shutil\n\nshutil.unpack_archive({py(packed.path)}, {py(folder)}{', ' + py(_SHUTIL[packed.form]) if ending_of(packed.path) not in _KNOWN else ''})"
    return way(
        "python",
        "python3",
        python_way(script),
        "Python can read the archive and write each file where it should go.",
        f"The standard library unpacks this kind of archive, all {count} files.",
        "No other tool is needed for that in Python.",
    )


_SHUTIL = {"tar.gz": "gztar", "tar.xz": "xztar", "tar": "tar", "zip": "zip"}
_KNOWN = ("gz", "tgz", "xz", "tar", "zip")


def _unpack_slips(packed: _Packed, folder: str, flat: bool) -> tuple[Slip, ...]:
    source, goal = sh(packed.path), sh(folder)
    if packed.form == "zip":
        if not flat:
            return ()
        return (
            Slip(
                command=f"mkdir -p {goal} && unzip -q {source} -d {goal}",
                why=(f"unzip puts everything into `{folder}`.", "unzip with -d is all it takes."),
                look=f"ls {goal}",
                sign=rf"\A{packed.top}\s*\Z",
                remark=(
                    f"All is one level too deep, in `{packed.top}`.",
                    f"The folder `{packed.top}` is still there; its content belongs one level up.",
                ),
                undo=f"rm -r {goal}",
                tools=("mkdir", "unzip", "ls", "rm"),
            ),
        )
    slips = []
    if flat:
        slips.append(
            Slip(
                command=f"mkdir -p {goal} && tar -x{packed.flag}f {source} -C {goal}",
                why=(f"tar unpacks into `{folder}`.", f"I extract the archive below `{folder}`."),
                look=f"ls {goal}",
                sign=rf"\A{packed.top}\s*\Z",
                remark=(
                    f"The files are in `{packed.top}` within it; that part of the names has to be cut off.",
                    f"One level too much: `{packed.top}` should not be there.",
                ),
                undo=f"rm -r {goal}",
                tools=("mkdir", "ls", "rm", *packed.tools),
            )
        )
    slips.append(
        Slip(
            command=f"tar -x{packed.flag}f {source} -C {goal}",
            why=(f"tar extracts with -C into `{folder}`.", "A single tar command should do."),
            sign="No such file|Cannot open",
            remark=(
                "tar does not make the folder that it is to change into.",
                f"`{folder}` has to exist before tar can use it.",
            ),
            tools=packed.tools,
        )
    )
    return tuple(slips)


def list_members(state: State, draw: Draw) -> Application | None:
    """List the names of the files in an archive, or those with an ending."""
    packed = _packed(state, 3, certain=False)
    if packed is None:
        return None
    kinds = sorted({ending_of(n) for n in packed.members if ending_of(n)})
    options: list[str | None] = [
        None,
        *(k for k in kinds if 1 < sum(n.endswith(f".{k}") for n in packed.members) < len(packed.members)),
    ]
    kind = draw.pick(options)
    if kind and any(ending_of(n) == kind and not n.endswith(f".{kind}") for n in packed.members):
        return None
    kept = sorted(n for n in packed.members if kind is None or n.endswith(f".{kind}"))
    output = place_output(state, draw, ("members", "contents", f"{stem(packed.path)}_list"), ".txt")
    written = write_lines(state, draw, output, kept, "file-listing")
    source, target = sh(packed.path), sh(output)
    which = f"`.{kind}` files" if kind else "files (no folders)"
    only = f"grep '\\.{kind}$'" if kind else "grep -v '/$'"
    tidy = "sed 's|^\\./||' | " if packed.form != "zip" and not packed.top else ""
    listing = f"unzip -Z1 {source}" if packed.form == "zip" else f"tar -t{draw.pick((packed.flag, ''))}f {source}"
    shell = f"{listing} | {tidy}{only} | sort > {target}"
    reader = f"zipfile.ZipFile({py(packed.path)})" if packed.form == "zip" else f"tarfile.open({py(packed.path)})"
    names = (
        '[n for n in archive.namelist() if not n.endswith("/")]'
        if packed.form == "zip"
        else '[m.name.removeprefix("./") for m in archive if m.isfile()]'
    )
    test = f" if name.endswith({py('.' + kind)})" if kind else ""
    script = f"""
import {"zipfile" if packed.form == "zip" else "tarfile"}

with {reader} as archive:
    names = {names}
with open({py(output)}, "w") as out:
    out.writelines(name + "\\n" for name in sorted(names){test})
"""
    note = " (without a leading `./`)" if tidy else ""
    return applied(
        written,
        output,
        Words(
            (
                f"list the {which} in {{it}} in `{output}`, one name with its path per line{note}, in ascending order, without unpacking anything",
                f"write the names of the {which} that {{it}} contains to `{output}`, with their paths in the archive{note}, sorted and one per line; nothing needs to be extracted",
                f"save a sorted table of contents of {{it}} as `{output}`: just the {which}, full member names{note}, one per line",
                f"which {which.replace(' (no folders)', '')} are in {{it}}? Put their full names{note} into `{output}`, one per line, sorted, no folders"
                if not kind
                else f"which files in {{it}} end in `.{kind}`? Put their full member names{note} into `{output}`, sorted, one per line",
            ),
            (f"the sorted names of the {which} in {{it}}, one full member name per line{note}",),
            (
                f"`{output}` lists {many(len(kept), 'member')} of `{packed.path}`",
                f"found {many(len(kept), 'file')} in the archive and listed {'it' if len(kept) == 1 else 'them'} in `{output}`",
            ),
            (draw.pick(TEXT_ORDER.single),),
        ),
        (
            one_act(
                state,
                output,
                "list",
                ("grep", "sort", "sed", *packed.tools),
                shell,
                "The table of contents is enough; nothing has to be unpacked.",
                "unzip can print bare names, which I filter and sort."
                if packed.form == "zip"
                else "tar can list names alone; filter and sort do the rest.",
                f"{len(packed.members)} members, of which I keep {'the ones with the ending' if kind else 'what is no folder'}.",
            ),
            python_act(
                state,
                output,
                script,
                "Python reads the directory of the archive and knows which members are files.",
                f"The {len(packed.members)} names can be had without extracting.",
                "I collect the names, sort them and write one per line.",
            ),
        ),
    )


def extract_table(state: State, draw: Draw) -> Application | None:
    """Take one CSV table out of an archive."""
    packed = _packed(state)
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
    packed = _packed(state)
    options = [
        (n, data, lines)
        for n, data in (packed.members.items() if packed else ())
        if ending_of(n) in ("txt", "md") and (lines := _lines(data)) is not None
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


def _lines(data: bytes) -> tuple[str, ...] | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    fair = text.endswith("\n") and all(c.isprintable() or c in "\n\t" for c in text)
    lines = tuple(text.removesuffix("\n").split("\n"))
    return lines if fair and len(lines) >= 3 else None


def _extracted(
    state: State, draw: Draw, packed: _Packed, name: str, data: bytes, scenario: str, facts: Facts
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
        if not packed.top:
            shell = f"tar -xO{packed.flag}f {source} --wildcards {sh('*' + name)} > {target}"
    read = f"zipfile.ZipFile({py(packed.path)})" if packed.form == "zip" else f"tarfile.open({py(packed.path)})"
    get = (
        f"    data = archive.read({py(name)})"
        if packed.form == "zip"
        else f'    member = next(m for m in archive if m.name.removeprefix("./") == {py(name)})\n    data = archive.extractfile(member).read()'
    )
    script = f"import {'zipfile' if packed.form == 'zip' else 'tarfile'}\nfrom pathlib import Path\n\nwith {read} as archive:\n{get}\nPath({py(output)}).write_bytes(data)"
    after = state.wrote(output, data, scenario, facts, exact=True)
    several = sum(n.endswith(f"/{base(name)}") for n in packed.members) > 1
    unclear = not packed.top and sum(n.endswith(name) for n in packed.members) > 1
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
            f"get `{name}` from {{it}} and store it, unchanged, under the name `{output}`; the other members stay packed",
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
        slips=(missing,) if "/" in name and packed.top else (),
    )


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
    lines = _lines(data) if ending_of(name) in ("txt", "md") else None
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
            f'import gzip\nimport shutil\n\nwith gzip.open({py(source)}) as packed, open({py(output)}, "wb") as plain:\n    shutil.copyfileobj(packed, plain)',
            f"import gzip\nfrom pathlib import Path\n\nPath({py(output)}).write_bytes(gzip.decompress(Path({py(source)}).read_bytes()))",
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
        if beside
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


_PACKED = ("tar-archive", "zip-archive")

SKILLS = (
    PackSkill("archive-unpack", "archives", "Unpack an archive into a new folder.", _PACKED, "unpacked-folder", unpack),
    PackSkill(
        "archive-list-members", "archives", "List the files in an archive.", _PACKED, "file-listing", list_members
    ),
    PackSkill(
        "archive-extract-table", "archives", "Take one table out of an archive.", _PACKED, "csv-table", extract_table
    ),
    PackSkill(
        "archive-extract-text", "archives", "Take one text out of an archive.", _PACKED, "plain-text", extract_text
    ),
    PackSkill("gunzip-table", "archives", "Decompress a table.", ("gz-file",), "csv-table", gunzip_table),
    PackSkill("gunzip-text", "archives", "Decompress a text.", ("gz-file",), "plain-text", gunzip_text),
)
