"""Small worlds for the JSON, text, log, configuration and script families, and how their skills are tried."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from tests.synth.packs import ways
from tests.synth.packs.states import draw, file_world, lines_world, table_world
from trajmill.schemas.content.json_values import render_json
from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.facts import Document, Lines, Log, LogRecord, Records, Script, Settings
from trajmill.synth.packs.skill import Application
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.pack import pack_skills

ROWS: tuple[dict[str, Any], ...] = (
    {"code": "AA", "city": "Bonn", "beds": 4, "price": Decimal("2.5"), "note": None},
    {"code": "BB", "city": "Köln", "beds": 2, "price": Decimal("1.25"), "note": "old, but good"},
    {"code": "CC", "city": "Bonn", "beds": 10, "price": Decimal("3.75"), "note": "new"},
    {"code": "DD", "city": "Ulm", "beds": 2, "price": Decimal("0.5"), "note": "new"},
    {"code": "EE", "city": "Ulm", "beds": 7, "price": Decimal("8.2"), "note": "x"},
)
TABLE = (
    "code,city,beds,price\nAA,Bonn,4,2.5\nBB,Koeln,2,1.25\nCC,Bonn,10,3.75\nDD,Ulm,2,0.5\nEE,Ulm,7,8.2\nFF,Esse"
    "n,1,1.5\n"
)
GROUPED = {"Bonn": [{"code": "AA", "beds": 4}, {"code": "CC", "beds": 10}], "Ulm": [{"code": "DD", "beds": 2}]}
TORN = (
    '{"a": 1, "b": "x"}',
    '{"a": 2, "b"',
    '{"a": 3, "b": "y"}',
    '{"a" 4, "b": "z"}',
    '{"a": 5, "b": "q"}',
    '{"a": 6, "b": "r"}',
    '{"a": 7, "b": "s"}',
)
INI = "[input]\n# what is read\nfile = a.csv\ntimeout = 30\n\n[output]\n; where it goes\nfolder = out\ntimeout = 5\n"
ENV = "# job\nINPUT_FILE=a.csv\nINPUT_ROWS=120\n\nOUTPUT_FOLDER=out\n"
CONFIG = {"input": {"file": "a.csv", "timeout": 30}, "output": {"folder": "out", "enabled": True}}
VALUES = ("Ulm", "Bonn", "Ulm", "new york", "Bonn", "Ulm", "Aachen")
PROSE = (
    "The river is long.",
    "the bank of the river",
    "A bank holiday, a long one.",
    "",
    "Rivers and Banks",
    "river river",
    "End of the list",
    "long, long ago",
)


def records_world(rows: Sequence[dict[str, Any]] = ROWS, scenario: str = "json-records") -> World:
    """A JSON array in focus."""
    return file_world("in/stays.json", render_json(list(rows)), scenario, Records(tuple(rows)))


def json_lines_world(rows: Sequence[dict[str, Any]] = ROWS) -> World:
    """JSON Lines in focus."""
    data = b"".join(render_json(row, indent=None) for row in rows)
    return file_world("stays.jsonl", data, "json-lines", Records(tuple(rows)))


def document_world(value: Any, scenario: str, path: str = "doc.json", **others: str) -> World:
    """Any JSON document in focus."""
    return file_world(path, render_json(value), scenario, Document(value), **others)


def log_world(*, traces: bool) -> World:
    """A log of eight records on one day, three of them errors; some messages mention a level that is not theirs."""
    shapes = (
        ("08:00:01", "INFO", "store", "kept a, b"),
        ("08:10:00", "ERROR", "reader", "lost row 2"),
        ("09:00:00", "INFO", "reader", "retry after ERROR"),
        ("09:30:00", "ERROR", "store", 'bad "row" 3'),
        ("09:45:00", "WARNING", "store", "slow"),
        ("10:00:00", "INFO", "store", "kept c"),
        ("10:00:05", "ERROR", "reader", "lost row 9"),
        ("11:00:00", "INFO", "store", "done"),
    )
    records = tuple(
        LogRecord(
            f"2024-05-01 {t}", level, source, text, f"2024-05-01 {t} [{level}] {source}: {text}",
            ("Traceback:", "  at main") if traces and level == "ERROR" else (),
        )
        for t, level, source, text in shapes
    )  # fmt: skip
    data = "".join(f"{line}\n" for r in records for line in (r.line, *r.more))
    return file_world("app.log", data, "log-file", Log(records))


def script_world() -> World:
    """An executable script in focus, and a file that it can be run on."""
    text = '#!/bin/bash\nwc -l < "$1" | tr -d " "'
    world = table_world(TABLE)
    made = world.state.made("count.sh", "shell-script", Script(text, "data.csv", (), ("7",)))
    return World(world.files.with_entries({"count.sh": FileEntry(text.encode(), 0o755)}), made)


WORLDS: dict[str, World] = {
    "json-records": records_world(),
    "json-lines": json_lines_world(),
    "json-nested": document_world(GROUPED, "json-nested"),
    "json-index": document_world({r["code"]: r for r in ROWS}, "json-index"),
    "json-summary": document_world({"count": 4, "mean": Decimal("2.5"), "a b": 3}, "json-summary"),
    "json-lines-torn": file_world("torn.jsonl", "\n".join(TORN) + "\n", "json-lines-torn", Lines(TORN)),
    "csv-table": table_world(TABLE),
    "group-summary": table_world("city,beds\nBonn,14\nUlm,9\nEssen,1\n", scenario="group-summary"),
    "value-list": file_world(
        "in.txt", "\n".join(VALUES) + "\n", "value-list", Lines(VALUES), known_txt="Ulm\nAachen\nKiel\n"
    ),
    "sorted-list": lines_world(
        "Aachen", "Bonn", "Bremen", "Essen", "Kiel", "Trier", "Ulm", "new york", scenario="sorted-list"
    ),
    "number-list": lines_world("10", "9", "2.5", "9", "-3", "100", scenario="number-list"),
    "plain-text": lines_world(*PROSE, scenario="plain-text"),
    "word-tally": lines_world("4 the river", "2 bank", "1 ago", scenario="word-tally"),
    "log-file": log_world(traces=True),
    "log-excerpt": log_world(traces=False),
    "ini-config": file_world("s.ini", INI, "ini-config", Settings({
        "input": {"file": "a.csv", "timeout": "30"}, "output": {"folder": "out", "timeout": "5"}
    })),
    "env-config": file_world("s.env", ENV, "env-config", Settings({
        "": {"INPUT_FILE": "a.csv", "INPUT_ROWS": "120", "OUTPUT_FOLDER": "out"}
    })),
    "json-config": document_world(CONFIG, "json-config", overrides_json='{"input": {"timeout": 5}, "extra": {"on": '
        'true}}'),
    "shell-script": script_world(),
}  # fmt: skip
"""A world for each scenario that these families start from; variants of a scenario use its nearest kin."""


def apply_skill(name: str, world: World, seed: int = 0, strictness: str = "content") -> Application | None:
    """A skill applied to a world."""
    return pack_skills()[name].apply(world.state, draw(seed, strictness=strictness))


def predicted(name: str, world: World, seed: int = 0) -> Application:
    """A skill applied to a world that suits it, nothing executed."""
    application = apply_skill(name, world, seed)
    assert application is not None
    return application


def applied(name: str, world: World, seed: int = 0, strictness: str = "content") -> Application:
    """A skill applied to a world that suits it, its ways and slips executed."""
    application = apply_skill(name, world, seed, strictness)
    assert application is not None
    ways.assert_ways(application, world)
    return application


def output(application: Application) -> str:
    """The predicted text of the main output."""
    return application.after.data(application.outputs[0]).decode()


def assert_prints(application: Application, world: World) -> None:
    """Every way's script prints the right text for each hidden case."""
    run = next(c for c in application.checks if c.kind == "run")
    for way in application.ways:
        with ways.workspace(world) as folder:
            for act in way.acts:
                assert ways.run(act.command, folder).returncode == 0
            for case in run.params["cases"]:
                for name, text in case["files"].items():
                    (folder / name).write_text(text)
                done = ways.run(shlex.join(["bash", application.outputs[0], *case["args"]]), folder)
                assert done.stdout.rstrip() == case["stdout"].rstrip(), (way.name, case)


def families(*domains: str) -> list[tuple[str, str]]:
    """Skill and world for every skill of these modules' domains, one world per skill."""
    return [
        (name, next(s for s in skill.pre if s in WORLDS))
        for name, skill in pack_skills().items()
        if skill.domain in domains
        and name != "config-diff-report"
        and skill.apply.__module__.rsplit(".", 1)[-1].split("_")[0] in MINE
    ]


MINE = ("json", "text", "log", "config", "script")
