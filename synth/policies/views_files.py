"""Ways to look at files: tables, JSON, logs, lines, bytes."""

from __future__ import annotations

import json
import random
import re

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.facts import Document, Records
from trajmill.synth.packs.naming import sh
from trajmill.synth.policies.view import View, counted, python_one_liner


def table_views(path: str, table: Table, rng: random.Random) -> tuple[View, ...]:
    """The top, the length, the columns by number, both ends."""
    mark = table.dialect.delimiter
    shown = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}.get(mark, "one character")
    count = rng.randint(2, 6)

    def columns(seen: str, chance: random.Random) -> str:
        first = seen.split("\n", 1)[0]
        width = first.count(mark) + 1
        if width < 2 or '"' in first:
            return ""
        return chance.choice(
            (
                f"The fields are separated by {shown}, {width} of them.",
                f"{width} columns, split by {shown}.",
                f"So each record has {width} fields with {shown} between them.",
                f"I can see {width} columns; {shown} separate them.",
                f"A plain layout: {width} fields per line, {shown} in between.",
            )
        )

    head = View(
        f"head -n {count} {sh(path)}",
        (
            f"First a look at the top of `{path}`.",
            f"Let me see what the columns of `{path}` are.",
            f"I want to know the layout of `{path}` before touching it.",
            f"The header of `{path}` tells me which field is which.",
            f"I check how `{path}` begins.",
            f"What do the records of `{path}` look like?",
        ),
        columns,
        shows=lambda data: _text(b"".join(_lines(data)[:count])),
    )
    numbered = View(
        f"head -n 1 {sh(path)} | tr '{_tr(mark)}' '\\n' | nl",
        (
            f"I number the columns of `{path}`, to address them rightly.",
            f"Which position has which column in `{path}`?",
            f"Field numbers matter here, so I list the header of `{path}`, one name per line.",
        ),
        _numbered_columns,
        ("tr", "nl"),
        orienting=True,
    )
    ends = View(
        f"sed -n '1p;$p' {sh(path)}",
        (
            f"The first and the last line of `{path}` show me the range.",
            f"I compare the header of `{path}` with its last record.",
            f"Top and bottom line of `{path}`, to be sure that the end is intact.",
        ),
        columns,
        ("sed",),
        shows=lambda data: _text(b"".join(_lines(data)[:1] + _lines(data)[1:][-1:])),
    )
    return (head, line_count(path, table=True), numbered, ends)


def _numbered_columns(seen: str, rng: random.Random) -> str:
    count = len([line for line in seen.splitlines() if line.strip()])
    if count < 2 or '"' in seen:
        return ""
    return rng.choice(
        (
            f"{count} columns in that order.",
            f"{count} columns, from the first to the last.",
            f"Now I have the positions of all {count} columns.",
            f"That gives me the number of each of the {count} fields.",
        )
    )


def _tr(mark: str) -> str:
    return "\\t" if mark == "\t" else mark


def line_count(path: str, *, table: bool = False) -> View:
    """How many lines a file has; of a table it is said with the header."""

    def read(seen: str, rng: random.Random) -> str:
        found = re.match(r"\s*(\d+)\b", seen)
        if not found:
            return ""
        count = int(found[1])
        if table and count:
            return rng.choice(
                (
                    f"{counted(count, 'line')} with the header.",
                    f"That makes {counted(count - 1, 'line')} below the header.",
                    f"{counted(count, 'line')}, one of them the header.",
                    f"Below the header there are {count - 1}." if count > 2 else "Hardly more than the header.",
                )
            )
        lines = counted(count, "line")
        return rng.choice((f"{lines}.", f"It has {lines}.", f"So {lines} in all.", f"That makes {lines}."))

    return View(
        f"wc -l {sh(path)}",
        (
            f"How long is `{path}`?",
            f"I count the lines of `{path}`.",
            f"The size of `{path}` is worth knowing.",
            f"A line count of `{path}` gives me something to compare with later.",
            f"Let me see how many lines `{path}` has.",
        ),
        read,
        shows=lambda data: f"{data.count(10)} {path}",
    )


def json_views(path: str, facts: Records | Document, rng: random.Random) -> tuple[View, ...]:
    """The start, the size, and what a parser makes of it."""
    count = rng.randint(12, 40) * 10

    def top(seen: str, chance: random.Random) -> str:
        first = seen.lstrip()[:1]
        if first == "[":
            return chance.choice(("It is an array at the top.", "The file is one array.", "An array of entries, then."))
        if first == "{":
            return chance.choice(
                ("It starts with an object.", "Objects with named fields, then.", "The first thing in it is an object.")
            )
        return ""

    def kind(seen: str, chance: random.Random) -> str:
        parts = seen.split()
        if len(parts) != 2 or not parts[1].isdigit():
            return ""
        what = {"list": "array", "dict": "object"}.get(parts[0])
        members = counted(int(parts[1]), "member")
        if what is None:
            return ""
        return chance.choice((f"The top level is an {what} of {members}.", f"So it is an {what} with {members}."))

    script = (
        f"import json; d = json.load(open({json.dumps(path, ensure_ascii=False)})); print(type(d).__name__, len(d))"
    )
    views = (
        View(
            f"head -c {count} {sh(path)}",
            (
                f"The first characters of `{path}` show its structure.",
                f"I look at how `{path}` is built.",
                f"Let me see which fields `{path}` has.",
                f"What is the shape of `{path}`?",
            ),
            top,
        ),
        View(
            f"wc -c {sh(path)}",
            (
                f"How big is `{path}`?",
                f"I check the size of `{path}` first, so that I don't print too much of it.",
                f"Is `{path}` small enough to print?",
            ),
            _size,
        ),
    )
    if not path.endswith(".json") or (isinstance(facts, Document) and not isinstance(facts.value, dict | list)):
        return views
    loaded = View(
        python_one_liner(script),
        (
            f"I let Python say what `{path}` holds.",
            f"Is `{path}` an array or an object, and how long?",
            f"A quick load tells me whether `{path}` is valid JSON and how many entries it has.",
        ),
        kind,
        ("python3",),
    )
    return (*views, loaded)


