from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.flows.builders import MATERIALS, content
from trajmill.flows.card import FUNNEL_WORDS, size_category, write_card
from trajmill.flows.dataset import DatasetContent
from trajmill.flows.inputs import Inputs
from trajmill.flows.manifest import drop_counts, manifest_of
from trajmill.schemas.config import BuildConfig, BuildSection, SourceSection
from trajmill.schemas.verdict import Drop

COUNTS = {"tasks": 2, "trajectories": 4, "drops": 3}


def card(**changes: Any) -> str:
    return write_card(content(**changes), COUNTS)


def front(text: str) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="reads the front matter as a hub does")
    parsed: dict[str, Any] = yaml.safe_load(text.split("---")[1])
    return parsed


def licensed(licence: str) -> DatasetContent:
    made = content()
    sources = [replace(source, licence=licence) for task in made.tasks[:1] for source in task.lineage.sources]
    lineage = replace(made.tasks[0].lineage, sources=tuple(sources))
    return replace(made, tasks=(replace(made.tasks[0], lineage=lineage),))


def test_the_card_is_as_it_was(golden: Callable[[str, str], None]) -> None:
    golden("card.md", card())


def test_the_front_matter_is_read_by_a_hub() -> None:
    data = front(card())
    assert data["pretty_name"] == "tiny"
    assert data["size_categories"] == ["n<1K"]
    assert [c["config_name"] for c in data["configs"]] == ["trajectories", "tasks", "drops"]
    assert data["license"] == "other"


@pytest.mark.parametrize("name", ["on", "null", "2024", "a-b"])
def test_any_name_stays_a_text(name: str) -> None:
    config = BuildConfig(BuildSection(name), (SourceSection("files"),))
    assert front(card(config=config))["pretty_name"] == name


@pytest.mark.parametrize(
    ("licence", "shown"),
    [("CC0-1.0", "cc0-1.0"), ("unknown", "other"), ("MIT OR Apache-2.0", "other"), ("x: {", "other"), ("#1", "other")],
)
def test_one_plain_licence_is_named_and_any_other_is_told_per_source(licence: str, shown: str) -> None:
    assert front(write_card(licensed(licence), COUNTS))["license"] == shown


def test_a_file_name_cannot_break_the_table_of_sources() -> None:
    inputs = content().inputs
    odd = replace(MATERIALS[0], name="a|b\n| x |.csv", origin="\x1b[31mred")
    text = card(inputs=Inputs(inputs.sources, (odd,), ()))
    (row,) = [line for line in text.splitlines() if "a\\|b" in line]
    assert row.count(" | ") == 3
    assert "\x1b" not in text


def test_every_gate_has_its_words_and_its_count() -> None:
    text = card()
    for gate, count in content().funnel.items():
        assert f"| {FUNNEL_WORDS[gate]} | {count} |" in text


def test_what_was_left_out_is_counted_by_reason() -> None:
    assert "| compose/nothing_to_do | 3 |" in card()
    assert "Nothing was left out." in card(drops=())


def test_a_drop_that_stands_for_several_counts_as_many() -> None:
    drops = (
        Drop("filter", "a", "too_long"),
        Drop("filter", "b", "too_long"),
        Drop("sample", "p", "no", "", {"count": 7}),
    )
    assert drop_counts(content(drops=drops)) == {"filter/too_long": 2, "sample/no": 7}


@pytest.mark.parametrize(
    ("rows", "category"),
    [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (99_999, "10K<n<100K"), (5_000_000, "n>1M")],
)
def test_the_size_category_is_the_hubs(rows: int, category: str) -> None:
    assert size_category(rows) == category


def test_a_policy_without_a_model_is_not_passed_off_as_one() -> None:
    assert "`programmatic`: 4 trajectories, written by a program that knows the skills; no model made them" in card()


def test_the_manifest_says_what_determined_the_dataset() -> None:
    made = content()
    manifest = manifest_of(made, COUNTS, {}, {"README.md": "0" * 64})
    assert manifest["funnel"] == dict(made.funnel)
    assert manifest["build_id"] == made.build_id
    assert [s["name"] for s in manifest["sources"]] == ["trees.csv", "app.log"]
    assert manifest["left_out"] == [{"name": "faces.csv", "reason": "personal_data"}]
    assert manifest == manifest_of(content(), COUNTS, {}, {"README.md": "0" * 64})
