"""A whole build as plain functions, without Prefect: inputs, sample, gate, rollouts, selection, dataset.

Whoever drives it hands in what runs the shards: ``attempts.run_shards``, or the same under Prefect. Every unit of work
is in the run store before anything is made from it, so a build that is killed at any instant goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trajmill.flows.attempts import RunShards, run_units
from trajmill.flows.dataset import DatasetContent
from trajmill.flows.drafts import Drafts, draw_drafts, redraw_drafts, stored_drafts
from trajmill.flows.durable import write_whole
from trajmill.flows.gate import failed_gate, gate_drop, gate_unit, run_gate
from trajmill.flows.manifest import stands_for
from trajmill.flows.planning import Plan
from trajmill.flows.policies import bounds_of, policies_of
from trajmill.flows.publish import Published, publish, require_free
from trajmill.flows.rollouts import failed_rollout, rollout_units, run_rollout
from trajmill.flows.select import select
from trajmill.flows.store import BuildRun, Store
from trajmill.flows.units import Counts, ShardPlan, Unit, cut
from trajmill.sandboxes.base import Backend
from trajmill.schemas.errors import SandboxError, StoreError
from trajmill.schemas.ids import Json, canonical_json
from trajmill.schemas.verdict import Drop
from trajmill.synth.policies.base import Policy
from trajmill.synth.rollout import Bounds


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is, for a display."""

    stage: str
    """``inputs``, ``sample``, ``gate``, ``rollouts`` or ``publish``."""
    done: int = 0
    total: int = 0
    passed: int = 0
    """Of ``done``: tasks that passed the gate, rollouts with reward 1."""
    skipped: int = 0
    """Of ``done``: units that an earlier run had committed."""


@dataclass(slots=True)
class Run:
    """What the stages of one running build share."""

    plan: Plan
    backend: Backend
    build: BuildRun
    show: Callable[[Progress], None]
    drafts: Drafts
    policies: tuple[tuple[Policy, int], ...]
    bounds: Bounds
    gate_drops: dict[str, Drop | None] = field(default_factory=dict)
    """Why a task is not used, or None if it is sound, by task id."""
    rollouts: list[Unit] = field(default_factory=list)
    """Units of all sound tasks, whatever became of them."""
    tally: dict[str, Progress] = field(default_factory=dict)
    """Progress of the finished shards by stage."""


async def build_dataset(
    plan: Plan,
    backend: Backend,
    store: Store,
    out: Path,
    *,
    run_shards: RunShards,
    show: Callable[[Progress], None],
    say: Callable[[str], None] = lambda sentence: None,
    replacing: bool = False,
) -> Published:
    """Run a planned build to its end and publish the dataset in ``out``; goes on where an earlier run stopped.

    ``say`` is told, a sentence each, if another process left the build and how many units it had begun in vain.
    Raises StoreError, before anything is run, if ``out`` holds something else than this dataset.
    """
    require_free(out, plan.build_id, replacing=replacing)
    with store.begin(plan.build_id, plan.document) as build:
        for sentence in _left_by_others(build):
            say(sentence)
        show(Progress("sample"))
        drafts = _sampled(plan, build)
        run = Run(plan, backend, build, show, drafts, policies_of(plan.config, drafts), bounds_of(plan.config))
        await run_shards(_shards(run), lambda shard: _run_shard(run, shard))
        show(Progress("publish"))
        return publish(_content(run), out, replacing=replacing)


def _left_by_others(build: BuildRun) -> Iterator[str]:
    if build.note:
        yield build.note
    if count := len(build.dangling):
        yield f"{count} unit{'s were' if count > 1 else ' was'} begun there without an outcome and will be run again."


def _sampled(plan: Plan, build: BuildRun) -> Drafts:
    """The sample of the build: drawn and stored once, and composed from what was stored ever after."""
    path = build.sample / "sample.json"
    materials = plan.inputs.materials
    if path.exists():
        try:
            stored = json.loads(path.read_bytes())
        except ValueError as error:
            raise StoreError(f"The sample {path} is damaged.", remedy="Remove it; it is drawn again.") from error
        return redraw_drafts(plan.config, plan.seed, materials, plan.toolchain, stored)
    drafts = draw_drafts(plan.config, plan.seed, materials, plan.toolchain)
    write_whole(path, canonical_json(stored_drafts(drafts)))
    return drafts


