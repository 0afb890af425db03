"""What an archive in focus holds, and unpacking all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.expect import expect_folder
from trajmill.synth.packs.facts import Archive, Folder
from trajmill.synth.packs.naming import place_output, sh, stem
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.files_choice import ending_of, many, way
from trajmill.synth.packs.terminal.table_ways import py

_TAR_FLAGS = {"tar.gz": ("z", "gzip"), "tar.xz": ("J", "xz"), "tar": ("", "")}


@dataclass(frozen=True, slots=True)
class Packed:
    """A tar or zip in focus whose members are certain."""

    path: str
    form: str
    members: Mapping[str, bytes]
    dotted: bool = False
    """The names may begin with ``./``, depending on how the archive was made."""

    @property
    def tools(self) -> tuple[str, ...]:
        """Commands that list and unpack it."""
        if self.form == "zip":
            return ("unzip",)
        packer = _TAR_FLAGS[self.form][1]
        return ("tar", packer) if packer else ("tar",)

    @property
    def flag(self) -> str:
        """The letter that tells tar how it is compressed, or empty."""
        return _TAR_FLAGS[self.form][0]

    @property
    def top(self) -> str:
        """The one folder in which all members lie, or empty."""
        tops = {n.split("/")[0] for n in self.members}
        return tops.pop() if len(tops) == 1 and all("/" in n for n in self.members) else ""


def packed_of(state: State, least: int = 2, *, certain: bool = True) -> Packed | None:
    """The archive in focus, if it has so many members; with certain bytes, unless that does not matter."""
    focus = state.focus
    facts = focus.facts
    if not isinstance(facts, Archive) or facts.format == "gz" or not least <= len(facts.members) <= 60:
        return None
    if certain and focus.path in state.loose:
        return None
    dotted = facts.format != "zip" and focus.path in state.opaque
    return Packed(focus.path, facts.format, dict(sorted(facts.members.items())), dotted)


def unpack(state: State, draw: Draw) -> Application | None:
    """Unpack an archive into a new folder, its one top folder kept or left out."""
    packed = packed_of(state)
    if packed is None:
        return None
    nested = any(n.startswith(f"{packed.top}/{packed.top}/") for n in packed.members)
    flat = bool(packed.top) and not packed.dotted and not nested and draw.pick((True, False))
    cut = len(packed.top) + 1 if flat else 0
    files = {n[cut:]: data for n, data in packed.members.items()}
    folder = place_output(state, draw, ("unpacked", "extracted", stem(packed.path) + "_files", "contents"), "")
    entries = {f"{folder}/{n}": FileEntry(data) for n, data in files.items()}
    after = state.changed(entries, focus=Artefact(folder, "unpacked-folder", Folder(dict(sorted(files.items())))))
    after = replace(after, loose=after.loose - set(entries))
    example = next(iter(files))
    count = len(files)
    so = (
        f", without the top folder `{packed.top}` that all names in it begin with (so `{packed.top}/{example}` "
        f"becomes `{folder}/{example}`)"
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


def _unpack_ways(packed: Packed, folder: str, flat: bool, draw: Draw) -> tuple[Way, ...]:
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
        command = (
            f"{make} && unzip -q {source} -d {goal} && mv {goal}/{sh(packed.top)}/* {goal}/ && rmdir "
            f"{goal}/{sh(packed.top)}"
        )
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


def _python_unpack(packed: Packed, folder: str, flat: bool, count: int) -> Way:
    if flat:
        opening = "import zipfile" if packed.form == "zip" else "import tarfile"
        reader = f"zipfile.ZipFile({py(packed.path)})" if packed.form == "zip" else f"tarfile.open({py(packed.path)})"
        loop = (
            '    for name in archive.namelist():\n        if name.endswith("/"):\n            continue\n        data '
            "= archive.read(name)"
            if packed.form == "zip"
            else (
                "    for member in archive:\n        if not member.isfile():\n            continue\n        name, "
                "data = member.name, archive.extractfile(member).read()"
            )
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
        script = (
            f"import shutil\n\nshutil.unpack_archive({py(packed.path)}, "
            f"{py(folder)}{', ' + py(_SHUTIL[packed.form]) if ending_of(packed.path) not in _KNOWN else ''})"
        )
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


def _unpack_slips(packed: Packed, folder: str, flat: bool) -> tuple[Slip, ...]:
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


PACKED = ("tar-archive", "zip-archive")

SKILLS = (
    PackSkill(
        "archive-unpack",
        "archives",
        "Unpack an archive into a new folder.",
        PACKED,
        "unpacked-folder",
        unpack,
        not_after=("archive-pack-tar", "archive-pack-zip"),
    ),
)
