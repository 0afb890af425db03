"""The table of backends; each is imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from trajmill.sandboxes.base import Backend
from trajmill.schemas.errors import ConfigError

BACKENDS = {"bubblewrap": "trajmill.sandboxes.bubblewrap:BubblewrapBackend"}
"""Name in a build configuration to module and class."""


def backend_named(name: str) -> Backend:
    """A backend of this name, which has not opened anything yet. Raises ConfigError for a name that is not known."""
    place = BACKENDS.get(name)
    if place is None:
        raise ConfigError(f"There is no sandbox {name!r}.", remedy=f"Use one of: {', '.join(BACKENDS)}.")
    module, _, maker = place.partition(":")
    backend: Backend = getattr(import_module(module), maker)()
    return backend
