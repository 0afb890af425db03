"""Skills that list the files of a folder: by ending, by size, by what is in them, or all with their sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import READABLE, Held, base, endings, held_folder, many
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, py, python_act


@dataclass(frozen=True, slots=True)
class _Spelling:
    """How paths are written in a list: from the workspace, or from the folder."""

    held: Held
    inside: bool

    def of(self, name: str) -> str:
        return name if self.inside else self.held.full(name)

    @property
    def said(self) -> str:
        """How an ask describes the paths."""
        example = self.of(next(n for n in self.held.files if "/" in n))
        return (
            f"relative to `{self.held.path}`, like `{example}`"
            if self.inside
            else f"as seen from the workspace, like `{example}`"
        )

    def find(self, tests: str, rest: str, output: str) -> str:
        """A find command with these tests, its sorted output through ``rest`` into the file."""
        if not self.inside:
            return f"find {sh(self.held.path)} -type f {tests}{rest} | sort > {sh(output)}"
        return f"find {sh(self.held.path)} -type f {tests}{rest} | sed {sh(f's|^{self.held.path}/||')} | sort > {sh(output)}"

    @property
    def python(self) -> str:
        """The expression for a path in Python."""
        return "path.relative_to(root).as_posix()" if self.inside else "path.as_posix()"


def _spelling(held: Held, draw: Draw) -> _Spelling | None:
    if not any("/" in n for n in held.files):
        return None
    return _Spelling(held, draw.pick((True, False)))


def _script(held: Held, how: _Spelling, test: str, output: str) -> str:
    return f"""
from pathlib import Path

root = Path({py(held.path)})
found = [{how.python} for path in root.rglob("*") if path.is_file(){test}]
with open({py(output)}, "w") as out:
    out.writelines(f"{{name}}\\n" for name in sorted(found))
