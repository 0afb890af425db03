"""Skills that pack a folder as tar or zip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trajmill.synth.packs.expect import Content, expect_archive
from trajmill.synth.packs.facts import Archive
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import READABLE, Held, base, content_of, held_folder, many
from trajmill.synth.packs.terminal.table_ways import py

_FORMS = {"tar.gz": ("z", "gzip", "w:gz"), "tar.xz": ("J", "xz", "w:xz"), "tar": ("", "", "w")}


def archived(state: State, path: str, scenario: str, form: str, members: Mapping[str, bytes], exact: bool) -> State:
    """The state after an archive was made; marked as loose if the bytes of its members are not certain."""
    after = state.made(path, scenario, Archive(form, dict(sorted(members.items()))))
    return after if exact else replace(after, loose=after.loose | {path})


def pack_tar(state: State, draw: Draw) -> Application | None:
    """Pack a folder into a tar archive."""
    held = held_folder(state, 2)
    if held is None:
        return None
    form = draw.pick(("tar.gz", "tar.gz", "tar.gz", "tar.xz", "tar"))
    flag, packer, mode = _FORMS[form]
    inside = draw.pick((True, False))
    members = {n if inside else held.full(n): data for n, data in held.files.items()}
    contents: dict[str, Content] = {n if inside else held.full(n): content_of(state, held.full(n)) for n in held.files}
    output = place_output(
        state, draw, (base(held.path), f"{base(held.path)}_backup", "bundle", f"{base(held.path)}-1.0"), f".{form}"
    )
    names = "relative to that folder, without its own name" if inside else f"that start with `{held.path}/`"
    example = next(iter(contents))
    what = {
        "tar.gz": "a gzip-compressed tar archive",
        "tar.xz": "an xz-compressed tar archive",
        "tar": "a plain, uncompressed tar archive",
    }[form]
    kind, count = what.partition(" ")[2], len(held.files)
    return Application(
        outputs=(output,),
        asks=(
            f"pack all files of {{it}} into the {kind} `{output}`, with member names {names} (such as `{example}`)",
            f"make {what} `{output}` of everything below {{it}}; its members should have names {names}, for instance "
            f"`{example}`",
            f"bundle {{it}} with its subfolders as `{output}`, {what} whose members have names {names} "
            f"(`{example}`, for one)",
            f"store the complete content of {{it}} in `{output}` ({what}), with names {names}, as in `{example}`",
        ),
        results=(f"{what} of all files below {{it}}, member names {names} (such as `{example}`)",),
        rules=(),
        ways=_tar_ways(state, held, inside, output, flag, packer, mode, draw),
        checks=(expect_archive(output, form, contents),),
        after=archived(state, output, "tar-archive", form, members, held.exact),
        done=(
            f"`{output}` contains the {count} files of `{held.path}`",
            f"packed {many(count, 'file')} into `{output}`",
            f"made the {kind} `{output}` of {many(count, 'file')}",
        ),
        slips=_tar_slips(state, held, inside, output, form, flag, packer),
    )


def _tar_ways(
    state: State, held: Held, inside: bool, output: str, flag: str, packer: str, mode: str, draw: Draw
) -> tuple[Way, ...]:
    folder, target, count = sh(held.path), sh(output), len(held.files)
    tools = ("tar", packer) if packer else ("tar",)
    if inside:
        plain = draw.pick((f"tar -c{flag}f {target} -C {folder} .", f"tar -C {folder} -c{flag}f - . > {target}"))
        listed = f"(cd {folder} && find . -type f -print0 | sort -z | tar -c{flag} --null -T - -f -) > {target}"
        name = "path.relative_to(root).as_posix()"
    else:
        plain = draw.pick((f"tar -c{flag}f {target} {folder}", f"tar -c{flag} -f {target} {folder}/"))
        listed = f"find {folder} -type f -print0 | sort -z | tar -c{flag} --null -T - -f {target}"
        name = "path.as_posix()"
    script = f"""
import tarfile
from pathlib import Path

root = Path({py(held.path)})
with tarfile.open({py(output)}, {py(mode)}) as archive:
    for path in sorted(root.rglob("*")):
        if path.is_file():
            archive.add(path, arcname={name})
