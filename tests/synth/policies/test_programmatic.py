from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.synth.handmade import blueprint, task_of
from tests.synth.policies.observed import Answer, Seen, attempt, attempts, result
from trajmill.sandboxes.base import CommandResult
from trajmill.synth.policies import programmatic as module
from trajmill.synth.policies.habits import (
    CONTENT,
    DISAGREES,
    DOUBTS,
    GAVE_UP_ONCE,
    GAVE_UP_TWICE,
    failed,
    failure_remark,
    surveys,
)
from trajmill.synth.policies.programmatic import ProgrammaticPolicy, expert_version
from trajmill.synth.tasks.blueprint import Blueprint

PLAN = blueprint("list-sort", "list-count", strictness=("bytes",), distractors=(1, 1))
LOOSE = blueprint("list-sort", strictness=("content",), distractors=(0, 0))
CLAIMS = ("sorted", "in order", "counted")


@contextmanager
def workspace(plan: Blueprint) -> Iterator[Answer]:
    """A real folder with the files of the plan, in which commands are run by bash."""
    with TemporaryDirectory() as name:
        for path, entry in task_of(plan).environment.files.entries.items():
            file = Path(name) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(entry.data)  # type: ignore[union-attr]

        def answer(command: str) -> CommandResult:
            done = subprocess.run(
                ["bash", "-c", command], cwd=name, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
            )
            return result(done.stdout.decode("utf-8", "replace"), done.returncode)

        yield answer


@pytest.fixture(scope="module")
def real() -> list[Seen]:
    """Attempts in a real folder."""
    found = []
    for number in range(15):
        with workspace(PLAN) as answer:
            found.append(attempt(PLAN, number, answer))
    return found


def roles(seen: Seen) -> list[str]:
    return [turn.role for turn, _ in seen]


def summary(seen: Seen) -> str:
    return seen[-1][0].summary


def test_it_looks_before_it_acts_and_checks_before_it_ends(real: list[Seen]) -> None:
    for seen in real:
        said = roles(seen)
        assert said[0] == "look"
        assert said[-1] == "finish"
        assert said[-2] == "check"
        assert said.index("look") < min(said.index("act"), said.index("slip") if "slip" in said else 99)


def test_only_the_first_check_of_a_result_speaks_of_it_as_unseen(real: list[Seen]) -> None:
    pairs = [(a, b) for seen in real for (a, _), (b, _) in pairwise(seen) if a.role == b.role == "check"]
    again = [b for a, b in pairs if _named(a.message) == _named(b.message)]
    assert again
    for turn in again:
        assert any(turn.message.endswith(words.format(path=_named(turn.message))) for words in module.CHECKS_AGAIN)


def _named(message: str) -> str:
    return re.findall(r"`([^`]+)`", message)[-1] if "`" in message else ""


def test_a_slip_carries_no_weight_and_is_put_right(real: list[Seen]) -> None:
    slips = 0
    for seen in real:
        for place, (turn, _) in enumerate(seen):
            assert turn.loss_weight == (0.0 if turn.role == "slip" else 1.0)
            if turn.role == "slip":
                slips += 1
                assert "act" in roles(seen)[place:]
    assert slips > 3


def test_work_that_went_well_is_summed_up_by_step(real: list[Seen]) -> None:
    for seen in real:
        outputs = [a.outputs[0] for a in PLAN.applications]
        assert all(f"`{output}`" in summary(seen) for output in outputs)


def test_attempts_differ_and_each_can_be_repeated(real: list[Seen]) -> None:
    stories = {"\n".join(f"{t.message}${t.command}" for t, _ in seen) for seen in real}
    assert len(stories) == len(real)
    with workspace(PLAN) as answer:
        again = attempt(PLAN, 3, answer)
    assert [t for t, _ in again] == [t for t, _ in real[3]]


def test_every_command_needs_only_the_tools_of_the_task(real: list[Seen]) -> None:
    known = set(task_of(PLAN).environment.required_tools) | {"pwd"}
    for seen in real:
        for turn, _ in seen[:-1]:
            assert str(turn.command).split()[0] in known, turn.command


