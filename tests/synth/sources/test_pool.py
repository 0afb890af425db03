from __future__ import annotations

from tests.synth.handmade import material
from trajmill.synth.sources.pool import DISTRACTOR_BYTES, DISTRACTOR_RECORDS, MOST_BYTES, RECORDS, make_pool

LARGE = material("large.csv", b"id,name\n" + b"".join(b"%d,name %d\n" % (n, n) for n in range(3000)))
SMALL = material("small.csv", b"id,name\n1,x\n2,y\n3,z\n")
BLOB = material("blob.txt", b"one line without any end " * 1000)


def records(data: bytes) -> int:
    return data.count(b"\n") - 1


def test_the_same_materials_and_seed_give_the_same_pool() -> None:
    assert make_pool([LARGE, SMALL], 3) == make_pool([LARGE, SMALL], 3)
    assert make_pool([LARGE], 3) != make_pool([LARGE], 4)


def test_a_large_file_is_cut_to_several_sizes_within_the_bounds() -> None:
    sizes = sorted(records(m.data) for m in make_pool([LARGE], 1).materials)
    assert sizes == sorted(RECORDS)
    assert all(len(m.data) <= MOST_BYTES for m in make_pool([LARGE], 1).materials)
    assert all(m.excerpt.startswith("records ") for m in make_pool([LARGE], 1).materials)


def test_a_small_file_is_there_once_and_whole() -> None:
    (only,) = make_pool([SMALL], 1).materials
    assert (only.data, only.excerpt) == (SMALL.data, "all of it")


def test_what_was_cut_still_says_what_it_was_cut_from() -> None:
    assert {m.sha256 for m in make_pool([LARGE], 1).materials} == {LARGE.sha256}


def test_distractors_are_small_and_never_empty() -> None:
    pool = make_pool([LARGE, SMALL, BLOB, material("empty.txt", b"")], 1)
    assert {m.name for m in pool.distractors} == {"large.csv", "small.csv"}
    assert all(0 < len(m.data) <= DISTRACTOR_BYTES for m in pool.distractors)
    assert all(records(m.data) <= DISTRACTOR_RECORDS for m in pool.distractors)


def test_one_file_does_not_change_what_is_drawn_from_another() -> None:
    alone = {m.data for m in make_pool([LARGE], 1).materials}
    assert alone <= {m.data for m in make_pool([SMALL, LARGE], 1).materials}
