"""The one agent loop: a policy acts on a task in an open sandbox, and every step is written down."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from trajmill.sandboxes.base import CommandResult, Sandbox
from trajmill.schemas.ids import content_id, digest
from trajmill.schemas.task import Task
from trajmill.schemas.trajectory import Step, ToolCall, ToolResult, Trajectory
from trajmill.synth.policies.base import Policy, Turn
from trajmill.synth.tools import TOOLS

MODEL_FREE = frozenset({"oracle", "noop", "programmatic", "replay", "scripted"})
"""Policies that no model drives: their steps say ``llm_call_count`` 0, and a time-out is never their fault."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a rollout ends at the latest."""

    turns: int = 60
    command_timeout_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Rollout:
    """A trajectory and how it ended."""

    trajectory: Trajectory
    stop: str
    """``finished``, ``turn_limit`` or ``command_timeout`` (of a policy without a model)."""


def system_prompt() -> str:
    """What every policy is told about the sandbox."""
    return files("trajmill.synth").joinpath("prompts/agent.md").read_text(encoding="utf-8").strip()


def prompt_version() -> str:
    """Content hash of the system prompt and the tool definitions."""
    return digest([system_prompt(), list(TOOLS)])[:16]


async def rollout(task: Task, policy: Policy, attempt: int, box: Sandbox, bounds: Bounds) -> Rollout:
    """Let the policy work on the task until it finishes or a bound is reached. SandboxError passes through."""
    agent = policy.begin(task, attempt)
    deterministic = policy.name in MODEL_FREE
    steps = [Step("system", system_prompt()), Step("user", task.instruction)]
    seen: CommandResult | None = None
    stop = "turn_limit"
    for number in range(bounds.turns):
        turn = await agent.act(seen)
        call_id = f"call_{number + 1}"
        if turn.command is None:
            steps.append(_finish_step(turn, call_id, deterministic))
            stop = "finished"
            break
        seen = await box.run(turn.command, timeout=bounds.command_timeout_s)
        steps.append(_command_step(turn, call_id, seen, deterministic))
        if seen.timed_out and deterministic:
            stop = "command_timeout"
            break
    trajectory = Trajectory(
        agent=policy.name,
        agent_version=policy.version,
        steps=tuple(steps),
        tools=TOOLS,
        session_id=content_id("session", [task.id, policy.name, policy.version, attempt]),
    )
    return Rollout(trajectory, stop)


def observation(result: CommandResult) -> str:
    """What a policy sees of a command: its output, then one bracketed mark for each unusual thing."""
    marks = []
    if result.timed_out:
        marks.append("[timed out; everything that the command started was killed]")
    if result.killed_for:
        marks.append(f"[killed: over the {result.killed_for} limit]")
    if result.exit_code not in (0, None):
        marks.append(f"[exit code {result.exit_code}]")
    if result.state_lost:
        marks.append("[the shell was restarted: directory and variables are reset]")
    output = result.output
    if marks and output and not output.endswith("\n"):
        output += "\n"
    return output + "\n".join(marks)


def _command_step(turn: Turn, call_id: str, seen: CommandResult, deterministic: bool) -> Step:
    return Step(
        source="agent",
        message=turn.message,
        calls=(ToolCall(call_id, "terminal", {"command": turn.command}),),
        results=(ToolResult(call_id, observation(seen)),),
        llm_calls=0 if deterministic else None,
        loss_weight=turn.loss_weight,
        role=turn.role,
    )


def _finish_step(turn: Turn, call_id: str, deterministic: bool) -> Step:
    return Step(
        source="agent",
        message=turn.message,
        calls=(ToolCall(call_id, "finish", {"message": turn.summary}),),
        llm_calls=0 if deterministic else None,
        role="finish",
    )
