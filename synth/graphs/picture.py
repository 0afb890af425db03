"""A picture of a skill graph as SVG, drawn by this file alone; the same graph gives the same bytes.

Up to ``MOST_NODES`` scenarios: all scenarios on one circle, grouped by domain, their titles outside it, so that no two
labels touch; edges run inside, with an arrow at their end. Larger graphs: a node for each domain, and edges as thick
as they are many.
Colours hold on white and on dark; the page's colour scheme is followed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from trajmill.schemas.graph import Scenario
from trajmill.synth.graphs.skill_graph import SkillGraph, statistics

MOST_NODES = 240
"""Scenarios up to which each is drawn."""
MOST_DOMAINS = 40
"""Domains drawn one by one; the smallest of more are drawn together as "other"."""
MOST_LETTERS = 52
"""Longer labels are cut, with an ellipsis; the whole text shows under the pointer."""

_LETTER = 6.6
"""Width of a letter of 12 px in the widest usual sans-serif font, in px."""
_STEP = 17.0
"""Distance of two labels along the circle, in px."""
_STYLE = """
  svg { background: #ffffff; }
  text { font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
  .title { font-size: 16px; font-weight: 600; }
  .quiet { fill: #59636e; }
  .page { fill: #ffffff; }
  .edge { fill: none; stroke-width: 1.3; stroke-opacity: 0.55; }
  .edge:hover { stroke-width: 3; stroke-opacity: 1; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; }
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .page { fill: #0d1117; }
  }
"""


def draw_svg(graph: SkillGraph) -> str:
    """The graph as one self-contained SVG document."""
    return _draw_scenarios(graph) if len(graph.scenarios) <= MOST_NODES else _draw_domains(graph)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place on the circle."""

    angle: float
    x: float
    y: float


def _draw_scenarios(graph: SkillGraph) -> str:
    groups: dict[str, list[Scenario]] = defaultdict(list)
    for scenario in graph.scenarios:
        groups[scenario.domain].append(scenario)
    slots = len(graph.scenarios) + len(groups)
    radius = max(170.0, slots * _STEP / (2 * math.pi))
    reach = max((len(_cut(_label(scenario))) for scenario in graph.scenarios), default=0) * _LETTER + 24
    frame = _Frame(graph, radius + reach, _legend(graph))
    spots: dict[str, _Spot] = {}
    slot = 0
    for domain in sorted(groups):
        for scenario in groups[domain]:
            spots[scenario.id] = frame.spot(slot / slots, radius)
            slot += 1
        slot += 1
    colours = {scenario.id: frame.colours[scenario.domain] for scenario in graph.scenarios}
    body = [_scenario_edge(frame, spots, colours, pair, names) for pair, names in _pairs(graph)]
    body += [_scenario_node(scenario, spots[scenario.id], colours[scenario.id]) for scenario in graph.scenarios]
    return frame.document(body)


def _draw_domains(graph: SkillGraph) -> str:
    domain_of = _drawn_domains(graph)
    sizes = Counter(domain_of[scenario.domain] for scenario in graph.scenarios)
    edges: Counter[tuple[str, str]] = Counter()
    for before, after, _ in graph.network.edges(keys=True):
        ends = graph.scenario_by_id[before].domain, graph.scenario_by_id[after].domain
        edges[domain_of[ends[0]], domain_of[ends[1]]] += 1
    domains = sorted(sizes)
    largest = max(sizes.values())
    radius = max(190.0, len(domains) * 64 / (2 * math.pi))
    reach = max(len(_cut(f"{domain} (00000)")) for domain in domains) * _LETTER + 50
    frame = _Frame(graph, radius + reach, _legend(graph, domain_of))
    spots = {domain: frame.spot(at / len(domains), radius) for at, domain in enumerate(domains)}
    most = max(edges.values(), default=1)
    body = []
    for (first, then), count in sorted(edges.items(), key=lambda entry: (entry[1], entry[0])):
        if first != then:
            width = 0.6 + 7.0 * count / most
            title = f"{first} to {then}: {count:,} edges"
            gap = _domain_size(sizes[then], largest) + 2
            body.append(_curve(frame, spots[first], spots[then], frame.colours[first], title, width, 0.5, gap))
    for domain in domains:
        inside = edges[domain, domain]
        size = _domain_size(sizes[domain], largest)
        title = f"{domain}: {sizes[domain]:,} scenarios, {inside:,} edges inside"
        spot = spots[domain]
        body.append(_dot(spot, frame.colours[domain], size, title))
        body.append(_outer_text(spot, f"{domain} ({sizes[domain]:,})", size + 8))
    return frame.document(body)


def _domain_size(scenarios: int, largest: int) -> float:
    return 6 + 18 * math.sqrt(scenarios / largest)


class _Frame:
    """Canvas, colours, heading and legend around a circle of things."""

    def __init__(self, graph: SkillGraph, half: float, legend: Sequence[tuple[str, str]]) -> None:
        counts = statistics(graph)
        self._heading = (
            f"Skill graph: {_count(counts.scenarios, 'scenario')}, {_count(counts.skills, 'skill')}, "
            f"{_count(counts.edges, 'edge')} in {_count(counts.components, 'component')}"
        )
        self._legend = legend
        self._columns = max(1, int(2 * half // self._cell))
        self._top = 50.0
        self.width = max(2 * half, len(self._heading) * 9.2 + 40)
        self.middle_x = self.width / 2
        self.middle_y = self._top + half
        self.height = self._top + 2 * half + 24 * math.ceil(len(legend) / self._columns) + 20
        self.colours = {domain: _colour(at, len(legend)) for at, (domain, _) in enumerate(legend)}

    @property
    def _cell(self) -> float:
        return max((len(text) for _, text in self._legend), default=0) * _LETTER + 34

    def spot(self, share: float, radius: float) -> _Spot:
        angle = 2 * math.pi * share - math.pi / 2
        return _Spot(angle, self.middle_x + radius * math.cos(angle), self.middle_y + radius * math.sin(angle))

    def document(self, body: Sequence[str]) -> str:
        size = f"{self.width:.0f} {self.height:.0f}"
        wide, high = size.split()
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{wide}" height="{high}" role="img">',
            f"<title>{escape(self._heading)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect class="page" width="{wide}" height="{high}"/>',
            f'<text class="title" x="20" y="32">{escape(self._heading)}</text>',
            *body,
            *self._legend_lines(),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def _legend_lines(self) -> list[str]:
        lines = []
        cell = self._cell
        left = (self.width - self._columns * cell) / 2 + 10 if len(self._legend) >= self._columns else 30.0
        for at, (domain, text) in enumerate(self._legend):
            x = left + (at % self._columns) * cell
            y = self.height - 20 - 24 * (math.ceil(len(self._legend) / self._columns) - 1 - at // self._columns)
            lines.append(
                f'<rect x="{x:.1f}" y="{y - 10:.1f}" width="12" height="12" rx="3" fill="{self.colours[domain]}"/>'
            )
            lines.append(f'<text x="{x + 18:.1f}" y="{y:.1f}">{escape(text)}</text>')
        return lines


def _legend(graph: SkillGraph, drawn: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """(domain, text), in the order of the circle: domains with scenarios first, then those with skills alone."""
    names = drawn or {domain: domain for domain in graph.domains}
    scenarios = Counter(names[scenario.domain] for scenario in graph.scenarios)
    skills = Counter(names[skill.domain] for skill in graph.skills)
    order = sorted({*scenarios, *skills}, key=lambda domain: (not scenarios[domain], domain))
    return [
        (domain, f"{_cut(domain)}: {_count(scenarios[domain], 'scenario')}, {_count(skills[domain], 'skill')}")
        for domain in order
    ]


def _drawn_domains(graph: SkillGraph) -> dict[str, str]:
    sizes = Counter({domain: 0 for domain in graph.domains})
    sizes.update(scenario.domain for scenario in graph.scenarios)
    ranked = sorted(sizes, key=lambda domain: (-sizes[domain], domain))
    alone = ranked if len(ranked) <= MOST_DOMAINS else ranked[: MOST_DOMAINS - 1]
    return {domain: domain if domain in alone else "other" for domain in ranked}


def _pairs(graph: SkillGraph) -> list[tuple[tuple[str, str], list[str]]]:
    """The skills between each two scenarios; one line is drawn for all of them."""
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for before, after, name in graph.network.edges(keys=True):
        names[before, after].append(name)
    return sorted(names.items())


def _scenario_edge(
    frame: _Frame, spots: Mapping[str, _Spot], colours: Mapping[str, str], pair: tuple[str, str], names: Sequence[str]
) -> str:
    before, after = pair
    title = f"{before} to {after}: {', '.join(names)}"
    if before == after:
        spot = spots[before]
        x, y = spot.x - 9 * math.cos(spot.angle), spot.y - 9 * math.sin(spot.angle)
        return (
            f'<circle class="edge" cx="{x:.1f}" cy="{y:.1f}" r="8" stroke="{colours[before]}">'
            f"<title>{escape(title)}</title></circle>"
        )
    return _curve(frame, spots[before], spots[after], colours[before], title, 1.0 + 0.5 * min(4, len(names) - 1), 0.35)


def _curve(
    frame: _Frame, begin: _Spot, end: _Spot, colour: str, title: str, width: float, pull: float, gap: float = 6
) -> str:
    """A curve bent towards the middle, with an arrow head ``gap`` before its end."""
    bend_x = frame.middle_x * (1 - pull) + (begin.x + end.x) / 2 * pull
    bend_y = frame.middle_y * (1 - pull) + (begin.y + end.y) / 2 * pull
    near = math.hypot(begin.x - end.x, begin.y - end.y)
    if near < 120:  # neighbours: a flat bow inside the circle, since a bend in the middle would look like a spike
        out = 1 - near / 2 / math.hypot(begin.x - frame.middle_x, begin.y - frame.middle_y) - 0.06
        bend_x = frame.middle_x + ((begin.x + end.x) / 2 - frame.middle_x) * out
        bend_y = frame.middle_y + ((begin.y + end.y) / 2 - frame.middle_y) * out
    heading = math.atan2(end.y - bend_y, end.x - bend_x)
    tip_x, tip_y = end.x - gap * math.cos(heading), end.y - gap * math.sin(heading)
    size = 5 + width
    wings = [
        f"{tip_x - size * math.cos(heading + side):.1f},{tip_y - size * math.sin(heading + side):.1f}"
        for side in (0.4, -0.4)
    ]
    return (
        f'<g><title>{escape(title)}</title><path class="edge" stroke="{colour}" style="stroke-width:{width:.1f}" '
        f'd="M{begin.x:.1f},{begin.y:.1f} Q{bend_x:.1f},{bend_y:.1f} {tip_x:.1f},{tip_y:.1f}"/>'
        f'<polygon fill="{colour}" points="{tip_x:.1f},{tip_y:.1f} {wings[0]} {wings[1]}"/></g>'
    )


def _scenario_node(scenario: Scenario, spot: _Spot, colour: str) -> str:
    title = f"{scenario.id}: {scenario.title}"
    return _dot(spot, colour, 4.5, title) + _outer_text(spot, _label(scenario), 10)


def _dot(spot: _Spot, colour: str, size: float, title: str) -> str:
    return (
        f'<circle cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="{size:.1f}" fill="{colour}">'
        f"<title>{escape(title)}</title></circle>"
    )


def _outer_text(spot: _Spot, text: str, gap: float) -> str:
    """A label that runs away from the circle, turned so that it never stands on its head."""
    degrees = math.degrees(spot.angle)
    left_side = math.cos(spot.angle) < -1e-9
    turn = degrees + 180 if left_side else degrees
    x = spot.x + gap * math.cos(spot.angle)
    y = spot.y + gap * math.sin(spot.angle)
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy="0.35em" text-anchor="{"end" if left_side else "start"}" '
        f'transform="rotate({turn:.1f} {x:.1f} {y:.1f})">{escape(_cut(text))}</text>'
    )


def _label(scenario: Scenario) -> str:
    return scenario.title or scenario.id


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MOST_LETTERS else flat[: MOST_LETTERS - 1] + "…"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _colour(at: int, count: int) -> str:
    """A hue of its own for each domain; of a lightness that stands out from white and from near black."""
    return f"hsl({360 * at / max(1, count):.0f}, 62%, {42 if at % 2 else 52}%)"
