"""Skills that make symbolic links: to the latest of several files, and to all files of a kind."""

from __future__ import annotations

import posixpath
import re

from trajmill.schemas.tree import LinkEntry
from trajmill.synth.packs.expect import expect_link
from trajmill.synth.packs.naming import folder_of, mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.files_choice import base, endings, held_folder, many, way
from trajmill.synth.packs.terminal.scenarios import FOLDERS
from trajmill.synth.packs.terminal.table_ways import py

_DATED = re.compile(r"(.*?)[_-](\d{4}-\d{2}-\d{2})(\.\w+)")


def link_latest(state: State, draw: Draw) -> Application | None:
    """Link to the file whose name has the latest date."""
    held = held_folder(state, 3)
    if held is None:
        return None
    dated: dict[str, list[str]] = {}
    for name in held.files:
        found = _DATED.fullmatch(base(name))
        if found and found[3] == found[3].lower() and "/" in name:
            dated.setdefault(folder_of(name), []).append(name)
    series = [names for names in dated.values() if len(names) > 2 and len({n[-14:] for n in names}) == len(names)]
    if not series:
        return None
    names = sorted(draw.pick(series), key=lambda n: n[-14:])
    target, part = held.full(names[-1]), held.full(folder_of(names[-1]))
    ending = names[-1][names[-1].rindex(".") :]
    if any(not n.endswith(ending) for n in names) or any(" " in n for n in names) or len({n[:-14] for n in names}) > 1:
        return None
    where = draw.pick(("", "current", "shared", "published"))
    link = f"{where}/{draw.pick(('latest', 'newest'))}{ending}".lstrip("/")
    if state.holds(link) or state.holds(where):
        return None
    relative = posixpath.relpath(target, where or ".")
    stamp = base(names[-1])[-14:-4] if len(ending) == 4 else base(names[-1])
    pattern = names[0][: -len("YYYY-MM-DD") - len(ending)]
    newest = f"$(ls {sh(held.full(pattern))}*{ending} | sort | tail -n 1)"
    shell = draw.pick(
        (
            mkdir_first(state, link, f"ln -s {sh(relative)} {sh(link)}"),
            mkdir_first(state, link, f'ln -s "{"../" if where else ""}{newest}" {sh(link)}'),
            mkdir_first(state, link, f'ln -s -r "{newest}" {sh(link)}'),
        )
    )
    script = f"""
import os
from pathlib import Path

latest = max(Path({py(part)}).glob({py(base(pattern) + "*" + ending)}), key=lambda p: p.name)
os.symlink({f"os.path.relpath(latest, {py(where)})" if where else "latest"}, {py(link)})
"""
    after = state.changed({link: LinkEntry(relative)}, focus=Artefact(held.path, "linked-folder", state.focus.facts))
    slips = (
        (
            Slip(
                command=f"mkdir -p {sh(where)} && ln -s {sh(target)} {sh(link)}",
                why=(
                    "The link gets the path of the newest file.",
                    "ln -s takes the target first and then the name of the link.",
                ),
                look=f"cat {sh(link)} | head -n 1",
                sign="No such file",
                remark=(
                    "The link leads nowhere: its target is read from the folder that the link lies in.",
                    "Dangling, because a relative target starts at the link, not at my working directory.",
                ),
                undo=f"rm {sh(link)}",
                tools=("mkdir", "ln", "cat", "head", "rm"),
            ),
        )
        if where
        else ()
    )
    return Application(
        outputs=(link,),
        asks=(
            f"make a relative symbolic link `{link}` that leads to the file in `{part}` with the latest date in its "
            "name",
            f"create the symbolic link `{link}` to whichever of the dated files in `{part}` is the most recent by "
            "its name; spell the target relative to the link, so that both can be moved together",
            f"let `{link}` be a symlink with a relative target, pointing to the newest of the {len(names)} dated "
            f"files in `{part}` (the date in the name counts)",
            f"the newest file of `{part}`, by the date in the file name, should be reachable as `{link}`: add a "
            "symbolic link with a relative target",
        ),
        results=(
            f"a relative symbolic link to the file in `{part}` with the latest date in its name",
            f"a symbolic link, relative, to the newest of the dated files in `{part}`",
        ),
        rules=(),
        ways=(
            way(
                "ln",
                "mkdir ln ls sort tail",
                shell,
                f"Dates of this form sort like text, so the last name is the newest: {stamp}.",
                f"The target has to be written as seen from `{where or '.'}`, where the link lies.",
                f"The date in the name decides among the {len(names)} files, not the time stamp on disk.",
            ),
            way(
                "python",
                "python3",
                mkdir_first(state, link, python_way(script)),
                "The greatest name has the latest date; relpath gives the target as seen from the link.",
                f"Python picks the newest of the {len(names)} names and links to it.",
                "max over the names is enough, as ISO dates sort like text.",
            ),
        ),
        checks=(expect_link(link, target, relative=True),),
        after=after,
        done=(
            f"`{link}` leads to `{target}`",
            f"linked `{link}` to the newest file, `{base(target)}` of `{part}`",
        ),
        slips=slips,
    )


