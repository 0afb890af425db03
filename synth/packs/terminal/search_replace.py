"""Replacing a word in all files of a kind."""

from __future__ import annotations

import re

from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.expect import expect_folder
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.files_choice import endings, held_folder, many, way
from trajmill.synth.packs.terminal.search_lines import common_word, texts_of
from trajmill.synth.packs.terminal.table_ways import (
    py,
)


def replace_text(state: State, draw: Draw) -> Application | None:
    """Replace a word in all files of one ending, in place."""
    held = held_folder(state, 4, exact=True)
    texts = texts_of(held) if held else None
    if held is None or texts is None:
        return None
    options = []
    for kind, names in endings(held).items():
        if len(names) < 2 or not kind or not all(n.endswith(f".{kind}") for n in names):
            continue
        part = {n: texts[n] for n in names}
        word = common_word({**part, "": ""}, draw, 2, 60)
        if word and all(t.count(word) == len(re.findall(rf"\b{word}\b", t)) for t in part.values()):
            options.append((kind, word))
    if not options:
        return None
    kind, word = draw.pick(options)
    names = [n for n in endings(held)[kind] if word in texts[n]]
    new = draw.pick(("REDACTED", "Unknown", "TBD", "checked", word.upper() + "2", f"new_{word.lower()}"))
    if any(new in t for t in texts.values()):
        return None
    files = {n: texts[n].replace(word, new).encode() if n in names else data for n, data in held.files.items()}
    hits = sum(texts[n].count(word) for n in names)
    twice = any(line.count(word) > 1 for n in names for line in texts[n].splitlines())
    folder = sh(held.path)
    shell = draw.pick(
        (
            f"find {folder} -type f -name '*.{kind}' -exec sed -i 's/{word}/{new}/g' {{}} +",
            f"grep -rlF --include='*.{kind}' {word} {folder} | while IFS= read -r f; do sed -i 's/{word}/{new}/g' "
            '"$f"; done',
            f"find {folder} -type f -name '*.{kind}' -print0 | xargs -0 sed -i 's/{word}/{new}/g'",
        )
    )
    script = f"""
from pathlib import Path

for path in Path({py(held.path)}).rglob({py("*." + kind)}):
    text = path.read_text()
    if {py(word)} in text:
        path.write_text(text.replace({py(word)}, {py(new)}))
"""
    entries = {held.full(n): FileEntry(data, _mode(state, held.full(n))) for n, data in files.items()}
    elsewhere = any(word in texts[n] for n in texts if n not in names)
    only = f" Files with other endings keep `{word}`." if elsewhere else ""
    slips = []
    if twice:
        slips.append(
            Slip(
                command=f"find {folder} -type f -name '*.{kind}' -exec sed -i 's/{word}/{new}/' {{}} +",
                why=(f"sed replaces `{word}` in place in all .{kind} files.", "A substitution over all files does it."),
                look=f"grep -rcF --include='*.{kind}' {word} {folder} | sort",
                sign=r":[1-9]",
                remark=(
                    "Some lines still have the word: only the first match per line was replaced.",
                    f"`{word}` is left on lines where it stood twice. The substitution must be global.",
                ),
                tools=("find", "sed", "grep", "sort"),
            )
        )
    return Application(
        outputs=(held.path,),
        asks=(
            f"replace `{word}` with `{new}` in all `.{kind}` files below {{it}}, everywhere it occurs in just this "
            "spelling, changing the files in place",
            f"in every `.{kind}` file of {{it}} and its subfolders, write `{new}` wherever it says `{word}` "
            "(case-sensitive); edit the files themselves and leave all else in them alone",
            f"change each occurrence of `{word}` to `{new}` throughout the `.{kind}` files in {{it}}, at any depth, "
            "in place and with regard to capitals",
            f"edit the `.{kind}` files below {{it}} so that they read `{new}` in place of `{word}`, at every "
            "occurrence with the same capitals",
        ),
        results=(),
        rules=(only.strip(),) if only else (),
        ways=(
            way(
                "sed",
                "find sed grep xargs",
                shell,
                f"`{word}` and `{new}` have no special characters, so a plain global substitution is safe.",
                f"sed edits the .{kind} files in place; a line may have the word more than once.",
                f"The change concerns {many(len(names), 'file')} with {many(hits, 'occurrence')}.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                "str.replace changes all occurrences, and files without the word are not written.",
                f"Python reads each .{kind} file and writes it back where something changed.",
                f"{many(hits, 'occurrence')} in {many(len(names), 'file')}: a short loop will do.",
            ),
        ),
        checks=(expect_folder(held.path, files),),
        after=state.changed(entries, focus=Artefact(held.path, "folder-tree", Folder(files))),
        done=(
            f"replaced `{word}` with `{new}` {hits} {'time' if hits == 1 else 'times'} in {many(len(names), 'file')}",
            f"{many(len(names), f'`.{kind}` file')} in `{held.path}` now read `{new}` instead of `{word}`"
            if len(names) > 1
            else f"one `.{kind}` file in `{held.path}` now reads `{new}` instead of `{word}`",
        ),
        slips=tuple(slips),
    )


def _mode(state: State, path: str) -> int:
    entry = state.tree.file(path)
    return entry.mode if entry else 0o644


SKILLS = (
    PackSkill(
        "replace-text-across-files",
        "search",
        "Replace a word in files of a kind.",
        ("folder-tree", "tidy-folder", "renamed-folder", "unpacked-folder"),
        "folder-tree",
        replace_text,
    ),
)
