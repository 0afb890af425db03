"""The programmatic expert: looks before it acts, acts by a known way, sometimes slips and recovers, checks, sums up.

It needs no model. What it says about an observation is read from that observation; what it says it will do is what it
does. Its trajectories carry the policy name ``programmatic`` and are never passed off as a model's.
"""

from __future__ import annotations

import random
import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from trajmill.sandboxes.base import CommandResult
from trajmill.schemas.ids import SHOWN_DIGITS, derive_random, digest, digest_files
from trajmill.schemas.task import Task
from trajmill.synth.packs.facts import Facts
from trajmill.synth.packs.skill import Act, Application, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.policies.base import Role, Turn
from trajmill.synth.policies.habits import (
    DISAGREES,
    DOUBTS,
    Survey,
    agrees,
    closing,
    failed,
    failure_remark,
    gave_up,
    general_slips,
    surveys,
    verdict_on_output,
)
from trajmill.synth.policies.view import View
from trajmill.synth.policies.views import views_of
from trajmill.synth.tasks.blueprint import Blueprint

SLIP_SHARE = 0.16
"""Chance of a slip per sub-goal; over the usual lengths about a third of the trajectories hold one."""

SOURCES = ("programmatic.py", "habits.py", "view.py", "views.py", "views_files.py", "views_stores.py")
"""What decides the expert's behaviour, beside the pack."""
MOST_WAYS = 2
"""Ways that are tried before the expert gives up."""

Moves = Generator[Turn, CommandResult, None]


@dataclass(frozen=True, slots=True)
class ProgrammaticPolicy:
    """Solves the tasks whose blueprints it is given."""

    blueprints: Mapping[str, Blueprint]
    """By task id."""
    version: str
    name: str = "programmatic"

    def begin(self, task: Task, attempt: int) -> ProgrammaticAgent:
        """An agent for one attempt; attempts differ in ways, words and slips. Raises KeyError for an unknown task."""
        rng = derive_random("programmatic", task.id, attempt)
        tools = frozenset(task.environment.required_tools)
        return ProgrammaticAgent(_Expert(self.blueprints[task.id], rng, tools).moves())


def expert_version(pack_version: str) -> str:
    """Content hash of the expert's own source and its pack."""
    here = Path(__file__).parent
    return digest([pack_version, digest_files(here, [here / name for name in SOURCES])])[:SHOWN_DIGITS]


class ProgrammaticAgent:
    """Drives the expert's moves with what is seen."""

    def __init__(self, moves: Moves) -> None:
        self._moves = moves

    async def act(self, seen: CommandResult | None) -> Turn:
        """The next move."""
        return next(self._moves) if seen is None else self._moves.send(seen)


