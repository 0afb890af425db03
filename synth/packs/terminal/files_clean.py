"""Skills that find what is superfluous, or cut what is too long: empty files, equal files, text in parts."""

from __future__ import annotations

from dataclasses import replace

from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.expect import Same, expect_folder, expect_lines
from trajmill.synth.packs.facts import Folder, Lines
from trajmill.synth.packs.naming import place_output, sh, stem
from trajmill.synth.packs.outputs import python_way, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.files_choice import READABLE, Held, held_folder, many, way, with_moves
from trajmill.synth.packs.terminal.scenarios import LINE_FILES
from trajmill.synth.packs.terminal.table_comparison import BY_CODE
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act


def delete_empty(state: State, draw: Draw) -> Application | None:
    """Delete the files without content."""
    held = held_folder(state, 3, exact=True)
    if held is None:
        return None
    gone = [n for n, data in held.files.items() if not data]
    kept = {n: data for n, data in held.files.items() if data}
    if not gone or len(kept) < 2:
        return None
    folder, count = held.path, len(gone)
    after = with_moves(state, folder, {n: n for n in kept}, "tidy-folder")
    shell = draw.pick(
        (
            f"find {sh(folder)} -type f -empty -delete",
            f"find {sh(folder)} -type f -size 0 -exec rm {{}} +",
            f"find {sh(folder)} -type f -empty -print -delete",
            f"find {sh(folder)} -type f -size 0 -print0 | xargs -0 rm --",
        )
    )
    script = f"""
from pathlib import Path

for path in sorted(Path({py(folder)}).rglob("*")):
    if path.is_file() and path.stat().st_size == 0:
        path.unlink()
"""
    return Application(
        outputs=(folder,),
        asks=(
            "delete every file of 0 bytes in {it} and its subfolders, and nothing else",
            "remove the empty files below {it}, at whatever depth; files with any content stay",
            "clear {it} of files that have no content at all (size 0), subfolders included",
            "throw out all zero-byte files that lie in {it} or deeper and keep the others untouched",
        ),
        results=(),
        rules=("Folders that become empty may stay.",) if draw.rng.random() < 0.5 else (),
        ways=(
            way(
                "find",
                "find rm xargs",
                shell,
                "find can test for size zero and remove what matches.",
                "Only regular files of size 0 are to go, so the test is on type and size.",
                "One pass over the tree removes the empty files and leaves folders alone.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                "Python looks at the size of each file and unlinks those of 0 bytes.",
                f"There are {len(held.files)} files to look at; stat tells which have no content.",
                "A loop with a size test is enough.",
            ),
        ),
        checks=(expect_folder(folder, kept),),
        after=after,
        done=(
            f"deleted {many(count, 'empty file')} from `{folder}`; {len(kept)} files are left",
            f"`{folder}` has no empty files any more ({count} removed)",
        ),
    )


