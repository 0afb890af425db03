"""Skills that change the encoding or the line ends of a text, and how such texts are set up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.facts import Lines, Text
from trajmill.synth.packs.naming import mkdir_first, place_input, place_output, sh, stem
from trajmill.synth.packs.outputs import Written, write_lines
from trajmill.synth.packs.skill import Application, Apply, Draw, PackSkill, Slip, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.scenarios import LINE_FILES
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act
from trajmill.synth.sources.excerpt import excerpt
from trajmill.synth.sources.material import Material

_WINDOWS = " with Windows line ends"
NAMES = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8 with a byte order mark", "latin-1": "ISO-8859-1", "utf-16": "UTF-16"}


def encode_text(text: Text) -> bytes:
    """The bytes of a text; UTF-16 is little endian with a byte order mark."""
    body = text.text.replace("\n", text.newline)
    return b"\xff\xfe" + body.encode("utf-16-le") if text.encoding == "utf-16" else body.encode(text.encoding)


def text_start(scenario: str, encoding: str, newlines: tuple[str, ...], *, beyond_ascii: bool = False) -> Start:
    """A start that renders a real text in an encoding; ``beyond_ascii``: only texts whose bytes show the encoding."""

    def build(material: Material, draw: Draw) -> World | None:
        text = _text_of(material, draw)
        if text is None or (beyond_ascii and text.isascii()):
            return None
        if encoding == "latin-1" and (_lost(text) or re.search("[\x80-\x9f]", text)):
            return None
        facts = Text(text, encoding, draw.pick(newlines))
        name = re.sub(r"[^A-Za-z0-9._-]+", "_", stem(material.name)).strip("_.-") or "text"
        path = place_input(f"{name}{draw.pick(('.txt', '.txt', '_export.txt', '_names.txt'))}", draw)
        tree = Tree({path: FileEntry(encode_text(facts))})
        return World(tree, State(tree, Artefact(path, scenario, facts)))

    return Start(scenario, build)


def _lost(text: str) -> bool:
    return text.encode("latin-1", "ignore").decode("latin-1") != text


def _text_of(material: Material, draw: Draw) -> str | None:
    """Lines of a text file, or the values of one text field of JSON records, with LF line ends."""
    part = excerpt(material, draw.rng, max_records=draw.pick((20, 40, 80, 120)), max_bytes=12 << 10)
    if part.kind in ("csv", "tsv", "text", "log") and part.usable_for("text") | part.usable_for("table"):
        try:
            lines = list(part.text().lines)
        except ContentError:
            return None
    elif part.kind == "json" and part.usable_for("json"):
        lines = _field_values(part, draw)
    else:
        return None
    clean = len(set(lines)) > 7 and not any(
        re.search(r"[\x00-\x08\x0b-\x1f\x85\u2028\u2029\ufeff]", line) for line in lines
    )
    return "".join(f"{line}\n" for line in lines) if clean else None


def _field_values(material: Material, draw: Draw) -> list[str]:
    value = material.json()
    lists = (
        [value]
        if isinstance(value, list)
        else [v for v in value.values() if isinstance(v, list)]
        if isinstance(value, dict)
        else []
    )
    records = [r for r in (lists[0] if lists else []) if isinstance(r, dict)]
    names = sorted({k for r in records for k, v in r.items() if isinstance(v, str)})
    columns = [[v for r in records if isinstance(v := r.get(n), str) and v and _fits_latin(v)] for n in names]
    good = [c for c in columns if any(not v.isascii() for v in c)] or columns
    return draw.pick(good) if good else []


def _fits_latin(value: str) -> bool:
    return "\n" not in value and not _lost(value)


@dataclass(frozen=True, slots=True)
class _Target:
    """A form to convert to: what it is called, and the ways to get there."""

    words: str
    facts: Text
    scenario: str
    shell: str
    tools: tuple[str, ...]
    script: str


def to_utf8(state: State, draw: Draw) -> Application | None:
    """Write a text in UTF-8 with Unix line ends and without a byte order mark."""
    text, source = state.focus.facts, state.focus.path
    if not isinstance(text, Text) or (text.encoding == "utf-8" and text.newline == "\n"):
        return None
    in_place = text.encoding in ("utf-8", "utf-8-sig") and draw.rng.random() < 0.4
    output = (
        source
        if in_place
        else place_output(
            state, draw, (f"{stem(source)}_utf8", f"{stem(source)}_unix", f"{stem(source)}_plain"), ".txt"
        )
    )
    facts = Text(text.text)
    now = NAMES[text.encoding] + (_WINDOWS if text.newline == "\r\n" else "")
    if text.encoding == "utf-8-sig":
        now = "UTF-8 with a byte order mark" + (" and Windows line ends" if text.newline == "\r\n" else "")
    wanted = (
        "UTF-8 with Unix line ends"
        if text.encoding != "utf-8-sig"
        else "UTF-8 without a byte order mark and with Unix line ends"
    )
    codec = text.encoding
    edits = "; ".join(
        e for e, on in (("1s/^\\xEF\\xBB\\xBF//", codec == "utf-8-sig"), ("s/\\r$//", text.newline == "\r\n")) if on
    )
    s, o = sh(source), sh(output)
    if codec in ("latin-1", "utf-16"):
        name = {"latin-1": draw.pick(("ISO-8859-1", "LATIN1")), "utf-16": "UTF-16"}[codec]
        shell = f"iconv -f {name} -t UTF-8 {s}" + (f" | sed '{edits}'" if edits else "") + f" > {o}"
        tools: tuple[str, ...] = ("iconv", "sed") if edits else ("iconv",)
    elif in_place:
        shell, tools = f"sed -i '{edits}' {s}", ("sed",)
    elif codec == "utf-8" and draw.rng.random() < 0.5:
        shell, tools = f"tr -d '\\r' < {s} > {o}", ("tr",)
    else:
        shell, tools = f"sed '{edits}' {s} > {o}", ("sed",)
    script = draw.pick(
        (
            f"""