"""
    start = (
        "With -C tar changes into the folder first, so that the names begin there."
        if inside
        else f"Given the folder itself, tar stores names that begin with {held.path}/."
    )
    return (
        Way(
            "tar",
            tools,
            (
                Act(
                    mkdir_first(state, output, plain),
                    (
                        start,
                        f"One call of tar packs all {many(count, 'file')}.",
                        f"tar takes `{held.path}` with everything below it.",
                    ),
                ),
            ),
        ),
        Way(
            "find and tar",
            ("find", "sort", *tools),
            (
                Act(
                    mkdir_first(state, output, listed),
                    (
                        f"A sorted list of the {count} files gives the archive a settled order.",
                        "tar can take the names from find, files only and in order.",
                        "With the names from a list, no entries for folders get in.",
                    ),
                ),
            ),
        ),
        Way(
            "python",
            ("python3",),
            (
                Act(
                    mkdir_first(state, output, python_way(script)),
                    (
                        "tarfile lets me state the name of each member.",
                        f"Python adds the {count} files one by one under the right names.",
                        "arcname decides how a member is called in the archive.",
                    ),
                ),
            ),
        ),
    )


def _tar_slips(
    state: State, held: Held, inside: bool, output: str, form: str, flag: str, packer: str
) -> tuple[Slip, ...]:
    folder, target = sh(held.path), sh(output)
    if inside and not any(n.startswith(f"{held.path}/") for n in held.files):
        return (
            Slip(
                command=mkdir_first(state, output, f"tar -c{flag}f {target} {folder}"),
                why=(f"tar packs `{held.path}` as a whole.", "The folder is all that tar needs."),
                look=f"tar -tf {target} | head -n 4",
                sign=rf"(?m)^(\./)?{held.path}/",
                remark=(
                    f"The names begin with `{held.path}/`, which should not be there.",
                    "tar kept the name of the folder in front; it has to start inside it.",
                ),
                tools=("tar", "head", *((packer,) if packer else ())),
            ),
        )
    if form == "tar.gz":
        return (
            Slip(
                command=mkdir_first(state, output, f"tar -cf {target} {folder}"),
                why=("tar -cf writes the archive.", f"I let tar write `{output}`."),
                look=f"gzip -t {target}",
                sign="not in gzip format",
                remark=(
                    "The archive is not compressed, whatever its name says. The z is missing.",
                    "That is a plain tar under the name of a compressed one; I forgot the option for gzip.",
                ),
                tools=("tar", "gzip"),
            ),
        )
    return ()


def pack_zip(state: State, draw: Draw) -> Application | None:
    """Pack a folder into a zip archive."""
    held = held_folder(state, 2)
    if held is None:
        return None
    inside = draw.pick((True, False))
    members = {n if inside else held.full(n): data for n, data in held.files.items()}
    contents: dict[str, Content] = {n if inside else held.full(n): content_of(state, held.full(n)) for n in held.files}
    output = place_output(state, draw, (base(held.path), f"{base(held.path)}_files", "bundle", "delivery"), ".zip")
    example = next(iter(contents))
    names = "relative to that folder, without its own name" if inside else f"that start with `{held.path}/`"
    folder, target, count = sh(held.path), sh(output), len(held.files)
    up = "/".join([".."] * (held.path.count("/") + 1))
    shell = (
        draw.pick((f"(cd {folder} && zip -qr {up}/{target} .)", f"cd {folder} && zip -q -r {up}/{target} . && cd {up}"))
        if inside
        else draw.pick((f"zip -qr {target} {folder}", f"zip -q -r -D {target} {folder}", f"zip -rq {target} {folder}"))
    )
    script = f"""
import zipfile
from pathlib import Path

root = Path({py(held.path)})
with zipfile.ZipFile({py(output)}, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        archive.write(path, {"path.relative_to(root)" if inside else "path"})
"""
    slip = Slip(
        command=mkdir_first(state, output, f"zip -q {target} {folder}"),
        why=("zip takes the archive first and then what goes into it.", f"I hand `{held.path}` to zip."),
        look=f"unzip -Z1 {target} | wc -l",
        sign=r"\A\s*1\b",
        remark=(
            "Only the folder itself is in there. zip needs -r to go down into it.",
            f"One entry instead of {count} files: without -r nothing below the folder is taken.",
        ),
        undo=f"rm {target}",
        tools=("zip", "unzip", "wc", "rm"),
    )
    return Application(
        outputs=(output,),
        asks=(
            f"pack everything below {{it}} into the zip archive `{output}`, with names {names} (such as `{example}`)",
            f"make a zip file `{output}` of all files in {{it}} and its subfolders; its entries should have names "
            f"{names}, for example `{example}`",
            f"zip {{it}} up as `{output}`, subfolders included, with entry names {names} (`{example}` is one)",
            f"put the files of {{it}}, at every depth, into `{output}` (zip), under names {names}, as in `{example}`",
        ),
        results=(f"a zip archive of all files below {{it}}, entry names {names} (such as `{example}`)",),
        rules=(),
        ways=(
            Way(
                "zip",
                ("zip",),
                (
                    Act(
                        mkdir_first(state, output, shell),
                        (
                            "zip -r goes down through the subfolders."
                            if not inside
                            else "I run zip from within the folder, so that the names begin there.",
                            f"{many(count, 'file')} in subfolders, so zip has to be recursive.",
                            "The names in a zip are as zip is given them, so the working directory matters.",
                        ),
                    ),
                ),
            ),
            Way(
                "python",
                ("python3",),
                (
                    Act(
                        mkdir_first(state, output, python_way(script)),
                        (
                            "zipfile takes each path and the name that it should have.",
                            f"Python writes the {count} files in sorted order into the archive.",
                            "With zipfile I decide myself how each entry is named.",
                        ),
                    ),
                ),
            ),
        ),
        checks=(expect_archive(output, "zip", contents),),
        after=archived(state, output, "zip-archive", "zip", members, held.exact),
        done=(
            f"`{output}` contains the {count} files of `{held.path}`",
            f"zipped {many(count, 'file')} into `{output}`",
        ),
        slips=(slip,) if not inside else (),
    )


SKILLS = (
    PackSkill("archive-pack-tar", "archives", "Pack a folder into a tar archive.", READABLE, "tar-archive", pack_tar),
    PackSkill("archive-pack-zip", "archives", "Pack a folder into a zip archive.", READABLE, "zip-archive", pack_zip),
)
