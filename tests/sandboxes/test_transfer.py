from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.sandboxes.transfer import from_archive, to_archive
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.tree import FileEntry, FolderEntry, LinkEntry, Tree

NAMES = st.text(st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1, max_size=120)
PARTS = NAMES.filter(lambda name: name not in (".", ".."))
MODES = st.integers(0, 0o7777)
TIMES = st.integers(0, 2**33)
FILES = st.builds(FileEntry, st.binary(max_size=700), MODES, TIMES)
ENTRIES = st.one_of(FILES, st.builds(FolderEntry, MODES, TIMES), st.builds(LinkEntry, NAMES))


@given(st.dictionaries(PARTS, ENTRIES, max_size=6), st.dictionaries(PARTS, FILES, max_size=4))
def test_every_tree_comes_back_from_its_archive(top: dict[str, FileEntry], below: dict[str, FileEntry]) -> None:
    tree = Tree({**top, "folder": FolderEntry(), **{f"folder/{name}": entry for name, entry in below.items()}})
    archive = to_archive(tree)
    assert from_archive(archive) == tree
    assert from_archive(archive[i : i + 100] for i in range(0, len(archive), 100)) == tree
    assert to_archive(from_archive(archive)) == archive


def test_names_that_are_not_utf8_come_back_and_parents_are_made() -> None:
    tree = Tree({"caf\udce9/" + "x" * 300: FileEntry(b"1"), "l": LinkEntry("\udcff")})
    assert from_archive(to_archive(tree)) == tree.with_entries({"caf\udce9": FolderEntry()})


def test_system_tar_agrees_in_both_directions(tmp_path: Path) -> None:
    tree = Tree({"a": FolderEntry(), "a/x y": FileEntry(b"1", 0o755), "l": LinkEntry("a/x y")})
    (tmp_path / "t.tar").write_bytes(to_archive(tree))
    (tmp_path / "out").mkdir()
    subprocess.run(["tar", "-xf", "../t.tar"], cwd=tmp_path / "out", check=True)
    assert (tmp_path / "out" / "l").read_bytes() == b"1"
    made = subprocess.run(["tar", "-c", "."], cwd=tmp_path / "out", check=True, capture_output=True)
    assert from_archive(made.stdout).manifest() == tree.manifest()


def packed(*members: tarfile.TarInfo, data: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(data) if member.size else None)
    return buffer.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, *, link: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info


WHOLE = to_archive(Tree({"f": FileEntry(b"x" * 5000)}))
REFUSED: list[tuple[bytes, str]] = [
    (packed(member("/etc/passwd")), "bad_path"),
    (packed(member("../up")), "bad_path"),
    (packed(member("a/../../up")), "bad_path"),
    (packed(member("a//b")), "bad_path"),
    (packed(member("h", tarfile.LNKTYPE, link="/etc/passwd")), "bad_path"),
    (packed(member("h", tarfile.LNKTYPE, link="not-before")), "bad_path"),
    (packed(member("l", tarfile.SYMTYPE, link="t"), member("h", tarfile.LNKTYPE, link="l")), "bad_path"),
    (packed(member("p", tarfile.FIFOTYPE)), "special_file"),
    (packed(member("c", tarfile.CHRTYPE)), "special_file"),
    (packed(member("b", tarfile.BLKTYPE)), "special_file"),
    (packed(member("f"), member("f")), "bad_archive"),
    (packed(member("f"), member("./f")), "bad_archive"),
    (WHOLE[:3000], "bad_archive"),
    (b"not an archive" * 100, "bad_archive"),
    (b"", "bad_archive"),
    (to_archive(Tree({str(n): FileEntry(b"") for n in range(60)})), "too_large"),
    (to_archive(Tree({"f": FileEntry(bytes(20_000))})), "too_large"),
    (packed(member("f", size=9), *(member(f"h{n}", tarfile.LNKTYPE, link="f") for n in range(40)), data=b"x" * 9), ""),
]


@pytest.mark.parametrize(("archive", "cause"), REFUSED)
def test_what_is_not_a_plain_tree_is_refused_by_name(archive: bytes, cause: str) -> None:
    if not cause:
        assert from_archive(archive, max_entries=50).size == 41 * 9
        return
    with pytest.raises(SandboxError) as caught:
        from_archive(archive, max_bytes=10_000, max_entries=50)
    assert caught.value.cause == cause


def test_hard_links_count_like_files() -> None:
    twins = (member(f"h{n}", tarfile.LNKTYPE, link="f") for n in range(40))
    with pytest.raises(SandboxError) as caught:
        from_archive(packed(member("f", size=900), *twins, data=b"x" * 900), max_bytes=9000)
    assert caught.value.cause == "too_large"


def test_endless_archive_is_given_up_early() -> None:
    taken: list[int] = []

    def endless() -> Iterator[bytes]:
        yield member("f", tarfile.XHDTYPE, size=10**10).tobuf(tarfile.GNU_FORMAT)
        while True:
            taken.append(1)
            yield b"9" * 1_000_000

    with pytest.raises(SandboxError) as caught:
        from_archive(endless(), max_bytes=5_000_000, max_entries=10)
    assert caught.value.cause == "too_large"
    assert len(taken) < 10


@given(st.binary(max_size=2000), st.integers(0, len(WHOLE)))
def test_damaged_archive_gives_a_tree_or_a_sandbox_error(rubbish: bytes, place: int) -> None:
    with suppress(SandboxError):
        assert from_archive(WHOLE[:place] + rubbish + WHOLE[place + len(rubbish) :]).size <= len(WHOLE)