"""


def find_by_ending(state: State, draw: Draw) -> Application | None:
    """List the files of one ending."""
    held = held_folder(state, 4)
    how = _spelling(held, draw) if held else None
    options = [k for k, names in endings(held).items() if k and len(names) < len(held.files)] if held else []
    if held is None or how is None or not options:
        return None
    kind = draw.pick(options)
    names = endings(held)[kind]
    mixed = any(not n.endswith(f".{kind}") for n in names)
    kept = sorted(how.of(n) for n in names)
    output = place_output(state, draw, (f"{kind}_files", f"{kind}_list", "found", "listing"), ".txt")
    written = write_lines(state, draw, output, kept, "file-listing")
    case = f", in capitals or small letters (`.{kind.upper()}` too)," if mixed else ""
    comma = case or ","
    test = "-iname" if mixed else "-name"
    python_test = f' and path.suffix.lower() == ".{kind}"' if mixed else f' and path.name.endswith(".{kind}")'
    wrong = sorted(how.of(n) for n in names if n.endswith(f".{kind}"))
    mistake = Mistake(
        how.find(f"-name '*.{kind}'", "", output),
        (f"find lists what ends in .{kind}.", "A name test selects the files."),
        (
            f"Files that end in `.{kind.upper()}` are missing; the test has to ignore case.",
            "Some endings have capitals, and they were passed over.",
        ),
        ("find", "sort", "sed"),
    )
    return applied(
        written,
        output,
        Words(
            (
                f"list all files below {{it}} that end in `.{kind}`{case} in `{output}`: one path per line, {how.said}, in ascending order",
                f"write to `{output}` the sorted paths of the files in {{it}} and its subfolders that have the ending `.{kind}`{comma} one per line and {how.said}",
                f"make `{output}`, a sorted list of every file in {{it}}, at any depth, with the ending `.{kind}`{comma} one per line, paths {how.said}",
                f"which files below {{it}} have the ending `.{kind}`{case.rstrip(',')}? Put their paths, {how.said}, into `{output}`, sorted and one per line",
            ),
            (f"a sorted list of the files below {{it}} with the ending `.{kind}`{comma} one path per line, {how.said}",),
            (
                f"`{output}` lists {many(len(kept), 'file')} with the ending `.{kind}`",
                f"found {len(kept)} of {len(held.files)} files with the ending `.{kind}`",
            ),
            (draw.pick(TEXT_ORDER.single),),
        ),
        (
            one_act(
                state,
                output,
                "find",
                ("find", "sed", "sort"),
                how.find(f"{test} '*.{kind}'", "", output),
                f"find with a test on the name, then sorted; {len(held.files)} files have to be looked at.",
                f"The ending .{kind} decides, so a pattern on the name is enough.",
                "find gives no order of its own, so the list goes through sort.",
            ),
            python_act(
                state,
                output,
                _script(held, how, python_test, output),
                "rglob visits every depth; I keep files with the right ending and sort the paths.",
                f"In Python the ending is easy to compare; {many(len(kept), 'path')} should remain.",
                "A list of matching paths, sorted, one per line.",
            ),
        ),
        (head_slip(state, output, mistake, wrong, kept) if mixed and wrong else None,),
    )


def find_larger(state: State, draw: Draw) -> Application | None:
    """List the files above a size."""
    held = held_folder(state, 4, exact=True)
    how = _spelling(held, draw) if held else None
    if held is None or how is None:
        return None
    sizes = sorted({len(data) for data in held.files.values()})
    options = [
        n for n in (200, 250, 300, 400, 500, 750, 1000, 1024, 1500, 2000, 2048, 3000, 4000) if sizes[0] <= n < sizes[-1]
    ]
    if not options:
        return None
    limit = draw.pick(options)
    kept = sorted(how.of(n) for n, data in held.files.items() if len(data) > limit)
    if len(kept) == len(held.files):
        return None
    output = place_output(state, draw, ("large_files", "big", f"over_{limit}", "large"), ".txt")
    written = write_lines(state, draw, output, kept, "file-listing")
    rounded = limit % 1024 == 0
    wrong = sorted(how.of(n) for n, data in held.files.items() if -(-len(data) // 512) > limit)
    mistake = Mistake(
        how.find(f"-size +{limit}", "", output),
        (f"find tests for sizes above {limit}.", f"A size test of +{limit} selects the large files."),
        (
            "Without a unit find counts blocks of 512 bytes. I need the unit for bytes.",
            f"Hardly anything was found: +{limit} means blocks here, not bytes.",
        ),
        ("find", "sort", "sed"),
    )
    slip = head_slip(state, output, mistake, wrong, kept) if wrong else _nothing_found(state, output, mistake)
    unit = f"{limit} bytes" + (f" ({limit // 1024} KiB)" if rounded else "")
    return applied(
        written,
        output,
        Words(
            (
                f"list the files below {{it}} that are larger than {unit} in `{output}`, one path per line, {how.said}, in ascending order",
                f"find every file in {{it}} and its subfolders with more than {unit} and write the paths, {how.said}, sorted and one per line to `{output}`",
                f"save the paths of all files in {{it}}, at any depth, whose size exceeds {unit} as `{output}`: sorted, one per line, {how.said}",
                f"make a sorted list `{output}` of what takes more than {unit} below {{it}} (files only, one path per line, {how.said})",
            ),
            (f"a sorted list of the files below {{it}} with more than {unit}, one path per line, {how.said}",),
            (
                f"{many(len(kept), 'file')} of {len(held.files)} in `{held.path}` {'is' if len(kept) == 1 else 'are'} larger than {unit}; `{output}` lists the result",
                f"`{output}` lists {many(len(kept), 'file')} above {unit}",
            ),
            (draw.pick(TEXT_ORDER.single),),
        ),
        (
            one_act(
                state,
                output,
                "find",
                ("find", "sed", "sort"),
                how.find(f"-size +{limit}c", "", output),
                f"The suffix c makes find count bytes, so +{limit}c means more than {limit} of them.",
                f"find compares the size of each of the {len(held.files)} files with the limit.",
                "A size test in bytes, then the paths in order.",
            ),
            python_act(
                state,
                output,
                _script(held, how, f" and path.stat().st_size > {limit}", output),
                f"st_size is in bytes, so a plain comparison with {limit} does it.",
                "Python reads the sizes and sorts the paths that are above the limit.",
                f"I keep the paths of files with more than {limit} bytes.",
            ),
        ),
        (slip,),
    )


def _nothing_found(state: State, output: str, mistake: Mistake) -> Slip:
    """A slip whose output is empty."""
    folder = output.rpartition("/")[0]
    first = f"mkdir -p {sh(folder)} && " if folder and not state.holds(folder) else ""
    return Slip(
        command=first + mistake.command,
        why=mistake.why,
        look=f"wc -l {sh(output)}",
        sign=r"\A\s*0\b",
        remark=mistake.remark,
        tools=(*mistake.tools, "wc"),
    )


def find_containing(state: State, draw: Draw) -> Application | None:
    """List the files in which a text occurs."""
    held = held_folder(state, 4, exact=True)
    how = _spelling(held, draw) if held else None
    word = _shared_word(held, draw) if held else None
    if held is None or how is None or word is None:
        return None
    kept = sorted(how.of(n) for n, data in held.files.items() if word.encode() in data)
    output = place_output(state, draw, ("matches", f"with_{word.lower()}", "containing"), ".txt")
    written = write_lines(state, draw, output, kept, "file-listing")
    if how.inside:
        shell = f"(cd {sh(held.path)} && find . -type f -exec grep -lF {sh(word)} {{}} + | sed 's|^\\./||' | sort) > {sh(output)}"
    else:
        shell = draw.pick(
            (
                f"grep -rlF {sh(word)} {sh(held.path)} | sort > {sh(output)}",
                f"find {sh(held.path)} -type f -exec grep -lF {sh(word)} {{}} + | sort > {sh(output)}",
            )
        )
    loose = sorted(how.of(n) for n, data in held.files.items() if word.lower().encode() in data.lower())
    mistake = Mistake(
        shell.replace("-rlF", "-rliF").replace("-lF", "-liF"),
        (f"grep names the files with `{word}`, ignoring case to be safe.", "I search without regard to capitals."),
        (
            f"That is too much: other spellings of `{word}` were not asked for.",
            "Some of these have the text only in other capitals; the search must respect case.",
        ),
        ("grep", "find", "sed", "sort"),
    )
    return applied(
        written,
        output,
        Words(
            (
                f"find out which files below {{it}} contain the text `{word}` (in this spelling) and list their paths in `{output}`, one per line, {how.said}, sorted",
                f"list every file in {{it}} or its subfolders in which `{word}` occurs, with the same capitals, in `{output}`: sorted paths, one per line, {how.said}",
                f"write `{output}`, a sorted list of all files below {{it}} that have `{word}` somewhere in their content (case matters), one path per line and {how.said}",
                f"search {{it}} through all subfolders for files with the text `{word}`, case-sensitively; their paths, {how.said}, go to `{output}`, sorted, one per line",
            ),
            (
                f"a sorted list of the files below {{it}} that contain `{word}` (case-sensitive), one path per line, {how.said}",
            ),
            (
                f"`{word}` occurs in {len(kept)} of {len(held.files)} files, listed in `{output}`",
                f"`{output}` lists the {many(len(kept), 'file')} that contain `{word}`",
            ),
            (draw.pick(TEXT_ORDER.single),),
        ),
        (
            one_act(
                state,
                output,
                "grep",
                ("grep", "find", "sed", "sort"),
                shell,
                f"grep with -l prints only the names of files that contain `{word}`.",
                "A fixed string needs no pattern syntax; grep goes through the files and names those that match.",
                f"The {len(held.files)} files are searched for `{word}`, and the names are sorted afterwards.",
            ),
            python_act(
                state,
                output,
                _script(held, how, f" and {py(word)} in path.read_text()", output),
                "Each file is small enough to be read whole and searched.",
                f"Python tests every file for `{word}` and sorts the paths of those that have it.",
                f"A test with in on the text of each of the {len(held.files)} files.",
            ),
        ),
        (head_slip(state, output, mistake, loose, kept),),
    )


def _shared_word(held: Held, draw: Draw) -> str | None:
    """A word that occurs in some files, not in all; None if there is none or a file is no UTF-8 text."""
    try:
        texts = [data.decode("utf-8") for data in held.files.values()]
    except UnicodeDecodeError:
        return None
    if any("\r" in t or "\0" in t for t in texts):
        return None
    words: dict[str, int] = {}
    for text in texts:
        for word in set(re.findall(r"[A-Za-z]{4,16}", text)):
            words[word] = words.get(word, 0) + 1
    options = sorted(w for w in words if 2 <= sum(w in t for t in texts) < len(texts))
    return draw.pick(options) if options else None


def inventory(state: State, draw: Draw) -> Application | None:
    """A table of all files with their sizes."""
    held = held_folder(state, 4, exact=True)
    how = _spelling(held, draw) if held else None
    if held is None or how is None:
        return None
    by_size = draw.rng.random() < 0.4
    rows = sorted((how.of(n), str(len(data))) for n, data in held.files.items())
    if by_size:
        rows.sort(key=lambda row: -int(row[1]))
    path, size = draw.pick((("path", "bytes"), ("file", "size"), ("path", "size"), ("name", "bytes")))
    output = place_output(state, draw, ("inventory", "files", f"{base(held.path)}_files", "sizes"), ".csv")
    written = write_table(state, draw, output, make_table((path, size), rows), "group-summary")
    ties = by_size and len({r[1] for r in rows}) < len(rows)
    order = "largest first" if by_size else "in ascending order of the paths"
    rules = (["Files of equal size are ordered by path, ascending."] if ties else []) + [
        draw.pick(TEXT_ORDER.single)
    ] * (ties or not by_size)
    keys = "-t, -k2,2nr -k1,1" if by_size else "-t, -k1,1"
    form = "%P" if how.inside else "%p"
    shell = draw.pick(
        (
            f"{{ echo '{path},{size}'; find {sh(held.path)} -type f -printf '{form},%s\\n' | sort {keys}; }} > {sh(output)}",
            f"echo {path},{size} > {sh(output)} && find {sh(held.path)} -type f -printf '{form},%s\\n' | sort {keys} >> {sh(output)}",
        )
    )
    key = "key=lambda row: (-row[1], row[0])" if by_size else ""
    script = f"""
