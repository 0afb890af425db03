"""What a dataset is made of before it is written, and where its parts lie once it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trajmill.flows.inputs import Inputs
from trajmill.schemas.config import BuildConfig
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Task
from trajmill.schemas.verdict import Drop
from trajmill.synth.graphs.skill_graph import SkillGraph

MANIFEST = "manifest.json"
RUN = "run.json"
"""What depends on when and where the build ran; everything else in a dataset is the same for equal builds."""


@dataclass(frozen=True, slots=True)
class DatasetContent:
    """All that goes into a dataset."""

    config: BuildConfig
    version: int
    build_id: str
    document: Json
    """What determines the build."""
    inputs: Inputs
    graph: SkillGraph
    tasks: tuple[Task, ...]
    """Sound tasks, in order of their ids."""
    trajectories: tuple[Mapping[str, Json], ...]
    """Rows of the trajectories table, in order of their units."""
    drops: tuple[Drop, ...]
    funnel: Mapping[str, int]
    """Counts at every gate, in order."""


def table_path(folder: Path, table: str) -> Path:
    """Where a table of a dataset lies: one file per table."""
    return folder / "data" / table / "train-00000-of-00001.parquet"