def test_what_it_says_comes_without_gaps(real: list[Seen]) -> None:
    for seen in real:
        for turn, _ in seen[:-1]:
            assert turn.message
            assert not re.search(r"\{\w*\}|  ", turn.message), turn.message
            assert turn.message[0].isupper() or turn.message[0] in "`0123456789"


def broken() -> Answer:
    return lambda command: result("bash: command not found", 127)


def test_it_gives_up_honestly_when_commands_fail() -> None:
    for seen in attempts(PLAN, broken):
        assert summary(seen) in GAVE_UP_TWICE
        assert roles(seen).count("act") == 2
        assert not any(claim in summary(seen) for claim in CLAIMS)


def test_it_does_not_speak_of_two_ways_where_it_knew_one() -> None:
    plan = blueprint("list-count", distractors=(0, 0))
    assert len(plan.applications[0].ways) == 1
    for seen in attempts(plan, broken):
        assert summary(seen) in GAVE_UP_ONCE


def test_a_failed_way_is_followed_by_another() -> None:
    def world() -> Answer:
        left = [1]

        def answer(command: str) -> CommandResult:
            if "sort" in command and "> " in command and left:
                left.pop()
                return result("sort: write error", 2)
            return result("")

        return answer

    recovered = [seen for seen in attempts(LOOSE, world) if summary(seen) not in (*GAVE_UP_TWICE, *DOUBTS)]
    assert recovered
    assert all("act" in roles(seen) for seen in recovered)


def silent() -> Answer:
    return lambda command: result("")


def test_it_does_not_praise_what_it_did_not_see() -> None:
    for plan in (PLAN, LOOSE):
        for seen in attempts(plan, silent):
            assert not any(word in turn.message for turn, _ in seen for word in CONTENT)


def test_it_claims_nothing_that_is_not_in_what_it_saw() -> None:
    """Fed with nothing, it names no number of lines, entries or columns."""
    for seen in attempts(LOOSE, silent):
        for turn, _ in seen[:-1]:
            assert not re.search(r"\b\d+ (line|entr|column|name|field|byte|file)", turn.message), turn.message
            assert "is there." not in turn.message
            assert "I see `" not in turn.message


def other_numbers() -> Answer:
    def answer(command: str) -> CommandResult:
        if command.startswith("wc -l"):
            return result(f"999 {command.split()[-1]}\n")
        return result("zebra\nzebra\nzebra\n")

    return answer


def test_it_reads_the_number_that_stands_there_not_the_one_it_expected() -> None:
    said = [turn.message for seen in attempts(LOOSE, other_numbers, 60) for turn, _ in seen]
    assert any("999" in message for message in said)
    assert not any(re.search(r"\b5 lines", message) for message in said)


def test_it_does_not_call_done_what_its_check_shows_to_be_wrong() -> None:
    for seen in attempts(PLAN, other_numbers):
        assert summary(seen).split("`")[0] in {d.split("`")[0].replace("{path}", "") for d in DOUBTS}
        assert any(word in seen[-1][0].message for word in DISAGREES)


def test_it_does_not_doubt_where_the_bytes_may_differ() -> None:
    for seen in attempts(LOOSE, other_numbers):
        assert not any(summary(seen).startswith(d.split("`")[0]) for d in DOUBTS)


def missing_output() -> Answer:
    """Commands that write say nothing and write nothing."""

    def answer(command: str) -> CommandResult:
        if re.search(r"sorted|ordered", command) and ">" not in command:
            return result("cat: No such file or directory", 1)
        return result("fruit.txt")

    return answer


def test_it_does_not_call_done_what_is_not_there() -> None:
    for seen in attempts(LOOSE, missing_output):
        assert any(summary(seen).startswith(d.split("{path}")[0]) for d in DOUBTS), summary(seen)


def test_cut_output_is_not_read() -> None:
    def cut() -> Answer:
        return lambda command: result("5 lines\n[... 9 bytes omitted ...]\n", omitted_bytes=9)

    for seen in attempts(PLAN, cut):
        looks = [turn.message for turn, _ in seen[1:] if turn.role in ("look", "check")]
        assert not any(re.search(r"\b\d+ lines?\b", message) for message in looks)
        assert not any(word in turn.message for turn, _ in seen for word in CONTENT)


