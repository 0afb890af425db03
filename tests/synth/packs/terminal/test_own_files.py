"""The user's own logs, settings and texts in other encodings are taken as they are."""

from __future__ import annotations

import pathlib

import pytest

from tests.synth.packs.terminal.places import ALL, drawn, refuses
from tests.synth.packs.verdicts import apply_often, assert_passes
from trajmill.flows.drafts import terminal_pack
from trajmill.schemas.graph import Path
from trajmill.synth.packs.state import World
from trajmill.synth.sources.files import read_folder
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.pool import Pool
from trajmill.synth.tasks.blueprint import Blueprint, Wishes, draw_blueprint

LETTER = "Grüße aus München\nüber die Brücke\nSchöne Tage am Fluß\nzwölf Bäume\nNo more\n"
TOWNS = "town,people\n" + "".join(f"Málaga {i},{i * 3}\n" for i in range(12))
LOG = "".join(
    f"2024-05-01 10:{i:02d}:00 {('INFO', 'WARN', 'ERROR', 'INFO')[i % 4]} {('store', 'reader')[i % 2]}: kept row {i}\n"
    for i in range(24)
)
SETTINGS = (
    '{"server": {"port": 80, "host": "local", "debug": false},\n "log": {"level": "info", "folder": "out/logs"}}\n'
)
FILES = {
    "letter.txt": (LETTER.encode("latin-1"), "latin1-text"),
    "windows.txt": (LETTER.replace("\n", "\r\n").encode("utf-16"), "utf16-text"),
    "towns.csv": (TOWNS.encode("utf-16"), "csv-foreign"),
    "people.csv": (TOWNS.replace("\n", "\r\n").encode("latin-1"), "csv-foreign"),
    "service.log": (LOG.encode(), "log-file"),
    "settings.json": (SETTINGS.encode(), "json-config"),
}


def taken(folder: pathlib.Path, name: str) -> Material:
    (folder / name).write_bytes(FILES[name][0])
    return read_folder(folder).material(name)


def started(material: Material, scenario: str) -> World | None:
    worlds = (start.build(material, drawn()) for start in terminal_pack().starts[scenario])
    return next((world for world in worlds if world is not None), None)


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_put_byte_for_byte_and_a_skill_suits_it(tmp_path: pathlib.Path, name: str) -> None:
    data, scenario = FILES[name]
    world = started(taken(tmp_path, name), scenario)
    assert world is not None
    assert world.state.data(world.state.focus.path) == data
    skills = [s for s in terminal_pack().skills.values() if scenario in s.pre]
    suited = [s for s in skills if not refuses(s, world)]
    assert suited
    for skill in suited[:4]:
        assert_passes(apply_often(skill.apply, world, range(9))[0], world)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("letter.txt", LETTER.rstrip("\n").encode("latin-1")),
        ("letter.txt", LETTER.replace("\n", "\r\n", 2).encode("latin-1")),
        ("letter.txt", b"one\n\xe4\n"),
        ("windows.txt", LETTER.encode("utf-16-be")),
    ],
    ids=["no final newline", "mixed line ends", "too short", "no mark"],
)
def test_a_text_that_its_facts_would_not_give_back_is_no_start(tmp_path: pathlib.Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    source = read_folder(tmp_path)
    materials = [m for m in source.materials if m.name == name]
    assert all(started(m, s) is None for m in materials for s in ("latin1-text", "utf16-text"))


@pytest.mark.parametrize(
    "text", ['{"a": {"x": null}, "b": {"y": 1}}', '{"a": {"x": "two words"}, "b": {"y": 1}}', '{"a": {"x": 1}}', "[1]"]
)
def test_settings_that_are_no_sections_of_plain_values_are_no_start(tmp_path: pathlib.Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text)
    assert started(read_folder(tmp_path).material("settings.json"), "json-config") is None


def test_an_own_file_is_mostly_begun_with_but_not_always(tmp_path: pathlib.Path) -> None:
    own = taken(tmp_path, "service.log")
    (tmp_path / "sales.csv").write_text("day,city,sold\n" + "".join(f"{i},Oslo,{i * 2}\n" for i in range(40)))
    table = read_folder(tmp_path).material("sales.csv")
    pool, pack = Pool((own, *[table] * 12), ()), terminal_pack()
    paths = [Path(str(n), n, 0, ("log-file", "log-tally"), ("log-count-by-level",)) for n in range(40)]
    outcomes = [draw_blueprint(path, pack, pool, ALL, 0, Wishes()) for path in paths]
    share = sum(1 for found in outcomes if isinstance(found, Blueprint) and found.materials == (own,))
    assert 24 <= share <= 38