import csv
from pathlib import Path

root = Path({py(held.path)})
rows = [({how.python}, path.stat().st_size) for path in root.rglob("*") if path.is_file()]
rows.sort({key})
with open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow([{py(path)}, {py(size)}])
    writer.writerows(rows)
"""
    total = sum(len(data) for data in held.files.values())
    mistake = Mistake(
        f"{{ echo '{path},{size}'; find {sh(held.path)} -type f -printf '{form},%s\\n' | sort -t, -k2,2r -k1,1; }} > {sh(output)}",
        (
            "find prints path and size, and sort puts the largest on top.",
            "Sorting by the second field in reverse gives the order.",
        ),
        (
            "The sizes were compared as text. They have to be sorted as numbers.",
            "9 before 10: that is the order of text, not of numbers.",
        ),
        ("find", "sort", "echo"),
    )
    text_order = sorted(sorted(rows), key=lambda r: r[1], reverse=True)
    lines, wrong = ([f"{path},{size}", *(f"{a},{b}" for a, b in some)] for some in (rows, text_order))
    return applied(
        written,
        output,
        Words(
            (
                f"make an inventory of {{it}} as `{output}`, comma-separated with the header `{path},{size}`: for every file at any depth its path, {how.said}, and its size in bytes, {order}",
                f"list all files of {{it}} and its subfolders with their sizes in bytes in `{output}`; CSV with the columns `{path}` and `{size}`, paths {how.said}, rows {order}",
                f"write a CSV table `{output}` with a row per file below {{it}} ({order}): `{path}`, {how.said}, and `{size}`, the number of bytes",
                f"for each file in {{it}} or deeper, record path ({how.said}) and byte size in `{output}`, as CSV with the header `{path},{size}`, {order}",
            ),
            (
                f"a CSV table with the columns `{path}` and `{size}`, one row per file below {{it}}: its path, {how.said}, and its bytes, {order}",
            ),
            (
                f"`{output}` lists {len(rows)} files with {total} bytes in all",
                f"the inventory `{output}` has {len(rows)} rows; the largest file has {max(int(r[1]) for r in rows)} bytes",
            ),
            tuple(rules),
        ),
        (
            one_act(
                state,
                output,
                "find",
                ("find", "sort"),
                shell,
                "find can print path and size itself; sort puts the rows in order below the header.",
                f"printf of find gives both columns for all {len(rows)} files without a loop.",
                "No path has a comma in it, so joining with one is safe.",
            ),
            python_act(
                state,
                output,
                script,
                "stat knows the sizes; a list of pairs is easy to sort and write.",
                f"Python collects {len(rows)} pairs of path and size and writes them as CSV.",
                "The csv module writes the table once the pairs are in order.",
            ),
        ),
        (head_slip(state, output, mistake, wrong, lines) if by_size else None,),
    )


SKILLS = (
    PackSkill("find-by-extension", "search", "List files with an ending.", READABLE, "file-listing", find_by_ending),
    PackSkill("find-larger-than", "search", "List files above a size.", READABLE, "file-listing", find_larger),
    PackSkill(
        "find-containing-text", "search", "List files that contain a text.", READABLE, "file-listing", find_containing
    ),
    PackSkill("files-inventory", "search", "Tabulate files and their sizes.", READABLE, "group-summary", inventory),
)
