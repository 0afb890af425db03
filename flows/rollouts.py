"""Rollout units: a policy attempts a task in a sandbox, and the outcome is verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trajmill.flows.attempt import execution_version, verdict_of, worked
from trajmill.flows.units import Unit
from trajmill.sandboxes.base import Backend, Sandbox
from trajmill.schemas.codec import to_json
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.formats.atif import to_atif
from trajmill.schemas.ids import Json, content_id
from trajmill.schemas.task import Task
from trajmill.schemas.verdict import Verdict
from trajmill.synth.policies.base import Policy
from trajmill.synth.rollout import MODEL_FREE, Bounds, Rollout, prompt_version, rollout
from trajmill.verifiers.verify import verifier_version


def rollout_units(
    task: Task, policies: Sequence[tuple[Policy, int]], backend: Backend, bounds: Bounds, place: int
) -> tuple[Unit, ...]:
    """The units of all attempts at a task; ``policies`` come with their number of attempts."""
    return tuple(
        _unit(task, policy, backend, bounds, attempt, place)
        for policy, attempts in policies
        for attempt in range(attempts)
    )


def _unit(task: Task, policy: Policy, backend: Backend, bounds: Bounds, attempt: int, place: int) -> Unit:
    identity = [
        task.id,
        policy.name,
        policy.version,
        prompt_version(),
        [bounds.turns, bounds.command_timeout_s],
        execution_version(),
        verifier_version(),
        backend.name,
        attempt,
    ]
    paid = policy.name not in MODEL_FREE
    return Unit(content_id("roll", identity), "rollout", task.id, policy.name, attempt, place, paid)


async def run_rollout(task: Task, policy: Policy, attempt: int, backend: Backend, bounds: Bounds) -> Json:
    """Document and verdict of one attempt. Raises SandboxError for a failed sandbox or a model-free time-out."""

    async def work(box: Sandbox) -> Rollout:
        done = await rollout(task, policy, attempt, box, bounds)
        if done.stop == "command_timeout":
            raise SandboxError(
                f"A command of {policy.name} ran over {bounds.command_timeout_s:.0f} s.", cause="command_timeout"
            )
        return done

    done, final = await worked(task, backend, work)
    verdict = await verdict_of(task, final, backend)
    labels = {"task_id": task.id, "verdict": verdict.kind, "reward": verdict.reward, "stop": done.stop}
    trajectory = replace(done.trajectory, extra={"trajmill": labels})
    return {"document": to_atif(trajectory), "verdict": to_json(verdict), "stop": done.stop}


def failed_rollout(unit: Unit, error: SandboxError) -> Json:
    """The record of a rollout whose sandbox failed to the last."""
    verdict = Verdict("infra_error", cause=error.cause, detail=error.message, retryable=error.retryable)
    return {"document": None, "verdict": to_json(verdict), "stop": "infra_error"}
