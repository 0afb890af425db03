"""Databases in a source folder: false endings, journals that are not merged, cut files. Originals stay as they are."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from trajmill.synth.sources.files import read_folder

MAKE = """
import os, sqlite3, sys
path, wal = sys.argv[1], sys.argv[2] == "wal"
c = sqlite3.connect(path, isolation_level=None)
c.execute("pragma page_size=4096")
if wal:
    c.execute("pragma journal_mode=wal")
    c.execute("pragma wal_autocheckpoint=0")
c.executescript('''
create table item(id INTEGER PRIMARY KEY, name TEXT, price);
create table sale(item_id, day);
insert into item values (1, 'bolt', 2), (2, 'nut', '2.50'), (3, 'nail', NULL);
insert into sale values (1, 'mon'), (2, 'tue'), (1, 'wed'), (99, 'thu');
create view sold as select * from sale;
create index sale_day on sale(day);
''')
if wal:
    c.execute("pragma wal_checkpoint(truncate)").fetchall()
    c.execute("insert into sale values (3, 'fri')")
    os.kill(os.getpid(), 9)
"""


def make(path: Path, mode: str = "plain") -> Path:
    subprocess.run([sys.executable, "-c", MAKE, str(path), mode], check=mode == "plain")
    return path


def hashes(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


def test_a_database_is_known_under_a_false_ending(tmp_path: Path) -> None:
    make(tmp_path / "shop.dat")
    before = hashes(tmp_path)
    found = read_folder(tmp_path).material("shop.dat").found
    assert found.kind == "sqlite"
    assert found.facts["tables"] == {"item": 3, "sale": 4}
    assert (found.facts["views"], found.facts["indexes"]) == (["sold"], ["sale_day"])
    notes = {(n.code, n.place, n.detail) for n in found.notes}
    assert ("mixed_types", "item.price", "integer, null, text") in notes
    assert ("orphan_rows", "sale.item_id", "1 without item") in notes
    assert found.usable == {"sqlite"}
    assert hashes(tmp_path) == before


def test_a_journal_that_is_not_merged_is_taken_together_with_its_database(tmp_path: Path) -> None:
    make(tmp_path / "shop.dat", "wal")
    before = hashes(tmp_path)
    assert set(before) == {"shop.dat", "shop.dat-wal", "shop.dat-shm"}
    source = read_folder(tmp_path)
    assert [m.name for m in source.materials] == ["shop.dat"]
    assert source.left_out == ()
    material = source.materials[0]
    assert material.found.facts["tables"] == {"item": 3, "sale": 5}
    assert material.database().table("sale").rows[-1] == (3, "fri")
    assert material.found.noted("journal_merged")
    assert material.sha256 == before["shop.dat"]
    assert material.found.facts["companions"] == {"shop.dat-wal": before["shop.dat-wal"]}
    assert hashes(tmp_path) == before


def test_a_cut_database_is_damaged_and_gets_no_skills(tmp_path: Path) -> None:
    whole = make(tmp_path / "shop.dat")
    (tmp_path / "torn.db").write_bytes(whole.read_bytes()[:1500])
    found = read_folder(tmp_path).material("torn.db").found
    assert found.kind == "sqlite"
    assert found.noted("damaged_sqlite")
    assert found.usable == frozenset()
