"""What a path sample is asked for, what it gives, and the state from which it goes on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from trajmill.schemas.errors import ConfigError, InputError
from trajmill.schemas.graph import Path
from trajmill.schemas.ids import Json, content_id
from trajmill.synth.graphs.skill_graph import SkillGraph, unknown_name

LONGEST_ALLOWED = 30
MOST_USED = 8
"""Names that may be demanded in one path; the look-ahead grows twofold with each."""


@dataclass(frozen=True, slots=True)
class SampleSpec:
    """What to sample. Empty constraints allow everything.

    Raises ConfigError for numbers that make no sense.
    """

    paths: int
    """How many paths are wanted in the whole sample, those of earlier runs included."""
    seed: int = 0
    shortest: int = 1
    """Fewest skills in a path."""
    longest: int = 7
    """Most skills in a path."""
    starts: tuple[str, ...] = ()
    """Scenarios in which a path may start."""
    goals: tuple[str, ...] = ()
    """Scenarios in which a path may end."""
    domains: tuple[str, ...] = ()
    """Domains whose skills may be used."""
    use: tuple[str, ...] = ()
    """Skills or scenarios that every path must hold, all of them."""
    avoid: tuple[str, ...] = ()
    """Skills or scenarios that no path may hold."""
    length_mix: tuple[tuple[int, float], ...] = ()
    """Weights of lengths, such as ``((1, 1.0), (3, 2.0))``; a length left out gets none. Empty: all alike."""
    domain_mix: tuple[tuple[str, float], ...] = ()
    """Weights of the domains of the start scenarios; a domain left out gets none. Empty: left to chance."""
    tries: int = 500
    """Draws for one path before its length (and domain, if mixed) is given up for the rest of the sample."""

    def __post_init__(self) -> None:
        """Check the numbers; names are checked against the graph by ``check_names``."""
        _require(self.paths >= 0, "paths", self.paths, "0 or more")
        _require(self.tries >= 1, "tries", self.tries, "1 or more")
        _require(1 <= self.shortest <= LONGEST_ALLOWED, "length", self.shortest, f"from 1 to {LONGEST_ALLOWED}")
        _require(
            self.shortest <= self.longest <= LONGEST_ALLOWED,
            "length",
            f"{self.shortest}-{self.longest}",
            f"a shortest and a longest, in this order, up to {LONGEST_ALLOWED}",
        )
        _require(len(self.use) <= MOST_USED, "use", f"{len(self.use)} names", f"at most {MOST_USED}")
        for length, _ in self.length_mix:
            _require(
                self.shortest <= length <= self.longest, "length mix", length, f"{self.shortest} to {self.longest}"
            )
        _check_mix("length mix", self.length_mix)
        _check_mix("domain mix", self.domain_mix)

    @property
    def id(self) -> str:
        """Content id of everything but the number of paths: equal ids give samples of which one begins the other."""
        return content_id(
            "sample",
            {
                "seed": self.seed,
                "length": [self.shortest, self.longest],
                "starts": sorted(set(self.starts)),
                "goals": sorted(set(self.goals)),
                "domains": sorted(set(self.domains)),
                "use": sorted(set(self.use)),
                "avoid": sorted(set(self.avoid)),
                "length_mix": sorted(self.length_mix),
                "domain_mix": sorted(self.domain_mix),
                "tries": self.tries,
            },
        )

    def check_names(self, graph: SkillGraph) -> None:
        """Raise ConfigError, with the nearest valid name, if a constraint names what the graph does not have."""
        for scenario in (*self.starts, *self.goals):
            graph.scenario(scenario)
        for domain in (*self.domains, *(domain for domain, _ in self.domain_mix)):
            if domain not in graph.domains:
                raise unknown_name("domain", domain, graph.domains)
        for name in (*self.use, *self.avoid):
            if name not in graph.skill_by_name and name not in graph.scenario_by_id:
                raise unknown_name("skill or scenario", name, [*graph.skill_by_name, *graph.scenario_by_id])
        both = sorted(set(self.use) & set(self.avoid))
        if both:
            raise ConfigError(f"{both[0]!r} must be used and must be avoided at once.", remedy="Drop one of the two.")


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A length (of a domain) of which no more paths are drawn."""

    length: int
    domain: str
    """Empty unless domains are mixed."""
    reason: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class SampleState:
    """All that the next path depends on, besides graph and specification."""

    graph: str
    spec: str
    """``SampleSpec.id``."""
    index: int
    """Index of the next path: the number of paths kept so far."""
    scenario_visits: Mapping[str, int]
    """Kept paths through each scenario; those without any are left out."""
    skill_visits: Mapping[str, int]
    kept_skills: tuple[tuple[str, ...], ...]
    """The skill sets kept so far, each sorted, in the order of their paths."""
    kept_targets: tuple[tuple[int, str, int], ...]
    """(length, domain, paths kept)."""
    rejected: Mapping[str, int]
    """Draws that were not kept, by reason, since the sample began."""
    given_up: tuple[GivenUp, ...]

    def to_json(self) -> Json:
        """As a JSON value."""
        return {
            "graph": self.graph,
            "spec": self.spec,
            "index": self.index,
            "scenario_visits": dict(sorted(self.scenario_visits.items())),
            "skill_visits": dict(sorted(self.skill_visits.items())),
            "kept_skills": [list(names) for names in self.kept_skills],
            "kept_targets": [list(target) for target in self.kept_targets],
            "rejected": dict(sorted(self.rejected.items())),
            "given_up": [[stop.length, stop.domain, stop.reason] for stop in self.given_up],
        }

    @classmethod
    def from_json(cls, value: Json) -> SampleState:
        """Read what ``to_json`` gave. Raises InputError for anything else."""
        try:
            return cls(
                graph=str(value["graph"]),
                spec=str(value["spec"]),
                index=int(value["index"]),
                scenario_visits={str(name): int(count) for name, count in value["scenario_visits"].items()},
                skill_visits={str(name): int(count) for name, count in value["skill_visits"].items()},
                kept_skills=tuple(tuple(str(name) for name in names) for names in value["kept_skills"]),
                kept_targets=tuple((int(length), str(domain), int(n)) for length, domain, n in value["kept_targets"]),
                rejected={str(reason): int(count) for reason, count in value["rejected"].items()},
                given_up=tuple(
                    GivenUp(int(length), str(domain), str(why)) for length, domain, why in value["given_up"]
                ),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"The state of a sample is damaged: {type(error).__name__} at {error}.") from error


