"""Skills on the lines of many files at once: where a text stands, and how many lines there are."""

from __future__ import annotations

import re

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import write_lines, write_table
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import READABLE, Held, endings, held_folder, many
from trajmill.synth.packs.terminal.table_ways import (
    Mistake,
    Words,
    applied,
    head_slip,
    header_slip,
    one_act,
    py,
    python_act,
)


def texts_of(held: Held) -> dict[str, str] | None:
    """The files as UTF-8 text with plain line feeds, each ended by one unless empty; None if any is something else."""
    try:
        texts = {name: data.decode("utf-8") for name, data in held.files.items()}
    except UnicodeDecodeError:
        return None
    fit = all(not set("\r\0\x0b\x0c\x85\u2028\u2029") & set(t) and (not t or t.endswith("\n")) for t in texts.values())
    return texts if fit else None


def grep_lines(state: State, draw: Draw) -> Application | None:
    """Collect the lines that contain a text, with file and line number."""
    held = held_folder(state, 4, exact=True)
    texts = texts_of(held) if held else None
    if held is None or texts is None or any(":" in n for n in held.files):
        return None
    word = common_word(texts, draw, 3, 40)
    if word is None:
        return None
    hits = [
        (held.full(name), number, line)
        for name, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if word in line
    ]
    hits.sort()
    kept = [f"{path}:{number}:{line}" for path, number, line in hits]
    output = place_output(state, draw, ("hits", "search_hits", f"lines_{word.lower()}"), ".txt")
    written = write_lines(state, draw, output, kept, "search-hits")
    source, target = sh(held.path), sh(output)
    shell = draw.pick(
        (
            f"find {source} -type f -print0 | sort -z | xargs -0 grep -nHF {sh(word)} > {target}",
            f"grep -rnF {sh(word)} {source} | sort -t: -k1,1 -k2,2n > {target}",
            f'find {source} -type f | sort | while IFS= read -r f; do grep -nHF {sh(word)} "$f"; done > {target} || '
            "true",
        )
    )
    script = f"""
from pathlib import Path

with open({py(output)}, "w") as out:
    for path in sorted((p for p in Path({py(held.path)}).rglob("*") if p.is_file()), key=str):
        for number, line in enumerate(open(path), 1):
            if {py(word)} in line:
                out.write(f"{{path}}:{{number}}:{{line}}")
"""
    mistake = Mistake(
        f"grep -rnF {sh(word)} {source} | sort > {target}",
        (
            "grep -r finds the lines in all files, and sort puts them in order.",
            f"A recursive search for `{word}`, sorted at the end.",
        ),
        (
            "The line numbers are in the order of text: 10 comes before 9. They need a numeric key.",
            "Within a file the hits are out of order, as sort compared the numbers as text.",
        ),
        ("grep", "sort"),
    )
    files = len({h[0] for h in hits})
    return applied(
        written,
        output,
        Words(
            (
                f"search all files below {{it}} for lines with the text `{word}` (case-sensitive) and write them to "
                f"`{output}` as `PATH:LINE NUMBER:LINE`, the path beginning with `{held.path}/`; files in ascending "
                "order of their paths, lines in file order",
                f"collect every line in {{it}} and its subfolders that contains `{word}`, spelled just so, in "
                f"`{output}`, each with path (from `{held.path}/` on) and line number in front, separated by colons, "
                "sorted by path and then by number",
                f"where below {{it}} does `{word}` (same capitals) occur? Write each such line to `{output}` in the "
                f"form `{kept[0].split(':')[0]}:{kept[0].split(':')[1]}:...`, ordered by path and line number",
                f"make `{output}` with all lines of the files in {{it}}, at any depth, that have `{word}` in them "
                f"(case matters), each preceded by its path such as `{kept[0].split(':')[0]}`, a colon, the number "
                "of the line and a colon; by path, then by line",
            ),
            (
                f"every line below {{it}} that contains `{word}` (case-sensitive), as `PATH:NUMBER:LINE` with paths "
                f"from `{held.path}/` on, ordered by path and line number",
            ),
            (
                f"{many(len(kept), 'line')} in {many(files, 'file')} contain `{word}`; they are in `{output}`"
                if len(kept) > 1
                else f"one line contains `{word}`; it is in `{output}`",
                f"`{output}` has {many(len(kept), 'hit')} for `{word}` from {many(files, 'file')}",
            ),
            (draw.pick(TEXT_ORDER.single),),
        ),
        (
            one_act(
                state,
                output,
                "grep",
                ("find", "sort", "xargs", "grep"),
                shell,
                "With -n and the file name grep prints just the form that is wanted; only the order has to be taken "
                "care of.",
                f"grep searches {len(held.files)} files; the order of the paths comes from sort.",
                f"`{word}` is a fixed string, and the matches have to be in order of path and line.",
            ),
            python_act(
                state,
                output,
                script,
                "Python goes through the sorted files and numbers the lines from 1.",
                f"Two loops, over the {len(held.files)} files and over their lines, give the hits in order.",
                "enumerate counts the lines, and each hit is written with path and number.",
            ),
        ),
        (head_slip(state, output, mistake, sorted(kept), kept),),
    )


def common_word(texts: dict[str, str], draw: Draw, least: int, most: int) -> str | None:
    """A word on between ``least`` and ``most`` lines of more than one file, but not of all."""
    lines = [(name, line) for name, text in texts.items() for line in text.splitlines()]
    words = {w for _, line in lines for w in re.findall(r"[A-Za-z]{4,16}", line)}
    options = []
    for word in sorted(words):
        places = [name for name, line in lines if word in line]
        if least <= len(places) <= most and 1 < len(set(places)) < len(texts):
            options.append(word)
    return draw.pick(options) if options else None


