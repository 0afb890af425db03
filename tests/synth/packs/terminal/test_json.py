import json
from decimal import Decimal

import pytest

from tests.synth.packs.states import table_world
from tests.synth.packs.terminal.families import (
    GROUPED,
    ROWS,
    WORLDS,
    applied,
    apply_skill,
    document_world,
    families,
    output,
    records_world,
)


@pytest.mark.parametrize(("name", "scenario"), families("json"))
def test_every_way_and_slip_of_a_json_skill_does_what_is_predicted(name: str, scenario: str) -> None:
    strictness = "bytes"
    tried = [a for seed in range(3) if (a := apply_skill(name, WORLDS[scenario], seed, strictness)) is not None]
    assert tried, f"{name} never suits {scenario}"
    found = applied(
        name,
        WORLDS[scenario],
        next(s for s in range(3) if apply_skill(name, WORLDS[scenario], s, strictness)),
        strictness,
    )
    assert len(found.asks) >= 4
    assert all(len(act.why) >= 3 for way in found.ways for act in way.acts)


def test_filtering_keeps_whole_objects_in_their_order() -> None:
    rows = [{"k": "a", "n": 1}, {"k": "b", "n": 1}, {"k": "a", "n": 1}, {"k": "c", "n": 1}]
    found = applied("json-filter-records", records_world(rows))
    assert json.loads(output(found)) == [{"k": "a", "n": 1}, {"k": "a", "n": 1}]


def test_filtering_is_not_offered_where_it_would_keep_everything() -> None:
    assert apply_skill("json-filter-records", records_world([{"k": "a", "n": 1}] * 5)) is None


def test_sorting_compares_numbers_by_size_and_states_the_tie_rule() -> None:
    rows = [{"n": n} for n in (9, 10, 2, 10, 1)]
    found = applied("json-sort-records", records_world(rows))
    numbers = [row["n"] for row in json.loads(output(found))]
    assert numbers in ([1, 2, 9, 10, 10], [10, 10, 9, 2, 1])
    assert any("`n`" in rule for rule in found.rules)


def test_sums_are_exact_where_binary_floating_point_is_not() -> None:
    rows = [
        {"k": str(i), "w": w} for i, w in enumerate((Decimal("0.1"), Decimal("0.2"), Decimal("0.4"), Decimal("0.5")))
    ]
    found = applied("json-summarise-field", records_world(rows))
    assert json.loads(output(found), parse_float=Decimal) == {
        "count": 4, "min": Decimal("0.1"), "max": Decimal("0.5"), "sum": Decimal("1.2"), "mean": Decimal("0.3")
    }  # fmt: skip


def test_a_mean_that_could_be_rounded_either_way_is_not_asked_for() -> None:
    rows = [{"k": str(i), "w": w} for i, w in enumerate((1, 2, 3, 4, Decimal("5.5")))]
    halves = [{"k": str(i), "w": w} for i, w in enumerate((0, 1, Decimal("0.01"), Decimal("0.01")))]
    assert apply_skill("json-summarise-field", records_world(rows)) is not None
    assert apply_skill("json-summarise-field", records_world(halves)) is None


def test_counts_are_by_value() -> None:
    rows = [{"k": k, "n": i} for i, k in enumerate("abacab")]
    assert json.loads(output(applied("json-group-count", records_world(rows)))) == {"a": 3, "b": 2, "c": 1}


def test_null_is_no_filled_field_but_empty_text_is() -> None:
    rows: list[dict[str, object]] = [
        {"a": None, "b": ""},
        {"a": 1, "b": "x"},
        {"a": 0, "b": "y"},
        {"a": None, "b": "z"},
    ]
    assert json.loads(output(applied("json-filled-count", records_world(rows)))) == {"a": 2, "b": 4}


