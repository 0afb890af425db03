"""Skills that put something in front of file names: a prefix, or running numbers."""

from __future__ import annotations

from trajmill.synth.packs.naming import sh, slug
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import (
    base,
    endings,
    held_folder,
    many,
    way,
)
from trajmill.synth.packs.terminal.files_names import RENAMEABLE, moves_of, renamed, with_base
from trajmill.synth.packs.terminal.table_ways import py


def rename_prefix(state: State, draw: Draw) -> Application | None:
    """Put a prefix before the names of all files of one ending."""
    held = held_folder(state, 3, exact=True)
    if held is None:
        return None
    options = [
        k
        for k, names in endings(held).items()
        if k and 2 <= len(names) < len(held.files) and all(n.endswith(f".{k}") for n in names)
    ]
    if not options:
        return None
    kind = draw.pick(options)
    names = endings(held)[kind]
    prefix = draw.pick(("2024_", "2024-03_", "draft_", "final_", "v2_", f"{slug(base(held.path))}_", "checked_"))
    changed = {n: with_base(n, prefix + base(n)) for n in names}
    moves = moves_of(held, changed)
    if moves is None or any(base(n).startswith(prefix) for n in held.files):
        return None
    folder, count, first = held.path, len(names), names[0]
    shell = draw.pick(
        (
            f"find {sh(folder)} -type f -name '*.{kind}' -print0 | sort -z | while IFS= read -r -d '' f; do mv "
            f'"$f" "$(dirname "$f")/{prefix}$(basename "$f")"; done',
            f"find {sh(folder)} -type f -name '*.{kind}' | sort | while IFS= read -r f; do mv \"$f\" "
            f'"${{f%/*}}/{prefix}${{f##*/}}"; done',
        )
    )
    script = f"""
import os

found = [os.path.join(d, n) for d, _, names in os.walk({py(folder)}) for n in names if n.endswith({py("." + kind)})]
for path in found:
    folder, name = os.path.split(path)
    os.rename(path, os.path.join(folder, {py(prefix)} + name))
"""
    return renamed(
        state,
        held,
        moves,
        (
            f"put `{prefix}` in front of the name of every `.{kind}` file in {{it}} and its subfolders (`{first}` "
            f"becomes `{changed[first]}`)",
            f"rename all `.{kind}` files below {{it}} so that their names begin with `{prefix}`, followed by the old "
            "name",
            f"prefix the names of the `.{kind}` files in {{it}} with `{prefix}`, at every depth; other files keep "
            "theirs",
            f"let each `.{kind}` file in {{it}} start with `{prefix}`: `{base(first)}` is to be called "
            f"`{prefix}{base(first)}`, and so on, subfolders included",
        ),
        (
            way(
                "mv",
                "find sort mv dirname basename",
                shell,
                "The prefix belongs before the last part of the path, so I take folder and name apart.",
                f"{many(count, 'file')} get a new name in their old folder.",
                "All names are listed and sorted before the first move, so none is renamed twice.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                "I collect the paths first; renaming while walking could meet a file twice.",
                f"os.path.split separates the folder from the name of each of the {count} files.",
                "A list of all matches, then one rename for each.",
            ),
        ),
        (
            f"the names of {many(count, 'file')} in `{folder}` begin with `{prefix}`"
            if count > 1
            else f"one file in `{folder}` begins with `{prefix}`",
            f"renamed {many(count, '`.' + kind + '` file')} in `{folder}`, each with `{prefix}` in front",
        ),
    )


