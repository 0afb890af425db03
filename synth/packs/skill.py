"""What a skill of a pack must state: where it applies, what it asks for, how it is done, what must then be true.

A skill looks at the actual state, draws its parameters from it and returns an ``Application``; or None if the state
does not suit it. It computes the effect in Python and never runs the command under test.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from trajmill.schemas.task import Check
from trajmill.synth.packs.state import State, World
from trajmill.synth.sources.material import Material

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draw:
    """The only source of chance, and what the sandbox has."""

    rng: random.Random
    tools: frozenset[str]
    """Commands present in the sandbox."""
    strictness: str = "content"
    """``bytes``: outputs are compared byte for byte, so a rule about the exact form must be stated."""

    def pick(self, options: Sequence[T]) -> T:
        """One of the options. Raises IndexError if there is none."""
        return options[self.rng.randrange(len(options))]

    def some(self, options: Sequence[T], least: int, most: int) -> tuple[T, ...]:
        """Between ``least`` and ``most`` different options, in their own order."""
        count = self.rng.randint(least, min(most, len(options)))
        chosen = sorted(self.rng.sample(range(len(options)), count))
        return tuple(options[i] for i in chosen)


@dataclass(frozen=True, slots=True)
class Act:
    """One command with the thoughts that may precede it."""

    command: str
    """For bash, run in the workspace. Its output must not depend on clock, host or chance."""
    why: tuple[str, ...]
    """Two or more ways to say what it is for, each a short true sentence in the first person or about the data."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to do the skill from start to end."""

    name: str
    """``awk``, ``python``, ``coreutils``, ..."""
    tools: tuple[str, ...]
    """Commands it needs, shell builtins left out."""
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A realistic mistake, seen in the output and put right by doing the way afterwards."""

    command: str
    why: tuple[str, ...]
    """What one believes when making it."""
    sign: str
    """Regular expression that the observation must contain (of ``look`` if there is one) for the slip to be seen."""
    remark: tuple[str, ...]
    """What one says on seeing it: what is wrong and why."""
    look: str = ""
    """Command that shows the mistake, if the slip itself prints nothing telling."""
    undo: str = ""
    """Command that removes what the right way would not overwrite."""
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Application:
    """A skill applied to a state."""

    outputs: tuple[str, ...]
    """Paths that it makes or changes, the main one first."""
    asks: tuple[str, ...]
    """Three or more ways to ask for it: an imperative clause without full stop, lower-case start, naming every output
    and parameter. ``{it}`` stands for the input: ``save the rows of {it} whose `state` is `TX` as `texas.csv```"""
    results: tuple[str, ...]
    """One or more noun phrases for a list of deliverables, lower-case start, no full stop, without the output's name:
    ``the rows of {it} whose `state` is `TX`, header included``. Empty if it is no file that can be listed."""
    rules: tuple[str, ...]
    """Full sentences about the exact form, as few as make the outcome unambiguous."""
    ways: tuple[Way, ...]
    """The first whose tools are present is the oracle's."""
    checks: tuple[Check, ...]
    after: State
    done: tuple[str, ...]
    """Two or more past-tense clauses for the closing summary: ``saved the 12 rows of TX as `texas.csv```"""
    slips: tuple[Slip, ...] = ()


Apply: TypeAlias = Callable[[State, Draw], Application | None]


@dataclass(frozen=True, slots=True)
class PackSkill:
    """A skill of a pack."""

    name: str
    """Unique, lower case with hyphens: ``csv-filter-rows``."""
    domain: str
    summary: str
    """One sentence, imperative, without parameters."""
    pre: tuple[str, ...]
    """Scenarios it can start from."""
    post: str
    """Scenario it leads to."""
    apply: Apply
    not_after: tuple[str, ...] = ()
    """Names of skills that it would take back, such as unpacking after packing; they may not come before it."""


@dataclass(frozen=True, slots=True)
class Start:
    """How to set up a scenario from a real file of the source; None if that file does not suit."""

    scenario: str
    build: Callable[[Material, Draw], World | None]
    own: str = ""
    """The kind of material that it takes as it is; empty if it makes the scenario from other material, or may do so."""
