import json

import pytest

from tests.synth.packs.states import lines_world, table_world
from tests.synth.packs.terminal.families import (
    WORLDS,
    applied,
    apply_skill,
    document_world,
    families,
    output,
    predicted,
)


@pytest.mark.parametrize(("name", "scenario"), families("text"))
def test_every_way_and_slip_of_a_text_skill_does_what_is_predicted(name: str, scenario: str) -> None:
    found = applied(name, WORLDS[scenario], 1, "bytes")
    assert len(found.asks) >= 4
    assert all(len(act.why) >= 3 for way in found.ways for act in way.acts)


def test_distinct_lines_are_in_code_point_order() -> None:
    assert output(applied("text-sort-unique", lines_world("b", "a", "B", "b", "ä"))) == "B\na\nb\nä\n"


def test_a_list_that_is_sorted_and_distinct_is_not_sorted_again() -> None:
    assert apply_skill("text-sort-unique", lines_world("a", "b", "c", "d")) is None


def test_ties_of_counts_go_by_value() -> None:
    found = applied("text-count-values", lines_world("b", "a", "c", "a", "b", "x y"))
    assert output(found) == "2 a\n2 b\n1 c\n1 x y\n"
    assert found.rules


def test_first_characters_are_counted_with_case() -> None:
    lines = ("ab", "Ac", "b", "ax", "B", "ay", "az", "bx")
    assert output(applied("text-first-letters", lines_world(*lines))) == "1 A\n1 B\n4 a\n2 b\n"


def test_two_lists_are_compared_by_whole_lines() -> None:
    from tests.synth.packs.states import file_world
    from trajmill.synth.packs.facts import Lines

    lines = ("a.c", "abc", "b", "b", "d")
    world = file_world(
        "mine.txt", "".join(f"{v}\n" for v in lines), "value-list", Lines(lines), known_txt="a.c\nb\ne\n"
    )
    results = {output(predicted("text-compare-lists", world, seed)) for seed in range(6)}
    assert results == {"a.c\nb\n", "abc\nd\n"}


def test_figures_of_numbers_are_exact() -> None:
    found = applied("number-list-stats", lines_world("0.1", "0.2", "0.3", "10", "9", scenario="number-list"))
    assert json.loads(output(found)) == {"count": 5, "min": 0.1, "max": 10, "sum": 19.6, "median": 0.3}


def test_the_median_of_an_even_number_of_values_is_between_the_middle_two() -> None:
    found = applied("number-list-stats", lines_world("1", "2", "5", "10", "9", "7", scenario="number-list"))
    assert json.loads(output(found))["median"] == 6
    assert found.rules


def test_numbers_are_reported_with_stated_decimals() -> None:
    found = applied("number-list-report", lines_world("1.5", "2", "10.25", "3", "4", scenario="number-list"))
    assert [line.split(": ")[1] for line in output(found).splitlines()] == ["5", "1.5", "10.25", "20.75", "4.15"]


def test_numbers_are_not_sorted_as_text() -> None:
    found = applied("number-list-sort", lines_world("10", "9", "100", "9", "-1", scenario="number-list"))
    assert output(found) in ("-1\n9\n10\n100\n", "100\n10\n9\n-1\n")


def test_text_that_is_no_number_is_no_number_list() -> None:
    assert apply_skill("number-list-stats", lines_world("1", "2", "x", "4", "5", scenario="number-list")) is None


def test_blank_lines_are_numbered_too() -> None:
    found = applied("text-number-lines", lines_world("a", "", "b", scenario="plain-text"))
    assert [line[0] for line in output(found).splitlines()] == ["1", "2", "3"]


def test_a_slice_includes_both_ends() -> None:
    lines = tuple(f"row {n}" for n in range(1, 13))
    found = applied("text-slice-lines", lines_world(*lines, scenario="plain-text"))
    kept = output(found).splitlines()
    assert list(kept) == list(lines[lines.index(kept[0]) : lines.index(kept[-1]) + 1])
    assert kept[0].removeprefix("row ") in found.asks[0]


def test_words_are_counted_without_case() -> None:
    text = ("A b c d", "a B e f g", "a h i j k l m n") * 2
    found = applied("text-top-words", lines_world(*text, scenario="plain-text"), seed=1)
    assert output(found).splitlines()[:3] == ["6 a", "4 b", "2 c"]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("text-sort-unique", ("b", "a", "c", "d")),
        ("text-first-letters", ("10.5", "12", "20", "21", "3")),
        ("text-top-words", ("Jan 1 2000", "Feb 1 2000", "Mar 1 2000") * 6),
        ("text-top-words", ("A LONG ROAD", "A SHORT ROAD", "THE END OF IT ALL", "NO WAY OUT", "I DO", "WE DID") * 2),
        ("text-replace-word", ("data/Bonn.csv", "data/Ulm.csv", "notes/Bonn.txt", "a", "b", "c")),
        ("text-change-case", ("2000-01-01", "2000-01-02", "a", "2000-01-03")),
    ],
)
def test_what_would_say_nothing_is_not_asked(name: str, lines: tuple[str, ...]) -> None:
    assert all(apply_skill(name, lines_world(*lines, scenario="value-list"), seed) is None for seed in range(6))


def test_only_whole_words_are_replaced() -> None:
    lines = ("Rhine and Rhineland", "the Rhine, my Rhine", "streams", "Rhineland", "none", "other")
    texts = {
        output(predicted("text-replace-word", lines_world(*lines, scenario="plain-text"), seed)) for seed in range(12)
    }
    assert any("Rhineland" in text and " Rhine," not in text for text in texts)


def test_a_markdown_table_has_heading_dashes_and_rows() -> None:
    found = applied("text-report-markdown", table_world("a,b\nx,1\ny,2\n", scenario="group-summary"))
    assert output(found).splitlines()[1:] == ["", "| a | b |", "| --- | --- |", "| x | 1 |", "| y | 2 |"]


def test_figures_become_a_bulleted_list_in_order_of_their_names() -> None:
    found = applied("json-summary-report", document_world({"b": 2, "a": 10}, "json-summary"))
    assert [line[2:] for line in output(found).splitlines()] == ["a: 10", "b: 2"]


def test_values_with_blanks_survive_the_way_from_tally_to_table() -> None:
    found = applied("text-tally-to-csv", lines_world("4 the river", "2 bank", scenario="word-tally"))
    assert output(found).splitlines()[1:] == ["the river,4", "bank,2"]
