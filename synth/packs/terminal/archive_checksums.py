"""Skills on checksums: writing a list for a folder, and saying which files agree with a list."""

from __future__ import annotations

import hashlib
import re

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.expect import expect_checksums
from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.naming import folder_of, mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import python_way, write_lines, write_table
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Way
from trajmill.synth.packs.standing import TEXT_ORDER
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.files_choice import READABLE, base, endings, held_folder, many
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, py, python_act

_SIZES = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_NAMES = {"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}


def write_checksums(state: State, draw: Draw) -> Application | None:
    """List the checksums of the files of a folder."""
    held = held_folder(state, 3)
    if held is None:
        return None
    options: list[str | None] = [
        None,
        None,
        *(k for k, n in endings(held).items() if k and 2 <= len(n) < len(held.files)),
    ]
    kind = draw.pick(options)
    names = [n for n in held.files if kind is None or n.endswith(f".{kind}")]
    if kind and any(n.lower().endswith(f".{kind}") and n not in names for n in held.files):
        return None
    algorithm = draw.pick(("sha256", "sha256", "sha256", "md5", "sha1", "sha512"))
    said, tool = _NAMES[algorithm], f"{algorithm}sum"
    inside = draw.pick((True, False))
    output = place_output(
        state, draw, (f"{algorithm.upper()}SUMS", "checksums", f"{base(held.path)}_sums"), draw.pick(("", ".txt"))
    )
    files = [held.full(n) for n in names]
    shown = {held.full(n): n if inside else held.full(n) for n in names}
    lines = [f"{hashlib.new(algorithm, held.files[n]).hexdigest()}  {shown[held.full(n)]}" for n in sorted(names)]
    written = write_lines(state, draw, output, lines, "checksum-list")
    test = f" -name '*.{kind}'" if kind else ""
    which = f"`.{kind}` files" if kind else "files"
    how = f"relative to `{held.path}`" if inside else f"from `{held.path}/` on"
    source, target = sh(held.path), sh(output)
    up = "../" * (held.path.count("/") + 1)
    if inside:
        shell = draw.pick(
            (
                f"(cd {source} && find * -type f{test} -print0 | sort -z | xargs -0 {tool}) > {target}",
                f"cd {source} && find . -type f{test} | sed 's|^\\./||' | sort | tr '\\n' '\\0' | xargs -0 {tool} > "
                f"{up}{target}; cd - > /dev/null",
            )
        )
    else:
        shell = draw.pick(
            (
                f"find {source} -type f{test} -print0 | sort -z | xargs -0 {tool} > {target}",
                f'find {source} -type f{test} | sort | while IFS= read -r f; do {tool} "$f"; done > {target}',
                f"find {source} -type f{test} -exec {tool} {{}} + | sort -k2 > {target}",
            )
        )
    name = "path.relative_to(root).as_posix()" if inside else "path.as_posix()"
    script = f"""
import hashlib
from pathlib import Path

root = Path({py(held.path)})
paths = sorted(p for p in root.rglob({py(f"*.{kind}" if kind else "*")}) if p.is_file())
with open({py(output)}, "w") as out:
    for path in paths:
        out.write(f"{{hashlib.{algorithm}(path.read_bytes()).hexdigest()}}  {{{name}}}\\n")
"""
    example = shown[files[0]]
    use = f", so that they can be checked from within `{held.path}`" if inside else ""
    return Application(
        outputs=(output,),
        asks=(
            f"write the {said} checksums of all {which} below {{it}} to `{output}`, one `DIGEST  NAME` per line with "
            f"two spaces between, names {how} (such as `{example}`){use}",
            f"make `{output}`, a list of {said} sums for the {which} in {{it}} and its subfolders, in the usual form "
            f"of digest, two spaces and name, with names {how} (`{example}`)",
            f"compute {said} for each of the {which} in {{it}}, at any depth, and store the sums in `{output}`: "
            f"hexadecimal digest, two spaces, path {how}, as in `{example}`",
            f"for later comparison, save {said} digests of the {which} below {{it}} as `{output}`, each line being "
            f"the digest, two spaces and the name {how}, for example `{example}`{use}",
        ),
        results=(
            f"the {said} checksums of all {which} below {{it}}, one `DIGEST  NAME` per line, names {how} (such as "
            f"`{example}`)",
        ),
        rules=(),
        ways=(
            Way(
                "coreutils",
                ("find", "sort", "xargs", tool, "sed", "tr"),
                (
                    Act(
                        mkdir_first(state, output, shell),
                        (
                            f"{tool} prints just this form; I only have to hand it the files in order.",
                            f"{many(len(names), 'file')} go to {tool}, listed by find.",
                            "The names in the list are as they are given to the tool, so the working directory matters."
                            if inside
                            else "Paths as find prints them are the names that are wanted.",
                        ),
                    ),
                ),
            ),
            Way(
                "python",
                ("python3",),
                (
                    Act(
                        mkdir_first(state, output, python_way(script)),
                        (
                            f"hashlib computes {said} of each file, and I write digest and name.",
                            f"Python hashes the {len(names)} files and writes a line for each.",
                            "The files are small, so each is read whole and hashed.",
                        ),
                    ),
                ),
            ),
        ),
        checks=(expect_checksums(output, files, algorithm=algorithm, folder=held.path if inside else ""),),
        after=written.state.wrote(output, written.state.data(output), "checksum-list", Lines(tuple(lines))),
        done=(
            f"`{output}` lists the {said} sums of {many(len(names), 'file')}",
            f"computed {many(len(names), 'checksum')} ({said}) into `{output}`",
        ),
    )


def verify_checksums(state: State, draw: Draw) -> Application | None:
    """Say of each file in a list of checksums whether it is as it was."""
    facts, source = state.focus.facts, state.focus.path
    entries = [re.fullmatch(r"([0-9a-f]+)  (.+)", line) for line in facts.lines] if isinstance(facts, Lines) else []
    if len(entries) < 3 or not all(entries):
        return None
    listed = [(e[2], e[1]) for e in entries if e]
    algorithm = _SIZES.get(len(listed[0][1]))
    if algorithm is None:
        return None
    folder = _root(state, source, [n for n, _ in listed])
    if folder is None:
        return None
    where = f"{folder}/" if folder else ""
    rows = []
    for name, digest in sorted(listed):
        entry = state.tree.file(where + name)
        equal = entry is not None and hashlib.new(algorithm, entry.data).hexdigest() == digest
        rows.append((name, "missing" if entry is None else "ok" if equal else "changed"))
    missing = any(s == "missing" for _, s in rows)
    output = place_output(state, draw, ("verification", "check_result", "integrity"), ".csv")
    written = write_table(state, draw, output, make_table(("file", "status"), rows), "group-summary")
    tool, said = f"{algorithm}sum", _NAMES[algorithm]
    near = (
        base(source)
        if folder and folder == folder_of(source)
        else ("../" * (folder.count("/") + 1 if folder else 0)) + source
    )
    enter = f"cd {sh(folder)} && " if folder else ""
    judge = 'awk -F": " \'{ s = $2 == "OK" ? "ok" : $2 == "FAILED" ? "changed" : "missing"; print $1 "," s }\''
    check = f"({enter}{tool} -c {sh(near)} 2> /dev/null) | {judge} | sort"
    shell = draw.pick(
        (
            f"{{ echo file,status; {check}; }} > {sh(output)}",
            f"echo 'file,status' > {sh(output)} && {check} >> {sh(output)}",
        )
    )
    missing_branch = (
        '\n        if not path.exists():\n            status = "missing"\n        elif' if missing else "\n        if"
    )
    script = f"""
import csv
import hashlib
from pathlib import Path

rows = []
with open({py(source)}) as sums:
    for line in sums:
        digest, name = line.rstrip("\\n").split("  ", 1)
        path = Path({py(folder)}, name){missing_branch} hashlib.{algorithm}(path.read_bytes()).hexdigest() == digest:
            status = "ok"
        else:
            status = "changed"
        rows.append((name, status))
with open({py(output)}, "w", newline="") as out:
    csv.writer(out, lineterminator="\\n").writerows([("file", "status"), *sorted(rows)])
"""
    counts = {s: sum(r[1] == s for r in rows) for s in ("ok", "changed", "missing")}
    relative = f" (the names are relative to `{folder}`)" if folder else ""
    words = "`ok` if the digest agrees, `changed` if it does not" + (
        " and `missing` if there is no such file" if missing else ""
    )
    figures = f"{counts['ok']} ok, {counts['changed']} changed" + (f", {counts['missing']} missing" if missing else "")
    wrong = [f"{n},{'ok' if s == 'ok' else 'changed'}" for n, s in rows]
    right = [f"{n},{s}" for n, s in rows]
    mistake = Mistake(
        f"{{ echo file,status; ({enter}{tool} -c {sh(near)} 2> /dev/null) | sed -E 's/: OK$/,ok/; s/: "
        f"FAILED.*$/,changed/' | sort; }} > {sh(output)}",
        (
            f"The output of {tool} -c only needs other words for OK and FAILED.",
            "sed turns the two verdicts into the two words.",
        ),
        (
            "A file that is not there at all was called changed; it should be missing.",
            "FAILED open or read means that there is no such file.",
        ),
        (tool, "sed", "sort", "echo"),
    )
    return applied(
        written,
        output,
        Words(
            (
                f"check the files against the {said} sums in {{it}}{relative} and write `{output}`, comma-separated "
                f"with the header `file,status`: each name as in the list and {words}; rows by name, ascending",
                f"verify the {said} checksums in {{it}}{relative}; the result goes to `{output}`, a CSV table "
                f"`file,status` in ascending order of the names, with {words}",
                f"find out which files still agree with {{it}}, a list of {said} digests{relative}. Record it in "
                f"`{output}` as CSV: header `file,status`, one row per listed name, sorted by it, the status being "
                f"{words}",
                f"compare every file that is named in {{it}} with its {said} digest there{relative} and report to "
                f"`{output}` (CSV, columns `file` and `status`, sorted by file): {words}",
            ),
            (
                f"a CSV table `file,status` with the outcome of checking the {said} sums in {{it}}{relative}: "
                f"{words}, rows by name",
            ),
            (
                f"checked {len(rows)} files: {figures}; see `{output}`",
                f"`{output}` has the outcome for {len(rows)} files ({figures})",
            ),
            (draw.pick(TEXT_ORDER.single),),
        ),
        (
            one_act(
                state,
                output,
                "coreutils",
                ("awk", "sort", "echo", tool),
                shell,
                f"{tool} -c judges each line; I translate its verdicts and sort the rows.",
                f"{len(rows)} digests are compared by {tool} itself, from the folder that the names refer to.",
                "The tool's own check prints name and verdict, which awk turns into two columns.",
            ),
            python_act(
                state,
                output,
                script,
                "Python hashes each file that is named and compares the result with the digest in the list.",
                f"For each of the {len(rows)} lines I hash the file and note how it compares.",
                "Digest and name are two spaces apart, so each line is split there once.",
            ),
        ),
        (head_slip(state, output, mistake, ["file,status", *wrong], ["file,status", *right]) if missing else None,),
    )


def _root(state: State, source: str, names: list[str]) -> str | None:
    """The folder that the names are relative to: the list's own, the workspace, or the one that has them; or None."""
    near = folder_of(source)
    tops = sorted({p.split("/")[0] for p in state.tree if "/" in p})
    for folder in dict.fromkeys(("", near, *tops)):
        found = sum(state.tree.file(f"{folder}/{n}" if folder else n) is not None for n in names)
        if found >= max(2, len(names) - 2):
            return folder
    return None


SKILLS = (
    PackSkill(
        "checksums-write",
        "archives",
        "List the checksums of a folder's files.",
        READABLE,
        "checksum-list",
        write_checksums,
    ),
    PackSkill(
        "checksums-verify",
        "archives",
        "Report which files agree with a list of checksums.",
        ("checksum-list",),
        "group-summary",
        verify_checksums,
        not_after=("checksums-write",),
    ),
)
