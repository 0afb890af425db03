"""What git printed about a repository becomes its history, or a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.synth.sources.history import (
    Blob,
    HistoryFault,
    LoggedCommit,
    make_repository,
    newest_run,
    read_blobs,
    read_listing,
    read_log,
    read_tags,
    require_branch,
    wanted_blobs,
)

IDS = ("c" * 40, "b" * 40, "a" * 40)


def test_the_newest_run_ends_at_a_merge() -> None:
    assert newest_run(b"d c\nc b\nb a\na x y\nx\n") == ("d", "c", "b")
    with pytest.raises(HistoryFault, match="1 commits since the newest merge"):
        newest_run(b"b a\na x y\n")
    with pytest.raises(HistoryFault, match="2 commits; at least 3"):
        newest_run(b"b a\na\n")


@given(st.dictionaries(st.integers(0, 99).map(lambda n: f"{n:040x}"), st.binary(max_size=40)))
def test_contents_come_back_whatever_is_in_them(blobs: dict[str, bytes]) -> None:
    ids = sorted(blobs)
    printed = b"".join(f"{i} blob {len(blobs[i])}\n".encode() + blobs[i] + b"\n" for i in ids)
    assert read_blobs(printed, ids) == blobs


@pytest.mark.parametrize("printed", [b"", b"aa missing\n", b"aa tree 3\nabc\n", b"bb blob 3\nabc\n"])
def test_a_missing_object_is_told(printed: bytes) -> None:
    with pytest.raises(HistoryFault, match="aa is missing") as raised:
        read_blobs(printed, ["aa"])
    assert raised.value.code == "history_unreadable"


def test_tags_elsewhere_or_with_odd_names_are_passed_over() -> None:
    printed = f"v1\t{IDS[2]}\t\nv2\tfeed\t{IDS[0]}\nelsewhere\tbeef\t\na/b\t{IDS[1]}\t\n-d\t{IDS[1]}\t\n".encode()
    assert read_tags(printed, IDS) == {"v1": 0, "v2": 2}


def test_a_tag_with_the_name_of_the_branch_is_passed_over() -> None:
    log = [LoggedCommit(i, "Ada", "a@example.com", "2024-01-01T00:00:00+00:00", "Add") for i in IDS]
    listings = [{"a.txt": Blob("x", 2)}] * 3
    history = make_repository("main", log, listings, {"x": b"a\n"}, {"main": 0, "v1": 1})
    assert history.tags == {"v1": 1}
    assert [dict(c.files) for c in history.commits] == [{"a.txt": b"a\n"}] * 3


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("120000 blob aa       3\tlink", "is a link"),
        ("160000 commit aa       -\tmodule", "is a submodule"),
        ("100644 blob aa   70000\tbig", "70,000 bytes"),
        ("100644 blob aa       3\tsub/.mailmap", "changes how git"),
        ("100644 blob aa       3\tsub/-rf", "unusual name"),
        ('100644 blob aa       3\ta"b', "unusual name"),
        ("", "an empty commit"),
    ],
)
def test_what_is_no_plain_small_file_is_refused(entry: str, said: str) -> None:
    with pytest.raises(HistoryFault, match=said):
        read_listing(f"{entry}\0".encode())


def test_the_same_content_counts_once() -> None:
    listing = {f"{n}.txt": Blob("aa", 60_000) for n in range(100)}
    assert wanted_blobs([listing, listing]) == ("aa",)
    with pytest.raises(HistoryFault, match="1,200,000 bytes over time"):
        wanted_blobs([{f"{n}.txt": Blob(str(n), 60_000) for n in range(20)}])


@pytest.mark.parametrize("name", ["", "-x", "a b", "a/-b", "a;b", "$(x)"])
def test_a_branch_that_is_no_plain_word_is_refused(name: str) -> None:
    with pytest.raises(HistoryFault):
        require_branch(name)


@pytest.mark.parametrize(
    "fields",
    [
        ("Ada", "a@b", "yesterday", "Add"),
        ("Ada", "a@b", "1960-01-01T00:00:00+00:00", "Add"),
        ("Ada", "a@b", "2024-01-01T00:00:00Z", ""),
        ("Ada", "a@b", "2024-01-01T00:00:00Z", "Add\x1fone"),
        ("Ada\u202e", "a@b", "2024-01-01T00:00:00Z", "Add"),
        ("", "a@b", "2024-01-01T00:00:00Z", "Add"),
    ],
)
def test_a_commit_that_is_not_plainly_described_is_refused(fields: tuple[str, ...]) -> None:
    with pytest.raises(HistoryFault):
        read_log("\x1f".join(("c", *fields)).encode(), ["c"])