def test_csv_gets_an_empty_field_for_null_and_quotes_only_where_needed() -> None:
    rows: list[dict[str, object]] = [
        {"a": None, "b": "x,y"},
        {"a": 1, "b": "z"},
        {"a": 2, "b": "q"},
        {"a": 3, "b": 'say "hi"'},
    ]
    found = applied("json-records-to-csv", records_world(rows))
    assert output(found) == 'a,b\n,"x,y"\n1,z\n2,q\n3,"say ""hi"""\n'


def test_numbers_with_more_than_one_spelling_do_not_go_into_a_table() -> None:
    rows = [{"a": Decimal("5.0"), "b": "x"}, {"a": Decimal("2.50"), "b": "y"}, {"a": 1, "b": "z"}, {"a": 2, "b": "q"}]
    assert apply_skill("json-records-to-csv", records_world(rows)) is None


def test_a_table_becomes_objects_with_numbers_texts_and_nulls() -> None:
    world = table_world("id,n,x\n007,1,2.5\n008,,1.5\n009,3,0.25\n")
    assert json.loads(output(applied("csv-to-json-records", world))) == [
        {"id": "007", "n": 1, "x": 2.5}, {"id": "008", "n": None, "x": 1.5}, {"id": "009", "n": 3, "x": 0.25}
    ]  # fmt: skip


def test_an_index_needs_a_field_whose_values_are_all_different() -> None:
    found = applied("json-index-by-key", records_world([{"k": k, "n": 1} for k in "abcd"]))
    assert json.loads(output(found))["c"] == {"k": "c", "n": 1}
    assert apply_skill("json-index-by-key", records_world([{"k": k, "n": 1} for k in "abca"])) is None


def test_an_index_comes_back_in_order_of_its_keys() -> None:
    world = document_world({"b": {"n": 1}, "B": {"n": 2}, "a": {"n": 3}}, "json-index")
    assert json.loads(output(applied("json-index-to-records", world))) == [{"n": 2}, {"n": 3}, {"n": 1}]
    assert output(applied("json-index-keys", world)) == "B\na\nb\n"


def test_flattening_carries_the_group_along() -> None:
    found = applied("json-flatten-nested", document_world(GROUPED, "json-nested"))
    rows = json.loads(output(found))
    assert [(row["code"], next(v for k, v in row.items() if k not in ("code", "beds"))) for row in rows] == [
        ("AA", "Bonn"), ("CC", "Bonn"), ("DD", "Ulm")
    ]  # fmt: skip


def test_flattening_lifts_an_object_of_figures() -> None:
    value = {"count": 2, "items": [{"k": "a", "values": {"x": 1, "y": 2}}, {"k": "b", "values": {"x": 3, "y": None}}]}
    found = applied("json-flatten-nested", document_world(value, "json-nested"))
    assert json.loads(output(found)) == [
        {"k": "a", "values_x": 1, "values_y": 2},
        {"k": "b", "values_x": 3, "values_y": None},
    ]


def test_groups_are_counted() -> None:
    found = applied("json-count-groups", document_world(GROUPED, "json-nested"))
    assert json.loads(output(found)) == {"Bonn": 2, "Ulm": 1}


def test_broken_lines_are_counted_from_one() -> None:
    assert output(applied("json-lines-find-broken", WORLDS["json-lines-torn"])) == "line 2\nline 4\n"


def test_repair_keeps_what_is_whole() -> None:
    found = applied("json-lines-repair", WORLDS["json-lines-torn"])
    assert [json.loads(line)["a"] for line in output(found).splitlines()] == [1, 3, 5, 6, 7]


def test_lists_are_bare_and_in_order() -> None:
    found = applied("json-list-values", records_world([{"k": k, "n": 1.5} for k in ("x y", "b", "b", "ä")]))
    assert output(found) == "x y\nb\nb\nä\n"


def test_records_with_different_keys_are_left_alone() -> None:
    assert apply_skill("json-pick-fields", records_world([*ROWS, {"code": "ZZ"}])) is None


def test_key_figures_are_no_table_of_groups() -> None:
    assert apply_skill("json-summary-to-csv", document_world({"min": 1, "max": 4, "sum": 9}, "json-summary")) is None
