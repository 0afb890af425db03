"""Content ids and seeds: the same thing has the same id everywhere, whatever the order of execution."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A JSON value. ``Any`` stands at JSON edges only."""

SHOWN_DIGITS = 16
"""Hex digits of a digest shown in an id: 64 bits, so a collision in 10 million ids has odds of about 3 in a million."""


def canonical_json(value: Json) -> bytes:
    """Encode a JSON value in its one canonical form: sorted keys, UTF-8, no spaces, no NaN or Infinity.

    Raises ValueError for NaN, infinities and lone surrogates, TypeError for what is not JSON.
    """
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")


def digest(value: Json) -> str:
    """SHA-256 of the canonical JSON, 64 hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def digest_bytes(data: bytes) -> str:
    """SHA-256 of bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest_files(root: Path, files: Iterable[Path]) -> str:
    """Version of some source files, as shown in ids: changes when a name below ``root`` or a byte changes."""
    return digest({p.relative_to(root).as_posix(): digest_bytes(p.read_bytes()) for p in sorted(files)})[:SHOWN_DIGITS]


def content_id(prefix: str, value: Json) -> str:
    """A readable content id such as ``task-0123456789abcdef``."""
    return f"{prefix}-{digest(value)[:SHOWN_DIGITS]}"


def derive_seed(*parts: int | str) -> int:
    """A 64-bit seed that depends on all parts and on nothing else: (build seed, stage, index, ...)."""
    return int(digest(list(parts))[:16], 16)


def derive_random(*parts: int | str) -> random.Random:
    """An own random generator for one place of the pipeline; generators are never shared between places."""
    return random.Random(derive_seed(*parts))
