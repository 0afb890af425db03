"""Folders set up from real records: tables per group, single records, notes, snapshots, and some disorder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.content.tables import make_table, render_table
from trajmill.schemas.ids import Json
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import slug, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.json_lists import line_like
from trajmill.synth.packs.terminal.json_material import material_rows
from trajmill.synth.packs.terminal.json_ways import spelled
from trajmill.synth.sources.material import Material

Rows = Sequence[dict[str, Json]]

MODES = (0o644, 0o644, 0o644, 0o600, 0o755, 0o640)
"""Permissions as they come about; none has a bit that a umask of 022 would take away."""
_DATES = ("2023-10-31", "2023-11-30", "2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31")
_SCRIPT = b'#!/bin/sh\n# Number of lines of each file given.\nfor file in "$@"; do\n  wc -l "$file"\ndone\n'


@dataclass(frozen=True, slots=True)
class _Parts:
    """Rows of a material and how they fall into groups."""

    name: str
    rows: Rows
    groups: dict[str, Rows]


def folder_start(material: Material, draw: Draw) -> World | None:
    """A folder of small files made from real records, partly with odd names, copies and empty files."""
    files = folder_files(material, draw)
    if files is None:
        return None
    name = draw.pick(("project", "export", "archive", "handover", "delivery", "collection", slug(stem(material.name))))
    files = disordered(files, draw)
    entries = {f"{name}/{f}": FileEntry(data, draw.pick(MODES)) for f, data in files.items()}
    tree = Tree(entries)
    return World(tree, State(tree, Artefact(name, "folder-tree", Folder(dict(sorted(files.items()))))))


def disordered(files: dict[str, bytes], draw: Draw) -> dict[str, bytes]:
    """The files as real folders have them: some with odd names, some empty, some twice."""
    if draw.rng.random() < 0.6:
        files = _untidy(files, draw)
    if draw.rng.random() < 0.55:
        files |= {f: b"" for f in draw.some(("notes/todo.txt", "data/pending.csv", "draft.md", "old/lock.tmp"), 2, 3)}
    if draw.rng.random() < 0.5:
        files |= _copies(files, draw)
    return files


def folder_files(material: Material, draw: Draw) -> dict[str, bytes] | None:
    """Six or more files in two to four subfolders with clean names, made from the records of one material."""
    parts = _parts(material, draw)
    if parts is None:
        return None
    files = {f"data/{g}.csv": table_bytes(rows) for g, rows in list(parts.groups.items())[:5]}
    makers = draw.some((_records, _notes, _snapshots, _script), 2, 3)
    for make in makers:
        files |= make(parts, draw)
    files["README.md"] = _readme(parts)
    return files if sum(map(len, files.values())) <= 48_000 else None


def table_bytes(rows: Rows) -> bytes:
    """Records as a comma-separated table with a header."""
    names = list(rows[0])
    return render_table(make_table(names, [["" if r[k] is None else spelled(r[k]) for k in names] for r in rows]))


def _parts(material: Material, draw: Draw) -> _Parts | None:
    rows = material_rows(material, draw, 18, 70)
    if rows is None or not all(r[k] is None or line_like(spelled(r[k])) for r in rows for k in r):
        return None
    columns = [k for k in rows[0] if _groups(rows, k) is not None]
    groups = _groups(rows, draw.pick(columns)) if columns else None
    return _Parts(slug(stem(material.name)), rows, groups or _chunks(rows))


def _groups(rows: Rows, key: str) -> dict[str, Rows] | None:
    """The rows by the value of a column, if that makes two to eight groups with different plain names."""
    found: dict[str, list[dict[str, Json]]] = {}
    for row in rows:
        if not isinstance(row[key], str):
            return None
        found.setdefault(slug(str(row[key])), []).append(row)
    values = {str(row[key]) for row in rows}
    fair = len(found) == len(values) and 2 <= len(found) <= 8 and "value" not in found
    return dict(sorted(found.items())) if fair else None


def _chunks(rows: Rows) -> dict[str, Rows]:
    size = max(6, len(rows) // 4)
    return {f"part{n + 1}": rows[at : at + size] for n, at in enumerate(range(0, len(rows), size))}


def _records(parts: _Parts, draw: Draw) -> dict[str, bytes]:
    chosen = draw.some(list(parts.rows), 2, 4)
    names = [_row_name(row, n) for n, row in enumerate(chosen, 1)]
    return {f"records/{name}.json": render_json(dict(row)) for name, row in zip(names, chosen, strict=True)}


def _notes(parts: _Parts, draw: Draw) -> dict[str, bytes]:
    groups = draw.some(list(parts.groups), 1, 3)
    found = {}
    for group in groups:
        rows = parts.groups[group]
        lines = [f"Notes on {group.replace('_', ' ')}: {len(rows)} {'entry' if len(rows) == 1 else 'entries'}.", ""]
        for row in rows[:5]:
            lines += [f"{k}: {'unknown' if v is None else spelled(v)}" for k, v in row.items()] + [""]
        found[f"notes/{group}.txt"] = "\n".join(lines).encode()
    return found


def _snapshots(parts: _Parts, draw: Draw) -> dict[str, bytes]:
    dates = draw.some(_DATES, 3, 4)
    step = max(2, len(parts.rows) // (len(dates) + 1))
    return {
        f"snapshots/{parts.name}_{date}.csv": table_bytes(parts.rows[: step * (n + 1)]) for n, date in enumerate(dates)
    }


def _script(parts: _Parts, draw: Draw) -> dict[str, bytes]:
    return {f"tools/{name}.sh": _SCRIPT for name in ("count_lines",)}


def _readme(parts: _Parts) -> bytes:
    lines = [f"# {parts.name}", "", f"{len(parts.rows)} entries in {len(parts.groups)} groups:", ""]
    lines += [f"- {group}: {len(rows)}" for group, rows in parts.groups.items()]
    return ("\n".join(lines) + "\n").encode()


def _row_name(row: dict[str, Json], number: int) -> str:
    text = next((v for v in row.values() if isinstance(v, str) and any(c.isascii() and c.isalpha() for c in v)), "")
    return f"{slug(text, most=18)}_{number}" if text else f"record_{number:02d}"


def _untidy(files: dict[str, bytes], draw: Draw) -> dict[str, bytes]:
    """Some files get names as people type them: capitals, spaces, endings in capitals."""
    renamed = {}
    for name, data in files.items():
        folder, _, last = name.rpartition("/")
        if "." not in last or draw.rng.random() < 0.5:
            renamed[name] = data
            continue
        root, _, ending = last.rpartition(".")
        shown = draw.pick((root.replace("_", " ").title(), root.upper(), root.replace("_", " "), root.capitalize()))
        new = f"{shown}.{draw.pick((ending, ending, ending.upper()))}"
        renamed[f"{folder}/{new}" if folder else new] = data
    return renamed if len({n.lower().replace(" ", "_") for n in renamed}) == len(files) else files


def _copies(files: dict[str, bytes], draw: Draw) -> dict[str, bytes]:
    """Second copies of some files below ``old``, partly under another name."""
    full = [n for n, data in files.items() if data and "." in n]
    chosen = draw.some(full, 1, 3)
    copies = {}
    for name in chosen:
        root, _, ending = name.rsplit("/", 1)[-1].rpartition(".")
        copies[f"old/{draw.pick((root, f'{root}_copy', f'{root}_v1'))}.{ending}"] = files[name]
    return copies


STARTS = (Start("folder-tree", folder_start),)
