"""One coherent instruction from the asks of a blueprint, as a colleague would write it.

Three layouts: prose and a list of deliverables say what is wanted; numbered steps only if the task is to be explicit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from trajmill.synth.packs.skill import Application
from trajmill.synth.packs.standing import BOTH_BYTES, LINES_BYTES, STANDING, TABLE_BYTES, Standing, standing_of
from trajmill.synth.tasks.blueprint import Blueprint

OPENERS = (
    "",
    "",
    "",
    "`{input}` is the starting point here.",
    "I have been handed `{input}` and need some work done on it.",
    "This is about `{input}`.",
    "You will find the data in `{input}`.",
    "Everything below starts from `{input}`.",
    "We keep `{input}` in this workspace, and I need something made from it.",
    "Could you take care of `{input}` for me?",
    "There is a job to do on `{input}`.",
    "I would like a hand with `{input}`.",
    "`{input}` came in this morning and has to be prepared for the next step.",
    "A colleague left `{input}` for us to work on.",
)
NEXT = (
    "Then {ask}.",
    "Next, {ask}.",
    "After that, {ask}.",
    "{Ask}.",
    "{Ask}.",
    "With that in place, {ask}.",
    "Also {ask}.",
)
LAST = ("Finally, {ask}.", "Then {ask}.", "Lastly, {ask}.", "{Ask}.", "To finish, {ask}.", "As the last step, {ask}.")
SECOND = (
    "Then {ask}.",
    "After that, {ask}.",
    "{Ask}.",
    "Next, {ask}.",
    "Once that is done, {ask}.",
)
LIST_HEADS = (
    "Please make these from `{input}`:",
    "What I need, starting from `{input}`:",
    "Deliverables, all based on `{input}`:",
    "Starting from `{input}`, the workspace should end up with:",
    "I need the following files, built up from `{input}`:",
)
SINGLE_LIST_HEADS = (
    "I need one file made from `{input}`:",
    "One deliverable, based on `{input}`:",
    "Please make this from `{input}`:",
)
STEP_HEADS = (
    "Work through these steps:",
    "Do the following, in this order:",
    "The steps are:",
    "Please go through this list:",
    "Here is what to do, step by step:",
)
KEEP_ALL = (
    "All of these files should still be there at the end.",
    "Keep every file that is named here.",
    "The files made along the way are wanted too.",
    "Leave each of these outputs in place.",
)
KEEP_INPUTS = (
    "Leave the files that are already there as they are.",
    "The existing files must not change.",
    "Do not modify any of the files you were given.",
    "Please don't touch the originals.",
    "Existing files stay as they are.",
)
KEEP_OTHERS = (
    "Leave all other existing files as they are.",
    "Apart from that, no existing file may change.",
    "Nothing else that is already there should be modified.",
)

_QUESTION = re.compile(r"(?:which|what|how|who|where|our|we|I|from|for)\b")
"""An ask that is no imperative; no "then" or "next" goes before it."""


def write_instruction(blueprint: Blueprint, rng: random.Random) -> str:
    """The instruction of a blueprint; says every output, rule and what must not change, and nothing of how."""
    general = _general_rules(blueprint.applications)
    spoken = _merged(general)
    said_once = replace(blueprint, applications=tuple(_without(a, general) for a in blueprint.applications))
    if blueprint.explicitness == "steps" and len(blueprint.applications) > 1:
        body = f"{_steps(said_once, rng)}\n\n"
    elif _listable(blueprint.applications) and rng.random() < 0.35:
        body = f"{_deliverables(said_once, rng)}\n\n"
    else:
        body = f"{_prose(said_once, rng)} "
    return body + " ".join((*(rng.choice(rule.general) for rule in spoken), _ending(blueprint, rng)))


def _general_rules(applications: Sequence[Application]) -> tuple[Standing, ...]:
    """Standing rules that two or more of the applications need, or that say much the same as another."""
    found = [standing_of(rule) for application in applications for rule in application.rules]
    both = TABLE_BYTES in found and LINES_BYTES in found
    alike = (TABLE_BYTES, LINES_BYTES) if both else ()
    return tuple(standing for standing in STANDING if found.count(standing) > 1 or standing in alike)


def _merged(general: Sequence[Standing]) -> tuple[Standing, ...]:
    """The rules as they are said: one sentence for tables and texts if both are meant."""
    if TABLE_BYTES not in general or LINES_BYTES not in general:
        return tuple(general)
    return (BOTH_BYTES, *(rule for rule in general if rule not in (TABLE_BYTES, LINES_BYTES)))


def _without(application: Application, general: Sequence[Standing]) -> Application:
    return replace(application, rules=tuple(r for r in application.rules if standing_of(r) not in general))


def _listable(applications: Sequence[Application]) -> bool:
    return all(a.results and len(a.outputs) == 1 for a in applications)


def _prose(blueprint: Blueprint, rng: random.Random) -> str:
    source = blueprint.world.state.focus.path
    opener = rng.choice(OPENERS)
    sentences = [opener.format(input=source)] if opener else []
    applications = blueprint.applications
    last_ask = frame = ""
    for i, application in enumerate(applications):
        named = f"`{_input(blueprint, i)}`"
        ask = rng.choice(application.asks)
        frames = [f for f in _frames(i, len(applications)) if f != frame or f == "{Ask}."]
        frame = "{Ask}." if i == 0 or _QUESTION.match(ask) else rng.choice(frames)
        just_named = bool(opener) if i == 0 else _ends_with_output(applications[i - 1], last_ask)
        it = "that file" if just_named and _clear(blueprint, i, ask) and rng.random() < 0.6 else named
        last_ask = ask
        sentences.append(_sentence(frame, _fill(ask.replace("{it}", it, 1), named)))
        sentences.extend(application.rules)
    return " ".join(sentences)


def _frames(i: int, count: int) -> tuple[str, ...]:
    """How the sentence of a later step may begin; a second and last step is not yet "the last of many"."""
    if i < count - 1:
        return NEXT
    return SECOND if count == 2 else LAST


def _steps(blueprint: Blueprint, rng: random.Random) -> str:
    lines = []
    for i, application in enumerate(blueprint.applications):
        ask = _fill(rng.choice(application.asks), f"`{_input(blueprint, i)}`")
        lines.append(" ".join((f"{i + 1}. {_capital(ask)}.", *application.rules)))
    return rng.choice(STEP_HEADS) + "\n\n" + "\n".join(lines)


def _deliverables(blueprint: Blueprint, rng: random.Random) -> str:
    heads = SINGLE_LIST_HEADS if len(blueprint.applications) == 1 else LIST_HEADS
    lines = []
    for i, application in enumerate(blueprint.applications):
        result = _fill(rng.choice(application.results), f"`{_input(blueprint, i)}`")
        text = f"- `{application.outputs[0]}`: {result}."
        lines.append(" ".join((text, *application.rules)))
    head = rng.choice(heads).format(input=blueprint.world.state.focus.path)
    return head + "\n\n" + "\n".join(lines)


def _ending(blueprint: Blueprint, rng: random.Random) -> str:
    """What must stay: always said once, because it is always checked."""
    parts = []
    before, last = blueprint.world.state, blueprint.applications[-1].after
    outputs = [o for a in blueprint.applications for o in a.outputs]
    if len(blueprint.applications) > 1 and blueprint.explicitness == "goal" and all(last.holds(o) for o in outputs):
        parts.append(rng.choice(KEEP_ALL))
    changed = any(before.holds(o) for o in outputs) or not all(last.holds(path) for path in before.tree)
    parts.append(rng.choice(KEEP_OTHERS if changed else KEEP_INPUTS))
    return " ".join(parts)


def _input(blueprint: Blueprint, i: int) -> str:
    states = (blueprint.world.state, *(a.after for a in blueprint.applications))
    return states[i].focus.path


def _ends_with_output(application: Application, ask: str) -> bool:
    """Whether the file named last in the sentence before is the one output that the next step goes on from."""
    if application.rules or application.outputs != (application.after.focus.path,):
        return False
    _, name, after = ask.rpartition(f"`{application.outputs[0]}`")
    others = (application.after.holds(other) for other in re.findall(r"`([^`]+)`", after))
    return bool(name) and "{it}" not in after and not any(others)


def _clear(blueprint: Blueprint, i: int, ask: str) -> bool:
    """Whether "that file" can only mean the input: it is one file, and no other path is named before it in the ask."""
    states = (blueprint.world.state, *(a.after for a in blueprint.applications))
    before = ask.partition("{it}")[0]
    after = blueprint.applications[i].after
    named = any(states[i].holds(name) or after.holds(name) for name in re.findall(r"`([^`]+)`", before))
    doubled = before.endswith("that ") or "file" in before
    return states[i].tree.file(states[i].focus.path) is not None and not named and not doubled and "/" not in before


def _fill(ask: str, it: str) -> str:
    return ask.replace("{it}", it)


def _sentence(frame: str, ask: str) -> str:
    return frame.replace("{ask}", ask).replace("{Ask}", _capital(ask))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
