"""The plan of a build: inputs, toolchain, and the id that covers everything that determines the outcome."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from trajmill.flows.histories import with_histories
from trajmill.flows.inputs import Inputs, read_inputs
from trajmill.flows.nearest import unknown_value
from trajmill.flows.policies import POLICIES
from trajmill.sandboxes.base import Backend
from trajmill.sandboxes.toolchain import resolve_tools
from trajmill.schemas.codec import to_json
from trajmill.schemas.config import BuildConfig, identity_json
from trajmill.schemas.errors import UnavailableError
from trajmill.schemas.ids import Json, content_id, derive_seed, digest_files
from trajmill.schemas.task import Tool
from trajmill.synth.packs.terminal.pack import pack_version
from trajmill.synth.policies.programmatic import expert_version
from trajmill.synth.rollout import prompt_version
from trajmill.synth.tasks.toolset import BASIC_TOOLS, PACKAGES
from trajmill.verifiers.filters import RECIPES
from trajmill.verifiers.verify import verifier_version

BUILD_SCHEME = "1"
PORTIONS = ("flows", "synth", "verifiers", "sandboxes", "schemas")


@dataclass(frozen=True, slots=True)
class Plan:
    """A build before anything is run."""

    config: BuildConfig
    version: int
    seed: int
    inputs: Inputs
    toolchain: tuple[Tool, ...]
    build_id: str
    document: Json
    """What determines the build; its hash is the id."""


async def plan_build(config: BuildConfig, backend: Backend, *, version: int = 1) -> Plan:
    """Read the inputs and resolve the toolchain; nothing is written. Raises UsageError or UnavailableError."""
    require_known_names(config)
    inputs = read_inputs(config)
    toolchain = await resolve_tools(backend, tuple(PACKAGES), optional=True)
    missing = sorted(set(BASIC_TOOLS) - {tool.name for tool in toolchain})
    if missing:
        raise UnavailableError(
            f"The sandbox has no {', '.join(missing)}.", remedy="Install coreutils, findutils and sed on this machine."
        )
    inputs = await with_histories(inputs, backend, git=any(tool.name == "git" for tool in toolchain))
    document = {
        "scheme": BUILD_SCHEME,
        "config": identity_json(config),
        "version": version,
        "inputs": inputs.id,
        "toolchain": [to_json(tool) for tool in toolchain],
        "code": code_version(),
        "pack": pack_version(),
        "expert": expert_version(pack_version()),
        "prompts": prompt_version(),
        "verifier": verifier_version(),
    }
    build_id = content_id("build", document)
    return Plan(config, version, version_seed(config, version), inputs, toolchain, build_id, document)


def version_seed(config: BuildConfig, version: int) -> int:
    """The seed of a dataset version: version 1 is a plain build, each later one draws new tasks."""
    return config.build.seed if version == 1 else derive_seed(config.build.seed, "version", version)


def require_known_names(config: BuildConfig) -> None:
    """Raise ConfigError, with the nearest valid name, for a policy or recipe that does not exist."""
    for section in config.rollout.policies:
        if section.name not in POLICIES:
            raise unknown_value("policy", section.name, POLICIES)
    if config.filter.recipe not in RECIPES:
        raise unknown_value("filter recipe", config.filter.recipe, RECIPES)


@functools.cache
def code_version() -> str:
    """Content hash of all code, contracts and prompts: whatever is changed, the next build is another build.

    Units keep narrower ids of their own, so a new build reuses every unit that the change does not touch.
    """
    root = Path(__file__).parent.parent
    files = (p for name in PORTIONS for p in (root / name).rglob("*") if p.suffix in (".py", ".json", ".md"))
    return digest_files(root, files)
