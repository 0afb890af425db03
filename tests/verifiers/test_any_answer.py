"""Whatever an answer holds, a sound task is scored: no answer can make its task look broken."""

from __future__ import annotations

import asyncio
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifiers.evidence import a_task, tree
from trajmill.sandboxes.fake import FakeBackend
from trajmill.schemas.ids import digest_bytes
from trajmill.schemas.task import Check
from trajmill.verifiers.verify import verify

CONTENT = b"some text, and more of it\n" * 20
SHA = {"sha256": digest_bytes(CONTENT)}


def tarred() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        info = tarfile.TarInfo("a.txt")
        info.size = len(CONTENT)
        info.pax_headers = {"comment": "x" * 200}
        archive.addfile(info, io.BytesIO(CONTENT))
    return buffer.getvalue()


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", CONTENT)
        archive.writestr("folder/", b"")
    return buffer.getvalue()


def archive(form: str) -> dict[str, Any]:
    return {"path": "o", "format": form, "members": {"a.txt": SHA}}


ANSWERS: dict[str, tuple[str, dict[str, Any], bytes]] = {
    "file": ("file", {"path": "o", "text": "a\nb\n"}, b"a\nb\n"),
    "lines": ("lines", {"path": "o", "lines": ["a", "b"], "ordered": False}, b"a\nb\n"),
    "table": ("table", {"path": "o", "delimiter": ",", "header": ["a", "b"], "rows": [["1", "x"]]}, b'a,b\n1,"x"\n'),
    "json": ("json", {"path": "o", "json": '{"a":[1,2.5,"x"]}'}, b'{"a": [1, 2.50, "\\u0078"]}\n'),
    "json_lines": ("json_lines", {"path": "o", "lines": ['{"a":1}'], "ordered": False}, b'{"a": 1e0}\n'),
    "checksums": ("checksums", {"path": "o", "files": ["in"]}, f"{SHA['sha256']}  in\n".encode()),
    "tar": ("archive", archive("tar"), tarred()),
    "tar.gz": ("archive", archive("tar.gz"), gzip.compress(tarred(), mtime=0)),
    "tar.bz2": ("archive", archive("tar.bz2"), bz2.compress(tarred())),
    "tar.xz": ("archive", archive("tar.xz"), lzma.compress(tarred())),
    "zip": ("archive", archive("zip"), zipped()),
    "gz": ("archive", archive("gz"), gzip.compress(CONTENT, mtime=0)),
}


def scored(name: str, answer: bytes) -> float:
    """The reward; asserts that there is one."""
    kind, params, _ = ANSWERS[name]
    task = a_task(Check("answer", kind, params))
    verdict = asyncio.run(verify(task, tree({"o": answer, "in": CONTENT}), FakeBackend()))
    assert verdict.kind == "scored", verdict
    assert verdict.reward is not None
    assert all(c.detail.isprintable() for c in verdict.checks)
    return verdict.reward


def test_the_right_answers_score_one() -> None:
    assert {name: scored(name, right) for name, (_, _, right) in ANSWERS.items()} == dict.fromkeys(ANSWERS, 1.0)


@settings(max_examples=150)
@given(st.sampled_from(list(ANSWERS)), st.binary(max_size=300))
def test_any_bytes_are_scored(name: str, answer: bytes) -> None:
    scored(name, answer)


@settings(max_examples=200)
@given(
    st.sampled_from(list(ANSWERS)),
    st.lists(st.tuples(st.integers(0, 1 << 14), st.integers(0, 255)), max_size=6),
    st.integers(0, 1 << 14),
    st.binary(max_size=12),
)
def test_a_right_answer_that_was_spoilt_is_scored(
    name: str, flips: list[tuple[int, int]], cut: int, more: bytes
) -> None:
    spoilt = bytearray(ANSWERS[name][2])
    for place, value in flips:
        spoilt[place % len(spoilt)] = value
    scored(name, bytes(spoilt[: cut % (len(spoilt) + 1)]) + more + bytes(spoilt[cut % (len(spoilt) + 1) :]))
    scored(name, bytes(spoilt[: cut % (len(spoilt) + 1)]))
