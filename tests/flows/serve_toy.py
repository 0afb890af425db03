"""Serves a toy dataset: python serve_toy.py FOLDER. The same file holds the function that builds a version."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from trajmill.flows.prefect_server import quieten
from trajmill.flows.versions import VersionJob, VersionRequest
from trajmill.schemas.errors import TrajmillError


async def build(request: VersionRequest) -> str:
    """Build a version; waits until the file ``go`` is there, so that a test can overlap it."""
    (request.store / f"begun-{request.version}").touch()
    while not (request.store / "go").exists():
        await asyncio.sleep(0.05)
    request.out.mkdir()
    (request.out / "data.txt").write_text(f"version {request.version}, paths {request.paths}\n")
    return f"paths {request.paths}"


def main(folder: Path) -> None:
    from prefect.settings import PREFECT_API_URL, temporary_settings

    from trajmill.flows.serve import serve

    def attempt(cron: str, timezone: str = "UTC") -> None:
        try:
            serve(job, cron, say=lambda line: print(line, flush=True), timezone=timezone, poll_s=1)
        except TrajmillError as error:
            print(f"exit {error.exit_code}: {error}", flush=True)

    job = VersionJob("toy", folder / "toy.toml", folder, folder / "store", "serve_toy:build")
    attempt("whenever")
    attempt("0 3 * * *", "Nowhere/None")
    with temporary_settings({PREFECT_API_URL: ""}):
        attempt("0 3 * * *")
    attempt("0 3 * * *")


if __name__ == "__main__":
    quieten()
    main(Path(sys.argv[1]))
