from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.synth.handmade import blueprint
from trajmill.synth.packs.standing import BOTH_BYTES, LINES_BYTES, STANDING, TABLE_BYTES, standing_of
from trajmill.synth.tasks.blueprint import Blueprint
from trajmill.synth.tasks.phrasing import KEEP_ALL, KEEP_INPUTS, KEEP_OTHERS, write_instruction

SEEDS = range(80)
PATHS = (("list-sort",), ("list-count",), ("list-sort", "list-count"), ("list-sort", "list-turn", "list-count"))


def written(plan: Blueprint, seed: int = 0) -> str:
    return write_instruction(plan, random.Random(seed))


def every(*skills: str, **wishes: Any) -> list[tuple[Blueprint, str]]:
    plans = [blueprint(*skills, seed=seed, **wishes) for seed in SEEDS]
    return [(plan, written(plan, seed)) for seed, plan in enumerate(plans)]


def test_the_same_chance_gives_the_same_words_and_another_gives_others() -> None:
    plan = blueprint("list-sort", "list-count")
    assert written(plan, 4) == written(plan, 4)
    assert len({written(plan, seed) for seed in SEEDS}) > 40


@pytest.mark.parametrize("skills", PATHS)
def test_an_instruction_names_the_input_and_every_output_and_fills_every_gap(skills: tuple[str, ...]) -> None:
    for plan, text in every(*skills):
        assert f"`{plan.world.state.focus.path}`" in text
        assert all(f"`{a.outputs[0]}`" in text for a in plan.applications)
        assert not re.search(r"\{\w*\}", text)


@pytest.mark.parametrize("skills", PATHS)
def test_sentences_are_whole(skills: tuple[str, ...]) -> None:
    for _, text in every(*skills):
        assert text[0].isupper() or text[0] == "`"
        assert text.endswith(".")
        assert ".." not in text.replace("...", "")
        assert "  " not in text
        assert not re.search(r"[.?] [a-z]", text)


def test_steps_are_numbered_only_where_they_are_asked_for() -> None:
    for _, text in every("list-sort", "list-count", explicitness=("steps",)):
        assert re.search(r"^1\. .*\n2\. ", text, re.MULTILINE)
    for _, text in every("list-sort", "list-count", explicitness=("goal",)):
        assert not re.search(r"^1\. ", text, re.MULTILINE)


def test_what_must_stay_is_said_exactly_once() -> None:
    for skills in PATHS:
        for plan, text in every(*skills):
            assert sum(s in text for s in (*KEEP_INPUTS, *KEEP_OTHERS)) == 1
            several = len(plan.applications) > 1 and plan.explicitness == "goal"
            assert sum(s in text for s in KEEP_ALL) == several


def test_inputs_are_not_said_to_stay_where_a_step_changes_one() -> None:
    for skills in (("list-turn",), ("list-move",), ("list-move", "list-sort")):
        for _, text in every(*skills):
            assert any(s in text for s in KEEP_OTHERS)


def test_files_are_not_said_to_stay_where_a_step_removes_one() -> None:
    for _, text in every("list-sort", "list-move", explicitness=("goal",)):
        assert not any(s in text for s in KEEP_ALL)


def test_a_rule_that_several_steps_share_is_said_once_for_all() -> None:
    for _, text in every("list-sort", "list-count", strictness=("bytes",)):
        assert sum(text.count(s) for s in LINES_BYTES.general) == 1
        assert not any(s in text for s in LINES_BYTES.single)


def test_a_rule_of_one_step_is_said_beside_it() -> None:
    for _, text in every("list-sort", strictness=("bytes",)):
        assert sum(text.count(s) for s in LINES_BYTES.single) == 1
        assert not any(s in text for s in LINES_BYTES.general)


def test_no_rule_is_said_where_layout_is_forgiven() -> None:
    rules = [s for standing in STANDING for s in (*standing.single, *standing.general)]
    for _, text in every("list-sort", "list-count", strictness=("content",)):
        assert not any(rule in text for rule in rules)