def link_kind(state: State, draw: Draw) -> Application | None:
    """A folder of links to all files of one ending."""
    held = held_folder(state, 4)
    if held is None:
        return None
    options = [
        k
        for k, names in endings(held).items()
        if k and 2 <= len(names) < len(held.files) and len({base(n).lower() for n in names}) == len(names)
        and all(n.endswith(f".{k}") for n in names)
    ]  # fmt: skip
    if not options:
        return None
    kind = draw.pick(options)
    names = endings(held)[kind]
    folder = place_output(state, draw, (f"{kind}_links", f"links_{kind}", f"{kind}_index"), "")
    links = {f"{folder}/{base(n)}": held.full(n) for n in names}
    entries = {link: LinkEntry(posixpath.relpath(target, folder)) for link, target in links.items()}
    up = posixpath.relpath(".", folder)
    first = next(iter(links))
    shell = draw.pick(
        (
            f"mkdir -p {sh(folder)} && find {sh(held.path)} -type f -name '*.{kind}' | while IFS= read -r f; do ln "
            f'-s {up}/"$f" {sh(folder)}/"${{f##*/}}"; done',
            f"mkdir -p {sh(folder)} && find {sh(held.path)} -type f -name '*.{kind}' -print0 | while IFS= read -r -d "
            f"'' f; do ln -s \"{up}/$f\" {sh(folder)}/; done",
            f"mkdir -p {sh(folder)} && find {sh(held.path)} -type f -name '*.{kind}' -exec ln -s -r -t {sh(folder)} "
            f"{{}} +",
        )
    )
    script = f"""
import os
from pathlib import Path

folder = Path({py(folder)})
folder.mkdir(parents=True, exist_ok=True)
for path in Path({py(held.path)}).rglob({py("*." + kind)}):
    (folder / path.name).symlink_to(os.path.relpath(path, folder))
"""
    after = state.changed(entries, focus=Artefact(folder, "linked-folder", state.focus.facts))
    count = len(links)
    return Application(
        outputs=(folder,),
        asks=(
            f"make a folder `{folder}` with a relative symbolic link to each `.{kind}` file below {{it}}, every link "
            "named like its file",
            f"fill a new folder `{folder}` with symbolic links (relative targets) to all `.{kind}` files in {{it}} "
            "and its subfolders, under the same names",
            f"index the `.{kind}` files of {{it}}, at any depth, in `{folder}`: one symlink per file, same name, "
            "target relative to the link",
            f"for every `.{kind}` file in {{it}} or deeper, put a symlink of the same name into `{folder}`, with a "
            "target relative to that folder",
        ),
        results=(f"a folder with one relative symbolic link to each `.{kind}` file below {{it}}, named like the file",),
        rules=(),
        ways=(
            way(
                "ln",
                "mkdir find ln",
                shell,
                f"Seen from `{folder}`, every target begins with {up}.",
                f"{many(count, 'link')} will do, one per file found.",
                "The target of a link is read from where the link lies, so it needs the way up.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                "os.path.relpath works out each target as seen from the new folder.",
                f"rglob finds the {count} files and symlink_to makes a link for each.",
                "In Python the way up from the folder need not be counted by hand.",
            ),
        ),
        checks=tuple(expect_link(link, target, relative=True) for link, target in links.items()),
        after=after,
        done=(
            f"`{folder}` has {many(count, 'link')}, one for each `.{kind}` file",
            f"linked the {many(count, f'`.{kind}` file')} of `{held.path}` from `{folder}`",
        ),
        slips=(
            Slip(
                command=(
                    f"mkdir -p {sh(folder)} && find {sh(held.path)} -type f -name '*.{kind}' | while IFS= read -r f; "
                    f'do ln -s "$f" {sh(folder)}/; done'
                ),
                why=(
                    "Each path that find prints becomes the target of a link.",
                    f"A loop over the {count} files makes the links.",
                ),
                look=f"head -n 1 {sh(first)}",
                sign="No such file",
                remark=(
                    "The links dangle: their targets are taken from the folder of the link.",
                    "A relative target starts at the link itself, so the way up is missing.",
                ),
                undo=f"rm -r {sh(folder)}",
                tools=("mkdir", "find", "ln", "head", "rm"),
            ),
        ),
    )


SKILLS = (
    PackSkill(
        "files-link-latest", "files", "Link to the newest of dated files.", FOLDERS, "linked-folder", link_latest
    ),
    PackSkill(
        "files-link-kind", "files", "Fill a folder with links to files of a kind.", FOLDERS, "linked-folder", link_kind
    ),
)