def find_duplicates(state: State, draw: Draw) -> Application | None:
    """List which files have the same content."""
    held = held_folder(state, 4, exact=True)
    if held is None:
        return None
    groups = _equal(held)
    if not groups or len(groups) > 8:
        return None
    lines = ["\t".join(group) for group in groups]
    output = place_output(state, draw, ("duplicates", "equal_files", "same_content"), ".txt")
    written = write_lines(state, draw, output, lines, "file-listing")
    source, target = sh(held.path), sh(output)
    files = sum(map(len, groups))
    rules = [
        draw.pick(BY_CODE)
        .replace("Text is", "Paths are")
        .replace("Compare text", "Compare paths")
        .replace("For text", "For paths")
    ]
    if any(not data for data in held.files.values()):
        rules.append("Empty files do not count.")
    awk = (
        'awk \'{ h = $1; sub(/^[^ ]+  /, ""); n[h]++; p[h] = n[h] > 1 ? p[h] "\\t" $0 : $0 } '
        "END { for (h in n) if (n[h] > 1) print p[h] }'"
    )
    tool = draw.pick(("sha256sum", "md5sum", "sha1sum"))
    script = f"""
import hashlib
from collections import defaultdict
from pathlib import Path

groups = defaultdict(list)
for path in Path({py(held.path)}).rglob("*"):
    if path.is_file() and path.stat().st_size:
        groups[hashlib.sha256(path.read_bytes()).digest()].append(path.as_posix())
equal = sorted(sorted(paths) for paths in groups.values() if len(paths) > 1)
with open({py(output)}, "w") as out:
    for paths in equal:
        print(*paths, sep="\\t", file=out)
"""
    return applied(
        written,
        output,
        Words(
            (
                f"find the files below {{it}} that have exactly the same content and write each set of them as one "
                f"line to `{output}`: their paths from the workspace (like `{groups[0][0]}`), ascending and "
                "separated by tabs, the lines in ascending order",
                f"report duplicates among the files of {{it}} and its subfolders in `{output}`, one line per group "
                f"of identical files with the paths (`{held.path}/...`) sorted and tab-separated; sort the lines too",
                f"write `{output}` with one line for every content that occurs more than once below {{it}}, listing "
                f"all paths that have it, beginning with `{held.path}/`, in ascending order with tabs between; lines "
                "ascending as well",
                f"check which files in {{it}}, at any depth, are byte-for-byte equal, and list every such group in "
                f"`{output}` on a line of its own (sorted paths such as `{groups[0][0]}`, tab-separated, groups in "
                "order of their first path)",
            ),
            (
                f"the groups of identical files below {{it}}, one per line, as sorted and tab-separated paths that "
                f"begin with `{held.path}/`, lines in ascending order",
            ),
            (
                f"{many(len(groups), 'group')} of equal files, {files} files in all, listed in `{output}`",
                f"`{output}` names {files} files that have a twin",
            ),
            tuple(rules),
        ),
        (
            one_act(
                state,
                output,
                "checksums",
                ("find", tool, "sort", "awk"),
                f"find {source} -type f -size +0c -exec {tool} {{}} + | sort | {awk} | sort > {target}",
                "Equal content means equal checksums; awk joins the paths that share one.",
                f"I hash all files and keep the sums that occur more than once among the {len(held.files)}.",
                "Sorting before awk puts the paths of each group in order, sorting after it the groups.",
            ),
            python_act(
                state,
                output,
                script,
                "A dictionary from digest to paths collects the files with equal content.",
                "I read every file once, group by digest and write the groups with two or more paths.",
                "Python groups the paths; sorted lists of sorted lists give the order.",
            ),
        ),
    )


def _equal(held: Held) -> list[list[str]]:
    found: dict[bytes, list[str]] = {}
    for name, data in held.files.items():
        if data:
            found.setdefault(data, []).append(held.full(name))
    return sorted(sorted(paths) for paths in found.values() if len(paths) > 1)