def _shards(run: Run) -> tuple[ShardPlan, ...]:
    """Shards of gate units; the rollouts of a shard's tasks belong to it and follow once its gates are known."""
    attempts = sum(count for _, count in run.policies)
    units = [gate_unit(task, run.backend, place) for place, task in enumerate(run.drafts.tasks)]
    return cut(units, max(1, run.plan.config.rollout.shard_size // max(1, attempts)))


async def _run_shard(run: Run, shard: ShardPlan) -> Counts:
    """Gate the shard's tasks, roll out those that are sound, compact the journal."""
    gates, counts = await _run_units(run, shard, shard.units, "gate")
    run.gate_drops.update({unit.task_id: gate_drop(unit.task_id, gates[unit.id]) for unit in shard.units})
    tasks = [(unit.payload, run.drafts.tasks[unit.payload]) for unit in shard.units]
    sound = [(place, task) for place, task in tasks if run.gate_drops[task.id] is None]
    units = [u for place, task in sound for u in rollout_units(task, run.policies, run.backend, run.bounds, place)]
    run.rollouts.extend(units)
    _, done = await _run_units(run, shard, units, "rollouts", keep=False)
    run.build.compact(shard.index)
    return counts + done


async def _run_units(
    run: Run, shard: ShardPlan, units: Sequence[Unit], stage: str, *, keep: bool = True
) -> tuple[dict[str, Json], Counts]:
    """Run what is not yet committed; with ``keep``, return the records of all these units."""
    policies = {policy.name: policy for policy, _ in run.policies}
    before = run.tally.get(stage, Progress(stage))
    known = run.build.known([unit.id for unit in units], retry_failed=True)
    fresh: dict[str, Json] = {}
    passed = 0

    async def work(unit: Unit) -> Json:
        nonlocal passed
        task = run.drafts.tasks[unit.payload]
        if unit.kind == "gate":
            record = await run_gate(task, run.backend)
            passed += gate_drop(task.id, record) is None
        else:
            record = await run_rollout(task, policies[unit.policy], unit.attempt, run.backend, run.bounds)
            passed += record["verdict"]["reward"] == 1.0
        if keep:
            fresh[unit.id] = record
        return record

    def failed(unit: Unit, error: SandboxError) -> Json:
        fresh[unit.id] = failed_gate(unit, error) if unit.kind == "gate" else failed_rollout(unit, error)
        return fresh[unit.id]

    def show(counts: Counts) -> None:
        run.tally[stage] = Progress(
            stage,
            before.done + counts.done + counts.skipped,
            _expected(run, stage),
            before.passed + passed,
            before.skipped + counts.skipped,
        )
        run.show(run.tally[stage])

    counts = await run_units(
        units,
        work,
        run.build.journal(shard.index),
        failed=failed,
        known=known,
        concurrency=run.plan.config.rollout.concurrency or None,
        on_progress=show,
        telemetry=run.build.telemetry(shard.name),
    )
    show(counts)
    if not keep:
        return {}, counts
    earlier = [unit.id for unit in units if unit.id not in fresh]
    stored = {commit.unit_id: json.loads(commit.record) for commit in run.build.records(earlier)}
    return {**stored, **fresh}, counts


def _expected(run: Run, stage: str) -> int:
    """Units of a stage in the whole build; rollouts are an estimate until every gate is known."""
    tasks = len(run.drafts.tasks)
    if stage == "gate":
        return tasks
    unsound = sum(1 for drop in run.gate_drops.values() if drop is not None)
    return (tasks - unsound) * sum(count for _, count in run.policies)


def _content(run: Run) -> DatasetContent:
    """All that goes into the dataset, in an order that does not depend on how the build ran."""
    units = sorted(run.rollouts, key=lambda unit: unit.id)
    tasks = {task.id: task for task in run.drafts.tasks}
    records = (json.loads(commit.record) for commit in run.build.records([unit.id for unit in units]))
    selection = select(units, records, tasks, run.plan.config)
    verdicts = [(task, run.gate_drops[task.id]) for task in run.drafts.tasks]
    gate_drops = tuple(drop for _, drop in verdicts if drop is not None)
    sound = tuple(task for task, drop in verdicts if drop is None)
    run.build.finish([unit.id for unit in units])
    return DatasetContent(
        config=run.plan.config,
        version=run.plan.version,
        build_id=run.plan.build_id,
        document=run.plan.document,
        inputs=run.plan.inputs,
        graph=run.drafts.graph,
        tasks=tuple(sorted(sound, key=lambda task: task.id)),
        trajectories=selection.rows,
        drops=(*run.plan.inputs.left_out, *run.drafts.drops, *gate_drops, *selection.drops),
        funnel={
            "files_taken": len(run.plan.inputs.materials),
            "paths_drawn": len(run.drafts.tasks) + sum(map(stands_for, run.drafts.drops)),
            "tasks_composed": len(run.drafts.tasks),
            "tasks_sound": len(sound),
            **selection.funnel,
        },
    )
