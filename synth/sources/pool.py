"""The materials of a build, cut to workspace size once, so that drawing paths reads no large file again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trajmill.schemas.ids import derive_random
from trajmill.synth.sources.excerpt import excerpt
from trajmill.synth.sources.material import Material

RECORDS = (400, 25, 40, 60, 90, 120, 160, 220, 300)
"""Sizes of the excerpts in records: the whole (if it is not larger than the first), then parts of it."""
MOST_BYTES = 40_000
"""Most bytes of an excerpt: what a person can still look through, and what keeps a task record small."""

DISTRACTOR_RECORDS = 60
DISTRACTOR_BYTES = 8_192
"""Most bytes of a file that lies in a workspace only to be passed over."""


@dataclass(frozen=True, slots=True)
class Pool:
    """What workspaces are made from."""

    materials: tuple[Material, ...]
    """Every file in excerpts of several sizes; files without records as they are."""
    distractors: tuple[Material, ...]
    """One small piece of every file that has one."""


def make_pool(materials: Sequence[Material], seed: int) -> Pool:
    """Cut materials to size; the same materials and seed give the same pool."""
    pieces = tuple(piece for material in materials for piece in _excerpts(material, seed))
    small = (_distractor(material, seed) for material in materials)
    return Pool(pieces, tuple(piece for piece in small if piece is not None))


def _excerpts(material: Material, seed: int) -> list[Material]:
    found: dict[bytes, Material] = {}
    for records in RECORDS:
        rng = derive_random(seed, "excerpt", material.name, records)
        piece = excerpt(material, rng, max_records=records, max_bytes=MOST_BYTES)
        whole = piece is material
        found.setdefault(piece.data, replace(piece, excerpt="all of it") if whole and not piece.excerpt else piece)
    return list(found.values())


def _distractor(material: Material, seed: int) -> Material | None:
    rng = derive_random(seed, "distractor", material.name)
    piece = excerpt(material, rng, max_records=DISTRACTOR_RECORDS, max_bytes=DISTRACTOR_BYTES)
    return piece if 0 < len(piece.data) <= DISTRACTOR_BYTES else None
