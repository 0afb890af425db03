"""What a build is made from: the materials of all its sources, and what was left out of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trajmill.schemas.config import BuildConfig, SourceSection
from trajmill.schemas.errors import ConfigError, InputError
from trajmill.schemas.ids import digest
from trajmill.schemas.verdict import Drop
from trajmill.synth.sources.demo import demo_source
from trajmill.synth.sources.files import read_folder
from trajmill.synth.sources.material import UNKNOWN_LICENCE, Material, Source


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything taken, and everything left out with its reason."""

    sources: tuple[Source, ...]
    materials: tuple[Material, ...]
    left_out: tuple[Drop, ...]

    @property
    def id(self) -> str:
        """Content hash of all sources."""
        return digest([source.content_hash for source in self.sources])


def read_inputs(config: BuildConfig) -> Inputs:
    """Read every source. Raises InputError for a folder that cannot be used, UnavailableError without the demo data."""
    sources = tuple(_read(config, section) for section in config.source)
    return Inputs(
        sources=sources,
        materials=_distinct(sources),
        left_out=tuple(drop for source in sources for drop in source.left_out),
    )


def require_apart(config: BuildConfig, *written: Path) -> None:
    """Raise InputError if a folder that is written to lies inside a source folder: the next run would take it in."""
    for section in config.source:
        folder = config.files_of(section)
        if folder is None:
            continue
        for path in written:
            if path.resolve().is_relative_to(folder.resolve()):
                raise InputError(
                    f"{path} would be written inside the source folder {folder}.",
                    remedy="Name a folder outside it with --out and --store, or give the files a folder of their own.",
                )


def _read(config: BuildConfig, section: SourceSection) -> Source:
    folder = config.files_of(section)
    source = demo_source() if folder is None else read_folder(folder)
    if not section.licence:
        return source
    stated = (replace(m, licence=section.licence) if m.licence == UNKNOWN_LICENCE else m for m in source.materials)
    return replace(source, materials=tuple(stated))


def _distinct(sources: Sequence[Source]) -> tuple[Material, ...]:
    seen: dict[str, int] = {}
    for number, source in enumerate(sources):
        for material in source.materials:
            other = seen.setdefault(material.name, number)
            if other != number:
                raise ConfigError(
                    f"Two sources hold a file called {material.name}: {sources[other].name} and {source.name}.",
                    remedy="Rename one, or build from one of them.",
                )
    return tuple(material for source in sources for material in source.materials)
