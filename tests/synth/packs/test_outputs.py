"""What a model of a skill writes is what its own check accepts, byte for byte and value for value."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from tests.synth.handmade import a_draw, world_with
from tests.verifiers.evidence import look
from trajmill.schemas.content.tables import Dialect, Table, make_table
from trajmill.synth.packs import expect
from trajmill.synth.packs.facts import Document, Lines, Records
from trajmill.synth.packs.outputs import (
    Written,
    awkable,
    literal,
    python_way,
    write_json,
    write_json_lines,
    write_lines,
    write_records,
    write_table,
)
from trajmill.synth.packs.standing import LINES_BYTES, TABLE_BYTES

STATE = world_with("in.txt", Lines(("a",)))
LOOSE, STRICT = a_draw(1), a_draw(1, strictness="bytes")
TABLE = make_table(["name", "note"], [["pear", 'a "b", c'], ["fig", ""], ["ä", "two\nlines"]])
ROWS: list[dict[str, Any]] = [{"a": Decimal("1.50"), "b": None}, {"a": 10**20, "b": "ä\n"}]


def accepts(written: Written, data: bytes) -> bool:
    check = written.check
    return look(check.kind, check.params, {check.needs[0]: data}).passed


def all_written() -> list[Written]:
    return [
        *(write_table(STATE, draw, "out.csv", TABLE, "t") for draw in (LOOSE, STRICT)),
        *(write_table(STATE, draw, "out.csv", TABLE, "t", header=False) for draw in (LOOSE, STRICT)),
        *(write_table(STATE, draw, "out.csv", TABLE, "t", ordered=False) for draw in (LOOSE, STRICT)),
        *(write_lines(STATE, draw, "out.txt", ["b", "", "ä"], "l") for draw in (LOOSE, STRICT)),
        *(write_lines(STATE, draw, "out.txt", [], "l") for draw in (LOOSE, STRICT)),
        write_json(STATE, "out.json", {"x": [1, Decimal("2.0"), "ä"]}, "j"),
        write_records(STATE, "out.json", ROWS, "r"),
        write_json_lines(STATE, "out.jsonl", ROWS, "r"),
    ]


@pytest.mark.parametrize("written", all_written(), ids=lambda w: f"{w.check.kind} {w.state.focus.path}")
def test_the_models_own_bytes_pass_and_an_empty_or_other_file_does_not(written: Written) -> None:
    data = written.state.data(written.state.focus.path)
    assert accepts(written, data)
    assert not accepts(written, data + b"more\n")
    assert not data or not accepts(written, b"")
    assert not look(written.check.kind, written.check.params, {}).passed


def test_content_forgives_layout_and_states_no_rule() -> None:
    table = write_table(STATE, LOOSE, "out.csv", TABLE, "t")
    assert accepts(table, table.state.data("out.csv").replace(b"fig,", b'"fig",""'))
    assert table.rules == ()
    assert not table.state.exact("out.csv")


def test_bytes_forgive_nothing_and_state_one_rule() -> None:
    table, lines = write_table(STATE, STRICT, "out.csv", TABLE, "t"), write_lines(STATE, STRICT, "o.txt", ["a"], "l")
    assert not accepts(table, table.state.data("out.csv").replace(b"fig,", b'"fig",""'))
    assert not accepts(lines, b"a")
    assert table.rules[0] in TABLE_BYTES.single
    assert lines.rules[0] in LINES_BYTES.single
    assert table.state.exact("out.csv")


def test_rows_whose_order_does_not_matter_are_never_compared_as_bytes() -> None:
    written = write_table(STATE, STRICT, "out.csv", TABLE, "t", ordered=False)
    assert (written.check.kind, written.rules, written.state.exact("out.csv")) == ("table", (), False)


def test_the_facts_of_what_was_written_are_known() -> None:
    assert write_json(STATE, "a.json", [1], "j").state.focus.facts == Document([1])
    assert write_records(STATE, "a.json", ROWS, "j").state.focus.facts == Records(tuple(ROWS))


def test_line_tools_split_only_plain_tables() -> None:
    def focus(table: Table) -> bool:
        return awkable(write_table(STATE, LOOSE, "t.csv", table, "t").state)

    assert focus(make_table(["a", "b"], [["1", "2"]]))
    assert not focus(TABLE)
    assert not focus(make_table(["a", "b"], [["1", "2"]], Dialect(newline="\r\n")))
    assert not awkable(STATE)


def test_a_script_and_a_literal_come_through_the_shell_as_they_are() -> None:
    assert python_way("\nprint(1)\n") == "python3 - <<'EOF'\nprint(1)\nEOF"
    assert json.loads(literal('ä "x" \\ \n')) == 'ä "x" \\ \n'


BUILDERS = {
    "file": expect.expect_bytes("a", b"\xff"),
    "lines": expect.expect_lines("a", ["x"]),
    "table": expect.expect_table("a", TABLE),
    "json": expect.expect_json("a", 1),
    "json_lines": expect.expect_json_lines("a", [1]),
    "archive": expect.expect_archive("a", "zip", {"x": b"", "y": expect.Same("b")}),
    "checksums": expect.expect_checksums("a", ["b"]),
    "folder": expect.expect_folder("a", {"x": b"", "y": expect.Same("b")}),
    "modes": expect.expect_modes({"a": 0o755}),
    "link": expect.expect_link("a", "b"),
    "absent": expect.expect_absent("a"),
    "sqlite": expect.expect_query("a", "SELECT 1", [[1]]),
    "git": expect.expect_git("a", branch="main"),
    "run": expect.expect_run("a", [{"stdout": "x"}]),
    "unchanged": expect.expect_unchanged({"a": b""}),
}


def test_there_is_a_builder_for_every_kind_of_check() -> None:
    from trajmill.verifiers.checks import KINDS

    assert set(BUILDERS) == set(KINDS)


@pytest.mark.parametrize("kind", BUILDERS)
def test_a_check_says_what_it_reads_and_survives_the_task_record(kind: str) -> None:
    from trajmill.schemas.codec import from_json, to_json
    from trajmill.schemas.task import Check

    check = BUILDERS[kind]
    assert check.kind == kind
    assert check.needs[0] == "a"
    assert json.loads(json.dumps(to_json(check))) == to_json(check)
    assert from_json(Check, to_json(check)).name == check.name
    assert not look(kind, check.params, {}).passed or kind == "absent"
