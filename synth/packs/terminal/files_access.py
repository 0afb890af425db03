"""Skills on the permissions of a folder: stated modes for folders, files and scripts, and protection from writing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trajmill.schemas.task import Check
from trajmill.schemas.tree import FileEntry, FolderEntry
from trajmill.synth.packs.expect import expect_folder, expect_modes
from trajmill.synth.packs.facts import Archive
from trajmill.synth.packs.naming import sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.files_choice import Held, content_of, endings, held_folder, many, way
from trajmill.synth.packs.terminal.scenarios import FOLDERS
from trajmill.synth.packs.terminal.table_ways import py

_SCHEMES = ((0o750, 0o640), (0o755, 0o644), (0o700, 0o600), (0o755, 0o444), (0o750, 0o440), (0o711, 0o644))


def set_permissions(state: State, draw: Draw) -> Application | None:
    """Give folders one mode and files another; scripts may have a mode of their own."""
    held = held_folder(state, 3)
    if held is None:
        return None
    folders = _folders(held)
    folder_mode, file_mode = draw.pick(_SCHEMES)
    scripts = endings(held).get("sh", [])
    special = bool(scripts) and all(n.endswith(".sh") for n in scripts) and draw.rng.random() < 0.7
    script_mode = folder_mode if special and folder_mode != 0o711 else None
    modes = {held.path: folder_mode} | {held.full(f): folder_mode for f in folders if f}
    for name in held.files:
        own = script_mode if script_mode is not None and name in scripts else file_mode
        modes[held.full(name)] = own
    if sum(_mode(state, path) != mode for path, mode in modes.items()) < 3:
        return None
    d, f = f"{folder_mode:o}", f"{file_mode:o}"
    extra = f", but {script_mode:o} for files that end in `.sh`" if script_mode is not None else ""
    count = len(held.files)
    return Application(
        outputs=(held.path,),
        asks=(
            f"set the permissions in {{it}} to {d} for the folder itself and all its subfolders and to {f} for every "
            f"file{extra}",
            f"give all files below {{it}} the mode {f}{extra}, and all folders, `{held.path}` included, the mode {d}",
            f"make the permissions of {{it}} uniform, at every depth: folders (also `{held.path}` itself) {d}, files "
            f"{f}{extra}",
            f"change modes recursively in {{it}}, so that each directory from `{held.path}` down has {d} and each "
            f"regular file {f}{extra}",
        ),
        results=(),
        rules=(),
        ways=_mode_ways(held, folder_mode, file_mode, script_mode, draw),
        checks=_mode_checks(state, held, modes),
        after=_with_modes(state, held, modes),
        done=(
            f"folders in `{held.path}` have {d} and the {count} files {f}{extra}",
            f"set {d} on {many(len(folders), 'folder')} and {f} on files in `{held.path}`{extra}",
        ),
        slips=_recursive_slip(held, file_mode),
    )


def _folders(held: Held) -> list[str]:
    """The folders from the one in focus (empty name) down."""
    found = {""}
    for name in held.files:
        parts = name.split("/")[:-1]
        found |= {"/".join(parts[: i + 1]) for i in range(len(parts))}
    return sorted(found)


def _mode(state: State, path: str) -> int:
    entry = state.tree.get(path)
    return entry.mode if isinstance(entry, FileEntry | FolderEntry) else 0o755


def _mode_checks(state: State, held: Held, modes: Mapping[str, int]) -> tuple[Check, ...]:
    """The modes, and where the bytes are certain also the unchanged content."""
    checks = [expect_modes(modes)]
    if held.exact:
        checks.append(expect_folder(held.path, {n: content_of(state, held.full(n)) for n in held.files}))
    return tuple(checks)


def _with_modes(state: State, held: Held, modes: Mapping[str, int]) -> State:
    entries: dict[str, FileEntry | FolderEntry] = {}
    for path, mode in modes.items():
        entry = state.tree.get(path)
        entries[path] = replace(entry, mode=mode) if isinstance(entry, FileEntry | FolderEntry) else FolderEntry(mode)
    return state.changed(entries, focus=Artefact(held.path, "guarded-folder", state.focus.facts))


def _mode_ways(held: Held, folder_mode: int, file_mode: int, script_mode: int | None, draw: Draw) -> tuple[Way, ...]:
    folder = sh(held.path)
    d, f = f"{folder_mode:o}", f"{file_mode:o}"
    end = draw.pick(("\\;", "+"))
    scripts = f" && find {folder} -type f -name '*.sh' -exec chmod {script_mode:o} {{}} {end}" if script_mode else ""
    plain = (
        f"find {folder} -type d -exec chmod {d} {{}} {end} && find {folder} -type f -exec chmod {f} {{}} {end}{scripts}"
    )
    nulls = (
        f"find {folder} -type d -print0 | xargs -0 chmod {d}\nfind {folder} -type f -print0 | xargs -0 chmod {f}"
        + (f"\nfind {folder} -type f -name '*.sh' -print0 | xargs -0 chmod {script_mode:o}" if script_mode else "")
    )
    choice = f'0o{script_mode:o} if path.suffix == ".sh" else 0o{f}' if script_mode else f"0o{f}"
    script = f"""
