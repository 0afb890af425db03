"""Texts in Latin-1, UTF-16 and other forms, made from real texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Text
from trajmill.synth.packs.naming import place_input, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.sources.excerpt import excerpt
from trajmill.synth.sources.material import Material


def encode_text(text: Text) -> bytes:
    """The bytes of a text; UTF-16 is little endian with a byte order mark."""
    body = text.text.replace("\n", text.newline)
    return b"\xff\xfe" + body.encode("utf-16-le") if text.encoding == "utf-16" else body.encode(text.encoding)


def came_from_windows(state: State) -> bool:
    """Whether another file has Windows line ends or a byte order mark, so that a step back there is for nothing."""
    others = (e.data for p, e in state.tree.entries.items() if isinstance(e, FileEntry) and p != state.focus.path)
    return any(b"\r" in data or data.startswith(_MARKS) for data in others)


def came_from_latin1(state: State) -> bool:
    """Whether another text is in Latin-1, so that a step back there is for nothing."""
    return any(isinstance(e, FileEntry) and _is_latin1(e.data) for e in state.tree.entries.values())


def _is_latin1(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return b"\0" not in data
    return False


_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe")


def text_start(scenario: str, encoding: str, newlines: tuple[str, ...], *, beyond_ascii: bool = False) -> Start:
    """A start that renders a real text in an encoding; ``beyond_ascii``: only texts whose bytes show the encoding."""

    def build(material: Material, draw: Draw) -> World | None:
        text = _text_of(material, draw)
        if text is None or (beyond_ascii and text.isascii()):
            return None
        if encoding == "latin-1" and (lost_in_latin1(text) or re.search("[\x80-\x9f]", text)):
            return None
        facts = Text(text, encoding, draw.pick(newlines))
        path = place_input(f"{_name(material)}{draw.pick(('.txt', '.txt', '_export.txt', '_names.txt'))}", draw)
        tree = Tree({path: FileEntry(encode_text(facts))})
        return World(tree, State(tree, Artefact(path, scenario, facts)))

    return Start(scenario, build)


def lost_in_latin1(text: str) -> bool:
    """Whether Latin-1 lacks a character of the text."""
    return text.encode("latin-1", "ignore").decode("latin-1") != text


def _text_of(material: Material, draw: Draw) -> str | None:
    """Lines of a text file, or the values of one text field of JSON records, with LF line ends."""
    if not material.found.usable & {"text", "table", "json"}:
        return None
    part = excerpt(material, draw.rng, max_records=160, max_bytes=16 << 10)
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
    return "\n" not in value and not lost_in_latin1(value)


def own_start(scenario: str, codec: str, encoding: str) -> Start:
    """A start from the user's own text in an encoding (``codec``, as it was recognised), byte for byte as it is."""

    def build(material: Material, draw: Draw) -> World | None:
        found = material.found.encoding
        if material.kind != "text" or "reencode" not in material.found.usable or not found or found.name != codec:
            return None
        if len(material.data) > _MOST_BYTES:
            return None
        lines = material.text().lines
        text = "".join(f"{line}\n" for line in lines)
        newline = "\r\n" if "\r".encode(found.name) in material.data else "\n"
        facts = Text(text, encoding, newline)
        if not _plain(lines) or encode_text(facts) != material.data:
            return None
        path = place_input(f"{_name(material)}.txt", draw)
        tree = Tree({path: FileEntry(material.data)})
        return World(tree, State(tree, Artefact(path, scenario, facts)))

    return Start(scenario, build, own="text")


def _plain(lines: Sequence[str]) -> bool:
    """Enough different lines, without characters that end lines for some programs or show nothing."""
    return len(set(lines)) >= 4 and not any(
        re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]", x) for x in lines
    )


def _name(material: Material) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", stem(material.name)).strip("_.-") or "text"


_BOTH = ("\n", "\r\n")
_MOST_BYTES = 40_000

STARTS = (
    own_start("latin1-text", "latin-1", "latin-1"),
    own_start("utf16-text", "utf-16-le", "utf-16"),
    text_start("latin1-text", "latin-1", _BOTH, beyond_ascii=True),
    text_start("utf16-text", "utf-16", _BOTH),
    text_start("crlf-text", "utf-8", ("\r\n",)),
    text_start("bom-text", "utf-8-sig", _BOTH),
    text_start("utf8-text", "utf-8", ("\n",), beyond_ascii=True),
)
