import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from trajmill.flows.cli import graph as graph_commands
from trajmill.flows.cli.graph import app
from trajmill.schemas.errors import ConfigError, InputError
from trajmill.schemas.graph import Scenario, Skill
from trajmill.synth.graphs.graph_file import write_graph
from trajmill.synth.graphs.skill_graph import build_graph

RUNNER = CliRunner(env={"COLUMNS": "80"})


def make_file(folder: Path) -> Path:
    skills = [Skill(f"k{a}{d}", "csv", "Does.", ((f"s{a}", f"s{(a + d) % 8}"),)) for a in range(8) for d in (1, 2)]
    write_graph(build_graph([Scenario(f"s{n}", f"State {n}", "csv") for n in range(8)], skills), folder / "g.json")
    return folder / "g.json"


def run(*arguments: object) -> Result:
    return RUNNER.invoke(app, [str(argument) for argument in arguments])


def test_build_writes_a_pack_and_show_counts_it(tmp_path: Path) -> None:
    built = run("build", "--pack", "terminal", "--out", tmp_path / "g.json", "--json")
    assert built.exit_code == 0
    shown = run("show", tmp_path / "g.json", "--json")
    assert json.loads(shown.output)["statistics"] == json.loads(built.output)["statistics"]
    assert json.loads(run("show", "--pack", "terminal", "--json").output) == json.loads(shown.output)


def test_show_prints_tables_that_fit_80_columns_and_draws(tmp_path: Path) -> None:
    result = run("show", make_file(tmp_path), "--svg", tmp_path / "g.svg")
    assert result.exit_code == 0
    assert "dead ends" in result.output
    tables = [line for line in result.output.splitlines() if not line.startswith("Picture")]
    assert max(len(line) for line in tables) <= 80
    assert (tmp_path / "g.svg").read_text().startswith("<svg")


def test_sample_prints_paths_and_coverage(tmp_path: Path) -> None:
    result = run("sample", make_file(tmp_path), "--paths", 6, "--length", "2-3", "--start", "s1", "--avoid", "k11")
    assert result.exit_code == 0
    assert "s1 --k12--> s3" in result.output
    assert "Coverage beside a plain random walk" in result.output


def test_a_sample_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    file = make_file(tmp_path)
    run("sample", file, "--paths", 5, "--out", tmp_path / "a.json")
    refused = run("sample", file, "--paths", 9, "--out", tmp_path / "a.json")
    assert isinstance(refused.exception, InputError)
    assert run("sample", file, "--paths", 9, "--out", tmp_path / "a.json", "--resume").exit_code == 0
    assert run("sample", file, "--paths", 9, "--out", tmp_path / "b.json").exit_code == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_length_weights_reach_the_sampler(tmp_path: Path) -> None:
    weights = ["--length-weight", "1=1", "--length-weight", "3=1"]
    result = run("sample", make_file(tmp_path), "--paths", 6, *weights, "--json")
    assert sorted(len(path["skills"]) for path in json.loads(result.output)["paths"]) == [1, 1, 1, 3, 3, 3]


def test_a_sample_without_any_path_exits_with_1_and_says_why(tmp_path: Path) -> None:
    result = run("sample", make_file(tmp_path), "--paths", 3, "--length", "1", "--start", "s0", "--goal", "s5")
    assert result.exit_code == 1
    assert "No walk of this length in the graph meets the constraints." in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--length", "x"], "A length is 'x'"),
        (["--length-weight", "3"], "--length-weight is '3'"),
        (["--use", "k1O"], "no skill or scenario 'k1O'. Did you mean"),
        (["--resume"], "--resume needs --out"),
    ],
)
def test_wrong_options_give_one_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    result = run("sample", make_file(tmp_path), "--paths", 3, *arguments)
    assert isinstance(result.exception, ConfigError)
    assert said in str(result.exception)


def test_either_a_file_or_a_pack_must_be_named() -> None:
    assert isinstance(run("show").exception, ConfigError)
    wrong = run("show", "--pack", "terminl")
    assert "Did you mean 'terminal'?" in str(wrong.exception)
    assert set(graph_commands.PACKS) == {"terminal"}
