from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.flows.builders import UNIQUE_STEPS, trajectory, unique_task
from trajmill.flows import variety
from trajmill.flows.variety import Attempt, attempt_of, grams, mask, mask_all, measure, names_in
from trajmill.schemas.formats.atif import to_atif
from trajmill.schemas.row_steps import step_row
from trajmill.schemas.tree import FileEntry, Tree


def attempt(task: str, text: str, source: str = "a") -> Attempt:
    return Attempt(task, (source,), text)


def test_numbers_names_and_contents_make_no_difference() -> None:
    one = "I sort `cars.csv` by the 3rd column. sort -t, -k3 cars.csv | head -n 10 > out/top.csv"
    two = "I sort `trees.tsv` by the 4th column. sort -t, -k4 trees.tsv | head -n 25 > best/last.csv"
    assert mask(one) == mask(two)


def test_a_program_in_quotes_makes_no_difference() -> None:
    assert mask("awk '$3 > 5' f.csv") == mask("awk 'NR > 1 { print }' g.csv")


def test_the_code_of_a_heredoc_stays_and_its_literals_go() -> None:
    python = "python3 - <<'EOF'\nimport csv\nprint({})\nEOF"
    assert mask(python.format('"a"')) == mask(python.format("'b c'"))
    assert mask(python.format('"a"')) != mask(python.format("1 + sum"))


def test_a_number_with_a_unit_is_a_number() -> None:
    assert mask("10MB in the 3rd of 12.5 runs") == ["0", "mb", "in", "the", "0", "of", "0", "runs"]


def test_other_words_make_a_difference() -> None:
    assert mask("I sort it.") != mask("I count it.")


def test_names_of_all_workspaces_are_masked_in_every_trajectory() -> None:
    texts = [attempt("t1", "keep state rows"), attempt("t2", "keep country rows")]
    words = mask_all(texts, {"state", "country"})
    assert words[0] == words[1] == ["keep", "N", "rows"]


def test_a_word_of_few_sources_is_a_value() -> None:
    texts = [attempt(f"t{n}", f"keep {word} rows", f"s{n}") for n, word in enumerate(("Texas", "Ohio", "Utah", "Ohio"))]
    assert {tuple(words) for words in mask_all(texts, ())} == {("keep", "N", "rows")}


def test_names_are_those_of_files_columns_and_keys() -> None:
    files = Tree(
        {"seattle-weather.csv": FileEntry(b"date,temp_max\n1,Rainy\n"), "a.json": FileEntry(b'{"origin": "US"}')}
    )
    assert {"seattle", "weather", "date", "temp", "max", "origin"} <= names_in(files)
    assert "rainy" not in names_in(files)


def test_thoughts_and_commands_are_compared_but_not_what_was_seen() -> None:
    document = to_atif(trajectory(unique_task(), UNIQUE_STEPS))
    text = attempt_of("task", ["a"], [step_row(step) for step in document["steps"]]).text
    assert "I drop the duplicates." in text
    assert "uniqq trees.csv > unique.csv" in text
    assert "command not found" not in text
    assert "You work in a shell." not in text


def test_the_most_frequent_sequence_is_counted() -> None:
    found = measure([attempt("t1", "sort a 1"), attempt("t2", "sort a 2"), attempt("t3", "count it")], ())
    assert (found.commonest, found.sequences) == (2, 2)
    assert found.commonest_share == 2 / 3


def test_pairs_of_one_task_do_not_count() -> None:
    same = "one two three four five six seven"
    found = measure(
        [attempt("t1", same), attempt("t1", same), attempt("t2", same), attempt("t3", "all else here now ok yes")], ()
    )
    assert (found.pairs, found.pairs_alike) == (5, 2)


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=12), min_size=2, max_size=8))
def test_alike_pairs_are_those_of_the_plain_rule(texts: list[list[str]]) -> None:
    found = variety._pairs([(str(n), grams(words)) for n, words in enumerate(texts)])
    sets = [{tuple(words[i : i + 5]) for i in range(max(1, len(words) - 4))} for words in texts]
    plain = [len(a & b) / len(a | b) for n, a in enumerate(sets) for b in sets[:n]]
    assert found == (len(plain), sum(share > 0.8 for share in plain))


def test_many_trajectories_are_drawn_with_the_seed_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variety, "EXACT_UP_TO", 30)
    texts = [attempt(f"t{n}", f"word{n} and so on it goes") for n in range(40)]
    found = measure(texts, ())
    assert (found.compared, found.pairs, found.sample_seed) == (30, 435, variety.SAMPLE_SEED)
    assert found == measure(texts, ())


def test_seven_hundred_trajectories_take_seconds() -> None:
    rng = random.Random(1)
    words = [f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(300)]
    texts = [attempt(f"t{n // 3}", " ".join(rng.choices(words, k=150)), f"s{n % 20}") for n in range(700)]
    began = time.process_time()
    measure(texts, ())
    assert time.process_time() - began < 20
