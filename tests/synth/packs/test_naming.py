from __future__ import annotations

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.synth.handmade import a_draw, world_with
from trajmill.schemas.tree import FileEntry, require_relative
from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.naming import folder_of, mkdir_first, needs_folder, place_input, place_output, sh, slug, stem

STATE = world_with("data/fruit.txt", Lines(("a",)))
PLAIN = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=20)


@given(PLAIN)
def test_a_path_is_one_shell_word_and_no_option(path: str) -> None:
    (word,) = shlex.split(sh(path))
    assert word in (path, f"./{path}")
    assert not word.startswith("-")


def test_the_shell_reads_the_path_back() -> None:
    for path in ("a b.txt", "it's.txt", "$HOME", "-rf", "*.csv", "`id`", 'say "hi"', "#x"):
        done = subprocess.run(["bash", "-c", f"printf %s {sh(path)}"], capture_output=True, text=True, check=True)
        assert done.stdout.removeprefix("./") == path


@given(PLAIN, st.integers(4, 30))
def test_a_slug_is_a_short_plain_name(text: str, most: int) -> None:
    made = slug(text, most=most)
    assert made == "value" or 0 < len(made) <= most
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789_")
    assert not made.startswith("_")
    assert not made.endswith("_")


def test_a_slug_ends_at_a_word() -> None:
    assert slug("Average temperature of Seattle") == "average_temperature_of"
    assert slug("---") == "value"


@pytest.mark.parametrize(
    ("path", "expected"),
    [("data/airports.csv", "airports"), ("a.tar.gz", "a"), (".env", ".env"), ("x", "x")],
)
def test_a_stem_has_no_folder_and_no_endings(path: str, expected: str) -> None:
    assert stem(path) == expected


def test_the_folder_of_a_path() -> None:
    assert (folder_of("a/b/c"), folder_of("c")) == ("a/b", "")


def test_an_input_keeps_its_own_name() -> None:
    places = {place_input("deep/down/fruit.txt", a_draw(seed)) for seed in range(40)}
    assert "fruit.txt" in places
    assert len(places) > 2
    assert all(place.rsplit("/", 1)[-1] == "fruit.txt" for place in places)


def test_an_output_never_takes_a_place_that_is_used() -> None:
    state = STATE
    for seed in range(60):
        path = place_output(state, a_draw(seed), ("sorted", "ordered"), ".txt")
        require_relative(path)
        assert not state.holds(path)
        state = state.wrote(path, b"x\n", "list", Lines(("x",)))


def test_an_output_lies_in_no_file() -> None:
    state = STATE.changed({name: FileEntry(b"") for name in ("out", "output", "results", "build")})
    assert all("/" not in place_output(state, a_draw(seed), ("a",), ".txt") for seed in range(40))


def test_a_missing_folder_is_made_first() -> None:
    assert needs_folder(STATE, "out/a.txt")
    assert not needs_folder(STATE, "data/a.txt")
    assert not needs_folder(STATE, "a.txt")
    assert mkdir_first(STATE, "out x/a.txt", "true") == "mkdir -p 'out x' && true"
    assert mkdir_first(STATE, "data/a.txt", "true") == "true"
