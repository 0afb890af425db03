"""Skills that rename the files of a folder by a rule: small letters, another ending, a prefix, running numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trajmill.synth.packs.expect import expect_folder
from trajmill.synth.packs.naming import sh, slug
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

_PRE = ("folder-tree", "tidy-folder", "unpacked-folder")


def _renamed(
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


def _moves(held: Held, new_names: Mapping[str, str]) -> dict[str, str] | None:
    """New name to old name for all files, given the new names of some; None if two would meet, case aside."""
    moves = {new_names.get(old, old): old for old in held.files}
    return moves if len({new.lower() for new in moves}) == len(held.files) else None


def _with_base(name: str, new: str) -> str:
    folder = name.rpartition("/")[0]
    return f"{folder}/{new}" if folder else new


def rename_lowercase(state: State, draw: Draw) -> Application | None:
    """Put file names in small letters, spaces made underscores."""
    held = held_folder(state, 3, exact=True)
    if held is None:
        return None
    changed = {n: _with_base(n, base(n).lower().replace(" ", "_")) for n in held.files}
    touched = sorted(n for n, new in changed.items() if n != new)
    spaces = any(" " in base(n) for n in held.files)
    capitals = any(base(n) != base(n).lower() for n in held.files)
    moves = _moves(held, changed)
    if moves is None or len(touched) < 2 or not capitals:
        return None
    folder, count = held.path, len(touched)
    what = "small letters, with an underscore for each space" if spaces else "small letters"
    also = " and every space turned into an underscore" if spaces else ""
    example = f"`{base(touched[0])}` becomes `{base(changed[touched[0]])}`"
    return _renamed(
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
            f'find {folder} -type f -name \'{pattern}\' -print0 | sort -z | while IFS= read -r -d \'\' f; do mv "$f" "$(dirname "$f")/$(basename "$f" | {fold})"; done',
            f'find {folder} -type f -name \'{pattern}\' | sort | while IFS= read -r f; do\n  name=${{f##*/}}\n  {bash}\n  mv "$f" "${{f%/*}}/$new"\ndone',
        )
    )
    change = '.lower().replace(" ", "_")' if spaces else ".lower()"
    script = draw.pick(
        (
            f'from pathlib import Path\n\nfor path in sorted(Path({py(held.path)}).rglob("*")):\n    new = path.name{change}\n    if path.is_file() and new != path.name:\n        path.rename(path.with_name(new))',
            f"import os\n\nfor folder, _, names in os.walk({py(held.path)}):\n    for name in names:\n        os.rename(os.path.join(folder, name), os.path.join(folder, name{change}))",
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
            command=f'find {folder} -type f -name \'*[A-Z]*\' | sort | while IFS= read -r f; do mv "$f" "$(dirname "$f")/$(basename "$f" | tr \'A-Z\' \'a-z\')"; done',
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
    moves = _moves(held, changed)
    if moves is None:
        return None
    folder, count = held.path, len(names)
    shell = draw.pick(
        (
            f'find {sh(folder)} -type f -name \'*.{old}\' | sort | while IFS= read -r f; do mv "$f" "${{f%.{old}}}.{new}"; done',
            f"find {sh(folder)} -type f -name '*.{old}' -exec bash -c 'for f; do mv \"$f\" \"${{f%.{old}}}.{new}\"; done' bash {{}} +",
        )
    )
    script = f"""
from pathlib import Path

for path in sorted(Path({py(folder)}).rglob({py("*." + old)})):
    path.rename(path.with_name(path.stem + {py("." + new)}))
