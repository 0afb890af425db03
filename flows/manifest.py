"""The manifest: what determined a dataset, what came of every gate, and the hash of every file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from trajmill.flows.dataset import DatasetContent
from trajmill.schemas.config import identity_json
from trajmill.schemas.ids import Json
from trajmill.schemas.verdict import Drop

WHAT = "trajmill dataset"
MANIFEST_VERSION = "1"


def manifest_of(
    content: DatasetContent, counts: Mapping[str, int], exports: Mapping[str, Json], hashes: Mapping[str, str]
) -> Json:
    """The manifest of a dataset; the same for equal builds."""
    document = content.document
    return {
        "what": WHAT,
        "manifest_version": MANIFEST_VERSION,
        "name": content.config.build.name,
        "version": content.version,
        "build_id": content.build_id,
        "configuration": identity_json(content.config),
        "graph": content.graph.id,
        "inputs": document["inputs"],
        "sources": [
            {
                "name": material.name,
                "kind": material.kind,
                "sha256": material.sha256,
                "licence": material.licence,
                "origin": material.origin,
                "notes": [str(note) for note in material.found.notes],
            }
            for material in content.inputs.materials
        ],
        "left_out": [{"name": drop.subject, "reason": drop.reason} for drop in content.inputs.left_out],
        "toolchain": document["toolchain"],
        "versions": {key: document[key] for key in ("code", "pack", "expert", "prompts", "verifier")},
        "models": [],
        "cost_usd": 0,
        "funnel": dict(content.funnel),
        "drops": drop_counts(content),
        "rows": dict(counts),
        "exports": dict(exports),
        "files": dict(hashes),
    }


def drop_counts(content: DatasetContent) -> dict[str, int]:
    """Number of records left out, by ``stage/reason``; a drop that stands for several draws counts as many."""
    counter: Counter[str] = Counter()
    for drop in content.drops:
        counter[f"{drop.stage}/{drop.reason}"] += stands_for(drop)
    return dict(sorted(counter.items()))


def stands_for(drop: Drop) -> int:
    """How many records, or drawn paths, a drop stands for."""
    return int(drop.extra.get("count", 1))
