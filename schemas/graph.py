"""Skill graphs as SkillSynth (arXiv 2604.25727) defines them: scenarios are nodes, skills are transitions."""

from __future__ import annotations

from dataclasses import dataclass

from trajmill.schemas.ids import content_id


@dataclass(frozen=True, slots=True)
class Scenario:
    """A semantic state of the environment, such as "a CSV with a header and duplicate rows exists"."""

    id: str
    title: str
    domain: str


@dataclass(frozen=True, slots=True)
class Skill:
    """A reusable procedure that takes the world from one scenario to another."""

    name: str
    domain: str
    summary: str
    transitions: tuple[tuple[str, str], ...]
    """Pairs of pre-scenario id and post-scenario id; a skill that fits several scenarios labels several edges."""


@dataclass(frozen=True, slots=True)
class Path:
    """A sampled walk: ``scenarios[i] --skills[i]--> scenarios[i + 1]``."""

    graph: str
    """Content hash of the graph it was drawn from."""
    index: int
    """Place in the sample, from 0."""
    seed: int
    """Seed of the whole sample."""
    scenarios: tuple[str, ...]
    skills: tuple[str, ...]

    @property
    def id(self) -> str:
        """Content id of the walk itself, the same wherever it was drawn."""
        return content_id("path", [self.graph, list(self.scenarios), list(self.skills)])

    @property
    def length(self) -> int:
        """Number of skills."""
        return len(self.skills)
