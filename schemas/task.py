"""The task: instruction, environment, reference solution, verifier, axes and lineage; its id is its content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from trajmill.schemas.graph import Path
from trajmill.schemas.ids import Json, content_id
from trajmill.schemas.tree import Tree

Evidence = Literal["artefacts", "final-tree", "live", "transcript"]
"""What a check may read: named files, the whole workspace after the agent is dead, live state, or the transcript."""

SCHEMA_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as it was found inside the sandbox."""

    name: str
    version: str
    """First line that the tool prints about its version, or the empty string."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Resources:
    """Bounds of one sandbox."""

    memory_mb: int = 512
    processes: int = 128
    disk_mb: int = 64
    """Size of the workspace and of each other writable folder."""
    cpus: float = 1.0


@dataclass(frozen=True, slots=True)
class Environment:
    """The world that a policy finds."""

    files: Tree = field(default_factory=Tree)
    """The workspace before ``setup``."""
    setup: tuple[str, ...] = ()
    """Shell scripts run in the workspace, in order, before a policy starts."""
    base: str = "host-root"
    """``host-root`` (read-only system folders of the host), or later an image or a Dockerfile."""
    packages: tuple[str, ...] = ()
    """Debian packages that give an image the same tools as ``required_tools``."""
    required_tools: tuple[str, ...] = ()
    """Every command that the oracle and the verifier run."""
    toolchain: tuple[Tool, ...] = ()
    """The required tools as resolved inside the sandbox when the task was made."""
    workdir: str = "/workspace"
    user: str = "agent"
    network: bool = False
    resources: Resources = field(default_factory=Resources)


@dataclass(frozen=True, slots=True)
class OracleStep:
    """One step of the reference solution."""

    purpose: str
    script: str


@dataclass(frozen=True, slots=True)
class Check:
    """One claim about the world after the work, read from declared evidence."""

    name: str
    """Unique within the task, readable: ``texas.csv holds the rows of TX``."""
    kind: str
    """Key of the table in ``verifiers/checks``."""
    params: Mapping[str, Json] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    """Workspace paths it reads; a folder stands for all below it."""
    evidence: Evidence = "final-tree"
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Verifier:
    """Ordered checks; the reward is 1 if all pass, and the weighted share is recorded beside it."""

    checks: tuple[Check, ...]
    mode: Literal["fresh", "shared"] = "fresh"
    timeout_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Axes:
    """Where a task stands on each axis of difficulty and kind."""

    domain: str
    skills: tuple[str, ...]
    path_length: int
    explicitness: Literal["goal", "steps"] = "goal"
    strictness: Literal["content", "bytes"] = "content"
    """``content``: tables and JSON are compared as values; ``bytes``: outputs are compared byte for byte."""
    distractors: int = 0
    """Files in the workspace that the task does not need."""
    persona: str = ""
    task_type: Literal["build", "answer"] = "build"
    expectation: Literal["computed", "agreed", "observed"] = "computed"
    """How expected values were found; ``computed``: in Python, on a model of the state."""
    verifier_kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceRef:
    """A file that a task was made from."""

    name: str
    sha256: str
    licence: str
    origin: str
    """Where the file comes from, such as a package and its version."""
    excerpt: str = ""
    """Which part was taken, if not all of it: ``records 1-400 of 3376``."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """How the task came to be."""

    path: Path
    seed: int
    sources: tuple[SourceRef, ...]
    generator: str
    """``programmatic`` or a model id."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Content hashes of the pack and the prompts that made it."""
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Private:
    """Never shown to a policy, never exported."""

    hints: tuple[str, ...] = ()
    guideline: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """An executable task."""

    instruction: str
    environment: Environment
    oracle: tuple[OracleStep, ...]
    verifier: Verifier
    axes: Axes
    lineage: Lineage
    private: Private = field(default_factory=Private)
    schema_version: str = SCHEMA_VERSION
    id: str = ""
    """Content id, filled in by ``sealed``."""


def sealed(task: Task) -> Task:
    """The task with its content id; every field but the id goes into it."""
    from dataclasses import replace

    from trajmill.schemas.codec import to_json

    bare = replace(task, id="")
    return replace(task, id=content_id("task", to_json(bare)))
