from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trajmill.sandboxes.output import Capture


def captured(chunks: list[bytes], limit: int) -> Capture:
    capture = Capture(limit)
    for chunk in chunks:
        capture.add(chunk)
    return capture


@given(chunks=st.lists(st.binary(max_size=40)), limit=st.integers(1, 60))
def test_kept_and_omitted_bytes_make_up_the_output(chunks: list[bytes], limit: int) -> None:
    whole, kept = b"".join(chunks), captured(chunks, limit).kept()
    assert whole.startswith(kept.head)
    assert whole.endswith(kept.tail)
    assert len(kept.head) + len(kept.tail) + kept.omitted == len(whole)
    assert len(kept.head) + len(kept.tail) <= limit
    if len(whole) <= limit:
        assert kept.data() == whole


@given(text=st.text(max_size=200), limit=st.integers(8, 60), size=st.integers(1, 9))
def test_cut_never_breaks_a_character(text: str, limit: int, size: int) -> None:
    data = text.encode("utf-8", "replace")
    shown = captured([data[i : i + size] for i in range(0, len(data), size)], limit).kept().text()
    assert "\ufffd" in text or "\ufffd" not in shown


def test_mark_says_how_much_is_gone() -> None:
    capture = captured([b"a" * 50, b"b" * 1000, b"c" * 50], 60)
    assert capture.kept().text() == "a" * 30 + "\n[... 1040 bytes omitted ...]\n" + "c" * 30
    assert capture.kept() == capture.kept()