with open({py(source)}, encoding={py(codec)}) as f:
    text = f.read()
with open({py(output)}, "w", encoding="utf-8", newline="\\n") as f:
    f.write(text)
""",
            f"""
from pathlib import Path

text = Path({py(source)}).read_bytes().decode({py(codec)})
Path({py(output)}).write_bytes(text.replace("\\r\\n", "\\n").encode("utf-8"))
""",
        )
    )
    target = _Target(wanted, facts, "utf8-text", shell, tools, script)
    return _converted(state, output, target, now, text, in_place, [_wrong_decoding(state, text, source, output)])


def _converted(
    state: State, output: str, target: _Target, now: str, text: Text, in_place: bool, slips: list[Slip | None]
) -> Application:
    data = encode_text(target.facts)
    written = Written(
        state.wrote(output, data, target.scenario, target.facts, exact=True), expect_bytes(output, data), ()
    )
    count = text.text.count("\n")
    wanted = target.words
    ways = [
        one_act(
            state,
            output,
            target.tools[0],
            target.tools,
            target.shell,
            f"The text is in {now}, so a conversion of its bytes is all it takes.",
            f"From {now} to {wanted}: {' and '.join(target.tools)} can do that in one go.",
            f"The {count} lines stay what they are; only their bytes change.",
        ),
        python_act(
            state,
            output,
            target.script,
            f"Python decodes {now} and encodes the text anew, with the line ends under control.",
            f"With the encodings named outright, Python reads {now} and writes what is wanted.",
            f"I read the {count} lines as text and write them in {wanted}.",
        ),
    ]
    if in_place:
        words = Words(
            (
                f"convert {{it}} in place from {now} to {wanted}",
                f"change {{it}} itself, now in {now}, so that it is in {wanted}",
                f"rewrite {{it}} under its own name in {wanted}; it is in {now} at present",
                f"bring {{it}} into {wanted} without making a copy (it is in {now})",
            ),
            (f"the same text under the same name, converted from {now} to {wanted}",),
            (
                f"`{output}` is in {wanted} now",
                f"converted `{output}` in place to {wanted}",
                f"rewrote the {count} lines of `{output}` in {wanted}",
            ),
        )
    else:
        words = Words(
            (
                f"convert {{it}} from {now} to {wanted} and save it as `{output}`",
                f"write {{it}}, which is in {now}, to `{output}` in {wanted}, the text itself unchanged",
                f"save the text of {{it}} as `{output}`, encoded in {wanted}; at the moment it is in {now}",
                f"make a copy of {{it}} called `{output}` that is in {wanted} instead of {now}",
            ),
            (
                f"the text of {{it}} in {wanted} (it is in {now} now)",
                f"a copy of {{it}} converted from {now} to {wanted}",
            ),
            (
                f"`{output}` has the {count} lines in {wanted}",
                f"converted the text from {now} to {wanted} in `{output}`",
                f"wrote the text to `{output}` in {wanted}",
            ),
        )
    return applied(written, output, words, ways, slips)


def _wrong_decoding(state: State, text: Text, source: str, output: str) -> Slip | None:
    """Latin-1 taken for UTF-8, which stops at the first letter that is not ASCII."""
    if text.encoding != "latin-1" or output == source:
        return None
    return Slip(
        command=mkdir_first(state, output, f"iconv -f UTF-8 -t UTF-8 {sh(source)} > {sh(output)}"),
        why=("iconv writes UTF-8 if I ask for it.", "I pass the text through iconv to get UTF-8."),
        sign=r"iconv: .*(illegal|invalid|cannot convert)",
        remark=(
            "iconv stopped at a byte that is not UTF-8; the input is ISO-8859-1 and has to be read as such.",
            "I named the wrong source encoding: the file is ISO-8859-1.",
        ),
        tools=("iconv",),
    )


def _source_text(state: State) -> str | None:
    """The text of a UTF-8 file with Unix line ends, whether its facts are a text or lines."""
    facts, path = state.focus.facts, state.focus.path
    if isinstance(facts, Lines):
        text = "".join(f"{line}\n" for line in facts.lines)
    elif isinstance(facts, Text) and facts.encoding == "utf-8" and facts.newline == "\n":
        text = facts.text
    else:
        return None
    entry = state.tree.file(path)
    same = entry is not None and entry.data == text.encode()
    return text if same and text and len(text) < 40_000 and "\r" not in text else None


def to_crlf(state: State, draw: Draw) -> Application | None:
    """Write a text with Windows line ends."""
    text, source = _source_text(state), state.focus.path
    if text is None:
        return None
    output = place_output(
        state, draw, (f"{stem(source)}_windows", f"{stem(source)}_dos", f"{stem(source)}_crlf"), _ending(source)
    )
    s, o = sh(source), sh(output)
    shell = draw.pick((f"sed 's/$/\\r/' {s} > {o}", f"awk '{{ printf \"%s\\r\\n\", $0 }}' {s} > {o}"))
    script = f"""