"""
    wrong_name = f"{names[0]}.{new}"
    return _renamed(
        state,
        held,
        moves,
        (
            f"change the ending `.{old}` to `.{new}` for all files in {{it}} and its subfolders",
            f"rename every file below {{it}} that ends in `.{old}` so that it ends in `.{new}` instead",
            f"give all `.{old}` files in {{it}}, at any depth, the ending `.{new}` in place of the old one (`{base(names[0])}` becomes `{base(changed[names[0]])}`)",
            f"replace the ending of each `.{old}` file in {{it}} with `.{new}`, subfolders included; the content stays as it is",
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
                command=f'find {sh(folder)} -type f -name \'*.{old}\' | sort | while IFS= read -r f; do mv "$f" "$f.{new}"; done',
                why=("I append the new ending to each name.", f"find lists the .{old} files and mv renames them."),
                look=f"find {sh(folder)} -type f -name '*.{new}' | sort",
                sign=rf"\.{old}\.{new.replace('.', '[.]')}(\n|\Z)",
                remark=(
                    f"The old ending is still in the names: I should have cut `.{old}` off first.",
                    f"That gave double endings such as `{base(wrong_name)}`; the new one has to replace the old one.",
                ),
                undo=f'find {sh(folder)} -type f -name \'*.{old}.{new}\' | sort | while IFS= read -r f; do mv "$f" "${{f%.{new}}}"; done',
                tools=("find", "sort", "mv"),
            ),
        )
        if not new.startswith(f"{old}.")
        else (),
    )


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
    changed = {n: _with_base(n, prefix + base(n)) for n in names}
    moves = _moves(held, changed)
    if moves is None or any(base(n).startswith(prefix) for n in held.files):
        return None
    folder, count, first = held.path, len(names), names[0]
    shell = draw.pick(
        (
            f'find {sh(folder)} -type f -name \'*.{kind}\' -print0 | sort -z | while IFS= read -r -d \'\' f; do mv "$f" "$(dirname "$f")/{prefix}$(basename "$f")"; done',
            f'find {sh(folder)} -type f -name \'*.{kind}\' | sort | while IFS= read -r f; do mv "$f" "${{f%/*}}/{prefix}${{f##*/}}"; done',
        )
    )
    script = f"""
import os

found = [os.path.join(d, n) for d, _, names in os.walk({py(folder)}) for n in names if n.endswith({py("." + kind)})]
for path in found:
    folder, name = os.path.split(path)
    os.rename(path, os.path.join(folder, {py(prefix)} + name))
"""
    return _renamed(
        state,
        held,
        moves,
        (
            f"put `{prefix}` in front of the name of every `.{kind}` file in {{it}} and its subfolders (`{first}` becomes `{changed[first]}`)",
            f"rename all `.{kind}` files below {{it}} so that their names begin with `{prefix}`, followed by the old name",
            f"prefix the names of the `.{kind}` files in {{it}} with `{prefix}`, at every depth; other files keep theirs",
            f"let each `.{kind}` file in {{it}} start with `{prefix}`: `{base(first)}` is to be called `{prefix}{base(first)}`, and so on, subfolders included",
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
    moves = _moves(held, changed)
    if moves is None or len({base(n).lower() for n in names}) < len(names):
        return None
    where, count = held.full(part), len(names)
    shell = draw.pick(
        (
            f'n=0; for f in {sh(where)}/*; do n=$((n + 1)); mv "$f" "$(printf \'%s/%02d{mark}%s\' {sh(where)} "$n" "${{f##*/}}")"; done',
            f'ls {sh(where)} | LC_ALL=C sort | nl -w2 -n rz -s \' \' | while read -r n name; do mv {sh(where)}/"$name" {sh(where)}/"${{n}}{mark}$name"; done',
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
    return _renamed(
        state,
        held,
        moves,
        (
            f"number the {count} files in `{where}` by name: put `01{mark}`, `02{mark}` and so on before their names, in ascending order of the names",
            f"rename the files of `{where}` so that they carry a running number of two digits and `{mark}` in front, counted in alphabetical order (`{base(names[0])}` becomes `{base(changed[names[0]])}`)",
            f"give every file in `{where}` a two-digit number as a prefix, followed by `{mark}` and the old name, in alphabetical order from `{base(changed[names[0]])}` to `{base(changed[last])}`",
            f"in `{where}`, prefix the names with their position in the sorted listing, as `01{mark}NAME`, `02{mark}NAME` and so forth",
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
                command=f'n=0; for f in {sh(where)}/*; do n=$((n + 1)); mv "$f" {sh(where)}/"${{n}}{mark}${{f##*/}}"; done',
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
        "files-rename-lowercase", "files", "Put file names in small letters.", _PRE, "renamed-folder", rename_lowercase
    ),
    PackSkill("files-rename-ending", "files", "Give files another ending.", _PRE, "renamed-folder", rename_ending),
    PackSkill("files-rename-prefix", "files", "Put a prefix before file names.", _PRE, "renamed-folder", rename_prefix),
    PackSkill(
        "files-number-names", "files", "Number files in the order of their names.", _PRE, "renamed-folder", number_names
    ),
)
