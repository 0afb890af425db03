"""Skills that rename the files of a folder by a rule: small letters, another ending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trajmill.synth.packs.expect import expect_folder
from trajmill.synth.packs.naming import sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import (
    Held,
    base,
    endings,
    held_folder,
    many,
    way,
    with_moves,
)
from trajmill.synth.packs.terminal.table_ways import py

RENAMEABLE = ("folder-tree", "tidy-folder", "unpacked-folder")
"""Folders whose files follow no naming rule yet."""


def renamed(
    state: State,
    held: Held,
    moves: Mapping[str, str],
    asks: Sequence[str],
    ways: Sequence[Way],
    done: Sequence[str],
    *,
    rules: Sequence[str] = (),
    slips: Sequence[Slip] = (),
) -> Application:
    """Renaming in place: ``moves`` leads from every new name to the old one."""
    return Application(
        outputs=(held.path,),
        asks=tuple(asks),
        results=(),
        rules=tuple(rules),
        ways=tuple(ways),
        checks=(expect_folder(held.path, {new: held.files[old] for new, old in moves.items()}),),
        after=with_moves(state, held.path, moves, "renamed-folder"),
        done=tuple(done),
        slips=tuple(slips),
    )


def moves_of(held: Held, new_names: Mapping[str, str]) -> dict[str, str] | None:
    """New name to old name for all files, given the new names of some; None if two would meet, case aside."""
    moves = {new_names.get(old, old): old for old in held.files}
    return moves if len({new.lower() for new in moves}) == len(held.files) else None


def with_base(name: str, new: str) -> str:
    """The path with another last part."""
    folder = name.rpartition("/")[0]
    return f"{folder}/{new}" if folder else new


def rename_lowercase(state: State, draw: Draw) -> Application | None:
    """Put file names in small letters, spaces made underscores."""
    held = held_folder(state, 3, exact=True)
    if held is None:
        return None
    changed = {n: with_base(n, base(n).lower().replace(" ", "_")) for n in held.files}
    touched = sorted(n for n, new in changed.items() if n != new)
    spaces = any(" " in base(n) for n in held.files)
    capitals = any(base(n) != base(n).lower() for n in held.files)
    moves = moves_of(held, changed)
    if moves is None or len(touched) < 2 or not capitals:
        return None
    folder, count = held.path, len(touched)
    what = "small letters, with an underscore for each space" if spaces else "small letters"
    also = " and every space turned into an underscore" if spaces else ""
    example = f"`{base(touched[0])}` becomes `{base(changed[touched[0]])}`"
    return renamed(
        state,
        held,
        moves,
        (
            f"rename the files in {{it}}, at every depth, so that their names are in {what} ({example})",
            f"put all file names below {{it}} into lower case, endings included{also}: {example}, for instance",
            f"give each file in {{it}} and its subfolders a name in {what}; files whose names are so already keep them",
            f"make the file names in {{it}} uniform: only {what}, no change to where the files lie",
        ),
        _lower_ways(held, spaces, count, draw),
        (
            f"renamed {many(count, 'file')} in `{folder}` to {what}",
            f"{many(count, 'file')} of {len(held.files)} in `{folder}` got a name in small letters",
        ),
        rules=("Only files are renamed, not folders.",) if draw.rng.random() < 0.5 else (),
        slips=_lower_slips(held, spaces),
    )


def _lower_ways(held: Held, spaces: bool, count: int, draw: Draw) -> tuple[Way, ...]:
    folder = sh(held.path)
    pattern = "*[A-Z ]*" if spaces else "*[A-Z]*"
    fold = "tr 'A-Z ' 'a-z_'" if spaces else "tr 'A-Z' 'a-z'"
    bash = "new=${name,,}; new=${new// /_}" if spaces else "new=${name,,}"
    shell = draw.pick(
        (
            f"find {folder} -type f -name '{pattern}' -print0 | sort -z | while IFS= read -r -d '' f; do mv \"$f\" "
            f'"$(dirname "$f")/$(basename "$f" | {fold})"; done',
            f"find {folder} -type f -name '{pattern}' | sort | while IFS= read -r f; do\n  name=${{f##*/}}\n  "
            f'{bash}\n  mv "$f" "${{f%/*}}/$new"\ndone',
        )
    )
    change = '.lower().replace(" ", "_")' if spaces else ".lower()"
    script = draw.pick(
        (
            f'from pathlib import Path\n\nfor path in sorted(Path({py(held.path)}).rglob("*")):\n    new = '
            f"path.name{change}\n    if path.is_file() and new != path.name:\n        "
            "path.rename(path.with_name(new))",
            f"import os\n\nfor folder, _, names in os.walk({py(held.path)}):\n    for name in names:\n        "
            f"os.rename(os.path.join(folder, name), os.path.join(folder, name{change}))",
        )
    )
    return (
        way(
            "mv",
            "find sort dirname basename tr mv",
            shell,
            f"Only {many(count, 'name')} need a change; find picks them and each is moved to its new name.",
            "The folder part stays as it is, only the last part of the path is folded.",
            "Sorting completes the list before the first file is renamed.",
        ),
        way(
            "python",
            "python3",
            python_way(script),
            "Python renames file by file; the folders keep their names.",
            f"{many(count, 'file')} will change; the others already have the right form.",
            "str.lower on the last part of each path gives the new name.",
        ),
    )


def _lower_slips(held: Held, spaces: bool) -> tuple[Slip, ...]:
    if not spaces:
        return ()
    folder = sh(held.path)
    return (
        Slip(
            command=(
                f'find {folder} -type f -name \'*[A-Z]*\' | sort | while IFS= read -r f; do mv "$f" "$(dirname '
                '"$f")/$(basename "$f" | tr \'A-Z\' \'a-z\')"; done'
            ),
            why=(
                "tr turns capitals into small letters, name by name.",
                "I fold each name to small letters and move the file.",
            ),
            look=f"find {folder} -type f -name '* *' | wc -l",
            sign=r"\A\s*[1-9]",
            remark=(
                "There are still names with spaces; I forgot about those.",
                "The letters are small now, but spaces are left and should be underscores.",
            ),
            tools=("find", "sort", "dirname", "basename", "tr", "mv", "wc"),
        ),
    )


def rename_ending(state: State, draw: Draw) -> Application | None:
    """Give all files of one ending another one."""
    held = held_folder(state, 3, exact=True)
    if held is None:
        return None
    kinds = endings(held)
    fresh = {
        "txt": ("text", "md", "log"),
        "csv": ("csv.bak", "data"),
        "json": ("json.bak", "geojson"),
        "md": ("txt", "markdown"),
        "sh": ("bash",),
    }
    options = [
        (k, new) for k in kinds for new in fresh.get(k, ()) if len(kinds[k]) < len(held.files) and new not in kinds
    ]
    options = [(k, new) for k, new in options if all(n.endswith(f".{k}") for n in kinds[k]) and len(kinds[k]) > 1]
    if not options:
        return None
    old, new = draw.pick(options)
    names = kinds[old]
    changed = {n: f"{n[: -len(old)]}{new}" for n in names}
    moves = moves_of(held, changed)
    if moves is None:
        return None
    folder, count = held.path, len(names)
    shell = draw.pick(
        (
            f"find {sh(folder)} -type f -name '*.{old}' | sort | while IFS= read -r f; do mv \"$f\" "
            f'"${{f%.{old}}}.{new}"; done',
            f'find {sh(folder)} -type f -name \'*.{old}\' -exec bash -c \'for f; do mv "$f" "${{f%.{old}}}.{new}"; '
            f"done' bash {{}} +",
        )
    )
    script = f"""
