"""Skills that put the files of a folder in order by their ending: one subfolder each, as copies or in place."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.synth.packs.expect import expect_folder
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.files_choice import (
    READABLE,
    Held,
    base,
    content_of,
    ending_of,
    endings,
    held_folder,
    many,
    way,
    with_copies,
    with_moves,
)
from trajmill.synth.packs.terminal.table_choice import listed
from trajmill.synth.packs.terminal.table_ways import py


def sort_copies(state: State, draw: Draw) -> Application | None:
    """Copy the files of a folder into subfolders named by their ending."""
    held = held_folder(state, 4)
    if held is None or not _sortable(held):
        return None
    kinds = sorted(endings(held))
    target = place_output(state, draw, ("sorted", "by_type", f"{base(held.path)}_sorted", "by_ending"), "")
    names = {f"{ending_of(n)}/{base(n)}": n for n in held.files}
    example = next(n for n in names if names[n] != base(n))
    after = with_copies(
        state,
        {f"{target}/{new}": held.full(old) for new, old in names.items()},
        Artefact(target, "tidy-folder", Folder({new: held.files[old] for new, old in sorted(names.items())})),
    )
    case = any(n != n[: -len(ending_of(n))] + ending_of(n) for n in held.files)
    small = " in small letters" if case else ""
    check = expect_folder(target, {new: content_of(state, held.full(old)) for new, old in names.items()})
    count = len(names)
    return Application(
        outputs=(target,),
        asks=(
            f"copy every file of {{it}}, at whatever depth, to `{target}/ENDING/`, where ENDING is the file's "
            f"ending{small} without the dot (so `{names[example]}` goes to `{target}/{example}`)",
            f"make a folder `{target}` that has the files of {{it}} and of its subfolders sorted by ending: one "
            f"subfolder per ending{small} (such as `{example.split('/')[0]}`), the files directly in it under their "
            "own names",
            f"sort copies of all files below {{it}} into `{target}`, one subfolder for each ending (the part after "
            f"the last dot{small}), without the old subfolders and with unchanged file names",
            f"build `{target}` from {{it}}: per file ending a subfolder named after it{small}, holding copies of all "
            "files with that ending, wherever they lay",
        ),
        results=(
            f"a folder with copies of all files below {{it}}, one subfolder per ending{small} (such as `{example}`)",
        ),
        rules=(f"`.{kinds[0].upper()}` and `.{kinds[0]}` count as the same ending.",) if case else (),
        ways=_copy_ways(held, kinds, target, draw),
        checks=(check,),
        after=after,
        done=(
            f"`{target}` has copies of {count} files in {many(len(kinds), 'subfolder')}",
            f"copied {count} files to `{target}`, sorted by ending ({', '.join(kinds)})",
            f"sorted copies of the {count} files into `{target}` by their ending",
        ),
        slips=_case_slip(held, kinds, target, count),
    )


def _sortable(held: Held) -> bool:
    """Every file has an ending, there are two endings or more, and no two files would meet."""
    names = [f"{ending_of(n)}/{base(n)}".lower() for n in held.files]
    found = endings(held)
    return len(set(names)) == len(names) and "" not in found and len(found) > 1 and any("/" in n for n in held.files)


def _copy_ways(held: Held, kinds: Sequence[str], target: str, draw: Draw) -> tuple[Way, ...]:
    source, goal, count = sh(held.path), sh(target), len(held.files)
    loop = (
        f"find {source} -type f | while IFS= read -r f; do e=$(printf '%s' \"${{f##*.}}\" | tr 'A-Z' 'a-z'); "
        f'mkdir -p {goal}/"$e" && cp "$f" {goal}/"$e"/; done'
    )
    each = draw.pick(
        (
            f'for e in {" ".join(kinds)}; do mkdir -p {goal}/$e; find {source} -type f -iname "*.$e" -exec cp {{}} '
            f"{goal}/$e/ \\;; done",
            f'for e in {" ".join(kinds)}; do\n  mkdir -p {goal}/$e\n  find {source} -type f -iname "*.$e" -print0 | '
            f"xargs -0 cp -t {goal}/$e\ndone",
        )
    )
    script = f"""
import shutil
from pathlib import Path