with open({py(source)}, encoding="utf-8") as f:
    text = f.read()
with open({py(output)}, "w", encoding="utf-8", newline="\\r\\n") as f:
    f.write(text)
"""
    words = "UTF-8 with Windows line ends (CRLF, the last line too)"
    target = _Target(words, Text(text, "utf-8", "\r\n"), "crlf-text", shell, (shell.split()[0],), script)
    return _converted(state, output, target, "UTF-8 with Unix line ends", Text(text), False, [])


def to_utf16(state: State, draw: Draw) -> Application | None:
    """Write a text in UTF-16 little endian with a byte order mark."""
    text, source = _source_text(state), state.focus.path
    if text is None:
        return None
    output = place_output(
        state, draw, (f"{stem(source)}_utf16", f"{stem(source)}_wide", f"{stem(source)}_unicode"), _ending(source)
    )
    shell = f"{{ printf '\\xFF\\xFE'; iconv -f UTF-8 -t UTF-16LE {sh(source)}; }} > {sh(output)}"
    script = f"""
from pathlib import Path

text = Path({py(source)}).read_text(encoding="utf-8")
Path({py(output)}).write_bytes(b"\\xff\\xfe" + text.encode("utf-16-le"))
"""
    words = "UTF-16 little endian with a byte order mark and a single line feed after every line"
    target = _Target(words, Text(text, "utf-16", "\n"), "utf16-text", shell, ("iconv",), script)
    return _converted(state, output, target, "UTF-8 with Unix line ends", Text(text), False, [])


def to_latin1(state: State, draw: Draw) -> Application | None:
    """Write a text in Latin-1, if all its characters exist there."""
    text, source = _source_text(state), state.focus.path
    if text is None or text.isascii() or _lost(text) or re.search("[\x80-\x9f]", text):
        return None
    output = place_output(
        state, draw, (f"{stem(source)}_latin1", f"{stem(source)}_iso", f"{stem(source)}_legacy"), _ending(source)
    )
    shell = f"iconv -f UTF-8 -t {draw.pick(('ISO-8859-1', 'LATIN1'))} {sh(source)} > {sh(output)}"
    script = f"""