def number_names(state: State, draw: Draw) -> Application | None:
    """Number the files of one subfolder in the order of their names."""
    held = held_folder(state, 3, exact=True)
    if held is None:
        return None
    folders: dict[str, list[str]] = {}
    for name in held.files:
        if "/" in name:
            folders.setdefault(name.rpartition("/")[0], []).append(name)
    options = [
        f for f, names in folders.items() if 3 <= len(names) <= 30 and not any(base(n)[0].isdigit() for n in names)
    ]
    options = [f for f in options if not any(other.startswith(f"{f}/") for other in folders)]
    if not options:
        return None
    part = draw.pick(options)
    names = sorted(folders[part])
    mark = draw.pick(("_", "-"))
    changed = {n: f"{part}/{i:02d}{mark}{base(n)}" for i, n in enumerate(names, 1)}
    moves = moves_of(held, changed)
    if moves is None or len({base(n).lower() for n in names}) < len(names):
        return None
    where, count = held.full(part), len(names)
    shell = draw.pick(
        (
            f'n=0; for f in {sh(where)}/*; do n=$((n + 1)); mv "$f" "$(printf \'%s/%02d{mark}%s\' {sh(where)} "$n" '
            f'"${{f##*/}}")"; done',
            f"ls {sh(where)} | LC_ALL=C sort | nl -w2 -n rz -s ' ' | while read -r n name; do mv "
            f'{sh(where)}/"$name" {sh(where)}/"${{n}}{mark}$name"; done',
        )
    )
    script = f"""
from pathlib import Path

paths = sorted(p for p in Path({py(where)}).iterdir() if p.is_file())
for number, path in enumerate(paths, 1):
    path.rename(path.with_name(f"{{number:02d}}{mark}{{path.name}}"))
"""
    last = names[-1]
    mixed = len({base(n)[0].isupper() for n in names}) > 1
    return renamed(
        state,
        held,
        moves,
        (
            f"number the {count} files in `{where}` by name: put `01{mark}`, `02{mark}` and so on before their "
            "names, in ascending order of the names",
            f"rename the files of `{where}` so that they carry a running number of two digits and `{mark}` in front, "
            f"counted in alphabetical order (`{base(names[0])}` becomes `{base(changed[names[0]])}`)",
            f"give every file in `{where}` a two-digit number as a prefix, followed by `{mark}` and the old name, in "
            f"alphabetical order from `{base(changed[names[0]])}` to `{base(changed[last])}`",
            f"in `{where}`, prefix the names with their position in the sorted listing, as `01{mark}NAME`, "
            f"`02{mark}NAME` and so forth",
        ),
        (
            way(
                "mv",
                "mv ls sort nl",
                shell,
                f"The {count} names come in order, and printf or nl pads the numbers to two digits.",
                "Sorted names first, then a counter in front of each.",
                f"All files lie directly in `{where}`, so a simple list is enough.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                "sorted gives the order and enumerate the numbers.",
                f"The list of {count} paths is complete before the first one is renamed.",
                "An f-string pads each number to two digits.",
            ),
        ),
        (
            f"the {count} files in `{where}` are numbered from 01 to {count:02d}",
            f"numbered {count} files in `{where}` in the order of their names",
        ),
        rules=("Names are ordered by character code, so capitals come before small letters.",) if mixed else (),
        slips=(
            Slip(
                command=(
                    f'n=0; for f in {sh(where)}/*; do n=$((n + 1)); mv "$f" {sh(where)}/"${{n}}{mark}${{f##*/}}"; done'
                ),
                why=(
                    "A counter in the loop numbers the files in the order of the pattern.",
                    f"I count up and move each of the {count} files.",
                ),
                look=f"ls {sh(where)}",
                sign=rf"(?m)^1{mark}",
                remark=(
                    "The numbers have one digit; they should have two.",
                    f"It says `1{mark}` where `01{mark}` was asked for. I have to pad the number.",
                ),
                undo=f'for f in {sh(where)}/*; do name=${{f##*/}}; mv "$f" {sh(where)}/"${{name#*{mark}}}"; done',
                tools=("mv", "ls"),
            ),
        ),
    )


SKILLS = (
    PackSkill(
        "files-rename-prefix", "files", "Put a prefix before file names.", RENAMEABLE, "renamed-folder", rename_prefix
    ),
    PackSkill(
        "files-number-names",
        "files",
        "Number files in the order of their names.",
        RENAMEABLE,
        "renamed-folder",
        number_names,
    ),
)