for path in sorted(Path({py(held.path)}).rglob("*")):
    if path.is_file():
        folder = Path({py(target)}) / path.suffix[1:].lower()
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder)
"""
    return (
        way(
            "loop",
            "find tr mkdir cp",
            loop,
            "The part after the last dot, in small letters, is the name of the subfolder.",
            f"I take the {count} files one by one and let the ending decide where each goes.",
            "find reaches every depth, and a quoted variable keeps odd names in one piece.",
        ),
        way(
            "by ending",
            "mkdir find cp xargs",
            each,
            f"There are {len(kinds)} endings, so one pass over the folder for each is fine.",
            "A case-blind name test per ending finds all files that belong together.",
            f"The endings are {', '.join(kinds)}; I make a subfolder for each and fill it.",
        ),
        way(
            "python",
            "python3",
            python_way(script),
            "Path.suffix gives the ending of each file, and shutil.copy does the rest.",
            f"In Python I walk over all {count} files and make the subfolders as they are needed.",
            "rglob sees every depth; the ending without its dot names the folder.",
        ),
    )


def _case_slip(held: Held, kinds: Sequence[str], target: str, count: int) -> tuple[Slip, ...]:
    missed = [n for n in held.files if not n.endswith(f".{ending_of(n)}")]
    if not missed:
        return ()
    goal = sh(target)
    return (
        Slip(
            command=(
                f'for e in {" ".join(kinds)}; do mkdir -p {goal}/$e; find {sh(held.path)} -type f -name "*.$e" -exec '
                f"cp {{}} {goal}/$e/ \\;; done"
            ),
            why=(
                "For each ending I copy the files whose name ends in it.",
                f"One find per ending, {len(kinds)} in all.",
            ),
            look=f"find {goal} -type f | wc -l",
            sign=rf"\A\s*(?!{count}\b)\d+",
            remark=(
                f"That is fewer than the {count} files of `{held.path}`: endings in capitals were not matched.",
                f"Not all {count} files came along. The name test is case-sensitive and some endings have capitals.",
            ),
            tools=("mkdir", "find", "cp", "wc"),
        ),
    )


def sort_in_place(state: State, draw: Draw) -> Application | None:
    """Move the files of a folder into subfolders named by their ending."""
    held = held_folder(state, 4, exact=True)
    if held is None or not _sortable(held):
        return None
    kinds = sorted(endings(held))
    if {n.split("/")[0].lower() for n in held.files if "/" in n} & set(kinds) or len(kinds) > 8:
        return None
    moves = {f"{ending_of(n)}/{base(n)}": n for n in held.files}
    files = {new: held.files[old] for new, old in moves.items()}
    example = next(new for new in moves if "/" in moves[new])
    folder, count = held.path, len(moves)
    case = any(not n.endswith(f".{ending_of(n)}") for n in held.files)
    small = ", in small letters" if case else ""
    script = f"""
from pathlib import Path

root = Path({py(folder)})
for path in [p for p in root.rglob("*") if p.is_file()]:
    target = root / path.suffix[1:].lower()
    target.mkdir(exist_ok=True)
    path.rename(target / path.name)
"""
    shell = draw.pick(
        (
            f"find {sh(folder)} -type f -print0 | sort -z | while IFS= read -r -d '' f; do e=$(printf '%s' "
            f"\"${{f##*.}}\" | tr 'A-Z' 'a-z'); "
            f'mkdir -p {sh(folder)}/"$e" && mv "$f" {sh(folder)}/"$e"/; done',
            f"find {sh(folder)} -type f -print0 | sort -z | while IFS= read -r -d '' f; do\n  ending=${{f##*.}}\n  "
            f"ending=${{ending,,}}\n"
            f'  mkdir -p {sh(folder)}/"$ending"\n  mv "$f" {sh(folder)}/"$ending"/\ndone',
        )
    )
    return Application(
        outputs=(folder,),
        asks=(
            f"tidy up {{it}} by moving each file, from whatever depth, into a subfolder `{folder}/ENDING/` named "
            f"after its ending{small} (`{moves[example]}` to `{example}`, for example)",
            f"sort the files in {{it}} and its subfolders by ending: move every one to the subfolder of `{folder}` "
            f"named after its ending without the dot{small}",
            f"rearrange {{it}} so that all files lie in subfolders by type ({listed(kinds)}, straight below "
            f"`{folder}`), with their names unchanged",
            f"move the contents of {{it}} into one subfolder per file ending{small}, directly under `{folder}`; each "
            "file keeps its name",
        ),
        results=(),
        rules=("Old subfolders that become empty may stay or go.",),
        ways=(
            way(
                "mv",
                "find sort tr mkdir mv",
                shell,
                "The whole list is sorted before the first move, so find never meets a moved file again.",
                f"Each of the {count} files goes to the subfolder of its ending, made when it is first needed.",
                "Null bytes between the names keep spaces from splitting them.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                "The list of files is complete before anything moves, so nothing is handled twice.",
                f"Python collects the {count} paths first and then renames them into their new folders.",
                "Path.rename moves a file within the folder; the suffix tells where to.",
            ),
        ),
        checks=(expect_folder(folder, files),),
        after=with_moves(state, folder, moves, "tidy-folder"),
        done=(
            f"the {count} files of `{folder}` now lie in {listed(kinds)}",
            f"moved {count} files in `{folder}` into {len(kinds)} subfolders by ending",
        ),
    )


SKILLS = (
    PackSkill(
        "files-sort-by-extension",
        "files",
        "Sort copies of files into subfolders by ending.",
        READABLE,
        "tidy-folder",
        sort_copies,
    ),
    PackSkill(
        "files-move-by-extension",
        "files",
        "Move files into subfolders by ending.",
        ("folder-tree", "renamed-folder", "unpacked-folder"),
        "tidy-folder",
        sort_in_place,
    ),
)
