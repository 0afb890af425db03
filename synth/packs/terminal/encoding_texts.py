"""Skills that change the encoding or the line ends of a text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trajmill.synth.packs.expect import expect_bytes
from trajmill.synth.packs.facts import Lines, Text
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import Written
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.encoding_starts import (
    came_from_latin1,
    came_from_windows,
    encode_text,
    lost_in_latin1,
)
from trajmill.synth.packs.terminal.scenarios import LINE_FILES
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, py, python_act

_WINDOWS = " with Windows line ends"

NAMES = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8 with a byte order mark", "latin-1": "ISO-8859-1", "utf-16": "UTF-16"}


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
            state, draw, (f"{brief(source)}_utf8", f"{brief(source)}_unix", f"{brief(source)}_plain"), ".txt"
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
                f"the text of {{it}}, now in {now}, converted to {wanted}",
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


def source_text(state: State) -> str | None:
    """The text of a UTF-8 file with Unix line ends and four lines or more, whether its facts are a text or lines."""
    facts, path = state.focus.facts, state.focus.path
    if isinstance(facts, Lines):
        text = "".join(f"{line}\n" for line in facts.lines)
    elif isinstance(facts, Text) and facts.encoding == "utf-8" and facts.newline == "\n":
        text = facts.text
    else:
        return None
    entry = state.tree.file(path)
    same = entry is not None and entry.data == text.encode()
    return text if same and text.count("\n") >= 4 and len(text) < 40_000 and "\r" not in text else None


def to_crlf(state: State, draw: Draw) -> Application | None:
    """Write a text with Windows line ends."""
    text, source = source_text(state), state.focus.path
    if text is None or came_from_windows(state):
        return None
    output = place_output(
        state, draw, (f"{brief(source)}_windows", f"{brief(source)}_dos", f"{brief(source)}_crlf"), _ending(source)
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
    target = _Target(words, Text(text, "utf-8", "\r\n"), "legacy-text", shell, (shell.split()[0],), script)
    return _converted(state, output, target, "UTF-8 with Unix line ends", Text(text), False, [])


def to_utf16(state: State, draw: Draw) -> Application | None:
    """Write a text in UTF-16 little endian with a byte order mark."""
    text, source = source_text(state), state.focus.path
    if text is None or came_from_windows(state):
        return None
    output = place_output(
        state, draw, (f"{brief(source)}_utf16", f"{brief(source)}_wide", f"{brief(source)}_unicode"), _ending(source)
    )
    shell = f"{{ printf '\\xFF\\xFE'; iconv -f UTF-8 -t UTF-16LE {sh(source)}; }} > {sh(output)}"
    script = f"""
from pathlib import Path

text = Path({py(source)}).read_text(encoding="utf-8")
Path({py(output)}).write_bytes(b"\\xff\\xfe" + text.encode("utf-16-le"))
"""
    words = "UTF-16 little endian with a byte order mark and a single line feed after every line"
    target = _Target(words, Text(text, "utf-16", "\n"), "legacy-text", shell, ("iconv",), script)
    return _converted(state, output, target, "UTF-8 with Unix line ends", Text(text), False, [])


def to_latin1(state: State, draw: Draw) -> Application | None:
    """Write a text in Latin-1, if all its characters exist there."""
    text, source = source_text(state), state.focus.path
    if (
        text is None
        or text.isascii()
        or lost_in_latin1(text)
        or re.search("[\x80-\x9f]", text)
        or came_from_latin1(state)
    ):
        return None
    output = place_output(
        state, draw, (f"{brief(source)}_latin1", f"{brief(source)}_iso", f"{brief(source)}_legacy"), _ending(source)
    )
    shell = f"iconv -f UTF-8 -t {draw.pick(('ISO-8859-1', 'LATIN1'))} {sh(source)} > {sh(output)}"
    script = f"""
with open({py(source)}, encoding="utf-8") as f, open({py(output)}, "w", encoding="latin-1") as out:
    out.write(f.read())
"""
    words = "ISO-8859-1 with Unix line ends, the last line ended too"
    target = _Target(words, Text(text, "latin-1", "\n"), "legacy-text", shell, ("iconv",), script)
    return _converted(state, output, target, "UTF-8", Text(text), False, [])


def _ending(source: str) -> str:
    name = source.rsplit("/", 1)[-1]
    return f".{name.rsplit('.', 1)[1]}" if "." in name else ".txt"


_LINES = ("utf8-text", *LINE_FILES)
_WORDED = tuple(s for s in _LINES if s not in ("number-list", "numbered-text", "word-tally"))


SKILLS = (
    PackSkill(
        "text-latin1-to-utf8",
        "encodings",
        "Convert a text from Latin-1 to UTF-8.",
        ("latin1-text",),
        "utf8-text",
        to_utf8,
    ),
    PackSkill(
        "text-utf16-to-utf8", "encodings", "Convert a text from UTF-16 to UTF-8.", ("utf16-text",), "utf8-text", to_utf8
    ),
    PackSkill("text-crlf-to-lf", "encodings", "Give a text Unix line ends.", ("crlf-text",), "utf8-text", to_utf8),
    PackSkill(
        "text-strip-bom", "encodings", "Remove the byte order mark of a text.", ("bom-text",), "utf8-text", to_utf8
    ),
    PackSkill(
        "text-lf-to-crlf",
        "encodings",
        "Give a text Windows line ends.",
        _LINES,
        "legacy-text",
        to_crlf,
        not_after=("text-crlf-to-lf",),
    ),
    PackSkill(
        "text-utf8-to-utf16",
        "encodings",
        "Convert a text from UTF-8 to UTF-16.",
        _WORDED,
        "legacy-text",
        to_utf16,
        not_after=("text-utf16-to-utf8", "text-strip-bom"),
    ),
    PackSkill(
        "text-utf8-to-latin1",
        "encodings",
        "Convert a text from UTF-8 to Latin-1.",
        ("utf8-text",),
        "legacy-text",
        to_latin1,
        not_after=("text-latin1-to-utf8",),
    ),
)
