from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmill.schemas.ids import Json
from trajmill.schemas.verdict import CheckResult, Verdict, VerdictKind
from trajmill.verifiers.filters import RECIPES, decide
from trajmill.verifiers.filters.base import Candidate, Decision, Thresholds

PASSED = Verdict("scored", 1.0, 1.0, (CheckResult("a", "lines", True),))
FAILED = Verdict("scored", 0.0, 0.5, (CheckResult("a", "lines", True), CheckResult("b", "lines", False, detail="no b")))


def turn(command: str, name: str = "terminal", answered: bool = True) -> Json:
    call = {"tool_call_id": f"c-{command}", "function_name": name, "arguments": {"command": command}}
    results = [{"source_call_id": f"c-{command}", "content": ""}] if answered else []
    return {"source": "agent", "message": "", "tool_calls": [call], "observation": {"results": results}}


FINISH = turn("done", "finish", answered=False)
USER = {"source": "user", "message": "Do it."}


def document(*steps: Json) -> dict[str, Json]:
    return {"steps": [USER, *steps]}


WHOLE = document(turn("ls"), FINISH)


def candidate(unit: str = "roll-1", **changes: Any) -> Candidate:
    fields: dict[str, Any] = {"document": WHOLE, "verdict": PASSED, "body_hash": unit, "chars": 100}
    return Candidate(unit, **{**fields, **changes})


def one(recipe: str = "strict", thresholds: Thresholds | None = None, **changes: Any) -> Decision:
    return decide([candidate(**changes)], recipe, thresholds or Thresholds())[0]


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_whole_passed_trajectory_is_kept(recipe: str) -> None:
    assert one(recipe) == Decision(True)


def test_a_failure_is_kept_only_where_labels_are_wanted() -> None:
    assert one("strict", verdict=FAILED) == Decision(False, "not_passed", "b: no b")
    assert one("labelled", verdict=FAILED).keep


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("kind", ["invalid_task", "infra_error", "unverified"])
@pytest.mark.parametrize("written", [True, False])
def test_what_was_never_scored_is_dropped_by_its_kind(recipe: str, kind: VerdictKind, written: bool) -> None:
    verdict = Verdict(kind, cause="verifier_timeout", detail="over 60 s")
    found = one(recipe, verdict=verdict, document=WHOLE if written else None)
    assert found == Decision(False, kind, "verifier_timeout: over 60 s")


def test_a_score_without_a_trajectory_is_not_called_scored() -> None:
    assert one(document=None).reason == "no_trajectory"


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((), "no_agent_turn"),
        ((turn("ls"), USER), "no_agent_turn"),
        ((turn("ls"),), "unfinished"),
        ((FINISH, turn("ls")), "unfinished"),
        ((turn("ls", answered=False), FINISH), "call_without_result"),
    ],
)
def test_a_broken_form_is_named(steps: tuple[Json, ...], reason: str) -> None:
    assert one(document=document(*steps)).reason == reason


def test_a_document_without_steps_is_dropped() -> None:
    assert one(document={"steps": []}).reason == "no_agent_turn"


def test_the_longest_allowed_is_kept_and_one_more_is_not() -> None:
    bounds = Thresholds(max_turns=3, max_chars=50)
    steps = [turn(str(n)) for n in range(3)]
    assert one(thresholds=bounds, document=document(*steps[:2], FINISH), chars=50).keep
    assert one(thresholds=bounds, document=document(*steps, FINISH), chars=50).reason == "too_many_turns"
    assert one(thresholds=bounds, chars=51).reason == "too_long"


def test_the_same_call_in_a_row_is_a_loop_and_in_turns_it_is_not() -> None:
    loop, allowed = [turn("ls")] * 5, [turn("ls")] * 4
    assert one(document=document(*loop, FINISH)).reason == "repetitive"
    assert one(document=document(*allowed, FINISH)).keep
    assert one(document=document(*[turn("ls"), turn("pwd")] * 6, FINISH)).keep


def test_talk_between_calls_does_not_hide_a_loop() -> None:
    words = {"source": "agent", "message": "Again."}
    assert one(document=document(*[turn("ls"), words] * 5, FINISH)).reason == "repetitive"


def test_of_duplicates_the_first_that_is_kept_stays() -> None:
    twins = [
        candidate("roll-1", body_hash="h", verdict=FAILED),
        candidate("roll-2", body_hash="h"),
        candidate("roll-3", body_hash="h"),
        candidate("roll-4", body_hash="other"),
    ]
    found = decide(twins, "strict", Thresholds())
    assert [d.reason for d in found] == ["not_passed", "", "duplicate_trajectory", ""]
    assert found[2].detail == "equals roll-2"


def test_an_unknown_recipe_is_refused() -> None:
    with pytest.raises(KeyError):
        decide([], "lenient", Thresholds())


CANDIDATES = st.lists(
    st.builds(
        Candidate,
        unit_id=st.uuids().map(str),
        document=st.sampled_from([None, WHOLE, document(turn("ls")), {"steps": []}]),
        verdict=st.sampled_from([PASSED, FAILED, Verdict("infra_error", cause="start_failed")]),
        body_hash=st.sampled_from("abc"),
        chars=st.integers(0, 300_000),
    ),
    max_size=12,
    unique_by=lambda c: c.unit_id,
)


@given(CANDIDATES, st.sampled_from(list(RECIPES)))
def test_every_candidate_is_kept_or_dropped_with_a_reason_and_no_body_is_kept_twice(
    candidates: list[Candidate], recipe: str
) -> None:
    found = decide(candidates, recipe, Thresholds())
    assert len(found) == len(candidates)
    assert all(d.keep != bool(d.reason) for d in found)
    kept = [c.body_hash for c, d in zip(candidates, found, strict=True) if d.keep]
    assert len(kept) == len(set(kept))


@given(CANDIDATES)
def test_what_the_strict_recipe_keeps_passed(candidates: list[Candidate]) -> None:
    found = decide(candidates, "strict", Thresholds())
    assert all(c.verdict.passed for c, d in zip(candidates, found, strict=True) if d.keep)
