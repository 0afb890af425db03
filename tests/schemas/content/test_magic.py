"""Kinds that the first bytes prove."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from trajmill.schemas.content.magic import looks_like_html, magic_kind


def tar_bytes() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a"))
    return out.getvalue()


def zip_bytes() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a", "b")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (gzip.compress(b"x", mtime=0), "gzip"),
        (bz2.compress(b"x"), "bzip2"),
        (bz2.compress(b""), "bzip2"),
        (lzma.compress(b"x"), "xz"),
        (tar_bytes(), "tar"),
        (zip_bytes(), "zip"),
        (b"BZh is how this text begins", None),
        (b"id,name\n", None),
        (b"", None),
    ],
    ids=["gzip", "bzip2", "empty bzip2", "xz", "tar", "zip", "text like bzip2", "csv", "nothing"],
)
def test_first_bytes_prove_a_kind(data: bytes, kind: str | None) -> None:
    assert magic_kind(data) == kind


def test_html_is_known_by_its_first_tag() -> None:
    assert looks_like_html(b"\xef\xbb\xbf <!-- x -->\n<HTML lang=en>")
    assert looks_like_html(b"<!DOCTYPE html>")
    assert not looks_like_html(b"<header>")
    assert not looks_like_html(b"a < b")
