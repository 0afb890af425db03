"""Copying all files of one kind, from whatever depth, into one flat folder."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.synth.packs.expect import expect_folder
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.files_choice import (
    READABLE,
    Held,
    base,
    content_of,
    endings,
    held_folder,
    many,
    way,
    with_copies,
)
from trajmill.synth.packs.terminal.table_ways import py


def collect_flat(state: State, draw: Draw) -> Application | None:
    """Copy all files of one ending from all depths into one folder."""
    held = held_folder(state, 4)
    if held is None:
        return None
    options = [k for k, names in endings(held).items() if k and _flattens(held, names)]
    if not options:
        return None
    kind = draw.pick(options)
    names = endings(held)[kind]
    shown = kind.upper() if kind in ("csv", "json") else f"`.{kind}`"
    target = place_output(state, draw, (f"all_{kind}", f"{kind}_files", f"{base(held.path)}_{kind}"), "")
    copies = {f"{target}/{base(n)}": held.full(n) for n in names}
    after = with_copies(
        state,
        copies,
        Artefact(target, "tidy-folder", Folder({base(n): held.files[n] for n in sorted(names, key=base)})),
    )
    mixed = any(not n.endswith(f".{kind}") for n in names)
    rule = (
        f"The ending may be in capitals too (`.{kind.upper()}`); the copies keep the names that the files have."
        if mixed
        else ""
    )
    source, goal, count = sh(held.path), sh(target), len(names)
    test = "-iname" if mixed else draw.pick(("-name", "-iname"))
    shell = draw.pick(
        (
            f"mkdir -p {goal} && find {source} -type f {test} '*.{kind}' -exec cp {{}} {goal}/ \\;",
            f"mkdir -p {goal} && find {source} -type f {test} '*.{kind}' -print0 | xargs -0 cp -t {goal}",
            f"mkdir -p {goal} && find {source} -type f {test} '*.{kind}' -exec cp -t {goal} {{}} +",
        )
    )
    script = f"""
import os
import shutil

os.makedirs({py(target)}, exist_ok=True)
for folder, _, names in os.walk({py(held.path)}):
    for name in names:
        if name.lower().endswith({py("." + kind)}):
            shutil.copy(os.path.join(folder, name), {py(target)})
"""
    return Application(
        outputs=(target,),
        asks=(
            f"copy all {shown} files from {{it}} and its subfolders into the new folder `{target}`, side by side "
            "without any subfolders",
            f"gather the {shown} files that lie anywhere below {{it}} in one flat folder `{target}`, as copies under "
            "the same names",
            f"collect copies of every {shown} file below {{it}} in `{target}` (no subfolders in there, nothing else "
            "either)",
            f"make `{target}` with a copy of each {shown} file found in {{it}}, at any depth, all directly in that "
            "folder",
        ),
        results=(f"a flat folder with copies of all {shown} files from {{it}} and its subfolders",),
        rules=(rule,) if rule else (),
        ways=(
            way(
                "find",
                "mkdir find cp xargs",
                shell,
                f"find goes through the subfolders and copies each file that ends in .{kind}.",
                f"{many(count, 'file')} will end up side by side; no two share a name.",
                "The copying is left to find, so names with odd characters cannot break.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                "os.walk visits every subfolder; matching files are copied next to each other.",
                f"I compare endings in small letters and copy what ends in .{kind}.",
                "A short walk through the tree in Python does the copying.",
            ),
        ),
        checks=(expect_folder(target, {base(n): content_of(state, held.full(n)) for n in names}),),
        after=after,
        done=(
            f"`{target}` holds copies of the {count} {shown} files",
            f"copied {count} {shown} files from all depths of `{held.path}` to `{target}`",
        ),
        slips=_flat_slips(held, names, kind, target),
    )


def _flattens(held: Held, names: Sequence[str]) -> bool:
    """Two files or more from different folders, not all that there are, with different names."""
    distinct = len({base(n).lower() for n in names}) == len(names)
    return 2 <= len(names) < len(held.files) and distinct and len({n.rpartition("/")[0] for n in names}) > 1


def _flat_slips(held: Held, names: Sequence[str], kind: str, target: str) -> tuple[Slip, ...]:
    source, goal = sh(held.path), sh(target)
    slips = []
    if any(" " in n for n in names):
        slips.append(
            Slip(
                command=f"mkdir -p {goal} && cp $(find {source} -type f -iname '*.{kind}') {goal}/",
                why=(
                    "find lists the files and cp takes the list.",
                    f"All matching paths go to a single cp, {len(names)} of them.",
                ),
                sign="cannot stat|No such file",
                remark=(
                    "A name with a space was torn apart. The paths must not be split by the shell.",
                    "The shell split a path at its space; I pass the names in another way.",
                ),
                tools=("mkdir", "find", "cp"),
            )
        )
    near = [n for n in names if n.count("/") <= 1]
    lower = [n for n in near if n.endswith(f".{kind}") and "/" in n]
    if lower and any(n.endswith(f".{kind}") is False or "/" not in n for n in names):
        slips.append(
            Slip(
                command=f"mkdir -p {goal} && cp {source}/*/*.{kind} {goal}/",
                why=(
                    "The subfolders are one level deep, so a pattern reaches the files.",
                    f"A pattern with one star for the folder finds the .{kind} files.",
                ),
                look=f"ls {goal} | wc -l",
                sign=rf"\A\s*(?!{len(names)}\b)\d+",
                remark=(
                    f"There should be {len(names)}; the pattern misses other depths or endings in capitals.",
                    f"Not all of the {len(names)} files are there. I need a search through the tree instead of a "
                    "pattern.",
                ),
                tools=("mkdir", "cp", "ls", "wc"),
            )
        )
    return tuple(slips)


SKILLS = (
    PackSkill(
        "files-collect-flat",
        "files",
        "Collect files of one kind in a flat folder.",
        READABLE,
        "tidy-folder",
        collect_flat,
    ),
)
