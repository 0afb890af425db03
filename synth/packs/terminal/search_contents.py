"""Skills that say of many files which contain a text, and how large each is."""

from __future__ import annotations

import re

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import READABLE, Held, base, held_folder, many
from trajmill.synth.packs.terminal.search_lists import listing_script, spelling
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, py, python_act


def find_containing(state: State, draw: Draw) -> Application | None:
    """List the files in which a text occurs."""
    held = held_folder(state, 4, exact=True)
    how = spelling(held, draw) if held else None
    word = _shared_word(held, draw) if held else None
    if held is None or how is None or word is None:
        return None
    kept = sorted(how.of(n) for n, data in held.files.items() if word.encode() in data)
    output = place_output(state, draw, ("matches", f"with_{word.lower()}", "containing"), ".txt")
    written = write_lines(state, draw, output, kept, "file-listing")
    if how.inside:
        shell = (
            f"(cd {sh(held.path)} && find . -type f -exec grep -lF {sh(word)} {{}} + | sed 's|^\\./||' | sort) > "
            f"{sh(output)}"
        )
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
                f"find out which files below {{it}} contain the text `{word}` (in this spelling) and list their "
                f"paths in `{output}`, one per line, {how.said}, sorted",
                f"list every file in {{it}} or its subfolders in which `{word}` occurs, with the same capitals, in "
                f"`{output}`: sorted paths, one per line, {how.said}",
                f"write `{output}`, a sorted list of all files below {{it}} that have `{word}` somewhere in their "
                f"content (case matters), one path per line and {how.said}",
                f"search {{it}} through all subfolders for files with the text `{word}`, case-sensitively; their "
                f"paths, {how.said}, go to `{output}`, sorted, one per line",
            ),
            (
                f"a sorted list of the files below {{it}} that contain `{word}` (case-sensitive), one path per line, "
                f"{how.said}",
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
                listing_script(held, how, f" and {py(word)} in path.read_text()", output),
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
    how = spelling(held, draw) if held else None
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
            f"{{ echo '{path},{size}'; find {sh(held.path)} -type f -printf '{form},%s\\n' | sort {keys}; }} > "
            f"{sh(output)}",
            f"echo {path},{size} > {sh(output)} && find {sh(held.path)} -type f -printf '{form},%s\\n' | sort {keys} "
            f">> {sh(output)}",
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
        f"{{ echo '{path},{size}'; find {sh(held.path)} -type f -printf '{form},%s\\n' | sort -t, -k2,2r -k1,1; }} > "
        f"{sh(output)}",
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
                f"make an inventory of {{it}} as `{output}`, comma-separated with the header `{path},{size}`: for "
                f"every file at any depth its path, {how.said}, and its size in bytes, {order}",
                f"list all files of {{it}} and its subfolders with their sizes in bytes in `{output}`; CSV with the "
                f"columns `{path}` and `{size}`, paths {how.said}, rows {order}",
                f"write a CSV table `{output}` with a row per file below {{it}} ({order}): `{path}`, {how.said}, and "
                f"`{size}`, the number of bytes",
                f"for each file in {{it}} or deeper, record path ({how.said}) and byte size in `{output}`, as CSV "
                f"with the header `{path},{size}`, {order}",
            ),
            (
                f"a CSV table with the columns `{path}` and `{size}`, one row per file below {{it}}: its path, "
                f"{how.said}, and its bytes, {order}",
            ),
            (
                f"`{output}` lists {len(rows)} files with {total} bytes in all",
                f"the inventory `{output}` has {len(rows)} rows; the largest file has {max(int(r[1]) for r in rows)} "
                "bytes",
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
    PackSkill(
        "find-containing-text", "search", "List files that contain a text.", READABLE, "file-listing", find_containing
    ),
    PackSkill("files-inventory", "search", "Tabulate files and their sizes.", READABLE, "group-summary", inventory),
)
