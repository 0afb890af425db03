from xml.etree import ElementTree

import pytest

from trajmill.schemas.graph import Scenario, Skill
from trajmill.synth.graphs.picture import MOST_DOMAINS, MOST_LETTERS, draw_svg
from trajmill.synth.graphs.skill_graph import SkillGraph, build_graph

SVG = "{http://www.w3.org/2000/svg}"


def make_graph(size: int, domains: int) -> SkillGraph:
    scenarios = [Scenario(f"s{n:03}", f"State <{n}> & more", f"domain {n % domains}") for n in range(size)]
    pairs = tuple((f"s{n:03}", f"s{(n * 7 + 1) % size:03}") for n in range(size))
    return build_graph(scenarios, [Skill("move", "domain 0", "Move.", pairs)] if size else [])


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize(("size", "domains"), [(0, 1), (1, 1), (5, 2), (200, 12), (900, 12), (900, 80)])
def test_every_size_gives_well_formed_svg_and_the_same_bytes(size: int, domains: int) -> None:
    graph = make_graph(size, domains)
    svg = draw_svg(graph)
    assert ElementTree.fromstring(svg).tag == f"{SVG}svg"
    assert svg == draw_svg(graph)


def test_a_small_graph_shows_every_scenario_by_its_title() -> None:
    shown = texts(draw_svg(make_graph(40, 5)))
    assert all(f"State <{n}> & more" in shown for n in range(40))


def test_a_large_graph_shows_its_domains_only() -> None:
    shown = texts(draw_svg(make_graph(900, 12)))
    assert "domain 3 (75)" in shown
    assert not any("State" in text for text in shown)
    many = texts(draw_svg(make_graph(900, 80)))
    assert sum("(" in text for text in many) == MOST_DOMAINS


def test_a_long_title_is_cut_and_whole_under_the_pointer() -> None:
    title = "word " * 40 + "end"
    svg = draw_svg(build_graph([Scenario("a", title, "d")], []))
    assert max(len(text) for text in texts(svg)[1:]) <= MOST_LETTERS
    assert title in svg


def test_labels_and_marks_lie_inside_the_canvas() -> None:
    root = ElementTree.fromstring(draw_svg(make_graph(120, 7)))
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter(f"{SVG}text"):
        assert 0 <= float(element.attrib["x"]) <= wide
        assert 0 <= float(element.attrib["y"]) <= high
