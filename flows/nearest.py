"""The nearest valid name for one that is unknown."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from trajmill.schemas.errors import ConfigError


def unknown_value(noun: str, given: str, known: Iterable[str]) -> ConfigError:
    """The error for a name that is not among the known ones, with the nearest of them as its remedy."""
    names = sorted(known)
    near = difflib.get_close_matches(given, names, n=1)
    remedy = f"Did you mean {near[0]}?" if near else f"Use one of: {', '.join(names)}."
    return ConfigError(f"There is no {noun} called {given!r}.", remedy=remedy)