def split_text(state: State, draw: Draw) -> Application | None:
    """Cut a text file into numbered parts of so many lines."""
    facts, source = state.focus.facts, state.focus.path
    if not isinstance(facts, Lines) or len(facts.lines) < 12:
        return None
    lines = facts.lines
    sizes = [n for n in (5, 8, 10, 12, 15, 20, 25, 40, 50) if 2 <= -(-len(lines) // n) <= 12 and len(lines) % n]
    if not sizes:
        return None
    size = draw.pick(sizes)
    count = -(-len(lines) // size)
    folder = place_output(state, draw, (f"{stem(source)}_parts", "parts", "chunks", "pieces"), "")
    word = draw.pick(("part", "chunk", "piece"))
    names = [f"{word}_{i:02d}.txt" for i in range(count)]
    parts = {name: lines[i * size : (i + 1) * size] for i, name in enumerate(names)}
    files = {name: "".join(f"{line}\n" for line in part).encode() for name, part in parts.items()}
    entries = {f"{folder}/{name}": FileEntry(data) for name, data in files.items()}
    after = state.changed(entries, focus=Artefact(folder, "folder-tree", Folder(files)))
    exact = state.exact(source)
    after = replace(after, loose=after.loose - set(entries) if exact else after.loose | set(entries))
    checks = [expect_folder(folder, files if exact else {n: Same(f"{folder}/{n}") for n in names})]
    checks += [] if exact else [expect_lines(f"{folder}/{n}", list(part)) for n, part in parts.items()]
    script = f"""
from pathlib import Path

lines = Path({py(source)}).read_text().splitlines(keepends=True)
folder = Path({py(folder)})
folder.mkdir(parents=True, exist_ok=True)
for number, start in enumerate(range(0, len(lines), {size})):
    (folder / f"{word}_{{number:02d}}.txt").write_text("".join(lines[start:start + {size}]))
"""
    awk = f"awk -v size={size} '{{ print > sprintf(\"{folder}/{word}_%02d.txt\", (NR - 1) / size) }}' {sh(source)}"
    form = f"`{folder}/{names[0]}`, `{folder}/{names[1]}` and so on"
    return Application(
        outputs=(folder,),
        asks=(
            f"cut {{it}} into pieces of {size} lines each, in order, and save them as {form}; the last one has what "
            "is left",
            f"split {{it}} after every {size} lines into files named {form} (two digits, from 00), all lines kept in "
            "their order",
            f"break {{it}} up into {form}: {size} lines per file, counted from the top, with a shorter file at the end",
            f"write the lines of {{it}} to numbered files of {size} lines, called {form}, the remainder going to the "
            "last of them",
        ),
        results=(
            f"a folder with {{it}} in pieces of {size} lines, named `{names[0]}`, `{names[1]}` and so on, the rest "
            "in the last",
        ),
        rules=(),
        ways=(
            way(
                "split",
                "mkdir split",
                f"mkdir -p {sh(folder)} && split -l {size} -d -a 2 --additional-suffix=.txt {sh(source)} "
                f"{sh(folder)}/{word}_",
                f"split cuts after {size} lines and can number with two digits from 00.",
                f"{len(lines)} lines in pieces of {size} give {count} files.",
                "Numeric suffixes of length two and an added ending give just these names.",
            ),
            way(
                "awk",
                "mkdir awk",
                f"mkdir -p {sh(folder)} && {awk}",
                f"The line number divided by {size} tells which piece a line belongs to.",
                f"awk can write each line to the file of its piece; {count} files are few.",
                "Counting from zero, the whole part of the quotient is the number of the file.",
            ),
            way(
                "python",
                "python3",
                python_way(script),
                f"Slices of {size} lines make the pieces; the last slice is simply shorter.",
                f"Python reads the {len(lines)} lines and writes them out in {count} files.",
                "keepends leaves the line ends as they are.",
            ),
        ),
        checks=tuple(checks),
        after=after,
        done=(
            f"split {len(lines)} lines into {count} files in `{folder}`",
            f"`{folder}` has {count} pieces, the last with {many(len(lines) % size, 'line')}",
        ),
        slips=(
            Slip(
                command=f"mkdir -p {sh(folder)} && split -l {size} {sh(source)} {sh(folder)}/{word}_",
                why=(
                    f"split writes a new file after every {size} lines.",
                    f"One call of split makes all {count} pieces.",
                ),
                look=f"ls {sh(folder)}",
                sign=rf"(?m)^{word}_aa$",
                remark=(
                    "By default split uses letters; I need two digits and the ending.",
                    f"`{word}_aa` is not the kind of name that was asked for.",
                ),
                undo=f"rm -r {sh(folder)}",
                tools=("mkdir", "split", "ls", "rm"),
            ),
        ),
    )


LONG_FILES = tuple(s for s in LINE_FILES if s not in ("text-report", "word-tally"))
"""Line files that may be long enough to be cut."""


SKILLS = (
    PackSkill(
        "files-delete-empty",
        "files",
        "Delete files without content.",
        ("folder-tree", "renamed-folder", "unpacked-folder"),
        "tidy-folder",
        delete_empty,
    ),
    PackSkill(
        "files-find-duplicates", "files", "List files of equal content.", READABLE, "file-listing", find_duplicates
    ),
    PackSkill("files-split-text", "files", "Cut a text into numbered parts.", LONG_FILES, "folder-tree", split_text),
)
