"""The build configuration: typed, frozen, read from TOML; whatever is wrong is told in one sentence with its remedy."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from trajmill.schemas.codec import from_json, to_json
from trajmill.schemas.config_faults import first_fault
from trajmill.schemas.errors import ConfigError, ContractError
from trajmill.schemas.ids import Json

DEMO_FILES = "demo"
"""Value of ``[source] files`` that stands for the built-in demo data."""


@dataclass(frozen=True, slots=True)
class BuildSection:
    """What is built."""

    name: str
    """Names the dataset; lower-case letters, digits and hyphens."""
    seed: int = 0
    out: str = ""
    """Folder of the dataset, relative to the configuration file; empty: the command decides."""


@dataclass(frozen=True, slots=True)
class SourceSection:
    """What the graph and the workspaces are made from."""

    files: str
    """A folder, relative to the configuration file, or ``demo``."""
    pack: Literal["terminal"] = "terminal"
    licence: str = ""
    """SPDX expression for files that state none; empty: unknown."""

    @property
    def is_demo(self) -> bool:
        """Whether the built-in demo data is meant."""
        return self.files == DEMO_FILES


@dataclass(frozen=True, slots=True)
class SampleSection:
    """Which paths are drawn."""

    paths: int = 200
    length: tuple[int, int] = (1, 5)
    """Fewest and most skills on a path, both included."""
    lengths: Mapping[int, float] = field(default_factory=dict)
    """Wanted mix: length to weight; empty: every length weighs the same."""
    domains: tuple[str, ...] = ()
    """Empty: all."""
    domain_weights: Mapping[str, float] = field(default_factory=dict)
    """Wanted mix: domain to weight; empty: no target."""
    start: tuple[str, ...] = ()
    """Scenarios where a path may start; empty: all."""
    goal: tuple[str, ...] = ()
    """Scenarios where a path may end; empty: all."""
    must_use: tuple[str, ...] = ()
    must_avoid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskSection:
    """How tasks are put."""

    explicitness: tuple[Literal["goal", "steps"], ...] = ("goal", "steps")
    strictness: tuple[Literal["content", "bytes"], ...] = ("content", "bytes")
    distractors: tuple[int, int] = (0, 3)
    """Fewest and most files that the task does not need, both included."""


@dataclass(frozen=True, slots=True)
class PolicySection:
    """A policy and how often it attempts each task."""

    name: str
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class RolloutSection:
    """How tasks are attempted."""

    sandbox: Literal["bubblewrap"] = "bubblewrap"
    policies: tuple[PolicySection, ...] = (PolicySection("programmatic", attempts=3),)
    shard_size: int = 100
    concurrency: int = 0
    """Rollouts at a time; 0: one more than cores."""
    command_timeout_s: float = 60.0
    turn_limit: int = 60


@dataclass(frozen=True, slots=True)
class FilterSection:
    """Which trajectories are kept."""

    recipe: str = "strict"
    max_turns: int = 60
    max_chars: int = 200_000


@dataclass(frozen=True, slots=True)
class ExportSection:
    """Training formats that are written beside the dataset."""

    to: tuple[Literal["trl-sft"], ...] = ("trl-sft",)


@dataclass(frozen=True, slots=True)
class BudgetSection:
    """What a build may spend."""

    money_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class BuildConfig:
    """One build."""

    build: BuildSection
    source: tuple[SourceSection, ...]
    sample: SampleSection = field(default_factory=SampleSection)
    task: TaskSection = field(default_factory=TaskSection)
    rollout: RolloutSection = field(default_factory=RolloutSection)
    filter: FilterSection = field(default_factory=FilterSection)
    export: ExportSection = field(default_factory=ExportSection)
    budget: BudgetSection = field(default_factory=BudgetSection)
    folder: Path = Path()
    """Folder of the configuration file, to which its paths are relative; no part of the configuration's identity."""

    def files_of(self, source: SourceSection) -> Path | None:
        """The folder a source names, or None for the built-in demo data."""
        return None if source.is_demo else self.folder / source.files

    @property
    def out(self) -> Path | None:
        """The dataset's folder if the configuration names one."""
        return self.folder / self.build.out if self.build.out else None


def load_config(path: Path) -> BuildConfig:
    """Read a configuration file. Raises ConfigError naming the file, the key and the remedy."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise ConfigError(f"There is no configuration file {path}.", remedy="Check the path.") from error
    except IsADirectoryError as error:
        raise ConfigError(f"{path} is a folder, not a configuration file.", remedy="Name the TOML file.") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text.", remedy="Save it as UTF-8.") from error
    try:
        table = tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{path} is nested too deeply.", remedy="Write it as docs and examples do.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.", remedy="Correct that place.") from error
    return parse_config(table, where=str(path), folder=path.parent)


def parse_config(table: Json, *, where: str = "configuration", folder: Path = Path()) -> BuildConfig:
    """Turn a parsed table into a configuration; ``where`` names it in errors. Raises ConfigError."""
    fault = first_fault(table)
    if fault is not None:
        raise ConfigError(f"{where}: {fault.sentence}", remedy=fault.remedy)
    sources = table["source"] if isinstance(table["source"], list) else [table["source"]]
    try:
        config = from_json(BuildConfig, {**table, "source": sources})
    except ContractError as error:
        raise ConfigError(f"{where}: {error.message.removeprefix('$.')}") from error
    sample = dataclasses.replace(
        config.sample, lengths={int(length): weight for length, weight in config.sample.lengths.items()}
    )
    return dataclasses.replace(config, sample=sample, folder=folder)


def config_json(config: BuildConfig) -> Json:
    """The whole configuration with every default filled in, paths as they were written, for the build's record."""
    document = {f.name: to_json(getattr(config, f.name)) for f in dataclasses.fields(config) if f.name != "folder"}
    if not config.build.out:
        del document["build"]["out"]
    return document


def identity_json(config: BuildConfig) -> Json:
    """The part of the configuration that determines what a build contains: not where it is written nor how fast."""
    document = config_json(config)
    document["build"].pop("out", None)
    del document["rollout"]["concurrency"]
    return document
