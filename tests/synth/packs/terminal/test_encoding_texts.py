"""Texts in other encodings and with other line ends."""

import pytest

from tests.synth.packs.states import draw, file_world, lines_after, lines_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.facts import Text
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.state import World
from trajmill.synth.packs.terminal.encoding_lines import line_range, non_ascii_lines
from trajmill.synth.packs.terminal.encoding_starts import encode_text
from trajmill.synth.packs.terminal.encoding_texts import to_crlf, to_latin1, to_utf8, to_utf16

BODY = "Ålesund\nOslo\nTromsø\nBergen\nVoss\nBodø\nHamar\nRøros\nMoss\n"
FORMS = [
    ("latin-1", "\n"),
    ("latin-1", "\r\n"),
    ("utf-16", "\n"),
    ("utf-16", "\r\n"),
    ("utf-8", "\r\n"),
    ("utf-8-sig", "\n"),
    ("utf-8-sig", "\r\n"),
]


def text_world(encoding: str, newline: str, body: str = BODY) -> World:
    facts = Text(body, encoding, newline)
    return file_world("names.txt", encode_text(facts), "some-text", facts)


@pytest.mark.parametrize(("encoding", "newline"), FORMS)
def test_every_form_becomes_plain_utf8_in_every_way(encoding: str, newline: str) -> None:
    world = text_world(encoding, newline)
    for seed in (1, 2):
        application = to_utf8(world.state, draw(seed))
        assert application is not None
        assert application.after.data(application.outputs[0]) == BODY.encode()
        assert_ways(application, world)


def test_plain_utf8_needs_no_conversion() -> None:
    assert to_utf8(text_world("utf-8", "\n").state, draw()) is None


@pytest.mark.parametrize(
    ("skill", "data"),
    [
        (to_crlf, BODY.replace("\n", "\r\n").encode()),
        (to_utf16, BODY.encode("utf-16")),
        (to_latin1, BODY.encode("latin-1")),
    ],
)
def test_plain_utf8_becomes_every_form_in_every_way(skill: Apply, data: bytes) -> None:
    world = text_world("utf-8", "\n")
    for seed in (1, 2):
        application = skill(world.state, draw(seed))
        assert application is not None
        assert application.after.data(application.outputs[0]) == data
        assert_ways(application, world)


def test_text_that_latin1_lacks_stays_utf8() -> None:
    assert to_latin1(text_world("utf-8", "\n", "Łódź\nOslo\n").state, draw()) is None


def test_lists_are_texts_too() -> None:
    assert to_crlf(lines_world("b", "a", "d", "c").state, draw()) is not None


def test_a_line_or_three_are_not_worth_another_encoding() -> None:
    for skill in (to_crlf, to_utf16):
        assert skill(lines_world("17", "4", "x").state, draw()) is None


def test_a_stretch_of_lines_includes_both_ends() -> None:
    world = text_world("utf-8", "\n")
    for seed in range(6):
        application = line_range(world.state, draw(seed))
        assert application is not None
        words = application.asks[0].split()
        assert lines_after(application) == tuple(BODY.split("\n")[int(words[2]) - 1 : int(words[4])])
        assert_ways(application, world)


def test_lines_beyond_ascii_are_found() -> None:
    world = text_world("utf-8", "\n")
    application = non_ascii_lines(world.state, draw())
    assert lines_after(application) == ("Ålesund", "Tromsø", "Bodø", "Røros")
    for seed in (1, 2):
        again = non_ascii_lines(world.state, draw(seed))
        assert again is not None
        assert_ways(again, world)
