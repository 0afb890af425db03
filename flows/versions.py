"""Versions of a dataset: NAME-v1, NAME-v2, ... in one folder, each built once and never touched again."""

from __future__ import annotations

import importlib
import json
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from trajmill.flows.lock import owned
from trajmill.schemas.errors import ConfigError, UsageError

VERSION_JOB = "TRAJMILL_VERSION_JOB"
"""Environment variable that carries the job from the serving process to the runs that it starts."""


@dataclass(frozen=True, slots=True)
class VersionJob:
    """What a schedule builds again and again; fixed by whoever serves it, out of reach of whoever triggers it."""

    name: str
    """Name of the dataset; versions lie in ``folder`` as NAME-v1, NAME-v2, ..."""
    config: Path
    folder: Path
    store: Path
    builder: str
    """Where the function that builds a version is: ``package.module:function``, of the type ``BuildVersion``."""


@dataclass(frozen=True, slots=True)
class VersionRequest:
    """One version to build."""

    config: Path
    out: Path
    """Folder of the dataset, which does not exist yet."""
    store: Path
    version: int
    """From 1. Version 1 is what a plain build makes; each later one holds new tasks, since its seed is derived."""
    paths: int | None = None
    """Number of paths to sample, in place of what the configuration says."""


BuildVersion = Callable[[VersionRequest], Awaitable[str]]
"""Builds one version and returns one line that says what came out; goes on from an earlier run that was stopped."""


async def build_next(job: VersionJob, *, paths: int | None = None) -> str:
    """Build the version after the last finished one, alone; the line that says what came out.

    Raises InUseError, with nothing changed, if another process builds a version of this dataset.
    """
    build = _builder(job.builder)
    with owned(job.folder / f".{job.name}.lock", f"The dataset {job.name}"):
        version = next_version(job.folder, job.name)
        out = version_folder(job.folder, job.name, version)
        return f"{out.name}: {await build(VersionRequest(job.config, out, job.store, version, paths))}"


def version_folder(folder: Path, name: str, version: int) -> Path:
    """Where a version of a dataset lies."""
    return folder / f"{name}-v{version}"


def next_version(folder: Path, name: str) -> int:
    """One more than the highest version that is there; 1 if there is none."""
    pattern = re.compile(re.escape(name) + r"-v([1-9][0-9]*)")
    found = [pattern.fullmatch(path.name) for path in folder.iterdir()] if folder.is_dir() else []
    return 1 + max((int(match[1]) for match in found if match), default=0)


def hand_over(job: VersionJob) -> None:
    """Put the job where processes started by this one find it."""
    os.environ[VERSION_JOB] = json.dumps({key: str(value) for key, value in asdict(job).items()})


def handed_over() -> VersionJob:
    """The job that the serving process handed over. Raises UsageError if there is none."""
    text = os.environ.get(VERSION_JOB)
    if text is None:
        raise UsageError(
            "This run was not started by `trajmill serve`.", remedy="Start `trajmill serve CONFIG --cron ...`."
        )
    given: dict[str, str] = json.loads(text)
    config, folder, store = (Path(given[key]) for key in ("config", "folder", "store"))
    return VersionJob(given["name"], config, folder, store, given["builder"])


def _builder(dotted: str) -> BuildVersion:
    module, _, name = dotted.partition(":")
    try:
        build: BuildVersion = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as problem:
        raise ConfigError(f"There is no function {dotted} that builds a version.") from problem
    return build
