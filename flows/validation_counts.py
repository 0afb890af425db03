"""Whether a manifest's counts add up with the tables of its dataset. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from trajmill.schemas.ids import Json

DESCENDING = (
    ("paths_drawn", "tasks_composed", "tasks_sound"),
    ("rollouts", "rollouts_scored", "rollouts_passed"),
    ("rollouts", "trajectories_kept"),
)
"""Gates that let through at most what reached them."""


def count_faults(
    manifest: Mapping[str, Json], rows: Mapping[str, int], drops: Mapping[str, int], passed: int
) -> Iterator[str]:
    """What does not add up.

    ``rows`` are the rows of each table, ``drops`` the records left out by ``stage/reason``, ``passed`` the trajectories
    that passed.
    """
    if manifest.get("rows") != dict(rows):
        yield f"It counts rows {_said(manifest.get('rows'))}, the tables hold {_said(rows)}."
    if manifest.get("drops") != dict(drops):
        yield f"It counts drops {_said(manifest.get('drops'))}, the table holds {_said(drops)}."
    funnel = manifest.get("funnel")
    if not isinstance(funnel, dict) or not all(_is_count(count) for count in funnel.values()):
        yield "Its funnel is not a count for every gate."
    else:
        yield from _funnel_faults(funnel, rows, drops, passed)
    yield from _export_faults(manifest, rows)


def _funnel_faults(
    funnel: Mapping[str, int], rows: Mapping[str, int], drops: Mapping[str, int], passed: int
) -> Iterator[str]:
    stages: Counter[str] = Counter()
    for key, count in drops.items():
        stages[key.partition("/")[0]] += count
    gate = Counter(funnel)
    claims = (
        (gate["tasks_sound"], rows["tasks"], "sound tasks", "rows in the tasks table"),
        (gate["trajectories_kept"], rows["trajectories"], "trajectories kept", "rows in the trajectories table"),
        (
            gate["paths_drawn"] - gate["tasks_composed"],
            stages["sample"] + stages["compose"],
            "drawn paths that became no task",
            "drops of the stages sample and compose",
        ),
        (
            gate["tasks_composed"] - gate["tasks_sound"],
            stages["certify"],
            "tasks lost at the gate",
            "drops of the stage certify",
        ),
        (
            gate["rollouts"] - gate["trajectories_kept"],
            stages["rollout"] + stages["filter"],
            "rollouts not kept",
            "drops of the stages rollout and filter",
        ),
    )
    for one, other, what, where in claims:
        if one != other:
            yield f"Its funnel has {one} {what}, but there are {other} {where}."
    for gates in DESCENDING:
        for before, after in pairwise(gates):
            if gate[after] > gate[before]:
                yield f"Its funnel has more {after} ({gate[after]}) than {before} ({gate[before]})."
    if passed > gate["rollouts_passed"]:
        yield f"Its funnel has {gate['rollouts_passed']} passed rollouts, but {passed} rows passed."


def _export_faults(manifest: Mapping[str, Json], rows: Mapping[str, int]) -> Iterator[str]:
    files, exports = manifest.get("files"), manifest.get("exports")
    if not isinstance(files, dict) or not isinstance(exports, dict):
        yield "It has no exports or no files."
        return
    for name, made in exports.items():
        if not isinstance(made, dict) or not isinstance(made.get("excluded"), dict):
            yield f"The export {name} does not say what was left out."
            continue
        file = f"sft/{name}.jsonl"
        if files.get(file) != made.get("sha256"):
            yield f"The export {name} has another SHA-256 than its file {file}."
        total = made.get("rows", 0) + sum(made["excluded"].values())
        if total != rows["trajectories"]:
            yield f"The export {name} accounts for {total} of {rows['trajectories']} trajectories."


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _said(counts: Json) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) if isinstance(counts, Mapping) else "nothing"
