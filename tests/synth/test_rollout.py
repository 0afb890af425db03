from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.synth.handmade import blueprint, task_of
from trajmill.sandboxes.base import CommandResult, SandboxSpec
from trajmill.sandboxes.fake import Answer, FakeBackend
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.formats.atif import to_atif
from trajmill.schemas.validate import validate
from trajmill.synth import rollout as module
from trajmill.synth.policies.base import Turn
from trajmill.synth.policies.scripted import ScriptedPolicy, noop_policy
from trajmill.synth.rollout import Bounds, Rollout, observation, prompt_version, rollout, system_prompt
from trajmill.synth.tools import TOOLS

TASK = task_of(blueprint("list-sort"))
END = Turn("", None, "Done.", "finish")


def policy(*turns: Turn, name: str = "scripted") -> ScriptedPolicy:
    return ScriptedPolicy(name, "1", lambda task: turns)


def run(
    turns: Sequence[Turn],
    script: Callable[[str], Answer] = lambda command: "",
    bounds: Bounds | None = None,
    name: str = "scripted",
) -> Rollout:
    async def main() -> Rollout:
        async with FakeBackend(script).open(SandboxSpec()) as box:
            return await rollout(TASK, policy(*turns, name=name), 2, box, bounds or Bounds())

    return asyncio.run(main())


def result(output: str = "", exit_code: int | None = 0, **more: Any) -> CommandResult:
    return CommandResult(output, exit_code, 0.0, **more)


def test_a_rollout_is_prompt_instruction_turns_and_end() -> None:
    done = run([Turn("I look.", "ls", role="look"), END], lambda command: "a.txt\n")
    steps = done.trajectory.steps
    assert done.stop == "finished"
    assert [s.source for s in steps] == ["system", "user", "agent", "agent"]
    assert (steps[0].message, steps[1].message) == (system_prompt(), TASK.instruction)
    assert (steps[2].message, steps[2].role, steps[2].results[0].content) == ("I look.", "look", "a.txt\n")
    assert steps[3].calls[0].arguments == {"message": "Done."}


def test_every_call_has_an_id_of_its_own_and_its_result_names_it() -> None:
    steps = run([Turn("", "a"), Turn("", "b"), END]).trajectory.steps[2:]
    assert [s.calls[0].id for s in steps] == ["call_1", "call_2", "call_3"]
    assert [r.call_id for s in steps for r in s.results] == ["call_1", "call_2"]


def test_the_document_keeps_its_contract() -> None:
    done = run([Turn("I slip.", "lss", role="slip", loss_weight=0.0), Turn("I look.", "ls"), END])
    document = to_atif(done.trajectory)
    validate(document, "adp-atif")
    slip, look = document["steps"][2:4]
    assert slip["llm_call_count"] == 0
    assert "reasoning_content" not in slip
    assert done.trajectory.steps[2].loss_weight == 0.0
    assert done.trajectory.steps[3].loss_weight == 1.0
    assert look["observation"]["results"][0]["source_call_id"] == look["tool_calls"][0]["tool_call_id"]


def test_a_policy_with_a_model_does_not_say_that_no_model_was_called() -> None:
    assert {s.llm_calls for s in run([Turn("", "ls"), END], name="model").trajectory.steps[2:]} == {None}
    assert {s.llm_calls for s in run([Turn("", "ls"), END], name="oracle").trajectory.steps[2:]} == {0}


def test_the_turn_limit_ends_a_rollout_without_a_finish() -> None:
    done = run([Turn("", "ls")] * 9, bounds=Bounds(turns=4))
    assert (done.stop, done.trajectory.turns) == ("turn_limit", 4)
    assert all(c.name == "terminal" for s in done.trajectory.steps for c in s.calls)


def test_a_finish_in_the_last_allowed_turn_counts() -> None:
    assert run([Turn("", "ls"), END], bounds=Bounds(turns=2)).stop == "finished"


def test_a_time_out_ends_a_deterministic_rollout_and_not_that_of_a_model() -> None:
    turns = [Turn("", "sleep 100"), Turn("", "ls"), END]

    def slow(command: str) -> Answer:
        return result("", None, timed_out=True) if command.startswith("sleep") else ""

    assert run(turns, slow, name="programmatic").stop == "command_timeout"
    assert run(turns, slow, name="programmatic").trajectory.turns == 1
    assert run(turns, slow, name="model").stop == "finished"


def test_the_time_for_a_command_is_handed_on() -> None:
    given: list[float] = []

    class Box:
        async def run(self, command: str, *, timeout: float) -> CommandResult:
            given.append(timeout)
            return result()

    asyncio.run(rollout(TASK, policy(Turn("", "ls"), END), 0, Box(), Bounds(command_timeout_s=7.5)))  # type: ignore[arg-type]
    assert given == [7.5]


def test_a_fault_of_the_sandbox_passes_through() -> None:
    with pytest.raises(SandboxError):
        run([Turn("", "ls"), END], lambda command: SandboxError("gone", cause="sandbox_died"))


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        (result("a\n"), "a\n"),
        (result(""), ""),
        (result("a", 1), "a\n[exit code 1]"),
        (result("a\n", 127), "a\n[exit code 127]"),
        (result("", 2), "[exit code 2]"),
        (result("x", None, timed_out=True), "x\n[timed out; everything that the command started was killed]"),
        (result("", None, killed_for="memory"), "[killed: over the memory limit]"),
        (
            result("", None, timed_out=True, state_lost=True),
            "[timed out; everything that the command started was killed]\n"
            "[the shell was restarted: directory and variables are reset]",
        ),
    ],
)
def test_what_is_unusual_is_marked_in_the_observation(seen: CommandResult, text: str) -> None:
    assert observation(seen) == text


def test_the_session_is_named_by_what_determines_it() -> None:
    first, again = run([END]).trajectory.session_id, run([END]).trajectory.session_id
    assert first == again
    assert run([END], name="oracle").trajectory.session_id != first


def test_the_prompt_says_where_the_work_is_and_names_every_tool() -> None:
    prompt = system_prompt()
    assert TASK.environment.workdir in prompt
    named = set(re.findall(r"`(\w+)`", prompt))
    assert {tool["function"]["name"] for tool in TOOLS} <= named
    assert not re.search(r"\{\w*\}|TODO", prompt)
    assert prompt == prompt.strip()


def test_every_tool_says_what_it_takes() -> None:
    for tool in TOOLS:
        parameters = tool["function"]["parameters"]
        assert set(parameters["required"]) == set(parameters["properties"])
        assert parameters["additionalProperties"] is False
        assert all(p["description"].endswith(".") for p in parameters["properties"].values())


def test_the_calls_of_a_rollout_fit_the_tools() -> None:
    known = {t["function"]["name"]: set(t["function"]["parameters"]["required"]) for t in TOOLS}
    for step in run([Turn("", "ls"), END]).trajectory.steps:
        for call in step.calls:
            assert set(call.arguments) == known[call.name]


def test_the_version_of_the_prompt_follows_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    before = prompt_version()
    assert before == prompt_version()
    monkeypatch.setattr(module, "TOOLS", TOOLS[:1])
    assert prompt_version() != before


def test_every_policy_without_a_model_is_known_as_one() -> None:
    assert {noop_policy().name, "oracle", "programmatic", "replay"} <= module.MODEL_FREE
