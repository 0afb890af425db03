"""The backends that the contract suite runs against, and a short way to tell a story in an open sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from trajmill.sandboxes.base import Backend, Sandbox, SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.errors import UnavailableError

Story = Callable[[Sandbox], Awaitable[None]]


@pytest.fixture(scope="session")
def bubblewrap() -> BubblewrapBackend:
    backend = BubblewrapBackend()
    try:
        asyncio.run(backend.probe())
    except UnavailableError as error:
        pytest.skip(str(error))
    return backend


@pytest.fixture(params=["bubblewrap"])
def backend(request: pytest.FixtureRequest) -> Backend:
    found: Backend = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def inside(backend: Backend) -> Callable[..., None]:
    """Open a sandbox, let the story happen in it, close it."""

    def tell(story: Story, **spec: Any) -> None:
        async def main() -> None:
            async with backend.open(SandboxSpec(**spec)) as box:
                await story(box)

        asyncio.run(main())

    return tell
