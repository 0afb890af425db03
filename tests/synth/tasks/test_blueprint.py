from __future__ import annotations

from dataclasses import replace

import pytest

from tests.synth.handmade import (
    MATERIALS,
    OTHERS,
    PACK,
    POOL,
    SKILLS,
    TOOLS,
    blueprint,
    count_lines,
    material,
    walk,
)
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Folder, Lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.pack import pack_skills
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.pool import Pool
from trajmill.synth.tasks.blueprint import Blueprint, Pack, Refusal, Wishes, draw_blueprint


def refusal(pack: Pack = PACK, pool: Pool = POOL, tools: frozenset[str] = TOOLS, *skills: str) -> Refusal:
    found = draw_blueprint(walk(*(skills or ("list-sort",))), pack, pool, tools, 1, Wishes())
    assert isinstance(found, Refusal)
    return found


def with_skill(name: str, **changes: object) -> Pack:
    return replace(PACK, skills={**SKILLS, name: replace(SKILLS[name], **changes)})  # type: ignore[arg-type]


def test_each_step_works_on_what_the_one_before_left() -> None:
    plan = blueprint("list-sort", "list-turn", "list-count")
    first, second, third = plan.applications
    assert second.outputs == first.outputs
    assert third.after.data(third.outputs[0]) == b"5\n"
    assert plan.world.state.data(plan.world.state.focus.path) == MATERIALS[0].data


def test_the_same_seed_gives_the_same_blueprint_and_another_seed_another() -> None:
    assert blueprint("list-sort", "list-count", seed=3) == blueprint("list-sort", "list-count", seed=3)
    drawn = {repr(blueprint("list-sort", "list-count", seed=seed)) for seed in range(8)}
    assert len(drawn) > 4


def test_nothing_to_start_from_is_a_refusal() -> None:
    found = refusal(pool=Pool((material("a.csv", b"a,b\n1,2\n"),), ()))
    assert found == Refusal("no_start", "Nothing in the source can be set up as list.")
    assert refusal(pool=Pool((), ())).reason == "no_start"


def test_a_skill_that_does_not_suit_the_files_is_a_refusal_that_names_both() -> None:
    found = refusal(pool=Pool((material("abc.txt", b"a\nb\nc\n"),), ()))
    assert found.reason == "not_applicable"
    assert found.detail.startswith("list-sort does not suit ")
    assert "abc.txt" in found.detail


def test_a_skill_whose_tools_are_all_missing_is_a_refusal() -> None:
    assert refusal(tools=TOOLS - {"sort", "python3"}).reason == "not_applicable"


def test_ways_and_slips_without_their_tools_are_left_out() -> None:
    found = draw_blueprint(walk("list-sort"), PACK, POOL, TOOLS - {"sort"}, 1, Wishes())
    assert isinstance(found, Blueprint)
    assert [way.name for way in found.applications[0].ways] == ["python3"]
    assert found.applications[0].slips == ()


def test_a_start_whose_set_up_needs_a_missing_tool_is_not_used() -> None:
    def begin(material: Material, draw: Draw) -> World | None:
        world = PACK.starts["list"][0].build(material, draw)
        return replace(world, setup=("git init",), setup_tools=("git",)) if world else None

    pack = replace(PACK, starts={"list": (Start("list", begin),)})
    assert refusal(pack).reason == "no_start"


def test_a_skill_that_leads_elsewhere_is_a_refusal() -> None:
    found = refusal(with_skill("list-sort", apply=SKILLS["list-count"].apply))
    assert found == Refusal("wrong_post", "list-sort led to number instead of sorted.")


def test_a_skill_that_makes_no_sense_after_another_is_a_refusal() -> None:
    pack = with_skill("list-count", not_after=("list-sort",))
    found = draw_blueprint(walk("list-sort", "list-count"), pack, POOL, TOOLS, 1, Wishes())
    assert isinstance(found, Refusal)
    assert found.detail == "list-count takes back what an earlier step did."
    assert isinstance(draw_blueprint(walk("list-turn", "list-count"), pack, POOL, TOOLS, 1, Wishes()), Blueprint)