class _Expert:
    """One attempt: a generator of turns that receives what each command did."""

    def __init__(self, blueprint: Blueprint, rng: random.Random, tools: frozenset[str]) -> None:
        self._blueprint = blueprint
        self._rng = rng
        self._tools = tools
        self._remark = ""
        """What is to be said of the last observation, before the next intention."""
        self._shown: set[str] = set()
        """Views since the last command that may have changed something, numbers masked; none is worth a repeat."""
        self._slipped = 0

    def moves(self) -> Moves:
        yield from self._survey()
        state = self._blueprint.world.state
        for number, application in enumerate(self._blueprint.applications):
            yield from self._look(state, first=number == 0)
            yield from self._maybe_slip(state, application)
            worked = yield from self._do(application)
            if not worked:
                yield self._turn("", None, "finish", summary=gave_up(min(len(application.ways), MOST_WAYS), self._rng))
                return
            right = yield from self._confirm(application, last=number == len(self._blueprint.applications) - 1)
            if not right:
                doubt = self._rng.choice(DOUBTS).format(path=application.after.focus.path)
                yield self._turn("", None, "finish", summary=doubt)
                return
            state = application.after
        yield self._turn("", None, "finish", summary=closing(self._blueprint.applications, self._rng))

    def _survey(self) -> Moves:
        if self._rng.random() < 0.15:
            return
        survey: Survey = self._rng.choice(surveys(self._blueprint.world.state.focus.path))
        seen = yield self._turn(self._rng.choice(survey.why), survey.command, "look")
        self._remark = failure_remark(seen.output, self._rng) if failed(seen) else survey.read(seen.output, self._rng)

    def _look(self, state: State, *, first: bool) -> Moves:
        """At least one view of the first input, sometimes one of a file that was just made."""
        count = self._rng.choice((1, 1, 2, 2, 3)) if first else self._rng.choice((0, 0, 0, 1))
        yield from self._view(state.focus.path, state.focus.facts, count, "look")

    def _view(self, path: str, facts: Facts, count: int, role: Role) -> Moves:
        views = [v for v in views_of(path, facts, self._rng) if set(v.tools) <= self._tools]
        for view in views[:count]:
            if _kind(view) in self._shown:
                continue
            self._shown.add(_kind(view))
            seen = yield self._turn(self._rng.choice(view.why), view.command, role)
            self._remark = self._read(view, seen)

    def _read(self, view: View, seen: CommandResult) -> str:
        if failed(seen):
            return failure_remark(seen.output, self._rng)
        return "" if seen.omitted_bytes else view.read(seen.output, self._rng)

    def _maybe_slip(self, state: State, application: Application) -> Moves:
        if self._slipped >= 2 or self._rng.random() >= SLIP_SHARE:
            return
        known = application.slips
        options = (
            known if known and self._rng.random() < 0.75 else general_slips(state.focus.path, application, self._rng)
        )
        if not options:
            return
        self._slipped += 1
        yield from self._slip(self._rng.choice(options))

    def _slip(self, slip: Slip) -> Moves:
        turn = self._turn(self._rng.choice(slip.why), slip.command, "slip")
        seen = yield replace(turn, loss_weight=0.0)
        if slip.look:
            seen = yield self._turn(self._rng.choice(LOOKS_AT_RESULT), slip.look, "check")
        if re.search(slip.sign, seen.output):
            self._remark = self._rng.choice(slip.remark)
        if slip.undo:
            seen = yield self._turn(self._rng.choice(UNDOES), slip.undo, "repair")
            self._remark = failure_remark(seen.output, self._rng) if failed(seen) else ""

    def _do(self, application: Application) -> Generator[Turn, CommandResult, bool]:
        """Try the ways in drawn order until one runs through; True if one did."""
        ways: list[Way] = list(application.ways)
        self._rng.shuffle(ways)
        for way in ways[:MOST_WAYS]:
            if (yield from self._try(way.acts)):
                return True
        return False

    def _try(self, acts: tuple[Act, ...]) -> Generator[Turn, CommandResult, bool]:
        for act in acts:
            self._shown.clear()
            seen = yield self._turn(self._rng.choice(act.why), act.command, "act")
            if seen.exit_code != 0:
                self._remark = failure_remark(seen.output, self._rng)
                return False
            self._remark = ""
        return True

    def _confirm(self, application: Application, *, last: bool) -> Generator[Turn, CommandResult, bool]:
        """Look at what was made: always at the end, mostly in between; False if it is plainly not as it should be."""
        if not last and self._rng.random() < 0.35:
            return True
        after = application.after
        focus = after.focus
        entry = after.tree.file(focus.path)
        expected = entry.data if entry else None
        views = [
            v for v in views_of(focus.path, focus.facts, self._rng) if set(v.tools) <= self._tools and not v.orienting
        ]
        for number, view in enumerate(views[: self._rng.choice((1, 1, 2))]):
            if _kind(view) in self._shown:
                continue
            self._shown.add(_kind(view))
            looks = CHECKS_AGAIN if number else COUNTS if _counts(view) else CHECKS
            why = self._rng.choice(looks if last or number else (*looks, *CHECKS_BETWEEN))
            seen = yield self._turn(why.format(path=focus.path), view.command, "check")
            if failed(seen):
                self._remark = failure_remark(seen.output, self._rng)
                return False
            if seen.omitted_bytes:
                continue
            if after.exact(focus.path) and expected is not None and agrees(view, seen.output, expected) is False:
                self._remark = self._rng.choice(DISAGREES)
                return False
            self._remark = verdict_on_output(view, seen.output, expected, self._rng)
        return True

    def _turn(self, intention: str, command: str | None, role: Role, *, summary: str = "") -> Turn:
        message = f"{self._remark} {intention}".strip()
        self._remark = ""
        return Turn(message, command, summary, role)


LOOKS_AT_RESULT = (
    "I look at what came out.",
    "A look at the result.",
    "Is that what was asked for?",
    "Let me check that before going on.",
    "First I check what this gave.",
)
UNDOES = (
    "I remove that again.",
    "First I clear away what that left behind.",
    "That has to go before the right version is made.",
    "I undo it.",
)
CHECKS = (
    "I check `{path}`.",
    "Does `{path}` look right?",
    "Now a look at `{path}`.",
    "Let me verify `{path}`.",
    "I want to see `{path}` with my own eyes.",
    "`{path}` should be there now; I look at it.",
    "What did that make of `{path}`?",
    "A look into `{path}` will show whether it worked.",
)
CHECKS_AGAIN = (
    "One more look at `{path}`.",
    "I check `{path}` from another side.",
    "A second check of `{path}`.",
    "Once more `{path}`, in another way.",
    "And what else does `{path}` show?",
    "I look at `{path}` again.",
    "Another view of `{path}`, to be sure.",
)
CHECKS_BETWEEN = ("A check of `{path}` before I go on.", "The next step needs `{path}`, so I look at it first.")
COUNTS = (
    "I check how much `{path}` holds.",
    "Is all of it in `{path}`?",
    "The size of `{path}` as a check.",
    "Now a count of `{path}`.",
    "Did everything arrive in `{path}`?",
)
"""For views that give a number and show no content."""


def _counts(view: View) -> bool:
    return re.search(r"\bwc -|json\.load", view.command) is not None


def _kind(view: View) -> str:
    """What a view shows, whatever its numbers; two ways to see a schema are one kind."""
    return "schema" if re.search(r"\.schema$|sqlite_master", view.command) else re.sub(r"\d+", "N", view.command)
