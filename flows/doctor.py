"""Can this machine build? Every part that a build needs is looked at, and each fault comes with its remedy."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trajmill.flows.attempts import run_interruptible
from trajmill.flows.backends import backend_by_name
from trajmill.sandboxes.base import Backend, SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.sandboxes.toolchain import resolve_tools
from trajmill.schemas.errors import TrajmillError
from trajmill.schemas.task import Tool
from trajmill.synth.tasks.toolset import BASIC_TOOLS, PACKAGES

OLDEST_PYTHON = (3, 11)
DISK_BYTES = 500_000_000
"""Free space below which a build of ordinary size may not end well."""
NAMESPACES = Path("/proc/sys/user/max_user_namespaces")
RESTRICTED = (
    (Path("/proc/sys/kernel/unprivileged_userns_clone"), "0", "kernel.unprivileged_userns_clone=1"),
    (
        Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
        "1",
        "kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)
"""Settings with which distributions forbid user namespaces: file, forbidding value, what allows them."""

State = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one thing."""

    subject: str
    state: State
    """``note``: something is missing, but builds work without it; ``problem``: they do not."""
    found: str
    remedy: str = ""


def examine(store: Path, sandbox: str = "bubblewrap") -> tuple[Finding, ...]:
    """Look at everything; nothing is left behind."""
    return (
        _python(),
        *_namespaces(),
        *_sandbox(backend_by_name(sandbox)),
        _demo_data(),
        _writable("store", store),
        _space("disk", store),
        _space("temporary files", Path(tempfile.gettempdir())),
        _prefect(),
    )


def _python() -> Finding:
    found = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info < OLDEST_PYTHON:
        return Finding("Python", "problem", found, "Install Python 3.11 or newer.")
    return Finding("Python", "ok", found)


def _namespaces() -> Iterator[Finding]:
    """Only what forbids them is a finding; whether they work is shown by opening a sandbox."""
    if _read(NAMESPACES) == "0":
        yield Finding(
            "user namespaces", "problem", f"{NAMESPACES} is 0", "Run: sysctl -w user.max_user_namespaces=15000"
        )
        return
    forbidden = [(path, allow) for path, forbids, allow in RESTRICTED if _read(path) == forbids]
    for path, allow in forbidden:
        if os.geteuid() != 0:
            yield Finding(
                "user namespaces", "note", f"{path} restricts them", f"If no sandbox opens: sysctl -w {allow}"
            )
    if not forbidden:
        yield Finding("user namespaces", "ok", "not restricted")


def _sandbox(backend: Backend) -> Iterator[Finding]:
    began = time.monotonic()
    try:
        said, tools = run_interruptible(_probe(backend))
    except TrajmillError as error:
        yield Finding("sandbox", "problem", f"{backend.name}: {error.message}", error.remedy)
        return
    except OSError as error:
        yield Finding("sandbox", "problem", f"{backend.name}: {error}", "Run `trajmill --debug doctor` for more.")
        return
    if said.strip() != "trajmill":
        yield Finding("sandbox", "problem", f"{backend.name}: echo said {said!r:.80}", "Report this as a fault.")
    else:
        yield Finding(
            "sandbox", "ok", f"{backend.name} ran a command ({time.monotonic() - began:.1f} s with all tools)"
        )
    yield from _limits(backend)
    yield _tools(tools)


async def _probe(backend: Backend) -> tuple[str, tuple[Tool, ...]]:
    async with backend.open(SandboxSpec(label="doctor")) as box:
        result = await box.run("echo trajmill", timeout=30)
    return result.output, await resolve_tools(backend, tuple(PACKAGES), optional=True)


def _limits(backend: Backend) -> Iterator[Finding]:
    """What keeps a sandbox's limits here; both ways are fine."""
    if isinstance(backend, BubblewrapBackend):
        yield Finding("limits", "ok", backend.limits_in_force())


def _tools(found: Sequence[Tool]) -> Finding:
    missing = sorted(set(PACKAGES) - {tool.name for tool in found})
    said = f"{len(found)} of {len(PACKAGES)} found"
    if not missing:
        return Finding("tools", "ok", said)
    remedy = f"Install the packages {' '.join(sorted({PACKAGES[name] for name in missing}))}."
    lacking = f"{said}; missing: {', '.join(missing)}"
    if set(missing) & set(BASIC_TOOLS):
        return Finding("tools", "problem", lacking, remedy)
    return Finding("tools", "note", f"{lacking}; skills that need them are left out", remedy)


def _demo_data() -> Finding:
    from trajmill.synth.sources.demo import demo_source

    try:
        return Finding("demo data", "ok", f"{len(demo_source().materials)} files")
    except TrajmillError as error:
        return Finding("demo data", "note", error.message, error.remedy)


def _writable(subject: str, folder: Path) -> Finding:
    """Whether a folder, or the nearest one above it that is there, can be written to."""
    place = _existing(folder)
    if not place.is_dir():
        return Finding(subject, "problem", f"{place} is not a folder", "Name another with --store.")
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        return Finding(
            subject, "problem", f"{place} cannot be written to: {error.strerror}", "Name another with --store."
        )
    return Finding(subject, "ok", f"{folder} {'can be written to' if place == folder else 'can be made'}")


def _space(subject: str, folder: Path) -> Finding:
    place = _existing(folder)
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        return Finding(subject, "note", f"{place}: {error.strerror}")
    found = f"{free / 1e9:.1f} GB free in {place}"
    if free < DISK_BYTES:
        return Finding(subject, "problem", found, f"Free {DISK_BYTES / 1e9:.1f} GB.")
    return Finding(subject, "ok", found)


def _prefect() -> Finding:
    """Whether Prefect is there; it is not imported, which takes seconds."""
    if importlib.util.find_spec("prefect") is None:
        remedy = "Builds work with --no-prefect; `trajmill serve` needs: pip install 'prefect>=3.9,<3.10'"
        return Finding("Prefect", "note", "not installed", remedy)
    from importlib.metadata import version

    return Finding("Prefect", "ok", version("prefect"))


def _existing(folder: Path) -> Path:
    place = folder.absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    return folder if place == folder.absolute() else place


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