from pathlib import Path

for path in sorted(Path({py(folder)}).rglob({py("*." + old)})):
    path.rename(path.with_name(path.stem + {py("." + new)}))
"""
    wrong_name = f"{names[0]}.{new}"
    return renamed(
        state,
        held,
        moves,
        (
            f"change the ending `.{old}` to `.{new}` for all files in {{it}} and its subfolders",
            f"rename every file below {{it}} that ends in `.{old}` so that it ends in `.{new}` instead",
            f"give all `.{old}` files in {{it}}, at any depth, the ending `.{new}` in place of the old one "
            f"(`{base(names[0])}` becomes `{base(changed[names[0]])}`)",
            f"replace the ending of each `.{old}` file in {{it}} with `.{new}`, subfolders included; the content "
            "stays as it is",
        ),
        (
            way(
                "mv",
                "find sort mv bash",
                shell,
                f"Cutting the ending from the path and adding the new one renames {many(count, 'file')}.",
                f"The shell can strip .{old} from the end of a variable; no other tool is needed.",
                "Each file stays in its folder, only the end of its path changes.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                f"The stem of each path plus .{new} is the new name.",
                f"rglob finds the {count} files; sorted reads them all before the first is renamed.",
                "with_name keeps the folder and changes the last part only.",
            ),
        ),
        (
            f"{many(count, 'file')} in `{folder}` now end in `.{new}`"
            if count > 1
            else f"one file in `{folder}` now ends in `.{new}`",
            f"changed the ending of {many(count, 'file')} in `{folder}` from `.{old}` to `.{new}`",
        ),
        slips=(
            Slip(
                command=(
                    f"find {sh(folder)} -type f -name '*.{old}' | sort | while IFS= read -r f; do mv \"$f\" "
                    f'"$f.{new}"; done'
                ),
                why=("I append the new ending to each name.", f"find lists the .{old} files and mv renames them."),
                look=f"find {sh(folder)} -type f -name '*.{new}' | sort",
                sign=rf"\.{old}\.{new.replace('.', '[.]')}(\n|\Z)",
                remark=(
                    f"The old ending is still in the names: I should have cut `.{old}` off first.",
                    f"That gave double endings such as `{base(wrong_name)}`; the new one has to replace the old one.",
                ),
                undo=(
                    f"find {sh(folder)} -type f -name '*.{old}.{new}' | sort | while IFS= read -r f; do mv \"$f\" "
                    f'"${{f%.{new}}}"; done'
                ),
                tools=("find", "sort", "mv"),
            ),
        )
        if not new.startswith(f"{old}.")
        else (),
    )


SKILLS = (
    PackSkill(
        "files-rename-lowercase",
        "files",
        "Put file names in small letters.",
        RENAMEABLE,
        "renamed-folder",
        rename_lowercase,
    ),
    PackSkill(
        "files-rename-ending", "files", "Give files another ending.", RENAMEABLE, "renamed-folder", rename_ending
    ),
)
