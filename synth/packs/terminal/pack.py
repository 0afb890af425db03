"""Everything that the files of this folder state, found by looking; so that adding a skill is adding a file."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path

from trajmill.schemas.graph import Scenario, Skill
from trajmill.schemas.ids import digest_files
from trajmill.synth.packs import terminal
from trajmill.synth.packs.skill import PackSkill, Start
from trajmill.synth.packs.terminal.scenarios import SCENARIOS


@functools.cache
def pack_skills() -> dict[str, PackSkill]:
    """All skills by name, in order of the names. Raises ValueError for a name that two files state."""
    found: dict[str, PackSkill] = {}
    for module in _modules():
        for skill in getattr(module, "SKILLS", ()):
            if skill.name in found:
                raise ValueError(f"Two skills of the terminal pack are called {skill.name}.")
            found[skill.name] = skill
    return dict(sorted(found.items()))


@functools.cache
def pack_starts() -> dict[str, tuple[Start, ...]]:
    """All ways to set a scenario up, by scenario."""
    found: dict[str, list[Start]] = {}
    for module in _modules():
        for start in getattr(module, "STARTS", ()):
            found.setdefault(start.scenario, []).append(start)
    return {scenario: tuple(starts) for scenario, starts in sorted(found.items())}


@functools.cache
def graph_records() -> tuple[tuple[Scenario, ...], tuple[Skill, ...]]:
    """Scenarios and skills of the pack as records of a skill graph."""
    skills = tuple(
        Skill(s.name, s.domain, s.summary, tuple((pre, s.post) for pre in s.pre)) for s in pack_skills().values()
    )
    return SCENARIOS, skills


@functools.cache
def pack_version() -> str:
    """Content hash of every source file of the packs; a changed skill gives new tasks and new units."""
    root = Path(terminal.__path__[0]).parent
    return digest_files(root, root.rglob("*.py"))


@functools.cache
def _modules() -> tuple[object, ...]:
    names = sorted(info.name for info in pkgutil.iter_modules(terminal.__path__))
    return tuple(importlib.import_module(f"{terminal.__name__}.{name}") for name in names)