def count_lines(state: State, draw: Draw) -> Application | None:
    """A table of the files with their numbers of lines."""
    held = held_folder(state, 3, exact=True)
    texts = texts_of(held) if held else None
    if held is None or texts is None:
        return None
    options: list[str | None] = [
        None,
        *(k for k, names in endings(held).items() if k and 2 <= len(names) < len(held.files)),
    ]
    kind = draw.pick(options)
    names = [n for n in held.files if kind is None or n.lower().endswith(f".{kind}")]
    if kind is not None and any(not n.endswith(f".{kind}") for n in names):
        return None
    rows = sorted((held.full(n), str(texts[n].count("\n"))) for n in names)
    first, second = draw.pick((("file", "lines"), ("path", "lines"), ("file", "count")))
    output = place_output(state, draw, ("line_counts", "lines_per_file", "counts"), ".csv")
    written = write_table(state, draw, output, make_table((first, second), rows), "group-summary")
    test = f" -name '*.{kind}'" if kind else ""
    which = f"`.{kind}` file" if kind else "file"
    shell = draw.pick(
        (
            f"{{ echo '{first},{second}'; find {sh(held.path)} -type f{test} | sort | while IFS= read -r f; do "
            f'printf \'%s,%s\\n\' "$f" "$(wc -l < "$f")"; done; }} > {sh(output)}',
            f"echo '{first},{second}' > {sh(output)} && find {sh(held.path)} -type f{test} -exec bash -c 'for f; do "
            f'echo "$f,$(wc -l < "$f")"; done\' bash {{}} + | sort -t, -k1,1 >> {sh(output)}',
        )
    )
    script = f"""
import csv
from pathlib import Path

paths = sorted((p for p in Path({py(held.path)}).rglob({py(f"*.{kind}" if kind else "*")}) if p.is_file()), key=str)
with open({py(output)}, "w", newline="") as out:
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerow([{py(first)}, {py(second)}])
    for path in paths:
        writer.writerow([path, path.read_bytes().count(b"\\n")])
"""
    total = sum(int(r[1]) for r in rows)
    mistake = Mistake(
        f"{{ echo '{first},{second}'; find {sh(held.path)} -type f{test} -exec wc -l {{}} + | sed -E 's/^ *([0-9]+) "
        f"(.*)$/\\2,\\1/' | sort -t, -k1,1; }} > {sh(output)}",
        (
            "wc counts all files in one call; sed swaps the two columns.",
            f"One wc over the {len(rows)} files is quickest.",
        ),
        (
            "wc added a line with the total, and it became a row. I must leave it out.",
            "There is a row `total` that belongs to no file.",
        ),
        ("find", "wc", "sed", "sort", "echo"),
    )
    slip = header_slip(state, output, mistake, "total", (r[0] for r in rows))
    return applied(
        written,
        output,
        Words(
            (
                f"count the lines of each {which} below {{it}} and write a CSV table `{output}` with the columns "
                f"`{first}` (path beginning with `{held.path}/`) and `{second}`, in ascending order of the paths",
                f"for every {which} in {{it}} and its subfolders, put its path (such as `{rows[0][0]}`) and its "
                f"number of lines into `{output}`: comma-separated, header `{first},{second}`, sorted by path",
                f"make a table `{output}` of how many lines each {which} in {{it}} has, at any depth: header "
                f"`{first},{second}`, one row per file with the path from `{held.path}/` on, paths ascending, fields "
                "separated by commas",
                f"save as `{output}` one CSV row per {which} below {{it}}, with its path as seen from the workspace "
                f"(`{first}`) and its line count (`{second}`), under a header and ordered by path",
            ),
            (
                f"a CSV table with the columns `{first}` and `{second}`: path (from `{held.path}/` on) and number of "
                f"lines of each {which} below {{it}}, by path",
            ),
            (
                f"`{output}` has the line counts of {len(rows)} files, {total} lines in all",
                f"counted {total} lines in {len(rows)} files; the figures are in `{output}`",
            ),
            (draw.pick(TEXT_ORDER.single),),
        ),
        (
            one_act(
                state,
                output,
                "wc",
                ("find", "sort", "wc", "echo", "bash"),
                shell,
                "Given its input by redirection, wc prints the number alone, so I can put the path in front.",
                f"One count for each of the {len(rows)} paths, below a header.",
                "A call per file avoids the line with the total that wc adds for several files.",
            ),
            python_act(
                state,
                output,
                script,
                "Python counts the line feeds in each file and writes a row for it.",
                f"{len(rows)} files, so {len(rows)} rows below the header, paths in order.",
                "I sort the paths as text and count line feeds in the bytes.",
            ),
        ),
        (replace_slip(slip),),
    )


def replace_slip(slip: Slip | None) -> Slip | None:
    """The slip with a look that finds a row ``total``."""
    if slip is None:
        return None
    output = slip.command.rpartition("> ")[2]
    return Slip(slip.command, slip.why, r"(?m)^\d+:total,", slip.remark, f"grep -n '^total,' {output}", "", slip.tools)


SKILLS = (
    PackSkill(
        "grep-lines-across-files",
        "search",
        "Collect lines with a text from many files.",
        READABLE,
        "search-hits",
        grep_lines,
    ),
    PackSkill(
        "count-lines-per-file", "search", "Tabulate the lines of each file.", READABLE, "group-summary", count_lines
    ),
)
