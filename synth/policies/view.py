"""A way to look at an artefact, and what an honest reader says of what was shown.

A view's reading is computed from the observation, never from what the model of the state would have shown.
"""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable
from dataclasses import dataclass

Reading = Callable[[str, random.Random], str]


@dataclass(frozen=True, slots=True)
class View:
    """A command that shows something, and what it tells."""

    command: str
    why: tuple[str, ...]
    read: Reading
    tools: tuple[str, ...] = ()
    orienting: bool = False
    """It helps to find one's way in an input, and proves nothing about a result."""
    shows: Callable[[bytes], str] | None = None
    """What the command prints for a file of these bytes, where that can be said; a check is then a real comparison."""


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: ``1 line``, ``2 lines``."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def python_one_liner(script: str) -> str:
    """A command that runs a short Python script."""
    return f"python3 -c {shlex.quote(script)}"
