"""INI, dotenv, TOML and the YAML scalars that mean two things."""

from __future__ import annotations

from pathlib import Path

import pytest

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.settings import looks_like_env, looks_like_ini, read_env, read_ini, read_toml
from trajmill.schemas.content.yaml_scalars import scan_yaml

CASES = Path(__file__).parents[2] / "cases" / "files"


def lines(name: str) -> tuple[str, ...]:
    return tuple((CASES / name).read_text().splitlines())


def test_ini_values_are_as_written_and_repetitions_are_noted() -> None:
    ini = read_ini(lines("settings.ini"))
    assert ini.get("paths", "log") == "%(base)s/log"
    assert [(n.code, n.place, n.detail) for n in ini.notes[:2]] == [
        ("duplicate_section", "lines 2, 10", "server"),
        ("duplicate_option", "lines 11, 12", "port/Port"),
    ]
    with pytest.raises(KeyError, match="3 options"):
        ini.get("server", "port")


def test_a_clean_ini_has_no_notes() -> None:
    ini = read_ini(("[a]", "x = 1", "y: two words", "# comment", "[b]", "x = 3"))
    assert ini.notes == ()
    assert (ini.get("a", "X"), ini.get("a", "y"), ini.get("b", "x")) == ("1", "two words", "3")


def test_prose_is_no_ini() -> None:
    assert not looks_like_ini(("[note]", "just a sentence"))
    with pytest.raises(ContentError, match="line 2"):
        read_ini(("[note]", "just a sentence"))


def test_dotenv_values_lose_quotes_and_nothing_else() -> None:
    settings = {s.name: s.value for s in read_env(lines("prod.env"))}
    assert len(settings) == 5
    assert settings["GREETING"] == "hello # not a comment"
    assert settings["EMPTY"] == ""
    assert read_env(("A=x # comment", "B='it' # comment", "C=a#b"))[0].value == "x"
    assert [s.value for s in read_env(("A='' # c", "B=a#b", "C= # c"))] == ["", "a#b", ""]


@pytest.mark.parametrize("bad", ["no equals", "A='open", "A='x' y", "1A=x"])
def test_other_lines_are_no_dotenv(bad: str) -> None:
    with pytest.raises(ContentError, match="line 1"):
        read_env((bad,))
    assert not looks_like_env((bad, "B=1", "C=2"))


def test_toml_errors_are_content_errors() -> None:
    assert read_toml("a = 1") == {"a": 1}
    with pytest.raises(ContentError) as caught:
        read_toml("a = ")
    assert caught.value.code == "not_toml"


def test_yaml_scalars_that_differ_between_versions_are_told_apart() -> None:
    scalars = {s.path: s for s in scan_yaml(lines("norway.yaml"))}
    differs = {path: s.differs for path, s in scalars.items() if s.differs}
    assert differs == {
        "$.stores[0].country": "NO is false in YAML 1.1",
        "$.stores[0].code": "0123 is 83 in YAML 1.1",
        "$.stores[0].opens": "10:30 is 630 in YAML 1.1",
        "$.on": "key on is true in YAML 1.1",
        "$.audited": "yes is true in YAML 1.1",
    }
    assert scalars["$.release"].lossy == "1.10 becomes 1.1"
    assert [p for p, s in scalars.items() if s.safe] == [
        "$.stores[0].tax",
        "$.stores[1].country",
        "$.stores[1].code",
        "$.stores[1].opens",
        "$.stores[1].tax",
        "$.closed",
        "$.note",
        "$.count",
    ]


def test_yaml_paths_follow_nesting_lists_and_quotes() -> None:
    text = ("---", "a:", "  b: 'no' # text", "  c:", "  - x", "  - k: 1", "    z: 2", "  e: 3", 'd: "#"')
    scalars = [(s.path, s.text, s.safe) for s in scan_yaml(text)]
    assert scalars == [
        ("$.a.b", "no", True),
        ("$.a.c[0]", "x", True),
        ("$.a.c[1].k", "1", True),
        ("$.a.c[1].z", "2", True),
        ("$.a.e", "3", True),
        ("$.d", "#", True),
    ]


@pytest.mark.parametrize(
    "line", ["a: [1, 2]", "a: &x 1", "a: !!str 1", "a: |", "a: *x", "\ta: 1", "- x", "just text", "..."]
)
def test_yaml_beyond_plain_blocks_is_not_scanned(line: str) -> None:
    with pytest.raises(ContentError) as caught:
        scan_yaml(("k: v", line))
    assert caught.value.code == "yaml_not_scanned"