@dataclass(frozen=True, slots=True)
class Sample:
    """The paths of one run of the sampler."""

    graph: str
    spec: SampleSpec
    paths: tuple[Path, ...]
    """Paths drawn in this run; after a resume they begin at the index of the state that was given."""
    rejected: tuple[tuple[str, int], ...]
    """(reason, draws that were not kept), sorted, since the sample began."""
    given_up: tuple[GivenUp, ...]
    """Why there are fewer paths, or fewer of a length, than wanted."""
    state: SampleState

    @property
    def missing(self) -> int:
        """Wanted paths that could not be drawn."""
        return max(0, self.spec.paths - self.state.index)


def _require(holds: bool, key: str, value: object, allowed: str) -> None:
    if not holds:
        raise ConfigError(f"Sample setting {key!r} is {value}; allowed is {allowed}.")


def _check_mix(key: str, mix: tuple[tuple[object, float], ...]) -> None:
    if not mix:
        return
    for name, weight in mix:
        _require(math.isfinite(weight) and weight >= 0, key, f"{weight} for {name}", "a finite weight of 0 or more")
    _require(len({name for name, _ in mix}) == len(mix), key, "one name twice", "each name once")
    _require(any(weight > 0 for _, weight in mix), key, "0 for all", "at least one weight above 0")
