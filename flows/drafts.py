"""Sampling and composing: from graph and materials to tasks, one sequential unit, finished before shards are cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from trajmill.schemas.codec import from_json, to_json
from trajmill.schemas.config import BuildConfig
from trajmill.schemas.errors import ContractError, StoreError
from trajmill.schemas.graph import Path
from trajmill.schemas.ids import Json, derive_random
from trajmill.schemas.task import Task, Tool
from trajmill.schemas.verdict import Drop
from trajmill.synth.graphs.sample_records import SampleSpec
from trajmill.synth.graphs.sampler import sample_paths
from trajmill.synth.graphs.skill_graph import SkillGraph, build_graph
from trajmill.synth.packs.skill import Draw
from trajmill.synth.packs.terminal.pack import graph_records, pack_skills, pack_starts, pack_version
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.pool import Pool, make_pool
from trajmill.synth.tasks.blueprint import TRIES, Blueprint, Pack, Refusal, Wishes, draw_blueprint
from trajmill.synth.tasks.compose import compose

PATIENCE = 5
"""Paths that may be refused at a step, without one that becomes a task, before most paths with it are passed over."""


BUILD_AGAIN = "The store was changed by hand; remove the build's folder and build again."


@dataclass(frozen=True, slots=True)
class Drafts:
    """Tasks with the blueprints that they were composed from, in sampling order."""

    graph: SkillGraph
    tasks: tuple[Task, ...]
    blueprints: Mapping[str, Blueprint]
    """By task id."""
    drops: tuple[Drop, ...] = ()
    """Paths that could not be drawn or made concrete, one per reason and skill with its count."""


@dataclass(slots=True)
class _Composer:
    """Composes paths as they are drawn and remembers what became of each."""

    pack: Pack
    pool: Pool
    toolchain: Sequence[Tool]
    seed: int
    wishes: Wishes
    tasks: dict[str, Task] = field(default_factory=dict)
    blueprints: dict[str, Blueprint] = field(default_factory=dict)
    refused: dict[tuple[str, str], int] = field(default_factory=dict)
    setbacks: dict[tuple[str, str], int] = field(default_factory=dict)
    """Paths refused at a step since one with that step became a task, by the step and what came before it."""

    def realise(self, path: Path) -> bool | str:
        """Whether the path became a task; the task is kept under the path's id.

        A step that was refused again and again is tried less and less: most of such steps never work.
        """
        steps = tuple(pairwise((path.scenarios[0], *path.skills)))
        worst = max(range(len(steps)), key=lambda place: self.setbacks.get(steps[place], 0))
        outcome = self._draw(path, steps[worst], worst)
        if isinstance(outcome, Refusal):
            key, step = (outcome.reason, outcome.detail), steps[outcome.step]
            self.refused[key] = self.refused.get(key, 0) + 1
            self.setbacks[step] = self.setbacks.get(step, 0) + 1
            return outcome.reason
        for step in steps:
            self.setbacks.pop(step, None)
        self.blueprints[path.id] = outcome
        self.tasks[path.id] = compose(outcome, self.toolchain, self.pack.version)
        return True

    def _draw(self, path: Path, worst: tuple[str, str], place: int) -> Blueprint | Refusal:
        """The blueprint; of the paths whose worst step has more than ``PATIENCE`` setbacks, one in eight is tried."""
        setbacks = self.setbacks.get(worst, 0)
        if setbacks > PATIENCE and setbacks % 8:
            before, skill = worst
            return Refusal("not_applicable", f"{skill} did not suit after {before} so far.", place)
        tools, tries = frozenset(tool.name for tool in self.toolchain), max(1, TRIES >> setbacks)
        return draw_blueprint(path, self.pack, self.pool, tools, self.seed, self.wishes, tries=tries)


def terminal_pack() -> Pack:
    """The built-in pack."""
    return Pack(pack_skills(), pack_starts(), pack_version())


def terminal_graph() -> SkillGraph:
    """The built-in pack's skill graph."""
    scenarios, skills = graph_records()
    return build_graph(scenarios, skills)


def draw_drafts(config: BuildConfig, seed: int, materials: Sequence[Material], toolchain: Sequence[Tool]) -> Drafts:
    """Draw paths that can be made concrete on these files, and compose their tasks. Pure and sequential."""
    graph, composer = terminal_graph(), _composer(config, seed, materials, toolchain)
    starts = config.sample.start or feasible_starts(composer.pack, composer.pool.materials, toolchain)
    sample = sample_paths(graph, sample_spec(config, seed, starts), realise=composer.realise)
    return _drafts(graph, composer, sample.paths, sample_drops(composer, sample.rejected, sample.given_up))


