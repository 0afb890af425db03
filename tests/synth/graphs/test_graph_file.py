from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import orjson
import pytest

from trajmill.schemas.errors import InputError
from trajmill.schemas.graph import Scenario, Skill
from trajmill.synth.graphs.graph_file import encode_graph, read_graph, write_graph
from trajmill.synth.graphs.skill_graph import SkillGraph, build_graph


def make_graph() -> SkillGraph:
    scenarios = [Scenario(name, f"Zustand {name} \u2013 da", "text") for name in "abcd"]
    return build_graph(
        scenarios,
        [Skill("sort", "text", "Sort.", (("a", "b"), ("a", "c"))), Skill("idle", "csv", "Nothing.", ())],
    )


def test_a_graph_comes_back_from_its_file(tmp_path: Path) -> None:
    write_graph(make_graph(), tmp_path / "g.json")
    assert read_graph(tmp_path / "g.json") == make_graph()
    assert (tmp_path / "g.json").read_bytes() == encode_graph(make_graph())
    assert [path.name for path in tmp_path.iterdir()] == ["g.json"]


def test_networkx_reads_the_file_as_it_is() -> None:
    network = nx.node_link_graph(orjson.loads(encode_graph(make_graph())), edges="edges")
    assert isinstance(network, nx.MultiDiGraph)
    assert sorted(network.edges(keys=True)) == [("a", "b", "sort"), ("a", "c", "sort")]
    assert network.nodes["a"]["domain"] == "text"


def change_title(document: Any) -> None:
    document["nodes"][0]["title"] = "other"


def change_summary(document: Any) -> None:
    document["graph"]["skills"][0]["summary"] = "other"


def drop_edge(document: Any) -> None:
    document["edges"].pop()


def change_id(document: Any) -> None:
    document["graph"]["id"] = "graph-" + "0" * 16


def add_key(document: Any) -> None:
    document["nodes"][1]["colour"] = "red"


def add_stranger(document: Any) -> None:
    document["edges"].append({"source": "a", "target": "b", "key": "unknown"})


def lose_node(document: Any) -> None:
    document["nodes"].pop(0)


def change_format(document: Any) -> None:
    document["graph"]["format"] = "other"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (change_title, "its scenarios do not match"),
        (change_summary, "its skills do not match"),
        (drop_edge, "its edges do not match"),
        (change_id, "says that it is graph-0000"),
        (add_key, r"breaks the schema of skill graphs at \$.nodes\[1\]"),
        (add_stranger, "skill 'unknown', which it does not list"),
        (lose_node, "is damaged: Skill 'sort' names a scenario that is not there: 'a'"),
        (change_format, "not a skill graph"),
    ],
)
def test_a_changed_file_is_refused_and_the_difference_named(
    tmp_path: Path, change: Callable[[Any], None], said: str
) -> None:
    document = orjson.loads(encode_graph(make_graph()))
    change(document)
    path = tmp_path / "g.json"
    path.write_bytes(orjson.dumps(document))
    with pytest.raises(InputError, match=said) as error:
        read_graph(path)
    assert str(path) in error.value.message


def test_a_file_that_is_cut_or_missing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    with pytest.raises(InputError, match="cannot be read"):
        read_graph(path)
    path.write_bytes(encode_graph(make_graph())[:-40])
    with pytest.raises(InputError, match="is not JSON"):
        read_graph(path)


def test_a_file_that_holds_something_else_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(InputError, match="nothing was written"):
        write_graph(make_graph(), path)
    assert path.read_text() == "mine"
