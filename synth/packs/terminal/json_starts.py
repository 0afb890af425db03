"""JSON files set up from real data: arrays, nested documents, JSON Lines whole and torn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from trajmill.schemas.content.json_lines import render_json_lines
from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.ids import Json
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Document, Facts, Lines, Records
from trajmill.synth.packs.naming import place_input, slug, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.json_material import MOST_BYTES, material_rows
from trajmill.synth.packs.terminal.json_ways import is_number, tame
from trajmill.synth.sources.material import Material


def world_of(
    path: str, data: bytes, scenario: str, facts: Facts, beside: Mapping[str, bytes] | None = None
) -> World | None:
    """A workspace with one input file and perhaps others beside it; None if the input is too large."""
    if len(data) > MOST_BYTES:
        return None
    tree = Tree({path: FileEntry(data), **{name: FileEntry(more) for name, more in (beside or {}).items()}})
    return World(tree, State(tree, Artefact(path, scenario, facts)))


def records_start(material: Material, draw: Draw) -> World | None:
    """A JSON array of real records, laid out in one of the usual ways."""
    rows = material_rows(material, draw, 8, 120)
    if rows is None:
        return None
    path = place_input(f"{slug(stem(material.name))}.json", draw)
    return world_of(path, lay_out(rows, draw), "json-records", Records(rows))


def lines_start(material: Material, draw: Draw) -> World | None:
    """Real records, one per line."""
    rows = material_rows(material, draw, 8, 150)
    if rows is None:
        return None
    path = place_input(f"{slug(stem(material.name))}{draw.pick(('.jsonl', '.jsonl', '.ndjson'))}", draw)
    return world_of(path, render_json_lines(rows, spaced=draw.pick((True, False))), "json-lines", Records(rows))


def torn_start(material: Material, draw: Draw) -> World | None:
    """Real records, one per line, of which one to three lines are cut or garbled so that none is JSON."""
    rows = material_rows(material, draw, 10, 90)
    if rows is None:
        return None
    lines = render_json_lines(rows, spaced=draw.pick((True, False))).decode().splitlines()
    for at in draw.some(range(1, len(lines) - 1), 1, 3):
        lines[at] = _torn(lines[at], draw)
    path = place_input(f"{slug(stem(material.name))}.jsonl", draw)
    data = "".join(f"{line}\n" for line in lines).encode()
    return world_of(path, data, "json-lines-torn", Lines(tuple(lines)))


def nested_start(material: Material, draw: Draw) -> World | None:
    """Real records grouped under the values of a field, or with their figures in an object of their own."""
    rows = material_rows(material, draw, 10, 90)
    if rows is None:
        return None
    value = draw.pick((_grouped, _with_figures))(rows, draw) or _grouped(rows, draw) or _with_figures(rows, draw)
    if value is None:
        return None
    path = place_input(f"{slug(stem(material.name))}{draw.pick(('', '_nested', '_tree', '_export'))}.json", draw)
    return world_of(path, render_json(value, indent=draw.pick((2, 2, None))), "json-nested", Document(value))


def lay_out(rows: Sequence[Mapping[str, Json]], draw: Draw) -> bytes:
    """A JSON array: indented, one record per line, or all on one line."""
    style = draw.pick(("indented", "indented", "rows", "compact"))
    if style == "rows":
        inner = b",\n".join(b"  " + render_json(dict(row), indent=None).rstrip() for row in rows)
        return b"[\n" + inner + b"\n]\n"
    return render_json([dict(row) for row in rows], indent=2 if style == "indented" else None)


def _torn(line: str, draw: Draw) -> str:
    """A record that is broken for every reader: cut short, or without its opening brace or its first colon."""
    how = draw.pick(("cut", "cut", "headless", "colon"))
    if how == "cut":
        return line[: draw.rng.randint(len(line) // 3, len(line) - 2)]
    key_end = line.index('":')
    return line[1:] if how == "headless" else f"{line[: key_end + 1]} {line[key_end + 2 :]}"


def _grouped(rows: Sequence[Mapping[str, Json]], draw: Draw) -> Json | None:
    options = []
    for key in rows[0]:
        values = [row[key] for row in rows]
        counts = Counter(v for v in values if isinstance(v, str) and tame(v))
        if counts.total() == len(rows) and 2 <= len(counts) <= 12 and max(counts.values()) >= 2:
            options.append(key)
    if not options or len(rows[0]) < 3:
        return None
    key = draw.pick(options)
    groups: dict[str, list[Json]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append({k: v for k, v in row.items() if k != key})
    return groups


def _with_figures(rows: Sequence[Mapping[str, Json]], draw: Draw) -> Json | None:
    figures = [k for k in rows[0] if tame(k) and all(is_number(r[k]) or r[k] is None for r in rows)]
    if len(figures) < 2 or len(figures) == len(rows[0]):
        return None
    holder = draw.pick(("figures", "values", "measures", "stats"))
    items = draw.pick(("items", "records", "entries", "rows"))
    if holder in rows[0]:
        return None
    made = [
        {**{k: v for k, v in row.items() if k not in figures}, holder: {k: row[k] for k in figures}} for row in rows
    ]
    return {"count": len(made), items: made}


STARTS = (
    Start("json-records", records_start),
    Start("json-lines", lines_start),
    Start("json-lines-torn", torn_start),
    Start("json-nested", nested_start),
)