def test_a_killed_command_is_a_failure() -> None:
    for seen in attempts(PLAN, lambda: lambda command: result("", None, timed_out=True), 10):
        assert summary(seen) in GAVE_UP_TWICE


@pytest.mark.parametrize(
    ("output", "exit_code", "wrong"),
    [
        ("", 0, False),
        ("", 1, True),
        ("", None, True),
        ("head: cannot open 'x' for reading: No such file or directory\n0\n", 0, True),
        ("find: 'x': No such file or directory\n", 0, True),
        ("fatal: not a git repository\n", 0, True),
        ("2024-01-01 error: disk gone\n", 0, False),
        ("error: cannot reach host\n", 0, False),
        ("name,head\n", 0, False),
    ],
)
def test_a_failure_at_the_start_of_a_pipe_is_seen(output: str, exit_code: int | None, wrong: bool) -> None:
    assert failed(result(output, exit_code)) is wrong


def test_a_failure_is_told_in_its_own_words() -> None:
    rng = random.Random(1)
    assert all("x: bad\n".strip() in failure_remark("y\nx: bad\n\n", rng) for _ in range(9))
    assert {failure_remark("  \n", rng) for _ in range(9)} == {
        "That failed without a message.",
        "It returned an error and said nothing.",
    }
    assert len(failure_remark("x" * 500, rng)) < 130


@pytest.mark.parametrize("seen", ["", "other.txt\n", "my-fruit.txt\n", "fruit.txt.bak\n", "data:\nother\n"])
def test_a_survey_that_does_not_show_the_input_does_not_say_that_it_is_there(seen: str) -> None:
    for survey in surveys("data/fruit.txt"):
        for seed in range(12):
            said = survey.read(seen, random.Random(seed))
            assert said in ("", "`fruit.txt` is not in this list.", "I do not see `fruit.txt` here.")


def test_a_survey_counts_names_only() -> None:
    said = {surveys("fruit.txt")[0].read("/workspace\nfruit.txt\na.csv\n", random.Random(n)) for n in range(40)}
    assert not any("3" in text for text in said)
    assert any("2" in text for text in said)


def test_no_slip_is_said_to_be_seen_that_did_not_show() -> None:
    remarks = {remark for a in PLAN.applications for slip in a.slips for remark in slip.remark}
    for seen in attempts(PLAN, silent, 60):
        assert not any(remark in turn.message for turn, _ in seen for remark in remarks)


def test_a_task_of_another_build_is_refused() -> None:
    with pytest.raises(KeyError):
        ProgrammaticPolicy({}, "v").begin(task_of(PLAN), 0)


def test_the_version_follows_pack_and_source(monkeypatch: pytest.MonkeyPatch) -> None:
    assert expert_version("a") != expert_version("b")
    assert expert_version("a") == expert_version("a")
    whole = expert_version("a")
    monkeypatch.setattr(module, "SOURCES", module.SOURCES[:-1])
    assert expert_version("a") != whole


def test_every_source_of_the_expert_counts() -> None:
    here = Path(module.__file__).parent
    imported = set(re.findall(r"trajmill\.synth\.policies\.(\w+)", (here / "programmatic.py").read_text()))
    imported |= set(re.findall(r"trajmill\.synth\.policies\.(\w+)", (here / "views.py").read_text()))
    assert {f"{name}.py" for name in imported} - {"base.py"} <= set(module.SOURCES)


def test_at_most_two_slips_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLIP_SHARE", 1.0)
    plan = blueprint("list-sort", "list-turn", "list-count", distractors=(0, 0))
    for number in range(8):
        with workspace(plan) as answer:
            assert roles(attempt(plan, number, answer)).count("slip") <= 2


def test_a_slip_that_cannot_be_undone_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLIP_SHARE", 1.0)

    def answer() -> Answer:
        return lambda command: result("rm: cannot remove 'x'", 1) if command.startswith("rm ") else result("")

    stories = [s for s in attempts(replace(LOOSE), answer, 60) if "repair" in roles(s)]
    assert stories
    for seen in stories:
        after = seen[roles(seen).index("repair") + 1][0]
        assert "rm: cannot remove 'x'" in after.message
