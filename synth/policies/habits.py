"""Habits of the expert that belong to no skill: the first look, common slips, remarks on failures, the summary."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trajmill.sandboxes.base import CommandResult
from trajmill.synth.packs.naming import folder_of, sh
from trajmill.synth.packs.skill import Application, Slip
from trajmill.synth.policies.view import View

GAVE_UP_ONCE = (
    "I could not finish this: the command failed, so the outputs are not complete.",
    "This is not done. The command failed and I know no other way to do it.",
)
GAVE_UP_TWICE = (
    "I could not finish this: both ways that I tried failed, so the outputs are not complete.",
    "This is not done. Two different ways failed, and I stop here.",
)
DOUBTS = (
    "I am not done: the commands ran, but my check of `{path}` did not show what it should.",
    "This is not finished. `{path}` is not as it should be, as my check showed.",
)
DISAGREES = (
    "That is not what it should be.",
    "This does not agree with what I expected.",
    "Something is wrong with that.",
)


@dataclass(frozen=True, slots=True)
class Survey:
    """A first look around the workspace."""

    command: str
    why: tuple[str, ...]
    read: Callable[[str, random.Random], str]


WHY_SURVEY = (
    "I start by looking at what is here.",
    "First I look around.",
    "Let me see what the workspace holds.",
    "What is there to work with?",
    "I list the files first.",
    "Before anything else, a look at the folder.",
    "Let me get my bearings.",
    "I want to see what I have been given.",
)


def surveys(path: str) -> tuple[Survey, ...]:
    """Ways to look around that show where the input lies."""

    def read(seen: str, rng: random.Random) -> str:
        name = path.rsplit("/", 1)[-1]
        count = len([line for line in seen.splitlines() if line.strip() and not line.endswith(":") and line[0] != "/"])
        if not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", seen):
            return rng.choice(("", f"`{name}` is not in this list.", f"I do not see `{name}` here."))
        options = [
            f"`{path}` is there.",
            f"I see `{path}`.",
            f"There is `{path}`, which I need.",
            f"`{name}` is in place.",
        ]
        if count > 1:
            options += [
                f"{count} entries, `{name}` among them.",
                f"`{name}` and some others.",
                f"{count} names; `{name}` is the one that matters.",
            ]
        return rng.choice(options)

    commands = [
        "ls",
        "ls -1",
        "ls -A",
        "ls -R",
        "find . -type f | sort",
        "pwd && ls",
        "ls -F",
        "find . -maxdepth 2 -type f | sort",
    ]
    if folder_of(path):
        commands += [f"ls {sh(folder_of(path))}", f"ls . {sh(folder_of(path))}"]
    return tuple(Survey(command, WHY_SURVEY, read) for command in commands)


def general_slips(path: str, application: Application, rng: random.Random) -> tuple[Slip, ...]:
    """Mistakes that anybody makes: a mistyped name, the wrong folder, a folder that does not exist yet."""
    slips = []
    name = path.rsplit("/", 1)[-1]
    typo = _typo(name, rng)
    if typo and "." in name:
        wrong = path[: len(path) - len(name)] + typo
        slips.append(
            _missing_file(
                f"wc -c {sh(wrong)}",
                (
                    f"I note how many bytes `{wrong}` has.",
                    f"How large is `{wrong}`, in bytes?",
                    f"The size of `{wrong}`, so that I can compare later.",
                ),
                (
                    f"I mistyped the name: it is `{path}`.",
                    f"A typing error of mine, the file is called `{name}`.",
                    f"No such file, because I swapped letters; `{path}` is right.",
                ),
            )
        )
    if folder_of(path) and "." in name:
        slips.append(
            _missing_file(
                f"head -c 80 {sh(name)}",
                (
                    f"Just the first characters of `{name}`.",
                    f"What are the very first characters of `{name}`?",
                    f"I want to be sure how `{name}` starts.",
                ),
                (
                    f"It is not here but in `{folder_of(path)}`.",
                    f"I left out the folder: the path is `{path}`.",
                    f"Right, the file lies in `{folder_of(path)}`, not at the top.",
                ),
            )
        )
    bare = _without_mkdir(application)
    if bare:
        slips.append(
            _missing_file(
                bare,
                (
                    "I write the result straight to its place.",
                    "This should produce the output.",
                    "One command is enough for this.",
                ),
                (
                    "The output folder does not exist yet, so I have to make it first.",
                    "The folder for the output is missing. I create it and try again.",
                    "Nothing was written: the folder has to be there before.",
                ),
            )
        )
    return tuple(slips)


def _missing_file(command: str, why: tuple[str, ...], remark: tuple[str, ...]) -> Slip:
    return Slip(command, why, r"No such file or directory|nonexistent|cannot create|not found", remark)


def _typo(name: str, rng: random.Random) -> str:
    """The name with two different neighbouring letters swapped, or the empty string if there are none."""
    spots = [i for i in range(len(name.split(".")[0]) - 1) if name[i] != name[i + 1] and name[i : i + 2].isalpha()]
    if not spots:
        return ""
    i = rng.choice(spots)
    return name[:i] + name[i + 1] + name[i] + name[i + 2 :]


def _without_mkdir(application: Application) -> str:
    """The first act of some way without its ``mkdir -p FOLDER &&``, if it has one and writes by redirection."""
    for way in application.ways:
        found = re.match(r"mkdir -p \S+ && (.*)\Z", way.acts[0].command, re.DOTALL)
        if found and len(way.acts) == 1 and re.search(r"> \S+/\S+\Z", found[1]):
            return found[1]
    return ""


def failed(seen: CommandResult) -> bool:
    """Whether a command failed, also one at the start of a pipe whose end hides it."""
    return seen.exit_code != 0 or _TOOL_COMPLAINS.match(seen.output) is not None


_TOOL_COMPLAINS = re.compile(
    r"(?:head|tail|find|sed|od|tr|nl|sort|gzip|tar|unzip|git|fatal): .*"
    r"(?:No such file|cannot|Permission denied|not a git repository|unexpected end|not in gzip format|does not have)"
)


def gave_up(ways: int, rng: random.Random) -> str:
    """The summary after so many ways failed."""
    return rng.choice(GAVE_UP_ONCE if ways < 2 else GAVE_UP_TWICE)


def failure_remark(seen: str, rng: random.Random) -> str:
    """What one says when a command failed."""
    last = next((line.strip() for line in reversed(seen.splitlines()) if line.strip()), "")
    if not last:
        return rng.choice(("That failed without a message.", "It returned an error and said nothing."))
    shown = last.rstrip(".") if len(last) <= 90 else f"{last[:87]}..."
    return rng.choice((f"That failed: {shown}.", f"An error: {shown}.", f"It did not work ({shown}).")).replace(
        "....", "..."
    )


def verdict_on_output(view: View, seen: str, expected: bytes | None, rng: random.Random) -> str:
    """What one says of a view of one's own output; praise only after a real comparison with what it should show."""
    if not seen.strip():
        return rng.choice(("It printed nothing.", "No output from that."))
    read = view.read(seen, rng)
    praised = expected is not None and agrees(view, seen, expected) and rng.random() < 0.7
    return f"{read} {rng.choice(CONTENT)}".strip() if praised else read


def agrees(view: View, seen: str, expected: bytes) -> bool | None:
    """Whether the view shows what it would show of these bytes; None where that cannot be said."""
    return None if view.shows is None else view.shows(expected).strip() == seen.strip()


CONTENT = (
    "That fits.",
    "As it should be.",
    "Good.",
    "That is what was asked for.",
    "That agrees with the job.",
    "So this part is done.",
    "Fine.",
    "That matches what I expected.",
)


def closing(applications: Sequence[Application], rng: random.Random) -> str:
    """The summary: one clause per sub-goal."""
    clauses = [rng.choice(a.done) for a in applications]
    if len(clauses) == 1:
        return _capital(
            rng.choice(("", "", "done: ", "the job is done: ", "finished: ", "all done; ")) + f"{clauses[0]}."
        )
    style = rng.randrange(3)
    if style == 0:
        return rng.choice(("Done:\n", "What was made:\n", "Summary:\n", "All parts are done:\n")) + "\n".join(
            f"- {c}" for c in clauses
        )
    if style == 1:
        return rng.choice(("Done. ", "", "All finished. ", "Everything is in place. ")) + " ".join(
            f"{_capital(c)}." for c in clauses
        )
    return _capital("; ".join(clauses)) + "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
