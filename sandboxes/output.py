"""Bounded capture of a command's output: head and tail are kept, and the cut between them is marked."""

from __future__ import annotations

import codecs
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of an output."""

    head: bytes
    tail: bytes
    omitted: int
    """Bytes between head and tail that are gone."""

    def data(self) -> bytes:
        """Head and tail, with the mark between them if there was a cut."""
        mark = f"\n[... {self.omitted} bytes omitted ...]\n".encode() if self.omitted else b""
        return self.head + mark + self.tail

    def text(self) -> str:
        """The same, decoded as UTF-8 with replacement."""
        return self.data().decode("utf-8", "replace")


class Capture:
    """Collects bytes in bounded memory, however many arrive: the first and the last half of ``limit``."""

    __slots__ = ("_head", "_head_limit", "_tail", "_tail_limit", "_total")

    def __init__(self, limit: int) -> None:
        self._head_limit = limit // 2
        self._tail_limit = limit - self._head_limit
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._total = 0

    def add(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._total += len(chunk)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if chunk:
            self._tail.append(chunk)
            self._shorten()

    def kept(self) -> Kept:
        """What is kept so far; a cut never leaves part of a UTF-8 character on either side."""
        head, tail = bytes(self._head), b"".join(self._tail)
        if len(head) + min(len(tail), self._tail_limit) < self._total:
            head = _without_open_end(head)
            tail = _without_open_start(tail[-self._tail_limit :])
        return Kept(head, tail, self._total - len(head) - len(tail))

    def _shorten(self) -> None:
        size = sum(map(len, self._tail))
        while size - len(self._tail[0]) >= self._tail_limit:
            size -= len(self._tail.popleft())
        if len(self._tail) > 64:
            self._tail = deque([b"".join(self._tail)])


def _without_open_end(head: bytes) -> bytes:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoder.decode(head, final=False)
    pending, _ = decoder.getstate()
    return head[: len(head) - len(pending)]


def _without_open_start(tail: bytes) -> bytes:
    start = 0
    while start < min(3, len(tail)) and tail[start] & 0xC0 == 0x80:
        start += 1
    return tail[start:]
