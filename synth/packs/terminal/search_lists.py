"""Skills that list the files of a folder: by ending or by size."""

from __future__ import annotations

from dataclasses import dataclass

from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import READABLE, Held, endings, held_folder, many
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, py, python_act


@dataclass(frozen=True, slots=True)
class Spelling:
    """How paths are written in a list: from the workspace, or from the folder."""

    held: Held
    inside: bool

    def of(self, name: str) -> str:
        """The path of a file of the folder as it is written in the list."""
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
        return (
            f"find {sh(self.held.path)} -type f {tests}{rest} | sed {sh(f's|^{self.held.path}/||')} | sort > "
            f"{sh(output)}"
        )

    @property
    def python(self) -> str:
        """The expression for a path in Python."""
        return "path.relative_to(root).as_posix()" if self.inside else "path.as_posix()"


def spelling(held: Held, draw: Draw) -> Spelling | None:
    """One of the two spellings, if the folder has subfolders."""
    if not any("/" in n for n in held.files):
        return None
    return Spelling(held, draw.pick((True, False)))


def listing_script(held: Held, how: Spelling, test: str, output: str) -> str:
    """A Python script that lists the files which meet a test on ``path``."""
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
    how = spelling(held, draw) if held else None
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
                f"list all files below {{it}} that end in `.{kind}`{case} in `{output}`: one path per line, "
                f"{how.said}, in ascending order",
                f"write to `{output}` the sorted paths of the files in {{it}} and its subfolders that have the "
                f"ending `.{kind}`{comma} one per line and {how.said}",
                f"make `{output}`, a sorted list of every file in {{it}}, at any depth, with the ending "
                f"`.{kind}`{comma} one per line, paths {how.said}",
                f"which files below {{it}} have the ending `.{kind}`{case.rstrip(',')}? Put their paths, {how.said}, "
                f"into `{output}`, sorted and one per line",
            ),
            (
                f"a sorted list of the files below {{it}} with the ending `.{kind}`{comma} one path per line, "
                f"{how.said}",
            ),
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
                listing_script(held, how, python_test, output),
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
    how = spelling(held, draw) if held else None
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
                f"list the files below {{it}} that are larger than {unit} in `{output}`, one path per line, "
                f"{how.said}, in ascending order",
                f"find every file in {{it}} and its subfolders with more than {unit} and write the paths, "
                f"{how.said}, sorted and one per line to `{output}`",
                f"save the paths of all files in {{it}}, at any depth, whose size exceeds {unit} as `{output}`: "
                f"sorted, one per line, {how.said}",
                f"make a sorted list `{output}` of what takes more than {unit} below {{it}} (files only, one path "
                f"per line, {how.said})",
            ),
            (f"a sorted list of the files below {{it}} with more than {unit}, one path per line, {how.said}",),
            (
                f"{many(len(kept), 'file')} of {len(held.files)} in `{held.path}` "
                f"{'is' if len(kept) == 1 else 'are'} larger than {unit}; `{output}` lists the result",
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
                listing_script(held, how, f" and path.stat().st_size > {limit}", output),
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


SKILLS = (
    PackSkill("find-by-extension", "search", "List files with an ending.", READABLE, "file-listing", find_by_ending),
    PackSkill("find-larger-than", "search", "List files above a size.", READABLE, "file-listing", find_larger),
)