def test_a_rule_for_tables_and_one_for_texts_are_said_in_one_sentence() -> None:
    plan = blueprint("list-sort", "list-count", strictness=("bytes",))
    first, second = plan.applications
    mixed = (replace(first, rules=(TABLE_BYTES.single[0],)), replace(second, rules=(LINES_BYTES.single[0],)))
    for seed in SEEDS:
        text = written(replace(plan, applications=mixed), seed)
        assert sum(text.count(s) for s in BOTH_BYTES.general) == 1
        assert not any(s in text for rule in (TABLE_BYTES, LINES_BYTES) for s in (*rule.single, *rule.general))


def test_a_question_is_not_led_in_as_an_order() -> None:
    plan = blueprint("list-sort", "list-count", explicitness=("goal",), strictness=("content",))
    ask = f"which number of lines does {{it}} have? Put it into `{plan.applications[1].outputs[0]}`"
    asked = replace(plan, applications=(plan.applications[0], replace(plan.applications[1], asks=(ask,))))
    texts = [text for seed in SEEDS if "\n- " not in (text := written(asked, seed))]
    assert texts
    assert all(re.search(r"(^|\. )Which number", text) for text in texts)


def test_wordings_belong_to_one_standing_rule() -> None:
    for standing in STANDING:
        assert all(standing_of(wording) is standing for wording in standing.single)
    assert standing_of("Something else.") is None


def that_file(plan: Blueprint) -> list[str]:
    return [text for seed in range(300) if "that file" in (text := written(plan, seed))]


def test_that_file_follows_only_a_sentence_that_ends_with_the_file() -> None:
    plan = blueprint("list-sort", "list-count", explicitness=("goal",), strictness=("content",))
    source, output = plan.world.state.focus.path, plan.applications[0].outputs[0]
    found = that_file(plan)
    assert found
    for text in found:
        for before in re.split(r"that file", text)[:-1]:
            named = re.findall(r"`([^`]+)`", before)
            assert named[-1:] in ([source], [output])
            assert before.count("`") == 2 or named[-1] == output


def test_that_file_is_never_said_where_a_rule_stands_between() -> None:
    plan = blueprint("list-sort", "list-count", explicitness=("goal",), strictness=("content",))
    first = replace(plan.applications[0], rules=("Use the C locale.",))
    texts = that_file(replace(plan, applications=(first, plan.applications[1])))
    assert all("that file" not in text.partition("Use the C locale.")[2] for text in texts)


def test_that_file_is_never_said_where_another_file_is_named_last() -> None:
    plan = blueprint("list-sort", "list-count", explicitness=("goal",), strictness=("content",))
    first, source = plan.applications[0], plan.world.state.focus.path
    asks = (f"sort the lines of {{it}} into `{first.outputs[0]}` and leave `{source}` alone",)
    texts = that_file(replace(plan, applications=(replace(first, asks=asks), plan.applications[1])))
    assert all("that file" not in text.partition(" alone")[2] for text in texts)


def test_that_file_is_never_said_where_the_next_step_goes_on_from_another() -> None:
    plan = blueprint("list-sort", "list-count", explicitness=("goal",), strictness=("content",))
    first = plan.applications[0]
    elsewhere = replace(first, after=replace(first.after, focus=plan.world.state.focus))
    texts = that_file(replace(plan, applications=(elsewhere, plan.applications[1])))
    for text in texts:
        assert "that file" not in text.partition(f"`{first.outputs[0]}`")[2]


def test_that_file_is_never_said_where_another_file_is_named_before_it() -> None:
    plan = blueprint("list-sort", "list-count", explicitness=("goal",), strictness=("content",))
    second, source = plan.applications[1], plan.world.state.focus.path
    asks = (f"compare `{source}` with {{it}} and write the count to `{second.outputs[0]}`",)
    texts = that_file(replace(plan, applications=(plan.applications[0], replace(second, asks=asks))))
    assert all("with that file" not in text for text in texts)


def test_a_list_of_deliverables_is_used_only_where_every_step_can_be_listed() -> None:
    listed = [text for _, text in every("list-sort", "list-count", explicitness=("goal",)) if "\n- `" in text]
    assert listed
    assert not any("\n- `" in text for _, text in every("list-sort", "list-turn"))