def redraw_drafts(
    config: BuildConfig, seed: int, materials: Sequence[Material], toolchain: Sequence[Tool], stored: Json
) -> Drafts:
    """The drafts of a stored sample, composed again; blueprints are not stored. Raises StoreError if they differ."""
    graph, composer = terminal_graph(), _composer(config, seed, materials, toolchain)
    try:
        paths = tuple(from_json(Path, value) for value in stored["paths"])
        drops = tuple(from_json(Drop, value) for value in stored["drops"])
        made = all(composer.realise(path) is True for path in paths)
        drafts = _drafts(graph, composer, paths, drops) if made else None
    except (LookupError, TypeError, ValueError, ContractError) as damage:
        raise StoreError("The stored sample of this build is damaged.", remedy=BUILD_AGAIN) from damage
    if drafts is None or [task.id for task in drafts.tasks] != stored["tasks"]:
        raise StoreError(
            "The stored sample of this build does not compose into the same tasks any more.", remedy=BUILD_AGAIN
        )
    return drafts


def stored_drafts(drafts: Drafts) -> Json:
    """What is stored of drafts: paths, task ids and drops; the tasks themselves follow from them."""
    return {
        "graph": drafts.graph.id,
        "paths": [to_json(task.lineage.path) for task in drafts.tasks],
        "tasks": [task.id for task in drafts.tasks],
        "drops": [to_json(drop) for drop in drafts.drops],
    }


def sample_spec(config: BuildConfig, seed: int, starts: Sequence[str]) -> SampleSpec:
    """The sampler's specification of a configuration."""
    sample = config.sample
    return SampleSpec(
        paths=sample.paths,
        seed=seed,
        shortest=sample.length[0],
        longest=sample.length[1],
        starts=tuple(starts),
        goals=sample.goal,
        domains=sample.domains,
        use=sample.must_use,
        avoid=sample.must_avoid,
        length_mix=tuple(sorted(sample.lengths.items())),
        domain_mix=tuple(sorted(sample.domain_weights.items())),
    )


def feasible_starts(pack: Pack, materials: Sequence[Material], toolchain: Sequence[Tool]) -> tuple[str, ...]:
    """Scenarios that some file of the source can be set up as."""
    tools = frozenset(tool.name for tool in toolchain)

    def suits(scenario: str) -> bool:
        pairs = ((start, material) for start in pack.starts[scenario] for material in materials)
        draws = ((start, m, Draw(derive_random("feasible", scenario, m.name), tools)) for start, m in pairs)
        return any(start.build(material, draw) is not None for start, material, draw in draws)

    return tuple(scenario for scenario in pack.starts if suits(scenario))


def _composer(config: BuildConfig, seed: int, materials: Sequence[Material], toolchain: Sequence[Tool]) -> _Composer:
    wishes = Wishes(config.task.explicitness, config.task.strictness, config.task.distractors)
    return _Composer(terminal_pack(), make_pool(materials, seed), toolchain, seed, wishes)


def _drafts(graph: SkillGraph, composer: _Composer, paths: Sequence[Path], drops: tuple[Drop, ...]) -> Drafts:
    tasks = tuple(composer.tasks[path.id] for path in paths)
    blueprints = {composer.tasks[path.id].id: composer.blueprints[path.id] for path in paths}
    return Drafts(graph, tasks, blueprints, drops)


def sample_drops(
    composer: _Composer, rejected: Sequence[tuple[str, int]], given_up: Sequence[object]
) -> tuple[Drop, ...]:
    """Rejections of the sampler and refusals of the composer, one drop per reason with its count."""
    refusals = {reason for reason, _ in composer.refused}
    drops = [
        Drop("sample", "paths", reason.replace(" ", "_"), f"{count} draws", {"count": count})
        for reason, count in rejected
        if reason not in refusals
    ]
    drops += [
        Drop("compose", "path", reason, detail, {"count": count})
        for (reason, detail), count in sorted(composer.refused.items())
    ]
    drops += [Drop("sample", "paths", "given_up", getattr(stop, "reason", str(stop))) for stop in given_up]
    return tuple(drops)
