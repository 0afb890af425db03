"""One Prefect server on loopback for the whole session, asked over REST so that tests do not import Prefect."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trajmill.flows.prefect_server import temporary_server


@pytest.fixture(scope="session")
def prefect_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prefect")


@pytest.fixture(scope="session")
def prefect_url(prefect_home: Path) -> Iterator[str]:
    with asyncio.Runner() as runner:
        server = temporary_server(prefect_home, startup_s=180)
        yield runner.run(server.__aenter__())
        runner.run(server.__aexit__(None, None, None))


@pytest.fixture(scope="session")
def ask(prefect_url: str) -> Callable[..., Any]:
    """The reply to a POST, or to a GET without a body; an error as its status and text."""

    def ask(path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{prefect_url}{path}", data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=20) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as problem:
            with problem:
                return {"status": problem.code, "detail": problem.read().decode()}

    return ask
