"""The real backend, where it can run."""

from __future__ import annotations

import asyncio

import pytest

from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.errors import UnavailableError


@pytest.fixture(scope="session")
def bubblewrap() -> BubblewrapBackend:
    backend = BubblewrapBackend()
    try:
        asyncio.run(backend.probe())
    except UnavailableError as error:
        pytest.skip(str(error))
    return backend
