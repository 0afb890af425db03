"""A blueprint: a path made concrete on real files, with every sub-goal and expected artefact, before anything exists.

Drawing one is pure: same path, materials, tools and seed, same blueprint.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from trajmill.schemas.graph import Path
from trajmill.schemas.ids import derive_random
from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.naming import place_input
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Start
from trajmill.synth.packs.state import State, World
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.pool import Pool

TRIES = 8
"""Attempts with other files or parameters before a path is given up; most paths need one or two."""


OWN_SHARE = 0.75
"""How often a file that is a scenario by itself comes before files of which it could be made."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as the composer uses it."""

    skills: Mapping[str, PackSkill]
    starts: Mapping[str, tuple[Start, ...]]
    version: str


@dataclass(frozen=True, slots=True)
class Wishes:
    """The axes asked for; one value of each is drawn per task."""

    explicitness: tuple[Literal["goal", "steps"], ...] = ("goal", "steps")
    strictness: tuple[Literal["content", "bytes"], ...] = ("content", "bytes")
    distractors: tuple[int, int] = (0, 3)


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A path on real files."""

    path: Path
    seed: int
    world: World
    """Initial files without distractors, and the state they stand for."""
    applications: tuple[Application, ...]
    """One per skill of the path, each on the state that the one before left."""
    skills: tuple[PackSkill, ...]
    materials: tuple[Material, ...]
    """What the initial files were made from, the main one first."""
    distractors: Mapping[str, Material]
    """Files that the task does not need, by workspace path."""
    explicitness: Literal["goal", "steps"]
    strictness: Literal["content", "bytes"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a path cannot be made concrete on these files."""

    reason: str
    detail: str = ""
    step: int = 0
    """Which skill of the path refused, counted from 0."""


Outcome: TypeAlias = Blueprint | Refusal


def draw_blueprint(
    path: Path, pack: Pack, pool: Pool, tools: frozenset[str], seed: int, wishes: Wishes, *, tries: int = TRIES
) -> Outcome:
    """Make a path concrete, trying other files and parameters up to ``tries`` times, at least once.

    A blueprint does not depend on ``tries``; fewer only give up sooner.
    """
    refusal = Refusal("no_start", f"Nothing in the source can be set up as {path.scenarios[0]}.")
    for attempt in range(tries):
        rng = derive_random(seed, "blueprint", path.id, attempt)
        strictness = rng.choice(wishes.strictness)
        outcome = _attempt(path, pack, pool.materials, Draw(rng, tools, strictness))
        if isinstance(outcome, _Chain):
            return _finish(path, outcome, pool.distractors, rng, seed, wishes, strictness)
        refusal = outcome
    return refusal


@dataclass(frozen=True, slots=True)
class _Chain:
    world: World
    material: Material
    applications: tuple[Application, ...]
    skills: tuple[PackSkill, ...]


def _attempt(path: Path, pack: Pack, materials: Sequence[Material], draw: Draw) -> _Chain | Refusal:
    begun = _begin(path.scenarios[0], pack, materials, draw)
    if begun is None:
        return Refusal("no_start", f"Nothing in the source can be set up as {path.scenarios[0]}.")
    world, material = begun
    state, applications, skills = world.state, [], []
    for step, (name, post) in enumerate(zip(path.skills, path.scenarios[1:], strict=True)):
        skill = pack.skills[name]
        if any(earlier in skill.not_after for earlier in path.skills[:step]):
            return Refusal("undoes_earlier_work", f"{name} takes back what an earlier step did.", step)
        application = skill.apply(state, draw)
        if application is not None:
            application = _with_tools(application, draw.tools)
        if application is None:
            return Refusal("not_applicable", f"{name} does not suit {state.focus.path} ({material.name}).", step)
        if application.after.focus.scenario != post:
            return Refusal("wrong_post", f"{name} led to {application.after.focus.scenario} instead of {post}.", step)
        if _undoes(application.after, state):
            return Refusal("undoes_earlier_work", f"{name} gives what was there before.", step)
        applications.append(application)
        skills.append(skill)
        state = application.after
    return _Chain(world, material, tuple(applications), tuple(skills))