def test_work_that_only_undoes_what_was_done_is_a_refusal() -> None:
    def back(state: State, draw: Draw) -> Application | None:
        found = SKILLS["list-count"].apply(state, draw)
        if found is None:
            return None
        first = next(iter(state.tree.entries.values()))
        assert isinstance(first, FileEntry)
        return replace(found, after=state.wrote("again.txt", first.data, "number", state.focus.facts))

    assert refusal(with_skill("list-count", apply=back), POOL, TOOLS, "list-sort", "list-count").reason == (
        "undoes_earlier_work"
    )


def test_a_skill_does_not_come_after_one_that_it_takes_back() -> None:
    pack = with_skill("list-count", not_after=("list-sort",))
    found = refusal(pack, POOL, TOOLS, "list-sort", "list-turn", "list-count")
    assert (found.reason, found.step) == ("undoes_earlier_work", 2)


def test_what_the_pack_keeps_apart_exists() -> None:
    skills = pack_skills()
    assert {name for skill in skills.values() for name in skill.not_after} <= skills.keys()


@pytest.mark.parametrize("seed", range(60))
def test_distractors_keep_clear_of_everything_that_the_task_uses(seed: int) -> None:
    names = ("fruit.txt", "sorted.txt", "ordered.txt", "count.txt", "kept.txt", "other.csv")
    pool = Pool(MATERIALS, tuple(material(name, b"x\ny\n") for name in names))
    plan = blueprint("list-move", "list-sort", "list-count", seed=seed, pool=pool, distractors=(3, 6))
    states = (plan.world.state, *(a.after for a in plan.applications))
    used = {path for state in states for path in state.tree} | {o for a in plan.applications for o in a.outputs}
    assert not used & set(plan.distractors)
    assert all(m.name != "fruit.txt" for m in plan.distractors.values())


def test_no_distractor_lies_in_a_folder_that_the_task_speaks_of() -> None:
    files = {"a.txt": b"b\na\n", "b.txt": b"1\n"}

    def begin(material: Material, draw: Draw) -> World | None:
        tree = Tree({f"data/{name}": FileEntry(data) for name, data in files.items()})
        return World(tree, State(tree, Artefact("data", "list", Folder(files))))

    def count(state: State, draw: Draw) -> Application | None:
        return count_lines(replace(state, focus=Artefact("data", "list", Lines(tuple(files)))), draw)

    skill = PackSkill("list-count", "files", "Count", ("list",), "number", count)
    pack = Pack({**SKILLS, "list-count": skill}, {"list": (Start("list", begin),)}, "pack-2")
    for seed in range(40):
        found = draw_blueprint(walk("list-count"), pack, POOL, TOOLS, seed, Wishes(distractors=(3, 3)))
        assert isinstance(found, Blueprint)
        assert found.distractors
        assert not any(place.startswith("data/") for place in found.distractors)


def test_the_axes_are_drawn_from_the_wishes() -> None:
    plans = [blueprint("list-sort", seed=seed, distractors=(2, 2)) for seed in range(20)]
    assert {len(plan.distractors) for plan in plans} == {2}
    assert {plan.explicitness for plan in plans} == {"goal", "steps"}
    assert {plan.strictness for plan in plans} == {"content", "bytes"}
    fixed = blueprint("list-sort", explicitness=("steps",), strictness=("bytes",), distractors=(0, 0))
    assert (fixed.explicitness, fixed.strictness, dict(fixed.distractors)) == ("steps", "bytes", {})


def test_distractors_are_other_files() -> None:
    plan = blueprint("list-sort", distractors=(5, 5))
    assert {m.name for m in plan.distractors.values()} == {m.name for m in OTHERS}