def _size(seen: str, rng: random.Random) -> str:
    found = re.match(r"\s*(\d+)\b", seen)
    if not found:
        return ""
    size = counted(int(found[1]), "byte")
    return rng.choice((f"{size}.", f"It takes {size}.", f"So {size} in all."))


def log_views(path: str, rng: random.Random) -> tuple[View, ...]:
    """Both ends and the length."""
    return (first_lines(path, rng), line_count(path), last_lines(path, rng))


def first_lines(path: str, rng: random.Random) -> View:
    """The top of a text."""
    count = rng.randint(3, 8)
    return View(
        f"head -n {count} {sh(path)}",
        (
            f"I read the beginning of `{path}`.",
            f"What do the lines of `{path}` look like?",
            f"First the top lines of `{path}`.",
            f"Let me look into `{path}`.",
        ),
        line_shape,
        shows=lambda data: _text(b"".join(_lines(data)[:count])),
    )


def last_lines(path: str, rng: random.Random) -> View:
    """The end of a text."""
    count = rng.randint(2, 5)
    return View(
        f"tail -n {count} {sh(path)}",
        (
            f"How does `{path}` end?",
            f"The last lines of `{path}` show how far it goes.",
            f"I look at the end of `{path}`.",
        ),
        line_shape,
        shows=lambda data: _text(b"".join(_lines(data)[-count:])),
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def _lines(data: bytes) -> list[bytes]:
    """Lines as line tools see them, with their ends."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    return lines[:-1] if data.endswith(b"\n") or not data else [*lines[:-1], lines[-1][:-1]]


def line_shape(seen: str, rng: random.Random) -> str:
    """What lines look like, as far as it can be said of any lines; empty where it cannot."""
    lines = seen.splitlines()
    if not lines:
        return rng.choice(("It is empty.", "Nothing in it."))
    if not all(line.isprintable() for line in lines) or "\ufffd" in seen:
        return ""
    if all(re.fullmatch(r"[\w.+@-]+", line) for line in lines):
        return rng.choice(("One value per line.", "A single value on each line.", "Each line holds one item."))
    return rng.choice(
        (
            "Each line is an entry of its own.",
            "Plain lines of text.",
            "Readable as it is.",
            "Nothing unusual in the lines.",
            "",
        )
    )


def raw_views(path: str) -> tuple[View, ...]:
    """Bytes, and the length."""

    def raw(seen: str, rng: random.Random) -> str:
        shown = re.sub(r"^\d{7}\d*", "", seen, flags=re.MULTILINE)
        if not shown.strip():
            return rng.choice(("There is nothing in it.", "It is empty."))
        if re.search(r"\\r\s+\\n", shown):
            return rng.choice(
                (
                    "There are carriage returns at the line ends.",
                    "The lines end in `\\r\\n`.",
                    "Windows line ends, as the `\\r` shows.",
                )
            )
        if re.match(r"\s*(?:377 376|357 273 277)", shown):
            return rng.choice(("It begins with a byte order mark.", "The first bytes are a byte order mark."))
        if re.search(r"\b[2-3]\d\d\b", shown):
            return rng.choice(
                (
                    "There are bytes outside ASCII in it.",
                    "Some bytes are not ASCII.",
                    "I can see high bytes, shown in octal.",
                )
            )
        if re.search(r"\\[0rabfv]|\b[01]\d\d\b", shown):
            return rng.choice(("There are control characters in it.", "Some of these bytes are control characters."))
        return rng.choice(("Plain characters in this part.", "This part is plain ASCII."))

    return (
        View(
            f"head -c 160 {sh(path)} | od -c | head -n 12",
            (
                f"I look at the raw bytes of `{path}`.",
                f"The bytes of `{path}` tell more than its name.",
                f"Which bytes does `{path}` start with?",
                f"Before converting I look at `{path}` byte by byte.",
            ),
            raw,
            ("od",),
        ),
        line_count(path),
    )


def whole(path: str) -> View:
    """All of a short file."""
    return View(
        f"cat {sh(path)}",
        (
            f"I print `{path}` to see what is in it.",
            f"I read `{path}` as a whole.",
            f"Let me see all of `{path}`.",
            f"The content of `{path}` first.",
        ),
        lambda seen, rng: rng.choice(
            ("", f"{counted(len(seen.splitlines()), 'line')}.", "That is all of it.", "Clear enough.")
        ),
        shows=_text,
    )
