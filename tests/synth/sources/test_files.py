"""A folder as a source: taken whole and unchanged, or refused in one sentence before any work."""

from __future__ import annotations

import hashlib
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from trajmill.schemas.errors import InputError
from trajmill.synth.sources.files import read_folder
from trajmill.synth.sources.listing import Limits

CASES = Path(__file__).parents[2] / "cases" / "files"
GOOD = (CASES / "header-only.csv").read_bytes() + b"1,R2,3,4,5\n"
NOBODY = 65534


def put(folder: Path, **files: bytes) -> Path:
    """Files by name, where ``__`` stands for a dot."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


def snapshot(folder: Path) -> dict[str, str]:
    """Every path below a folder with its kind, mode, times of change and content hash."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        small = path.is_file() and not path.is_symlink() and status.st_size < 1 << 20 and os.access(path, os.R_OK)
        content = hashlib.sha256(path.read_bytes()).hexdigest() if small else str(status.st_size)
        found[os.fsdecode(path)] = f"{status.st_mode:o} {status.st_mtime_ns} {content}"
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A source folder, still empty."""
    made = tmp_path / "in"
    made.mkdir()
    return made


def refused(folder: Path) -> str:
    """The sentence of the refusal; the folder is unchanged, and it took under 2 seconds."""
    before, start = snapshot(folder), time.monotonic()
    with pytest.raises(InputError) as caught:
        read_folder(folder)
    assert time.monotonic() - start < 2
    assert snapshot(folder) == before
    assert caught.value.exit_code == 2
    sentence = str(caught.value)
    assert sentence.isprintable()
    return sentence


def test_a_sparse_file_above_the_limit_is_refused_without_reading_it(folder: Path) -> None:
    put(folder, good__csv=GOOD)
    with (folder / "huge.csv").open("wb") as huge:
        huge.truncate(5 << 30)
    sentence = refused(folder)
    assert '"huge.csv" has 5,368,709,120 bytes, the limit is 268,435,456 bytes a file' in sentence


def test_files_that_are_too_large_together_are_refused(folder: Path) -> None:
    put(folder, a__csv=GOOD, b__csv=GOOD)
    with pytest.raises(InputError, match="bytes together, the limit is 60"):
        read_folder(folder, Limits(total_bytes=60))


def test_a_file_of_mode_000_is_refused_for_an_ordinary_user_and_read_with_a_note_by_root(folder: Path) -> None:
    put(folder, shut__csv=GOOD, open__csv=GOOD)
    (folder / "shut.csv").chmod(0)
    if not os.access(folder / "shut.csv", os.R_OK):
        assert '"shut.csv" cannot be read (mode 0000)' in refused(folder)
        return
    before = snapshot(folder)
    source = read_folder(folder)
    assert source.material("shut.csv").found.noted("mode_ignored")
    assert snapshot(folder) == before
    assert '"shut.csv" cannot be read (mode 0000)' in _refusal_of_nobody(folder)
    (folder / "shut.csv").chmod(0o644)
    assert read_folder(folder).content_hash != source.content_hash, "the note is in the manifest, so in the build's id"


def _refusal_of_nobody(folder: Path) -> str:
    """What an ordinary user is told: a child drops its rights after the imports."""
    for path in (folder, *folder.parents):
        if path == Path(tempfile.gettempdir()):
            break
        path.chmod(0o755)
    code = (
        "import os, sys; from pathlib import Path; from trajmill.synth.sources.files import read_folder\n"
        "from trajmill.schemas.errors import InputError\n"
        f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "try: read_folder(Path(sys.argv[1]))\n"
        "except InputError as error: print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    return ran.stdout


def test_link_loops_are_named(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "up").symlink_to("..")
    sentence = refused(folder)
    assert '"loop" is a link to "loop", a loop' in sentence
    assert '"up" is a link to "..", a folder above it: a loop' in sentence


def test_a_link_out_of_the_folder_is_named_and_never_read(folder: Path) -> None:
    os.mkfifo(folder.parent / "outside.csv")  # opening it would block for ever
    (folder / "link.csv").symlink_to("../outside.csv")
    put(folder, good__csv=GOOD)
    assert '"link.csv" is a link to "../outside.csv", outside the folder' in refused(folder)


def test_a_link_inside_the_folder_is_left_out(folder: Path) -> None:
    put(folder, good__csv=GOOD)
    (folder / "again.csv").symlink_to("good.csv")
    source = read_folder(folder)
    assert [m.name for m in source.materials] == ["good.csv"]
    assert [(d.subject, d.reason, d.stage) for d in source.left_out] == [("again.csv", "link", "source")]


def test_pipes_and_sockets_are_left_out_and_never_opened(folder: Path) -> None:
    put(folder, good__csv=GOOD)
    os.mkfifo(folder / "pipe.csv")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "talk.csv"))
        source = read_folder(folder)
    assert [m.name for m in source.materials] == ["good.csv"]
    assert [(d.subject, d.reason) for d in source.left_out] == [("pipe.csv", "fifo"), ("talk.csv", "socket")]


def test_a_folder_without_files_is_refused(folder: Path) -> None:
    assert "holds no file" in refused(folder)
    (folder / "empty").mkdir()
    assert "holds no file" in refused(folder)


def test_a_missing_folder_and_a_file_in_its_place_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_folder(folder / "no")
    put(folder, good__csv=GOOD)
    with pytest.raises(InputError, match="is not a folder"):
        read_folder(folder / "good.csv")


def test_binary_files_only_are_listed(folder: Path) -> None:
    rng = random.Random(3)
    put(folder, data__csv=rng.randbytes(1024), other__bin=rng.randbytes(1024))
    sentence = refused(folder)
    assert '"data.csv" (binary), "other.bin" (binary)' in sentence


def test_an_empty_file_alone_is_refused_and_names_the_folder(folder: Path) -> None:
    put(folder, empty__csv=b"")
    sentence = refused(folder)
    assert str(folder) in sentence
    assert '"empty.csv" (empty)' in sentence


def test_files_that_no_skill_may_touch_are_not_usable_alone_but_stay_beside_others(folder: Path) -> None:
    put(folder, keys__json=(CASES / "duplicate-keys.json").read_bytes())
    assert '"keys.json" (json: duplicate_key' in refused(folder)
    put(folder, good__csv=GOOD)
    assert [m.name for m in read_folder(folder).materials] == ["good.csv", "keys.json"]


def test_odd_names_are_taken_each_once(folder: Path) -> None:
    names = [
        "q1 report (final).csv", "-rf.csv", "*.csv", "it's.csv", "$(touch owned).csv",
        "caf\u00e9.csv", "cafe\u0301.csv",
    ]  # fmt: skip
    for name in names:
        (folder / name).write_bytes(GOOD)
    before = snapshot(folder)
    source = read_folder(folder)
    assert sorted(m.name for m in source.materials) == sorted(names)
    assert all(len(m.table()) == 1 for m in source.materials)
    assert snapshot(folder) == before


def test_names_with_newlines_or_bytes_that_are_not_utf8_are_refused_and_escaped(folder: Path) -> None:
    (folder / "a\nb.csv").write_bytes(GOOD)
    (folder / os.fsdecode(b"bad-\xff.csv")).write_bytes(GOOD)
    sentence = refused(folder)
    assert r'"a\nb.csv" has a control character in its name' in sentence
    assert r'"bad-\xff.csv" has a name that is not UTF-8' in sentence


def test_secrets_are_left_out_by_name_and_by_content_and_no_value_is_kept(folder: Path) -> None:
    secret = (CASES / "prod.env").read_bytes()
    put(folder, good__csv=GOOD, prod__env=secret, __env=secret, notes__txt=secret, id_rsa=b"x\n")
    source = read_folder(folder)
    assert {(d.subject, d.reason) for d in source.left_out} == {
        (name, "looks_like_secret") for name in (".env", "prod.env", "notes.txt", "id_rsa")
    }
    assert "EXAMPLE" not in repr(source)
    assert "not-a-password" not in repr(source)


def test_a_secret_that_is_wanted_is_taken(folder: Path) -> None:
    put(folder, prod__env=(CASES / "prod.env").read_bytes())
    material = read_folder(folder, include=frozenset({"prod.env"})).material("prod.env")
    assert material.kind == "env"
    assert material.usable_for("env")


def test_licence_and_origin_come_from_a_file_beside_them(folder: Path) -> None:
    terms = b'[[file]]\nname = "good.csv"\nlicence = "CC-BY-4.0"\norigin = "a survey"\n'
    put(folder, good__csv=GOOD, more__csv=GOOD, SOURCES__toml=terms)
    source = read_folder(folder)
    assert [(m.name, m.licence, m.origin) for m in source.materials] == [
        ("good.csv", "CC-BY-4.0", "a survey"),
        ("more.csv", "unknown", "user file"),
    ]
    assert source.material("good.csv").ref().sha256 == hashlib.sha256(GOOD).hexdigest()


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        (b'[[file]]\nname = "no.csv"\n', 'names "no.csv", which is not in the folder'),
        (b'[[file]]\nname = "good.csv"\nlicense = "x"\n', 'unknown key "license" in \\[\\[file\\]\\] number 1'),
        (b'[[files]]\nname = "good.csv"\n', 'unknown key "files"'),
        (b'[[file]]\nlicence = "x"\n', "has no name"),
        (b'[[file]]\nname = "good.csv"\norigin = 3\n', "origin in"),
        (b'[[file]]\nname = "good.csv"\n[[file]]\nname = "good.csv"\n', "twice"),
        (b"file = 1\n", "must be a list of tables"),
        (b"= 1\n", "is not TOML"),
    ],
)
def test_faults_in_the_file_of_terms_are_named(folder: Path, terms: bytes, sentence: str) -> None:
    put(folder, good__csv=GOOD, SOURCES__toml=terms)
    with pytest.raises(InputError, match=sentence):
        read_folder(folder)


def test_a_large_table_is_used_by_its_first_whole_records(folder: Path) -> None:
    rows = b"".join(b'%d,"two\nlines"\n' % i for i in range(100))
    put(folder, big__csv=b"n,text\n" + rows, big__json=b"[" + b"1," * 300 + b"1]")
    source = read_folder(folder, Limits(whole_bytes=505, record_bytes=305))
    material = source.material("big.csv")
    assert material.sha256 == hashlib.sha256(b"n,text\n" + rows).hexdigest()
    assert material.excerpt == f"bytes 1-{len(material.data)} of {7 + len(rows)}"
    assert len(material.data) <= 305
    assert material.table().rows[-1][1] == "two\nlines"
    assert [(d.subject, d.reason) for d in source.left_out] == [("big.json", "too_large_to_use")]


def test_the_content_hash_follows_content_and_ignores_the_place(folder: Path, tmp_path: Path) -> None:
    first = read_folder(put(folder, a__csv=GOOD)).content_hash
    assert read_folder(put(tmp_path / "other", a__csv=GOOD)).content_hash == first
    assert read_folder(put(folder, a__csv=GOOD + GOOD[-11:])).content_hash != first


def test_files_in_folders_are_named_by_their_path(folder: Path) -> None:
    put(folder / "x" / "y", a__csv=GOOD)
    assert read_folder(folder).materials[0].name == "x/y/a.csv"
    with pytest.raises(InputError, match='"x/y" lies deeper than 1 folders'):
        read_folder(folder, Limits(depth=1))
    with pytest.raises(InputError, match="more than 2 entries"):
        read_folder(folder, Limits(files=2))
