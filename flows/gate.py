"""The gate that every task passes before a policy sees it: the oracle must pass, doing nothing must fail."""

from __future__ import annotations

from trajmill.flows.attempt import execution_version, judged
from trajmill.flows.units import Unit
from trajmill.sandboxes.base import Backend, Sandbox
from trajmill.schemas.codec import from_json, to_json
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.ids import Json, content_id
from trajmill.schemas.task import Task
from trajmill.schemas.verdict import Drop, Verdict
from trajmill.verifiers.verify import verifier_version

SCRIPT_TIMEOUT_S = 60.0


def gate_unit(task: Task, backend: Backend, place: int) -> Unit:
    """The unit of work that gates a task."""
    identity = [task.id, execution_version(), verifier_version(), backend.name]
    return Unit(content_id("gate", identity), "gate", task.id, "gate", 0, place, paid=False)


async def run_gate(task: Task, backend: Backend) -> Json:
    """Verdicts of the oracle and of doing nothing. Raises SandboxError if a sandbox failed."""
    oracle = await judged(task, backend, lambda box: _run_oracle(task, box))
    noop = await judged(task, backend, _do_nothing)
    return {"oracle": to_json(oracle), "noop": to_json(noop)}


def failed_gate(unit: Unit, error: SandboxError) -> Json:
    """The record of a gate whose sandbox failed to the last."""
    verdict = Verdict("infra_error", cause=error.cause, detail=error.message, retryable=error.retryable)
    return {"oracle": to_json(verdict), "noop": to_json(verdict)}


def gate_drop(task_id: str, record: Json) -> Drop | None:
    """Why the task is not used, or None if it is sound."""
    oracle, noop = from_json(Verdict, record["oracle"]), from_json(Verdict, record["noop"])
    for name, verdict in (("oracle", oracle), ("noop", noop)):
        if verdict.kind != "scored":
            return Drop("certify", task_id, verdict.kind, f"{name}: {verdict.cause} {verdict.detail}".strip())
    if not oracle.passed:
        first = next(c for c in oracle.checks if not c.passed)
        return Drop("certify", task_id, "oracle_failed", f"{first.name}: {first.detail}")
    if noop.passed:
        return Drop("certify", task_id, "noop_passed", "Every check passes although nothing was done.")
    return None


async def _run_oracle(task: Task, box: Sandbox) -> None:
    for step in task.oracle:
        result = await box.run(step.script, timeout=SCRIPT_TIMEOUT_S)
        if result.timed_out:
            raise SandboxError(f"The oracle ran over {SCRIPT_TIMEOUT_S:.0f} s.", cause="command_timeout")


async def _do_nothing(box: Sandbox) -> None:
    return None
