from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trajmill.schemas.config import PolicySection, config_json, identity_json, load_config, parse_config
from trajmill.schemas.errors import ConfigError
from trajmill.schemas.ids import canonical_json
from trajmill.schemas.validate import validate

SMALLEST: dict[str, Any] = {"build": {"name": "demo"}, "source": {"files": "data"}}

FULL = """
[build]
name = "terminal-demo"
seed = 7
out = "../made"

[[source]]
files = "data/"
licence = "CC0-1.0"

[[source]]
files = "demo"

[sample]
paths = 20
length = [2, 4]
lengths = { 2 = 1, 4 = 0.5 }
domains = ["csv", "json"]
domain_weights = { csv = 2 }
start = ["csv-with-header"]
goal = ["report"]
must_use = ["count-rows"]
must_avoid = ["sort-lines"]

[task]
explicitness = ["goal"]
strictness = ["bytes"]
distractors = [1, 1]

[rollout]
sandbox = "bubblewrap"
policies = [{ name = "programmatic", attempts = 4 }, { name = "noop" }]
shard_size = 50
concurrency = 2
command_timeout_s = 5
turn_limit = 20

[filter]
recipe = "strict"
max_turns = 20
max_chars = 5000

[export]
to = []

[budget]
money_usd = 1.5
"""


def test_defaults_fill_in_what_a_short_file_leaves_out() -> None:
    config = parse_config(SMALLEST)
    assert config.sample.length == (1, 5)
    assert config.rollout.policies == (PolicySection("programmatic", 3),)
    assert config.export.to == ("trl-sft",)
    assert config.budget.money_usd == 0


def test_every_key_is_read_and_shown(tmp_path: Path) -> None:
    file = tmp_path / "build.toml"
    file.write_text(FULL)
    config = load_config(file)
    assert config.sample.lengths == {2: 1.0, 4: 0.5}
    assert config.rollout.policies == (PolicySection("programmatic", 4), PolicySection("noop", 1))
    assert [source.is_demo for source in config.source] == [False, True]
    document = config_json(config)
    assert document["task"] == {"explicitness": ["goal"], "strictness": ["bytes"], "distractors": [1, 1]}
    assert document["sample"]["lengths"] == {"2": 1.0, "4": 0.5}
    assert parse_config(document, folder=tmp_path) == config


def test_what_is_shown_keeps_the_contract() -> None:
    config = parse_config(SMALLEST)
    validate(config_json(config), "build-configuration")
    assert parse_config(config_json(config)) == config


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "build.toml"
    file.write_text(FULL)
    config = load_config(file)
    assert [config.files_of(source) for source in config.source] == [tmp_path / "data", None]
    assert config.out == tmp_path / "../made"
    assert parse_config(SMALLEST).out is None


