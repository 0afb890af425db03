"""Text files set up from real data: lists of values and of numbers, and prose, the user's own or told from records."""

from __future__ import annotations

from collections.abc import Sequence

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.naming import place_input, slug, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.json_lists import line_like
from trajmill.synth.packs.terminal.json_material import excerpt, material_rows
from trajmill.synth.packs.terminal.json_starts import world_of
from trajmill.synth.packs.terminal.json_ways import is_label, number_fields, one_spelling, spelled, tame
from trajmill.synth.sources.material import Material

_LINES = 160


def values_start(material: Material, draw: Draw) -> World | None:
    """A column of real texts, one per line, and beside it a second list that shares some of them."""
    rows = material_rows(material, draw, 20, 150)
    if rows is None:
        return None
    columns = [k for k in rows[0] if tame(k) and _list_column([row[k] for row in rows])]
    if not columns:
        return None
    name = draw.pick(columns)
    values = [row[name] for row in rows if row[name] is not None]
    other = _second_list(values, draw)
    path = place_input(f"{slug(name)}.txt", draw)
    folder = path.rpartition("/")[0]
    beside = f"{folder}/" if folder else ""
    second = f"{beside}{draw.pick(('known', 'expected', 'approved', 'reviewed'))}_{slug(name)}.txt"
    return world_of(path, _text(values), "value-list", Lines(tuple(values)), {second: _text(other)})


def numbers_start(material: Material, draw: Draw) -> World | None:
    """A column of real numbers, one per line."""
    rows = material_rows(material, draw, 12, 150)
    if rows is None:
        return None
    columns = [
        k
        for k in number_fields(rows, gaps=True)
        if not is_label(k) and all(one_spelling(r[k]) for r in rows) and len({r[k] for r in rows}) > 4
    ]
    if not columns:
        return None
    name = draw.pick(columns)
    numbers = tuple(spelled(row[name]) for row in rows if row[name] is not None)
    path = place_input(f"{slug(name)}{draw.pick(('', '_values', '_readings'))}.txt", draw)
    return world_of(path, _text(numbers), "number-list", Lines(numbers))


def prose_start(material: Material, draw: Draw) -> World | None:
    """Lines of a real text, or a short account of real records in sentences."""
    lines = _own_lines(material, draw) if material.found.kind == "text" else _told(material, draw)
    if lines is None:
        return None
    name = slug(stem(material.name))
    path = place_input(f"{name}{draw.pick(('', '_notes', '_text'))}.txt", draw)
    return world_of(path, _text(lines), "plain-text", Lines(tuple(lines)))


def _list_column(values: Sequence[Json]) -> bool:
    """Texts that make a list: clean lines, some of them repeated, few missing."""
    texts = [v for v in values if v is not None]
    fit = all(isinstance(v, str) and line_like(v) and len(v) <= 60 for v in texts)
    return fit and len(texts) >= 12 and len(set(texts)) >= 4


def _second_list(values: Sequence[str], draw: Draw) -> list[str]:
    """Some of the values, each once, in an order of its own."""
    distinct = sorted(set(values))
    chosen = list(draw.some(distinct, max(2, len(distinct) // 3), max(2, 2 * len(distinct) // 3)))
    draw.rng.shuffle(chosen)
    return chosen


def _own_lines(material: Material, draw: Draw) -> list[str] | None:
    if "text" not in material.found.usable:
        return None
    text = material.text()
    lines = [line.rstrip() for line in text.lines]
    if text.endings.style not in ("lf", "none") or not len(lines) >= 8 or not all(map(_plain_line, lines)):
        return None
    if len(lines) <= _LINES:
        return lines
    start = draw.rng.randint(0, len(lines) - _LINES)
    return lines[start : start + _LINES]


def _plain_line(line: str) -> bool:
    return len(line) <= 400 and all(c.isprintable() for c in line.replace("\t", " "))


def _told(material: Material, draw: Draw) -> list[str] | None:
    rows = material_rows(material, draw, 12, 60)
    if rows is None:
        return None
    names = [k for k in rows[0] if all(r[k] is None or line_like(spelled(r[k])) for r in rows)]
    titles = [k for k in names if all(isinstance(r[k], str) for r in rows)]
    if not titles or len(names) < 2:
        return None
    title = draw.pick(titles)
    others = [k for k in names if k != title][:4]
    return [_sentence(row, title, others, draw) for row in excerpt(rows, draw, 12, 60)]


def _sentence(row: dict[str, Json], title: str, names: Sequence[str], draw: Draw) -> str:
    filled = [k for k in names if row[k] is not None]
    facts = [f"{k.replace('_', ' ')} {spelled(row[k])}" for k in filled]
    subject = spelled(row[title])
    if not facts:
        return f"Nothing else is known about {subject}."
    listed = facts[0] if len(facts) == 1 else f"{', '.join(facts[:-1])} and {facts[-1]}"
    return draw.pick(
        (
            f"For {subject} the file gives {listed}.",
            f"{subject} is listed with {listed}.",
            f"The entry {subject} has {listed}.",
            f"We noted {listed} for {subject}.",
        )
    )


def _text(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


STARTS = (
    Start("value-list", values_start),
    Start("number-list", numbers_start),
    Start("plain-text", prose_start),
)