def _undoes(after: State, before: State) -> bool:
    """Whether a step ends with content that stands in the workspace already: converted there and back, or unchanged."""
    made = after.focus
    if isinstance(made.facts, Folder):
        return isinstance(before.focus.facts, Folder) and _same_files(made.facts, before.focus.facts)
    entry = after.tree.file(made.path)
    if entry is None or before.tree.get(made.path) == entry:
        return False
    kept = (old for path, old in before.tree.entries.items() if after.tree.get(path) == old)
    return any(isinstance(old, FileEntry) and old.data == entry.data for old in kept)


def _same_files(made: Folder, old: Folder) -> bool:
    return made is not old and dict(made.files) == dict(old.files) and bool(made.files)


def _begin(scenario: str, pack: Pack, materials: Sequence[Material], draw: Draw) -> tuple[World, Material] | None:
    """A start whose set-up accepts one of the materials, tried in drawn order; mostly what is there first.

    A user's own repository or log is one file among many tables, of which such things can be made.
    """
    options = [(start, material) for start in pack.starts.get(scenario, ()) for material in materials]
    draw.rng.shuffle(options)
    own = [(start, material) for start, material in options if start.own and start.own == material.kind]
    if own and draw.rng.random() < OWN_SHARE:
        options = own + options
    for start, material in options:
        world = start.build(material, draw)
        if world is not None and set(world.setup_tools) <= draw.tools:
            return world, material
    return None


def _with_tools(application: Application, tools: frozenset[str]) -> Application | None:
    """The application with the ways and slips that this sandbox can run, or None if no way is left."""
    ways = tuple(way for way in application.ways if set(way.tools) <= tools)
    slips = tuple(slip for slip in application.slips if set(slip.tools) <= tools)
    return replace(application, ways=ways, slips=slips) if ways else None


def _finish(
    path: Path,
    chain: _Chain,
    others: Sequence[Material],
    rng: random.Random,
    seed: int,
    wishes: Wishes,
    strictness: Literal["content", "bytes"],
) -> Blueprint:
    distractors = _distractors(chain, others, rng, rng.randint(*wishes.distractors))
    return Blueprint(
        path=path,
        seed=seed,
        world=chain.world,
        applications=chain.applications,
        skills=chain.skills,
        materials=(chain.material,),
        distractors=distractors,
        explicitness=rng.choice(wishes.explicitness),
        strictness=strictness,
    )


def _distractors(chain: _Chain, pieces: Sequence[Material], rng: random.Random, count: int) -> dict[str, Material]:
    """Other real files, at places that neither the world nor any output uses."""
    states = (chain.world.state, *(a.after for a in chain.applications))
    taken = {*(s.focus.path for s in states), *(o for a in chain.applications for o in a.outputs)}
    others = [m for m in pieces if m.name != chain.material.name]
    rng.shuffle(others)
    placed: dict[str, Material] = {}
    draw = Draw(rng, frozenset())
    for material in others[: 3 * count]:
        place = place_input(material.name, draw)
        held = place in chain.world.files or any(state.holds(place) for state in states)
        if held or place in placed or _touches(place, taken):
            continue
        placed[place] = material
        if len(placed) == count:
            break
    return placed


def _touches(place: str, taken: set[str]) -> bool:
    """Whether a place is used by the task, or lies inside a folder that the task makes statements about."""
    parts = place.split("/")
    return any("/".join(parts[:n]) in taken for n in range(1, len(parts) + 1)) or "." in taken


def initial_entries(blueprint: Blueprint) -> dict[str, FileEntry]:
    """The distractors as workspace files."""
    return {place: FileEntry(material.data) for place, material in blueprint.distractors.items()}
