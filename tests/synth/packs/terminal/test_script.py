import pytest

from tests.synth.packs.states import table_world
from tests.synth.packs.terminal.families import TABLE, WORLDS, applied, apply_skill, assert_prints, families, output

WRITING = [f for f in families("scripts") if f[0] != "script-run"]


@pytest.mark.parametrize(("name", "scenario"), WRITING)
def test_every_script_prints_the_right_text_for_files_it_has_not_seen(name: str, scenario: str) -> None:
    world = WORLDS[scenario]
    found = applied(name, world)
    assert_prints(found, world)
    assert len(found.asks) >= 4


def test_hidden_cases_include_a_file_without_rows() -> None:
    found = applied("script-sum-column", WORLDS["csv-table"])
    cases = next(c for c in found.checks if c.kind == "run").params["cases"]
    assert any(len(text.splitlines()) == 1 for case in cases for text in case["files"].values())


def test_a_script_must_be_executable() -> None:
    found = applied("script-count-matching", WORLDS["csv-table"])
    assert next(c for c in found.checks if c.kind == "run").params["executable"] is True


def test_a_quoted_table_is_no_ground_for_a_line_script() -> None:
    assert apply_skill("script-count-matching", table_world('a,b\n"x,y",1\n"x,y",2\nz,3\nz,4\nq,5\nq,6\n')) is None


def test_running_a_script_keeps_what_it_prints() -> None:
    assert len(TABLE.splitlines()) == 7
    assert output(applied("script-run", WORLDS["shell-script"])) == "7\n"