with open({py(source)}, encoding="utf-8") as f, open({py(output)}, "w", encoding="latin-1") as out:
    out.write(f.read())
"""
    words = "ISO-8859-1 with Unix line ends, the last line ended too"
    target = _Target(words, Text(text, "latin-1", "\n"), "latin1-text", shell, ("iconv",), script)
    return _converted(state, output, target, "UTF-8", Text(text), False, [])


def _ending(source: str) -> str:
    name = source.rsplit("/", 1)[-1]
    return f".{name.rsplit('.', 1)[1]}" if "." in name else ".txt"


def line_range(state: State, draw: Draw) -> Application | None:
    """Copy a stretch of lines."""
    text, source = _source_text(state), state.focus.path
    lines = text.split("\n")[:-1] if text else []
    if len(lines) < 8:
        return None
    first = draw.rng.randint(1, len(lines) // 2)
    last = draw.rng.randint(first + 2, min(len(lines), first + 40))
    if (first, last) == (1, len(lines)):
        return None
    kept = lines[first - 1 : last]
    output = place_output(state, draw, (f"{stem(source)}_part", "excerpt", f"lines_{first}_{last}"), ".txt")
    written = write_lines(state, draw, output, kept, "plain-text")
    s, o, count = sh(source), sh(output), len(kept)
    command = draw.pick(
        (
            f"sed -n '{first},{last}p' {s} > {o}",
            f"head -n {last} {s} | tail -n {count} > {o}",
            f"awk 'NR >= {first} && NR <= {last}' {s} > {o}",
        )
    )
    script = f"""
from itertools import islice

with open({py(source)}, encoding="utf-8") as f, open({py(output)}, "w", encoding="utf-8") as out:
    out.writelines(islice(f, {first - 1}, {last}))
"""
    tool = command.split()[0]
    ways = [
        one_act(
            state,
            output,
            tool,
            ("head", "tail") if tool == "head" else (tool,),
            command,
            f"Lines {first} to {last} are addressed by number, {count} in all.",
            f"I need {count} of {len(lines)} lines, starting at line {first}.",
            f"Line numbers are known, so I print {first} to {last} and nothing else.",
        ),
        python_act(
            state,
            output,
            script,
            f"islice counts from 0, so lines {first} to {last} are {first - 1} up to {last}.",
            f"A slice of the file object copies the {count} lines as they are.",
            f"I skip the first {first - 1} lines and copy the next {count}.",
        ),
    ]
    off = "\n".join(lines[first : last + 1]) != "\n".join(kept)
    slip = Slip(
        command=f"tail -n +{first + 1} {s} | head -n {count} > {o}",
        why=(
            f"Skip {first} lines and take {count}.",
            f"tail starts behind line {first}, head stops after {count} lines.",
        ),
        look=f"head -n 1 {o}",
        sign=rf"\A(?!{re.escape(kept[0])}(?:\n|\Z))",
        remark=(
            f"The first line here is line {first + 1}; line {first} belongs to the range and is missing.",
            f"Off by one: the stretch has to begin with line {first} itself.",
        ),
        tools=("tail", "head"),
    )
    safe = off and kept[0] != kept[1] and "/" not in output
    return applied(
        written,
        output,
        Words(
            (
                f"copy lines {first} to {last} of {{it}}, both included, to `{output}`",
                f"take the stretch from line {first} up to and including line {last} out of {{it}} and save it as "
                f"`{output}`",
                f"write `{output}` with just the lines {first} through {last} of {{it}}, counted from 1",
                f"cut an excerpt from {{it}}: its lines {first} to {last} (the first line is 1) go to `{output}` "
                "unchanged",
            ),
            (
                f"lines {first} to {last} of {{it}}, both included",
                f"an excerpt of {{it}}: the lines from {first} up to and including {last}",
            ),
            (
                f"`{output}` holds lines {first} to {last}",
                f"copied {count} lines, from line {first} on, to `{output}`",
                f"saved the {count} lines of the excerpt as `{output}`",
            ),
        ),
        ways,
        [slip] if safe else [],
    )


def non_ascii_lines(state: State, draw: Draw) -> Application | None:
    """List the lines that hold a character outside ASCII."""
    text, source = _source_text(state), state.focus.path
    lines = text.split("\n")[:-1] if text else []
    kept = [line for line in lines if not line.isascii()]
    if not kept or len(kept) == len(lines):
        return None
    output = place_output(state, draw, ("non_ascii", f"{stem(source)}_special", "special_lines"), ".txt")
    written = write_lines(state, draw, output, kept, "plain-text")
    s, o = sh(source), sh(output)
    command = draw.pick((f"grep -P '[^\\x00-\\x7F]' {s} > {o}", f"LC_ALL=C grep '[^ -~[:cntrl:]]' {s} > {o}"))
    script = f"""
