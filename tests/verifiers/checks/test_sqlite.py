"""``sqlite``: databases of an agent, in the real sandbox."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.verifiers.evidence import Files, look
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.verifiers.checks import sqlite as module

pytestmark = pytest.mark.sandbox

RIGHT = "CREATE TABLE t (name TEXT, n); INSERT INTO t VALUES ('a', 1), ('b', 2.5), ('c', NULL), ('d', x'00ff');"
ROWS = [["a", 1], ["b", 2.5], ["c", None], ["d", {"blob": "00ff"}]]


@pytest.fixture
def made(tmp_path: Path) -> Any:
    def make(script: str) -> bytes:
        path = tmp_path / "made.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(script)
        return path.read_bytes()

    return make


@pytest.fixture
def ask(bubblewrap: BubblewrapBackend) -> Any:
    def look_at(files: Files, query: str = "SELECT name, n FROM t ORDER BY name", **changes: Any) -> str:
        return look("sqlite", {"path": "a.db", "query": query, "rows": ROWS, **changes}, files, bubblewrap).detail

    return look_at


def test_right_rows_pass_in_order_or_without(ask: Any, made: Any) -> None:
    data = made(RIGHT)
    assert ask({"a.db": data}) == ""
    assert ask({"a.db": data}, "SELECT * FROM t ORDER BY name DESC", ordered=False) == ""
    assert ask({"a.db": data}, "SELECT * FROM t ORDER BY name DESC") != ""


@pytest.mark.parametrize(
    ("script", "part"),
    [
        (RIGHT.replace("2.5", "'2.5'"), "row 2 is ['b', '2.5'], expected ['b', 2.5]"),
        (RIGHT + "DELETE FROM t WHERE n = 1", "row 1 is"),
        (RIGHT + "INSERT INTO t VALUES ('z', 0)", "row 5 is not expected: ['z', 0]"),
        ("CREATE TABLE other (a)", "cannot answer the query: no such table: t"),
        ("CREATE TABLE t (name); INSERT INTO t VALUES (CAST(x'ff' AS TEXT))", "cannot answer the query"),
        ("CREATE TABLE t (name, n); INSERT INTO t VALUES ('a', 9e999)", "row 1 is ['a', inf]"),
    ],
)
def test_other_rows_are_named(ask: Any, made: Any, script: str, part: str) -> None:
    assert part in ask({"a.db": made(script)})


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_database_is_a_failure(ask: Any, data: bytes) -> None:
    assert "cannot answer the query" in ask({"a.db": data})


def test_a_view_without_end_is_a_failure_within_its_time(ask: Any, made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUERY_TIMEOUT_S", 1.0)
    endless = (
        "CREATE VIEW t AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
        "SELECT max(n) AS name, 0 AS n FROM r"
    )
    assert ask({"a.db": made(endless)}).startswith("a.db did not answer in")


def test_a_view_of_huge_rows_is_a_failure(ask: Any, made: Any) -> None:
    huge = (
        "CREATE VIEW t AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 500) "
        "SELECT hex(zeroblob(2000000)) AS name, n FROM r"
    )
    found = ask({"a.db": made(huge)}, "SELECT name, n FROM t")
    assert "memory" in found or "cannot answer" in found


def test_what_still_stands_in_the_write_ahead_log_counts(ask: Any, tmp_path: Path) -> None:
    path = tmp_path / "wal.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(RIGHT)
        files = {f"a.db{end}": path.with_name(f"wal.db{end}").read_bytes() for end in ("", "-wal", "-shm")}
    assert ask(files) == ""


def test_many_rows_are_read_whole(bubblewrap: BubblewrapBackend, made: Any) -> None:
    data = made(
        "CREATE TABLE t (n, w); WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 20000) "
        "INSERT INTO t SELECT n, 'a word' FROM r"
    )
    params = {"path": "a.db", "query": "SELECT * FROM t", "rows": [[n, "a word"] for n in range(1, 20_001)]}
    assert look("sqlite", params, {"a.db": data}, bubblewrap).passed


def test_a_sandbox_without_python_is_no_failure_of_the_answer() -> None:
    from trajmill.sandboxes.base import ExecResult
    from trajmill.sandboxes.fake import FakeBackend

    backend = FakeBackend(programs=lambda argv: ExecResult(b"", b"python3: not found", 127))
    with pytest.raises(RuntimeError, match="the probe ended with 127"):
        look("sqlite", {"path": "a.db", "query": "SELECT 1", "rows": []}, {"a.db": b""}, backend)
