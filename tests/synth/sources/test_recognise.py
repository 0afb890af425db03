"""Every stored case of cases/files: what it is, what is noted, and what may be done with it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.schemas.content.notes import Note
from trajmill.schemas.ids import canonical_json
from trajmill.synth.sources.found import Found
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.recognise import recognise

CASES = Path(__file__).parents[2] / "cases" / "files"
NAMES = ["a.csv", "a.json", "a.jsonl", "a.yaml", "a.env", "a.ini", "a.log", "a"]
WHOLE_TABLE = {"table", "table_by_position", "table_header"}


def case(name: str) -> Material:
    data = (CASES / name).read_bytes()
    return Material(name, data, recognise(name, data), "")


def places(found: Found, code: str) -> list[str]:
    return [note.place for note in found.notes if note.code == code]


def codes(found: Found) -> set[str]:
    return {note.code for note in found.notes}


def test_semicolons_with_decimal_commas() -> None:
    material = case("semicolons.csv")
    table = material.table()
    assert material.kind == "csv"
    assert (table.dialect.delimiter, len(table.columns), len(table)) == (";", 5, 4)
    assert [c.type for c in table.columns] == ["text", "integer", "decimal_comma", "decimal_comma", "date"]
    assert table.about("Geliefert").format == "%d.%m.%Y"
    assert sum(table.numbers("Lagerwert")) == Decimal("590.30")
    assert material.found.notes == ()


def test_a_byte_order_mark_and_crlf() -> None:
    material = case("bom-crlf.csv")
    table = material.table()
    assert table.header == ("id", "species", "count")
    assert (table.dialect.bom, table.dialect.newline, len(table)) == (True, "\r\n", 3)
    assert sum(table.numbers("count")) == 47
    assert material.found.usable == WHOLE_TABLE | {"strip_bom", "newlines"}
    assert codes(material.found) == {"byte_order_mark"}


def test_quoted_newlines_count_records_not_lines() -> None:
    material = case("quoted-newlines.csv")
    assert (material.found.facts["columns"], material.found.facts["rows"], material.found.facts["lines"]) == (3, 4, 8)
    assert places(material.found, "quoted_newline") == ["lines 2, 5"]
    assert material.found.usable == WHOLE_TABLE
    assert material.table().rows[1][2] == 'Sign says "Pull", door needs a push'


def test_ragged_rows_allow_only_finding_them() -> None:
    found = case("ragged.csv").found
    assert found.facts["rows"] == 5
    assert [n for n in found.notes if n.code == "ragged"] == [
        Note("ragged", "line 3", "3 fields, expected 4"),
        Note("ragged", "line 5", "5 fields, expected 4"),
    ]
    assert found.usable == {"malformed_rows"}


def test_repeated_headers_are_addressed_by_position() -> None:
    material = case("duplicate-headers.csv")
    assert material.found.usable == {"table_by_position"}
    assert Note("duplicate_header", "columns 2 and 3", "amount") in material.found.notes
    assert Note("header_differs_by_case", "columns 2, 3 and 4", "amount, Amount") in material.found.notes
    sums = [sum(int(row[i]) for row in material.table().rows) for i in (1, 2, 3)]
    assert sums == [20, 23, 21]


def test_codes_with_leading_zeros_stay_text() -> None:
    material = case("leading-zeros.csv")
    table = material.table()
    assert [c.type for c in table.columns] == ["text"] * 5 + ["integer"]
    assert sum(table.numbers("weight_g")) == 1333
    assert table.column("parcel") == ("000481", "000482", "000483", "12345678901234567890")
    assert table.column("lot") == ("1E5", "2E3", "7A1", "3E0")


def test_an_empty_file_has_a_note_and_no_skills() -> None:
    found = case("empty.csv").found
    assert (found.kind, found.usable, codes(found)) == ("empty", frozenset(), {"empty"})


def test_a_header_without_rows() -> None:
    material = case("header-only.csv")
    assert len(material.table()) == 0
    assert {c.type for c in material.table().columns} == {"unknown"}
    assert (material.found.facts["columns"], material.found.facts["rows"]) == (5, 0)
    assert material.found.usable == {"table_header"}


def test_tabs_inside_quotes() -> None:
    material = case("quoted-tabs.tsv")
    assert material.kind == "tsv"
    assert material.table().dialect.quoting
    assert (len(material.table().columns), len(material.table())) == (3, 3)
    assert places(material.found, "quoted_delimiter") == ["lines 2, 4"]
    assert material.found.usable == WHOLE_TABLE


def test_lone_quotes_are_characters() -> None:
    material = case("lone-quote.tsv")
    assert material.kind == "tsv"
    assert not material.table().dialect.quoting
    assert len(material.table()) == 4
    assert material.table().column("size")[1:3] == ('"L" shape', '"1/2 inch')
    assert "table_plain" not in material.found.usable


def test_big_numbers_are_not_for_jq() -> None:
    material = case("big-numbers.json")
    assert material.kind == "json"
    assert material.found.usable == {"json"}
    assert places(material.found, "integers_beyond_double") == ["$.entries[0].id", "$.entries[1].id"]
    assert material.found.facts["top"] == "object"
    assert (material.found.facts["records_path"], material.found.facts["rows"]) == ("$.entries", 3)
    assert [e["id"] for e in material.json()["entries"]] == [9007199254740993, 18446744073709551617, 12]


def test_duplicate_keys_take_every_skill_away() -> None:
    found = case("duplicate-keys.json").found
    assert found.kind == "json"
    assert places(found, "duplicate_key") == ["$.retries (lines 3, 5)", "$.limits.per_minute (line 4)"]
    assert found.usable == frozenset()


def test_torn_json_lines() -> None:
    found = case("torn.jsonl").found
    assert (found.kind, found.facts["rows"]) == ("jsonl", 4)
    assert places(found, "blank_line") == ["line 3"]
    assert places(found, "no_final_newline") == ["line 6"]
    torn = next(n for n in found.notes if n.code == "torn_line")
    assert torn.place == "line 6"
    assert torn.detail.startswith("byte 149 to 179")
    assert found.usable == {"broken_lines", "jsonl_skip_broken"}


def test_mixed_endings_allow_only_making_them_one() -> None:
    found = case("mixed-eol.txt").found
    assert (found.kind, found.facts["encoding"], found.facts["lines"], found.facts["newlines"]) == (
        "text",
        "ascii",
        6,
        4,
    )
    assert found.facts["endings"] == {"crlf": 2, "lf": 2, "cr": 1}
    assert found.usable == {"newlines"}


def test_single_byte_umlauts_are_a_guess() -> None:
    material = case("latin1.csv")
    encoding = material.found.encoding
    assert encoding is not None
    assert (encoding.name, encoding.guess, encoding.bad_offset) == ("latin-1", True, 7)
    assert places(material.found, "encoding_guess") == ["byte 7"]
    table = material.table()
    assert (table.header[-1], len(table), sum(table.numbers("länge_km"))) == ("länge_km", 3, 69)
    assert material.found.usable == {"reencode", "table_with_encoding"}


def test_utf_16_is_no_binary() -> None:
    material = case("utf16.csv")
    assert material.kind == "csv"
    table = material.table()
    assert (table.dialect.encoding, table.dialect.bom, table.dialect.newline) == ("utf-16-le", True, "\r\n")
    assert (len(table.columns), len(table), table.rows[1][1]) == (3, 2, "Łódź")
    assert material.found.usable == {"reencode"}


def test_a_log_with_nul_bytes() -> None:
    found = case("nul-run.log").found
    assert (found.kind, found.facts["rows"]) == ("log", 4)
    assert [n for n in found.notes if n.code == "nul_bytes"] == [Note("nul_bytes", "line 3", "24 from offset 80")]
    assert found.usable == {"strip_nul"}


def test_a_log_with_stack_traces_and_a_repeated_hour() -> None:
    found = case("service.log").found
    assert (found.kind, found.facts["lines"], found.facts["rows"]) == ("log", 15, 6)
    assert found.facts["levels"] == {"INFO": 3, "ERROR": 2, "WARN": 1}
    assert places(found, "ambiguous_time") == ["lines 8, 9"]
    assert found.usable == {"log_records", "log_levels", "log_offset_times"}


def test_an_ini_file_that_readers_disagree_on() -> None:
    found = case("settings.ini").found
    assert found.kind == "ini"
    assert Note("duplicate_section", "lines 2, 10", "server") in found.notes
    assert Note("duplicate_option", "lines 11, 12", "port/Port") in found.notes
    assert found.usable == frozenset()


def test_yaml_values_that_are_safe() -> None:
    found = case("norway.yaml").found
    assert found.kind == "yaml"
    assert found.usable == {"yaml_values"}
    assert found.facts["safe"] == [
        "$.stores[0].tax", "$.stores[1].country", "$.stores[1].code", "$.stores[1].opens", "$.stores[1].tax",
        "$.closed", "$.note", "$.count",
    ]  # fmt: skip
    assert len(places(found, "yaml_versions_differ")) == 5


def test_a_dotenv_file_names_its_keys_and_no_value() -> None:
    found = case("prod.env").found
    assert found.kind == "env"
    assert found.facts["keys"] == ["APP_MODE", "API_TOKEN", "DB_URL", "GREETING", "EMPTY"]
    assert "EXAMPLE" not in repr(found)


def test_a_sign_in_page_is_no_table() -> None:
    found = case("export.csv").found
    assert found.kind == "html"
    assert "content_does_not_match_name" in codes(found)
    assert found.usable == frozenset()


def test_prose_with_a_comma_a_line_is_text_whatever_its_name() -> None:
    assert case("letter.txt").kind == "text"
    assert case("letter.txt").found.facts["lines"] == 5
    assert recognise("letter.csv", (CASES / "letter.txt").read_bytes()).kind == "text"


@pytest.mark.parametrize(
    ("name", "data", "kind", "capability"),
    [
        ("a.txt", b"id,n\nx,1\ny,2\n", "csv", "table_plain"),
        ("a", b"a\tb\nx\ty\n", "tsv", "table_plain"),
        ("a.csv", b"name\nx\ny\n", "csv", "table_plain"),
        ("a.csv", b"a|b\n1|2\n", "csv", "table_plain"),
        ("a.csv", b"a, b\n1, 2\n", "csv", "table"),
        ("a.dat", b'{"a": 1}\n', "json", "json_jq"),
        ("a.dat", b'{"a": 1}\n{"a": 2}\n', "jsonl", "jsonl_lines"),
        ("a.jsonl", b"[1]\n", "jsonl", "jsonl_jq"),
        ("a.json", b"[1]", "json", "json_jq"),
        ("app", b"2024-01-01 00:00:00 INFO a\n2024-01-01 00:00:01 ERROR b\n", "log", "log_times"),
        ("a.cfg", b"[s]\nk = v\n", "ini", "ini"),
        ("a", b"A=1\nB=2\n", "env", "env"),
        ("a.toml", b"a = 1\n", "toml", "toml"),
        ("a.yml", b"a: 1\nb: x\n", "yaml", "yaml"),
        ("a.md", b"Some words.\n", "text", "text"),
        ("a.txt", b"Some words.", "text", "final_newline"),
        ("a.txt", b"a\r\nb\r\n", "text", "newlines"),
        ("a.tar.gz", b"\x1f\x8b\x08\x00", "gzip", "archive"),
    ],
)
def test_content_decides_and_says_what_is_possible(name: str, data: bytes, kind: str, capability: str) -> None:
    found = recognise(name, data)
    assert found.kind == kind
    assert capability in found.usable
    assert not found.noted("content_does_not_match_name")


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.csv", b'{"a": 1}', "json"),
        ("a.json", b"a,b\n1,2\n", "csv"),
        ("a.json", b'{"a": ', "text"),
        ("a.csv", b"\x89PNG\r\n\x1a\n", "binary"),
        ("a.gz", b"plain\n", "text"),
        ("a.toml", b"= 1\n", "text"),
    ],
)
def test_a_name_that_promises_something_else_is_noted(name: str, data: bytes, kind: str) -> None:
    found = recognise(name, data)
    assert found.kind == kind
    assert found.noted("content_does_not_match_name")


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_half_characters_take_every_skill_away_and_stay_out_of_facts(name: str) -> None:
    found = recognise(name, b'{"\\ud800": 1}\n')
    assert found.usable == frozenset()
    assert found.noted("lone_surrogate")
    canonical_json(dict(found.facts))


def test_notes_print_without_control_characters() -> None:
    found = recognise("a.csv", b'"a\x1b","a\x1b"\n' + b"plain,text\n" * 50)
    assert [str(note) for note in found.notes] == [r"duplicate_header at columns 1 and 2: a\x1b"]


@given(
    st.sampled_from(["a.csv", "a.json", "a.jsonl", "a.yaml", "a.env", "a.ini", "a.log", "a"]), st.binary(max_size=120)
)
def test_no_bytes_make_the_recogniser_fail(name: str, data: bytes) -> None:
    canonical_json(dict(recognise(name, data).facts))


@given(
    st.sampled_from(NAMES),
    st.text(alphabet='ab,;:={}[]"\n\r\t -#%1é', max_size=60),
)
def test_no_text_makes_the_recogniser_fail(name: str, text: str) -> None:
    canonical_json(dict(recognise(name, text.encode()).facts))
