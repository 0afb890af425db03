"""The policies that a configuration can name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trajmill.flows.drafts import Drafts
from trajmill.schemas.config import BuildConfig
from trajmill.synth.packs.terminal.pack import pack_version
from trajmill.synth.policies.base import Policy
from trajmill.synth.policies.programmatic import ProgrammaticPolicy, expert_version
from trajmill.synth.policies.scripted import noop_policy, oracle_policy
from trajmill.synth.rollout import Bounds

POLICIES: Mapping[str, Callable[[Drafts], Policy]] = {
    "programmatic": lambda drafts: ProgrammaticPolicy(drafts.blueprints, expert_version(pack_version())),
    "oracle": lambda drafts: oracle_policy(),
    "noop": lambda drafts: noop_policy(),
}
"""Policies by the name that a configuration gives them."""


def policies_of(config: BuildConfig, drafts: Drafts) -> tuple[tuple[Policy, int], ...]:
    """The policies of a configuration with their attempts."""
    return tuple((POLICIES[section.name](drafts), section.attempts) for section in config.rollout.policies)


def bounds_of(config: BuildConfig) -> Bounds:
    """Where rollouts of a configuration end at the latest."""
    return Bounds(turns=config.rollout.turn_limit, command_timeout_s=config.rollout.command_timeout_s)