with open({py(source)}, encoding="utf-8") as f, open({py(output)}, "w", encoding="utf-8") as out:
    out.writelines(line for line in f if not line.isascii())
"""
    count = len(kept)
    return applied(
        written,
        output,
        Words(
            (
                "find the lines of {it} with at least one character outside ASCII and write them unchanged, in "
                f"their order, to `{output}`",
                f"copy every line of {{it}} that is not pure ASCII to `{output}`, order kept",
                f"list in `{output}` those lines of {{it}} which contain accented letters or any other character "
                "beyond ASCII, as they are",
                f"write `{output}` with only the lines of {{it}} that hold a non-ASCII character, one below the "
                "other as in the input",
            ),
            (
                "the lines of {it} with at least one character outside ASCII, unchanged and in order",
                "every line of {it} that is not pure ASCII, in order",
            ),
            (
                f"`{output}` has the {count} lines with characters outside ASCII",
                f"found {count} of {len(lines)} lines that are not pure ASCII and copied them to `{output}`",
                f"saved the lines beyond ASCII as `{output}`",
            ),
        ),
        [
            one_act(
                state,
                output,
                "grep",
                ("grep",),
                command,
                "A pattern for bytes above 7F picks the lines that are not pure ASCII.",
                "grep with a negated range finds every character outside ASCII.",
                f"Of {len(lines)} lines I keep those in which something falls outside the ASCII range.",
            ),
            python_act(
                state,
                output,
                script,
                "str.isascii says for each line whether it is pure ASCII.",
                "In Python the test is one method per line, and the lines are copied as they are.",
                "I keep each line that is not ASCII, read and written as UTF-8.",
            ),
        ],
    )


_BOTH = ("\n", "\r\n")
_LINES = ("utf8-text", *LINE_FILES)

STARTS = (
    text_start("latin1-text", "latin-1", _BOTH, beyond_ascii=True),
    text_start("utf16-text", "utf-16", _BOTH),
    text_start("crlf-text", "utf-8", ("\r\n",)),
    text_start("bom-text", "utf-8-sig", _BOTH),
    text_start("utf8-text", "utf-8", ("\n",), beyond_ascii=True),
)


def _skill(name: str, summary: str, pre: tuple[str, ...], post: str, apply: Apply) -> PackSkill:
    return PackSkill(name, "encodings", summary, pre, post, apply)


SKILLS = (
    _skill("text-latin1-to-utf8", "Convert a text from Latin-1 to UTF-8.", ("latin1-text",), "utf8-text", to_utf8),
    _skill("text-utf16-to-utf8", "Convert a text from UTF-16 to UTF-8.", ("utf16-text",), "utf8-text", to_utf8),
    _skill("text-crlf-to-lf", "Give a text Unix line ends.", ("crlf-text",), "utf8-text", to_utf8),
    _skill("text-strip-bom", "Remove the byte order mark of a text.", ("bom-text",), "utf8-text", to_utf8),
    _skill("text-lf-to-crlf", "Give a text Windows line ends.", _LINES, "crlf-text", to_crlf),
    _skill("text-utf8-to-utf16", "Convert a text from UTF-8 to UTF-16.", _LINES, "utf16-text", to_utf16),
    _skill("text-utf8-to-latin1", "Convert a text from UTF-8 to Latin-1.", ("utf8-text",), "latin1-text", to_latin1),
    _skill("text-utf8-excerpt", "Copy a stretch of lines.", ("utf8-text",), "plain-text", line_range),
    _skill(
        "text-non-ascii-lines", "List the lines that are not pure ASCII.", ("utf8-text",), "plain-text", non_ascii_lines
    ),
)
