import json
from dataclasses import replace

import pytest

from tests.synth.packs import ways
from tests.synth.packs.states import draw
from tests.synth.packs.terminal.families import (
    CONFIG,
    ENV,
    INI,
    WORLDS,
    applied,
    apply_skill,
    document_world,
    families,
    output,
    predicted,
)
from trajmill.synth.packs.facts import Settings
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.config_starts import other_value
from trajmill.synth.packs.terminal.pack import pack_skills


@pytest.mark.parametrize(("name", "scenario"), families("config"))
@pytest.mark.parametrize("seed", [0, 1])
def test_every_way_and_slip_of_a_configuration_skill_does_what_is_predicted(
    name: str, scenario: str, seed: int
) -> None:
    found = applied(name, WORLDS[scenario], seed, "bytes" if seed == 1 else "content")
    assert len(found.asks) >= 4
    assert all(len(act.why) >= 3 for way in found.ways for act in way.acts)


@pytest.mark.parametrize(("name", "text"), [("ini-set-value", INI), ("env-set-value", ENV)])
def test_one_line_changes_and_the_comments_stay(name: str, text: str) -> None:
    scenario = name.replace("set-value", "config")
    for seed in range(8):
        found = predicted(name, WORLDS[scenario], seed)
        pairs = zip(text.splitlines(), output(found).splitlines(), strict=True)
        assert sum(a != b for a, b in pairs) == 1


def test_a_change_in_place_names_the_file_itself_as_output() -> None:
    outputs = {predicted("ini-set-value", WORLDS["ini-config"], seed).outputs[0] for seed in range(8)}
    assert "s.ini" in outputs
    assert len(outputs) > 1


def test_an_override_reaches_into_its_section_only() -> None:
    found = applied("json-config-merge", WORLDS["json-config"])
    assert json.loads(output(found)) == {
        "input": {"file": "a.csv", "timeout": 5}, "output": {"folder": "out", "enabled": True}, "extra": {"on": True}
    }  # fmt: skip


def test_without_overrides_nothing_is_merged() -> None:
    assert apply_skill("json-config-merge", document_world(CONFIG, "json-config")) is None


def test_ini_values_stay_text() -> None:
    assert json.loads(output(applied("ini-to-json", WORLDS["ini-config"])))["input"] == {
        "file": "a.csv",
        "timeout": "30",
    }


def test_a_section_is_exported_in_capitals() -> None:
    texts = {output(predicted("ini-section-to-env", WORLDS["ini-config"], seed)) for seed in range(6)}
    assert texts == {"FILE=a.csv\nTIMEOUT=30\n", "FOLDER=out\nTIMEOUT=5\n"}


def test_settings_are_listed_in_code_point_order() -> None:
    assert output(applied("config-list-settings", WORLDS["ini-config"])) == (
        "input.file=a.csv\ninput.timeout=30\noutput.folder=out\noutput.timeout=5\n"
    )
    assert output(applied("config-list-settings", WORLDS["json-config"])).splitlines()[2] == "output.enabled=true"


def test_a_change_report_compares_with_the_file_that_was_changed() -> None:
    first = next(
        a for seed in range(8) if (a := predicted("env-set-value", WORLDS["env-config"], seed)).outputs[0] != "s.env"
    )
    world = World(first.after.tree, first.after)
    report = pack_skills()["config-diff-report"].apply(first.after, draw(0))
    assert report is not None
    ways.assert_ways(report, world)
    assert " -> " in output(report)
    assert len(output(report).splitlines()) == 1


def test_a_key_without_a_plain_value_is_not_changed() -> None:
    state = WORLDS["env-config"].state
    odd = replace(state, focus=replace(state.focus, facts=Settings({"": {"INPUT_FILE": "a b"}})))
    assert pack_skills()["env-set-value"].apply(odd, draw(0)) is None


@pytest.mark.parametrize(
    ("key", "old", "fits"),
    [
        ("OUTPUT_FORMAT", "csv", {"json", "tsv", "txt"}),
        ("enabled", "true", {"false"}),
        ("fields", "a,b,c", {"a,b"}),
        ("file", "cars.json", {"cars_v2.json", "cars_2024.json", "cars_new.json"}),
    ],
)
def test_a_new_value_fits_what_the_option_is_called(key: str, old: str, fits: set[str]) -> None:
    assert {other_value(key, old, draw(seed)) for seed in range(30)} <= fits


def test_a_number_kept_as_text_stays_a_number() -> None:
    assert all(str(other_value("timeout", "60", draw(seed))).isdigit() for seed in range(9))
