from __future__ import annotations

import asyncio

from tests.synth.handmade import blueprint, task_of
from trajmill.schemas.trajectory import Step, ToolCall, Trajectory
from trajmill.synth.policies.base import Policy, Turn
from trajmill.synth.policies.scripted import noop_policy, oracle_policy, replay_policy

TASK = task_of(blueprint("list-sort", "list-count"))


def turns(policy: Policy, most: int = 9) -> list[Turn]:
    agent = policy.begin(TASK, 0)

    async def main() -> list[Turn]:
        found = [await agent.act(None)]
        while found[-1].command is not None and len(found) < most:
            found.append(await agent.act(None))
        return found

    return asyncio.run(main())


def test_the_oracle_runs_the_reference_solution() -> None:
    found = turns(oracle_policy())
    assert [t.command for t in found] == [*(s.script for s in TASK.oracle), None]
    assert [t.message for t in found[:-1]] == [s.purpose for s in TASK.oracle]


def test_the_noop_only_finishes() -> None:
    assert [(t.command, t.role) for t in turns(noop_policy())] == [(None, "finish")]


def story(*commands: str, finished: bool = True) -> Trajectory:
    steps = [Step("agent", f"I run {c}.", calls=(ToolCall(c, "terminal", {"command": c}),)) for c in commands]
    end = Step("agent", "", calls=(ToolCall("f", "finish", {"message": "Done."}),))
    return Trajectory("model", "1", (Step("user", "Do it."), *steps, *([end] if finished else [])))


def test_a_replay_runs_the_same_commands_and_ends_with_the_same_words() -> None:
    found = turns(replay_policy(story("ls", "cat a")))
    assert [(t.message, t.command) for t in found[:-1]] == [("I run ls.", "ls"), ("I run cat a.", "cat a")]
    assert found[-1].summary == "Done."


def test_a_replay_of_a_story_without_end_ends_by_itself() -> None:
    assert turns(replay_policy(story("ls", finished=False)))[-1].command is None


def test_the_version_of_a_replay_follows_its_commands() -> None:
    assert replay_policy(story("ls")).version == replay_policy(story("ls")).version
    assert replay_policy(story("ls")).version != replay_policy(story("ls", "ls")).version
