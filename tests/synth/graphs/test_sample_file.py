from pathlib import Path

import pytest

from trajmill.schemas.errors import InputError
from trajmill.schemas.graph import Scenario, Skill
from trajmill.synth.graphs.sample_file import read_sample, write_sample
from trajmill.synth.graphs.sample_records import Sample, SampleSpec
from trajmill.synth.graphs.sampler import sample_paths
from trajmill.synth.graphs.skill_graph import build_graph


def make_sample() -> Sample:
    graph = build_graph(
        [Scenario(name, name, "text") for name in "abc"],
        [Skill("up", "text", "", (("a", "b"),)), Skill("on", "text", "", (("b", "c"),))],
    )
    return sample_paths(graph, SampleSpec(paths=9, longest=2, tries=5, length_mix=((1, 1.0), (2, 0.5))))


def test_a_sample_comes_back_from_its_file(tmp_path: Path) -> None:
    write_sample(make_sample(), tmp_path / "s.json", replace=False)
    assert read_sample(tmp_path / "s.json") == make_sample()


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("mine")
    with pytest.raises(InputError, match="nothing was written"):
        write_sample(make_sample(), tmp_path / "s.json", replace=False)
    assert (tmp_path / "s.json").read_text() == "mine"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"up"', '"down"', "does not match its id"),
        ('"index": 0', '"index": 5', "state says"),
        ("trajmill-path-sample", "other", "not a path sample"),
        ('"shortest"', '"shorter"', "damaged"),
        ('"format"', "format", "is not JSON"),
    ],
)
def test_a_changed_file_is_refused_by_name(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "s.json"
    write_sample(make_sample(), path, replace=False)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(InputError, match=said) as error:
        read_sample(path)
    assert str(path) in error.value.message
