"""Sandbox backends by name, imported only when they are used."""

from __future__ import annotations

import importlib

from trajmill.sandboxes.base import Backend
from trajmill.schemas.errors import ConfigError

BACKENDS = {"bubblewrap": "trajmill.sandboxes.bubblewrap:BubblewrapBackend"}


def backend_by_name(name: str) -> Backend:
    """A backend by name. Raises ConfigError for an unknown one."""
    if name not in BACKENDS:
        raise ConfigError(f"There is no sandbox called {name}.", remedy=f"Use one of: {', '.join(BACKENDS)}.")
    module, _, attribute = BACKENDS[name].partition(":")
    backend: Backend = getattr(importlib.import_module(module), attribute)()
    return backend
