from __future__ import annotations

from dataclasses import replace

import pytest

from tests.synth.handmade import TOOLCHAIN, blueprint, task_of
from trajmill.schemas.codec import to_json
from trajmill.schemas.ids import canonical_json, digest_bytes
from trajmill.schemas.task import Check, sealed
from trajmill.synth.packs.expect import expect_lines, expect_link, expect_modes, expect_run
from trajmill.synth.tasks import compose as module
from trajmill.synth.tasks.compose import compose
from trajmill.synth.tasks.toolset import BASIC_TOOLS, PACKAGES


def test_the_same_blueprint_gives_the_same_bytes() -> None:
    plan = blueprint("list-sort", "list-count")
    first, again = task_of(plan), task_of(blueprint("list-sort", "list-count"))
    assert canonical_json(to_json(first)) == canonical_json(to_json(again))
    assert first.id == sealed(first).id


def test_the_task_says_where_it_comes_from() -> None:
    plan = blueprint("list-sort", distractors=(2, 2), seed=5)
    lineage = task_of(plan).lineage
    assert lineage.path == plan.path
    assert [s.name for s in lineage.sources] == ["fruit.txt", *(m.name for m in plan.distractors.values())]
    assert lineage.sources[0].licence == "CC0-1.0"
    assert (lineage.generator, lineage.versions, lineage.seed) == ("programmatic", {"pack": "pack-1"}, 5)


def test_the_oracle_is_the_first_way_of_each_step() -> None:
    plan = blueprint("list-sort", "list-count")
    steps = task_of(plan).oracle
    assert [s.purpose for s in steps] == ["Sort a list", "Count a list"]
    assert steps[1].script == plan.applications[1].ways[0].acts[0].command


def test_the_environment_holds_the_files_and_the_tools_of_all_ways_slips_and_checks() -> None:
    plan = blueprint("list-sort", distractors=(1, 1))
    environment = task_of(plan).environment
    assert set(environment.files) == {*plan.world.files, *plan.distractors}
    assert {"sort", "python3", "wc", "rm", *BASIC_TOOLS} == set(environment.required_tools)
    assert {tool.name for tool in environment.toolchain} == set(environment.required_tools) & {
        t.name for t in TOOLCHAIN
    }
    assert environment.packages == tuple(sorted({PACKAGES[t] for t in environment.required_tools}))


def test_checks_bring_the_tools_that_they_run() -> None:
    plan = blueprint("list-sort")
    check = Check("repo is right", "git", {"path": "repo"}, ("repo",))
    changed = replace(plan, applications=(replace(plan.applications[0], checks=(check,)),))
    assert "git" in task_of(changed).environment.required_tools


def test_a_script_brings_its_interpreter() -> None:
    plan = blueprint("list-count")
    for interpreter in ("perl", ""):
        check = expect_run("s", [{"stdout": "x"}], interpreter=interpreter)
        changed = replace(plan, applications=(replace(plan.applications[0], checks=(check,)),))
        assert ("perl" in task_of(changed).environment.required_tools) == bool(interpreter)


def test_files_that_no_step_may_change_are_checked_once() -> None:
    plan = blueprint("list-sort", distractors=(1, 1))
    unchanged = [c for c in task_of(plan).verifier.checks if c.kind == "unchanged"]
    assert len(unchanged) == 1
    assert dict(unchanged[0].params["files"]) == {
        path: digest_bytes(entry.data)
        for path, entry in task_of(plan).environment.files.entries.items()
        if hasattr(entry, "data")
    }


def test_a_file_that_a_step_changes_or_moves_is_not_among_them() -> None:
    for skills in (("list-turn",), ("list-move",)):
        checks = task_of(blueprint(*skills, distractors=(0, 0))).verifier.checks
        assert "unchanged" not in {c.kind for c in checks}


def test_a_later_step_on_the_same_file_overtakes_the_check_of_the_earlier() -> None:
    plan = blueprint("list-sort", "list-turn", strictness=("content",), distractors=(0, 0))
    checks = [c for c in task_of(plan).verifier.checks if c.kind == "lines"]
    assert [c.params["lines"] for c in checks] == [["pear", "lime", "fig", "fig", "apple"]]


def test_a_step_that_removes_a_file_overtakes_its_check() -> None:
    plan = blueprint("list-sort", "list-move", strictness=("content",), distractors=(0, 0))
    old = plan.applications[0].outputs[0]
    checks = task_of(plan).verifier.checks
    assert [c.kind for c in checks if old in c.needs] == ["absent"]


def test_modes_and_links_last_when_the_content_changes() -> None:
    plan = blueprint("list-sort", "list-turn", strictness=("content",), distractors=(0, 0))
    path = plan.applications[0].outputs[0]
    lasting = (expect_modes({path: 0o600}), expect_link(path, "x"))
    first = replace(plan.applications[0], checks=(*plan.applications[0].checks, *lasting))
    checks = task_of(replace(plan, applications=(first, plan.applications[1]))).verifier.checks
    assert [c.kind for c in checks if c.needs[:1] == (path,)] == ["modes", "link", "lines"]


def test_every_check_has_a_name_of_its_own() -> None:
    plan = blueprint("list-sort")
    twice = replace(plan.applications[0], checks=(expect_lines("a", ["1"]), expect_lines("a", ["1"])))
    names = [c.name for c in task_of(replace(plan, applications=(twice,))).verifier.checks]
    assert names[:2] == ["a has the lines", "a has the lines (2)"]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("strictness", ["content", "bytes"])
def test_the_axes_say_how_strict_the_checks_really_are(strictness: str) -> None:
    axes = task_of(blueprint("list-sort", "list-count", strictness=(strictness,))).axes
    assert axes.strictness == strictness
    assert axes.path_length == 2
    assert axes.skills == ("list-sort", "list-count")
    assert ("file" in axes.verifier_kinds) == (strictness == "bytes")


def test_the_domain_is_that_of_most_steps() -> None:
    assert task_of(blueprint("list-turn", "list-sort", "list-count")).axes.domain == "text"


def test_another_toolchain_gives_another_task() -> None:
    plan = blueprint("list-sort")
    other = tuple(replace(tool, sha256="0" * 64) for tool in TOOLCHAIN)
    assert compose(plan, other, "pack-1").id != task_of(plan).id


def test_every_tool_that_a_check_needs_has_a_package() -> None:
    tools = {tool for names in module.VERIFIER_TOOLS.values() for tool in names}
    assert tools | set(BASIC_TOOLS) <= set(PACKAGES)
