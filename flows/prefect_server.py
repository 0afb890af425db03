"""A temporary Prefect server on loopback that lives no longer than the process that started it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from trajmill.schemas.errors import UnavailableError

STARTUP_S = 60.0
"""Seconds that a temporary server may take until it answers."""
STOP_S = 5.0
"""Seconds that it may take to end before it is killed."""

QUIET_SETTINGS: Mapping[str, str] = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_INTERNAL_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
}
"""What keeps Prefect to its task: nothing on the terminal, nothing sent elsewhere. What the user has set stays."""

# Ends with the process that started it, also after kill -9 (Linux).
_LAUNCH = """
import ctypes, runpy, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
runpy.run_module("uvicorn", run_name="__main__", alter_sys=True)
"""


def quieten() -> None:
    """Set the quiet settings for this process and those it starts; does nothing once Prefect is imported."""
    for key, value in QUIET_SETTINGS.items():
        os.environ.setdefault(key, value)


@asynccontextmanager
async def temporary_server(
    home: Path, *, startup_s: float = STARTUP_S, meanwhile: Callable[[], object] = bool
) -> AsyncIterator[str]:
    """Start a server whose files and log lie in ``home``, give its API address, and end it after the block.

    ``meanwhile`` is called while the server starts. Raises UnavailableError if it does not answer within ``startup_s``
    seconds.
    """
    home.mkdir(parents=True, exist_ok=True)
    log = home / "server.log"
    port = _free_port()
    url = f"http://127.0.0.1:{port}/api"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            _command(port),
            env=_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        meanwhile()
        if not await _answers_in_time(url, process, startup_s):
            how = f"did not answer within {startup_s:.0f} s" if process.poll() is None else "ended by itself"
            raise UnavailableError(f"The temporary Prefect server {how}.", remedy=f"Its log is {log}.")
        yield url
    finally:
        _end(process)


async def answers(url: str) -> bool:
    """Whether a Prefect API answers at this address."""
    return await asyncio.to_thread(_healthy, url)


async def _answers_in_time(url: str, process: subprocess.Popen[bytes], limit_s: float) -> bool:
    deadline = asyncio.get_running_loop().time() + limit_s
    while process.poll() is None and asyncio.get_running_loop().time() < deadline:
        if await answers(url):
            return True
        await asyncio.sleep(0.1)
    return False


def _healthy(url: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{url}/health", timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _command(port: int) -> list[str]:
    options = ["--host", "127.0.0.1", "--port", str(port), "--log-level", "error", "--lifespan", "on"]
    return [sys.executable, "-c", _LAUNCH, "--factory", "prefect.server.api.server:create_app", *options]


def _environment(home: Path) -> dict[str, str]:
    own = {
        "PREFECT_HOME": str(home),
        "PREFECT_UI_ENABLED": "0",
        "PREFECT__SERVER_EPHEMERAL": "1",
        "PREFECT__SERVER_FINAL": "1",
    }
    given = {key: value for key, value in os.environ.items() if key != "PREFECT_API_URL"}
    return {**QUIET_SETTINGS, **given, **own}


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