from pathlib import Path

root = Path({py(held.path)})
for path in [root, *root.rglob("*")]:
    path.chmod(0o{d} if path.is_dir() else {choice})
"""
    last = " Scripts come last, since they are files too." if script_mode else ""
    return (
        way(
            "find",
            "find chmod",
            plain,
            f"Folders and files need different modes, so find picks them apart by type.{last}",
            f"Two passes: {d} for what is a folder, {f} for what is a file.{last}",
            f"A plain recursive chmod would treat folders like files; I go by type.{last}",
        ),
        way(
            "xargs",
            "find xargs chmod",
            nulls,
            f"find separates folders from files and xargs hands them to chmod.{last}",
            f"The {len(held.files)} files get {f} and the folders {d}, each group in one call.{last}",
            f"Null bytes between the paths keep odd names whole.{last}",
        ),
        way(
            "python",
            "python3",
            python_way(script),
            "Python sets each mode according to what the path is.",
            f"One loop over `{held.path}` and all below it; is_dir decides between the modes.",
            "The folder itself counts too, so it goes in front of the list.",
        ),
    )


def _recursive_slip(held: Held, file_mode: int) -> tuple[Slip, ...]:
    folder, f = sh(held.path), f"{file_mode:o}"
    return (
        Slip(
            command=f"chmod -R {f} {folder}",
            why=(f"chmod -R sets {f} on everything below the folder.", "The recursive option saves a loop."),
            look=f"stat -c '%a %n' {folder}",
            sign=rf"\A{f} ",
            remark=(
                f"Now the folder itself has {f}, which nobody can enter. Folders need their own mode.",
                f"The folder lost its execute bits: -R gave {f} to folders as well.",
            ),
            undo=f"chmod -R u+rwX {folder}",
            tools=("chmod", "stat"),
        ),
    )


def write_protect(state: State, draw: Draw) -> Application | None:
    """Take away every write permission from the files of one ending; what was in an archive may have any mode."""
    held = held_folder(state, 3)
    if held is None or any(isinstance(facts, Archive) for facts in state.opaque.values()):
        return None
    options = [
        k
        for k, names in endings(held).items()
        if k and len(names) < len(held.files) and all(n.endswith(f".{k}") for n in names)
        and any(_mode(state, held.full(n)) & 0o222 for n in names)
    ]  # fmt: skip
    if not options:
        return None
    kind = draw.pick(options)
    names = endings(held)[kind]
    modes = {held.full(n): _mode(state, held.full(n)) & (0o555 if n in names else 0o777) for n in held.files}
    folder, count = sh(held.path), len(names)
    shell = draw.pick(
        (
            f"find {folder} -type f -name '*.{kind}' -exec chmod a-w {{}} +",
            f"find {folder} -type f -name '*.{kind}' -exec chmod ugo-w {{}} \\;",
            f"find {folder} -type f -name '*.{kind}' -print0 | xargs -0 chmod a-w",
        )
    )
    script = f"""
import stat
from pathlib import Path

for path in Path({py(held.path)}).rglob({py("*." + kind)}):
    mode = stat.S_IMODE(path.stat().st_mode)
    path.chmod(mode & ~0o222)
"""
    return Application(
        outputs=(held.path,),
        asks=(
            f"write-protect the `.{kind}` files in {{it}} and its subfolders: take away write permission from "
            "everybody, owner included, and leave the other bits as they are",
            f"make all `.{kind}` files below {{it}} read-only for owner, group and others, without touching their "
            "other permission bits or any other file",
            f"remove every write bit from the `.{kind}` files in {{it}}, at all depths; read and execute bits and "
            "the other files stay as they are",
            f"see to it that nobody can write to a `.{kind}` file below {{it}}: no write bit for user, group or "
            "others, all else unchanged",
        ),
        results=(),
        rules=(),
        ways=(
            way(
                "chmod",
                "find chmod xargs",
                shell,
                "A symbolic mode only takes the write bits away and keeps the rest.",
                f"{many(count, 'file')} may have different modes, so I subtract bits instead of setting a number.",
                f"find chooses the .{kind} files; minus w for all does the rest.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                "Masking each mode with the write bits cleared keeps all other bits.",
                f"Each of the {count} files keeps its own mode except for three bits.",
                "The mode comes from stat, without the file type, and goes back without write bits.",
            ),
        ),
        checks=_mode_checks(state, held, modes),
        after=_with_modes(state, held, modes),
        done=(
            f"nobody can write to the {many(count, f'`.{kind}` file')} in `{held.path}` any more",
            f"took the write bits from {many(count, f'`.{kind}` file')} in `{held.path}`",
        ),
    )


SKILLS = (
    PackSkill(
        "files-set-permissions", "files", "Set modes of folders and files.", FOLDERS, "guarded-folder", set_permissions
    ),
    PackSkill(
        "files-write-protect",
        "files",
        "Take write permission from files of a kind.",
        FOLDERS,
        "guarded-folder",
        write_protect,
    ),
)
