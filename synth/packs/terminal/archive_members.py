"""Listing what is in an archive."""

from __future__ import annotations

from trajmill.synth.packs.naming import place_output, sh, stem
from trajmill.synth.packs.outputs import write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.archive_unpack import PACKED, packed_of
from trajmill.synth.packs.terminal.files_choice import ending_of, many
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act


def list_members(state: State, draw: Draw) -> Application | None:
    """List the names of the files in an archive, or those with an ending."""
    packed = packed_of(state, 3, certain=False)
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
    tidy = "sed 's|^\\./||' | " if packed.dotted else ""
    listing = f"unzip -Z1 {source}" if packed.form == "zip" else f"tar -t{draw.pick((packed.flag, ''))}f {source}"
    shell = f"{listing} | {only} | {tidy}sort > {target}"
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
                f"list the {which} in {{it}} in `{output}`, one name with its path per line{note}, in ascending "
                "order, without unpacking anything",
                f"write the names of the {which} that {{it}} contains to `{output}`, with their paths in the "
                f"archive{note}, sorted and one per line; nothing needs to be extracted",
                f"save a sorted table of contents of {{it}} as `{output}`: just the {which}, full member "
                f"names{note}, one per line",
                f"which {which.replace(' (no folders)', '')} are in {{it}}? Put their full names{note} into "
                f"`{output}`, one per line, sorted, no folders"
                if not kind
                else (
                    f"which files in {{it}} end in `.{kind}`? Put their full member names{note} into `{output}`, "
                    "sorted, one per line"
                ),
            ),
            (f"the sorted names of the {which} in {{it}}, one full member name per line{note}",),
            (
                f"`{output}` lists {many(len(kept), 'member')} of `{packed.path}`",
                f"found {many(len(kept), 'file')} in the archive and listed {'it' if len(kept) == 1 else 'them'} in "
                f"`{output}`",
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
                f"{len(packed.members)} members, of which I keep "
                f"{'the ones with the ending' if kind else 'what is no folder'}.",
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


SKILLS = (
    PackSkill(
        "archive-list-members", "archives", "List the files in an archive.", PACKED, "file-listing", list_members
    ),
)