def test_the_identity_leaves_out_where_and_how_fast() -> None:
    plain = parse_config(SMALLEST)
    elsewhere = {"build": {"name": "demo", "out": "x"}, "source": {"files": "data"}, "rollout": {"concurrency": 9}}
    moved = parse_config(elsewhere, folder=Path("/elsewhere"))
    assert canonical_json(identity_json(moved)) == canonical_json(identity_json(plain))
    reseeded = parse_config({**SMALLEST, "build": {"name": "demo", "seed": 1}})
    assert identity_json(reseeded) != identity_json(plain)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"sampel": {}}, "sampel is not a known key. Did you mean sample?"),
        ({"sample": {"path": 3}}, "sample.path is not a known key. Did you mean paths?"),
        ({"budget": {"zzz": 3}}, "budget.zzz is not a known key. Known here are money_usd."),
        ({"build": {"nme": "x"}}, "build.nme is not a known key. Did you mean name?"),
        ({"build": {}}, "build.name is missing. Add it."),
        ({"source": {}}, "source.files is missing. Add it."),
        ({"source": []}, "source is empty. Name at least one."),
        ({"source": [{"files": "a"}, {"file": "b"}]}, "source[1].file is not a known key. Did you mean files?"),
        ({"source": 3}, "source must be a table, not 3."),
        ({"source": {"files": ""}}, "source.files is empty."),
        ({"source": {"files": "a\nb"}}, r'source.files is "a\nb", which holds control characters.'),
        ({"source": {"files": "a", "pack": "web"}}, 'source.pack is "web", but must be "terminal".'),
        ({"build": {"name": "../up"}}, 'build.name is "../up", but must be made of lower-case letters'),
        ({"build": {"name": "x", "seed": -1}}, "build.seed is -1, but must be at least 0."),
        ({"build": {"name": "x", "seed": 2**63}}, "build.seed is 9223372036854775808, but must be at most"),
        ({"sample": {"paths": "many"}}, 'sample.paths must be a whole number, not "many".'),
        ({"sample": {"paths": True}}, "sample.paths must be a whole number, not true."),
        ({"sample": {"paths": 5.0}}, "sample.paths must be a whole number, not 5.0."),
        ({"sample": {"paths": 0}}, "sample.paths is 0, but must be at least 1."),
        ({"sample": {"length": [5, 1]}}, "sample.length is [5, 1], but the first number must not be above the second."),
        ({"sample": {"length": [5]}}, "sample.length must be a pair of numbers, not [5]. Write length = [1, 3]."),
        ({"sample": {"length": [1, 8]}}, "sample.length[1] is 8, but must be at most 7."),
        ({"sample": {"lengths": {"9": 1}}}, 'sample.lengths has the key "9", but its keys are lengths from 1 to 7.'),
        ({"sample": {"lengths": {"6": 1}}}, "sample.lengths names the length 6, but sample.length allows 1 to 5 only."),
        ({"sample": {"lengths": {"2": 0}}}, "sample.lengths has no weight above 0."),
        ({"sample": {"domains": ["a", "a"]}}, "sample.domains names something twice."),
        (
            {"sample": {"domains": ["a"], "domain_weights": {"b": 1}}},
            'sample.domain_weights names "b", which sample.domains leaves out.',
        ),
        (
            {"sample": {"must_use": ["a"], "must_avoid": ["a"]}},
            '"a" stands in both sample.must_use and sample.must_avoid.',
        ),
        (
            {"sample": {"must_use": ["a", "b"], "length": [1, 1]}},
            "sample.must_use names 2 skills, but a path holds at most 1.",
        ),
        ({"task": {"explicitness": ["goals"]}}, 'task.explicitness[0] is "goals", but must be "goal" or "steps".'),
        ({"task": {"strictness": []}}, "task.strictness is empty."),
        ({"task": {"distractors": [4, 2]}}, "task.distractors is [4, 2], but the first number"),
        ({"rollout": {"policies": [{"name": "a"}, {"name": "a"}]}}, 'rollout.policies names "a" twice.'),
        ({"rollout": {"policies": [{"name": "a", "attemps": 2}]}}, "rollout.policies[0].attemps is not a known key."),
        ({"rollout": {"command_timeout_s": 0}}, "rollout.command_timeout_s is 0, but must be above 0."),
        ({"budget": {"money_usd": float("nan")}}, "budget.money_usd is nan, but must be an ordinary number."),
        ({"budget": {"money_usd": float("inf")}}, "budget.money_usd is inf, but must be an ordinary number."),
        ({"export": {"to": ["trl"]}}, 'export.to[0] is "trl", but must be "trl-sft".'),
        ({"folder": "/"}, "folder is not a known key."),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse_config({**SMALLEST, **change}, where="demo.toml")
    assert str(refused.value).startswith(f"demo.toml: {told}")
    assert "\n" not in str(refused.value)


def test_a_missing_build_section_is_told() -> None:
    with pytest.raises(ConfigError, match=r"build is missing\. Add it"):
        parse_config({})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[build]\nname = ", r"is not valid TOML: Invalid value \(at"),
        (b"name = '\xff'", "is not UTF-8 text"),
        (b"[build]\nname = 'x'\n[source]\nfiles = 2024-01-01\n", "source.files must be text, not 2024-01-01"),
    ],
)
def test_a_file_that_is_no_configuration_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "build.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=told) as refused:
        load_config(file)
    assert str(file) in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no configuration file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="is a folder"):
        load_config(tmp_path)
