from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.small_build import prepare
from trajmill.flows.drafts import Drafts, draw_drafts, redraw_drafts, stored_drafts, terminal_graph, terminal_pack
from trajmill.flows.inputs import read_inputs
from trajmill.schemas.codec import to_json
from trajmill.schemas.config import BuildConfig, load_config
from trajmill.schemas.errors import StoreError
from trajmill.schemas.ids import canonical_json
from trajmill.schemas.task import Tool
from trajmill.schemas.tree import FileEntry
from trajmill.schemas.validate import validate
from trajmill.synth.sources.material import Material
from trajmill.synth.tasks.toolset import BASIC_TOOLS, PACKAGES

TOOLCHAIN = tuple(Tool(name, f"{name} 1.0", "a" * 64) for name in sorted(PACKAGES))
SEED = 3


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> BuildConfig:
    return load_config(prepare(tmp_path_factory.mktemp("drafts"), paths=12))


@pytest.fixture(scope="module")
def materials(config: BuildConfig) -> tuple[Material, ...]:
    return read_inputs(config).materials


@pytest.fixture(scope="module")
def drafts(config: BuildConfig, materials: tuple[Material, ...]) -> Drafts:
    return draw_drafts(config, SEED, materials, TOOLCHAIN)


@pytest.fixture
def stored(drafts: Drafts) -> Any:
    return json.loads(canonical_json(stored_drafts(drafts)))


def test_as_many_tasks_as_asked_for_within_the_lengths(drafts: Drafts, config: BuildConfig) -> None:
    assert len(drafts.tasks) == config.sample.paths == len({task.id for task in drafts.tasks})
    least, most = config.sample.length
    assert all(least <= task.axes.path_length <= most for task in drafts.tasks)


def test_every_task_keeps_its_contract_and_names_its_sources(drafts: Drafts, materials: tuple[Material, ...]) -> None:
    known = {(m.name, m.sha256) for m in materials}
    for task in drafts.tasks:
        validate(to_json(task), "task")
        assert {(s.name, s.sha256) for s in task.lineage.sources} <= known


def test_every_required_tool_has_a_package_and_was_resolved(drafts: Drafts) -> None:
    for task in drafts.tasks:
        needed = set(task.environment.required_tools)
        assert set(BASIC_TOOLS) <= needed <= set(PACKAGES)
        assert {tool.name for tool in task.environment.toolchain} == needed


def test_every_blueprint_belongs_to_its_task(drafts: Drafts) -> None:
    for task in drafts.tasks:
        assert drafts.blueprints[task.id].path == task.lineage.path


def test_check_names_are_unique_and_say_what_they_read(drafts: Drafts) -> None:
    for task in drafts.tasks:
        names = [check.name for check in task.verifier.checks]
        assert len(names) == len(set(names))
        assert all(check.needs for check in task.verifier.checks)


def test_distractors_are_bytes_of_the_source_at_places_of_their_own(drafts: Drafts) -> None:
    for task in drafts.tasks:
        plan = drafts.blueprints[task.id]
        assert len(plan.distractors) == task.axes.distractors
        for place, material in plan.distractors.items():
            assert task.environment.files.get(place) == FileEntry(material.data)
            assert place not in plan.world.files


def test_the_same_inputs_give_the_same_bytes(
    drafts: Drafts, config: BuildConfig, materials: tuple[Material, ...]
) -> None:
    again = draw_drafts(config, SEED, materials, TOOLCHAIN)
    assert canonical_json(stored_drafts(again)) == canonical_json(stored_drafts(drafts))
    assert [to_json(task) for task in again.tasks] == [to_json(task) for task in drafts.tasks]
    assert draw_drafts(config, SEED + 1, materials, TOOLCHAIN).tasks != drafts.tasks


def test_a_stored_sample_composes_into_the_same_tasks(
    drafts: Drafts, config: BuildConfig, materials: tuple[Material, ...], stored: Any
) -> None:
    again = redraw_drafts(config, SEED, materials, TOOLCHAIN, stored)
    assert again.tasks == drafts.tasks
    assert again.drops == drafts.drops
    assert again.graph.id == drafts.graph.id == stored["graph"]


def changed(stored: Any, what: str) -> Any:
    match what:
        case "a task id":
            stored["tasks"][0] = "task-0000000000000000"
        case "a path that is gone":
            del stored["paths"][0]
        case "a task that is gone":
            del stored["tasks"][0]
        case "another order":
            stored["paths"].reverse()
        case "a path that cannot be walked":
            first, scenario = stored["paths"][0], stored["paths"][0]["scenarios"]
            first["scenarios"] = [*scenario[:-1], "no-such-scenario"]
    return stored


@pytest.mark.parametrize(
    "what",
    ["a task id", "a path that is gone", "a task that is gone", "another order", "a path that cannot be walked"],
)
def test_a_stored_sample_that_was_changed_is_refused(
    config: BuildConfig, materials: tuple[Material, ...], stored: Any, what: str
) -> None:
    with pytest.raises(StoreError, match="stored sample"):
        redraw_drafts(config, SEED, materials, TOOLCHAIN, changed(stored, what))


@pytest.mark.parametrize("what", ["no table", "a path without its skills", "an unknown skill", "no drops"])
def test_a_stored_sample_that_is_damaged_is_refused(
    config: BuildConfig, materials: tuple[Material, ...], stored: Any, what: str
) -> None:
    if what == "no table":
        stored = []
    elif what == "a path without its skills":
        del stored["paths"][0]["skills"]
    elif what == "an unknown skill":
        stored["paths"][0]["skills"] = ["no-such-skill"] * len(stored["paths"][0]["skills"])
    else:
        del stored["drops"]
    with pytest.raises(StoreError, match="stored sample"):
        redraw_drafts(config, SEED, materials, TOOLCHAIN, stored)


def test_what_could_not_be_drawn_is_told_once_per_reason_with_its_count(drafts: Drafts) -> None:
    assert len({(d.stage, d.subject, d.reason, d.detail) for d in drafts.drops}) == len(drafts.drops)
    assert all(d.stage in ("sample", "compose") for d in drafts.drops)
    assert all(d.extra["count"] > 0 for d in drafts.drops if d.stage == "compose")


def test_more_than_can_be_drawn_is_given_up_and_told(config: BuildConfig, materials: tuple[Material, ...]) -> None:
    skill = next(name for name in sorted(terminal_pack().skills) if name.startswith("csv-"))
    narrow = replace(config, sample=replace(config.sample, paths=50, length=(1, 1), must_use=(skill,)))
    drafts = draw_drafts(narrow, SEED, materials, TOOLCHAIN)
    assert len(drafts.tasks) < 50
    assert any(drop.reason == "given_up" for drop in drafts.drops)


def test_only_scenarios_that_the_files_can_be_are_started_from(
    config: BuildConfig, materials: tuple[Material, ...]
) -> None:
    only_json = tuple(m for m in materials if m.name == "stations.json")
    sources = {s.name for t in draw_drafts(config, SEED, only_json, TOOLCHAIN).tasks for s in t.lineage.sources}
    assert sources == {"stations.json"}


def test_graph_and_pack_speak_of_the_same_skills() -> None:
    graph, pack = terminal_graph(), terminal_pack()
    assert {skill.name for skill in graph.skills} == set(pack.skills)
    assert set(pack.starts) <= {scenario.id for scenario in graph.scenarios}
