"""A skill graph on disk: node-link JSON with a published schema and a content hash that is checked on read.

The schema is ``schemas/contracts/skill-graph.schema.json``. Equal graphs give equal bytes.
"""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import orjson

from trajmill.schemas.errors import InputError
from trajmill.schemas.graph import Scenario, Skill
from trajmill.schemas.ids import Json
from trajmill.schemas.validate import faults, json_path
from trajmill.synth.graphs.skill_graph import SkillGraph, build_graph, edge_list, graph_id, part_hashes

FORMAT = "trajmill-skill-graph"
VERSION = 1
MOST_BYTES = 512 * 1024 * 1024
"""A larger file is refused before it is read; 80,000 scenarios with 240,000 transitions take about 50 MB."""


def encode_graph(graph: SkillGraph) -> bytes:
    """The graph as it stands in a file: UTF-8, two spaces of indentation, sorted keys, a newline at the end."""
    document: Json = {
        "directed": True,
        "multigraph": True,
        "graph": {
            "format": FORMAT,
            "version": VERSION,
            "id": graph.id,
            "hashes": part_hashes(graph.scenarios, graph.skills),
            "skills": [
                {"name": skill.name, "domain": skill.domain, "summary": skill.summary} for skill in graph.skills
            ],
        },
        "nodes": [
            {"id": scenario.id, "title": scenario.title, "domain": scenario.domain} for scenario in graph.scenarios
        ],
        "edges": [{"source": before, "target": after, "key": name} for before, after, name in edge_list(graph.skills)],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def decode_graph(data: bytes, *, name: str) -> SkillGraph:
    """Read a graph from bytes; ``name`` is the file's name for errors.

    Raises InputError, naming the file and what is wrong, for what is not JSON, breaks the schema, or was changed
    after it was written.
    """
    try:
        document: Json = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InputError(f"{name} is not JSON: {error}.", remedy=_REBUILD) from error
    if not isinstance(document, dict) or _format_of(document) != FORMAT:
        raise InputError(f"{name} is JSON, but not a skill graph of Trajmill.", remedy=_REBUILD)
    fault = next(faults(_short_of_plain_records(document), "skill-graph"), None)
    if fault is not None:
        message = fault.message if len(fault.message) < 200 else fault.message[:200] + "..."
        raise InputError(f"{name} breaks the schema of skill graphs at {json_path(fault.absolute_path)}: {message}.")
    graph = _graph_of(document, name)
    _check_hashes(graph, document["graph"], name)
    return graph


def write_graph(graph: SkillGraph, path: Path) -> None:
    """Write the graph to a file, whole or not at all; an older graph file is replaced, any other file is left alone.

    Raises InputError if the file holds something else or cannot be written.
    """
    if path.exists() and not is_graph_file(path):
        raise InputError(f"{path} exists and is not a skill graph; nothing was written.", remedy="Choose another name.")
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("wb") as file:
            file.write(encode_graph(graph))
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error


def read_graph(path: Path) -> SkillGraph:
    """Read a graph file. Raises InputError, naming the file and what is wrong with it."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise InputError(f"{path} has {size:,} bytes; a skill graph may have {MOST_BYTES:,}.")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", remedy=_REBUILD) from error
    return decode_graph(data, name=str(path))


def is_graph_file(path: Path) -> bool:
    """Whether the file says that it is a skill graph, damaged or not."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return False
        document = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return False
    return isinstance(document, dict) and _format_of(document) == FORMAT


_REBUILD = "Make one with `trajmill graph build`."


def _short_of_plain_records(document: dict[str, Json]) -> dict[str, Json]:
    """The document with lists emptied in which every record obeys the schema at a glance.

    The general validator takes a minute for 300,000 records; it still judges each record that is not as plain.
    """
    header = document["graph"]
    short = {**document, "graph": {**header}}
    for owner, key, names, texts in (
        (short, "nodes", ("id",), ("title", "domain")),
        (short, "edges", ("source", "target", "key"), ()),
        (short["graph"], "skills", ("name",), ("domain", "summary")),
    ):
        records = owner.get(key)
        if isinstance(records, list) and all(_is_plain(record, names, texts) for record in records):
            owner[key] = []
    return short


def _is_plain(record: Json, names: tuple[str, ...], texts: tuple[str, ...]) -> bool:
    """Whether the record has just these keys, the names filled strings and the texts strings."""
    return (
        type(record) is dict
        and len(record) == len(names) + len(texts)
        and all(type(record.get(name)) is str and record[name] for name in names)
        and all(type(record.get(text)) is str for text in texts)
    )


def _format_of(document: dict[str, Json]) -> Json:
    header = document.get("graph")
    return header.get("format") if isinstance(header, dict) else None


def _graph_of(document: Json, name: str) -> SkillGraph:
    transitions: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in document["edges"]:
        transitions[edge["key"]].append((edge["source"], edge["target"]))
    records = document["graph"]["skills"]
    strangers = transitions.keys() - {record["name"] for record in records}
    if strangers:
        raise InputError(f"{name} has an edge of the skill {min(strangers)!r}, which it does not list.")
    try:
        return build_graph(
            (Scenario(node["id"], node["title"], node["domain"]) for node in document["nodes"]),
            (
                Skill(record["name"], record["domain"], record["summary"], tuple(transitions[record["name"]]))
                for record in records
            ),
        )
    except InputError as error:
        raise InputError(f"{name} is damaged: {error.message}", remedy=error.remedy) from error


def _check_hashes(graph: SkillGraph, header: Json, name: str) -> None:
    found = part_hashes(graph.scenarios, graph.skills)
    changed = [part for part, value in found.items() if header["hashes"][part] != value]
    if changed:
        part = changed[0]
        raise InputError(
            f"{name} was changed after it was written: its {' and '.join(changed)} do not match the stored hash "
            f"(stored {header['hashes'][part][:16]}, found {found[part][:16]}).",
            remedy="Build it again.",
        )
    if header["id"] != graph_id(found):
        raise InputError(
            f"{name} was changed after it was written: it says that it is {header['id']}, "
            f"but its content is {graph.id}.",
            remedy="Build it again.",
        )
