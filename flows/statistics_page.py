"""The statistics of a dataset as tables for a terminal of 80 columns or more, and as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from trajmill.flows.card import FUNNEL_WORDS
from trajmill.flows.statistics import GROUPS, QUANTILES, Group, Statistics
from trajmill.flows.variety import ALIKE, GRAM, Variety
from trajmill.flows.visible import visible

MOST_COMMON_SHARE = 0.01
MOST_ALIKE_SHARE = 0.02
"""Bounds that a varied dataset keeps."""


def statistics_page(counted: Statistics, skills: int) -> Iterator[RenderableType]:
    """Everything, one table after the other; ``skills`` of the most and of the least used are listed."""
    rows = ", ".join(f"{count:,} {table}" for table, count in counted.rows.items())
    yield Text(visible(f"{counted.name}  {counted.build_id}"), "bold")
    yield Text(rows)
    yield from _counts(
        "Funnel", {word: counted.funnel[gate] for gate, word in FUNNEL_WORDS.items() if gate in counted.funnel}
    )
    yield from _counts("Left out", counted.drops or {"nothing": 0})
    for column in GROUPS:
        yield from _groups(column.replace("_", " ").capitalize(), counted.groups[column])
    yield from _skills(counted.skills, skills)
    yield from _quantiles(counted)
    yield from _variety(counted.variety)


def _counts(title: str, counts: Mapping[str, int]) -> Iterator[RenderableType]:
    table = _table()
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    for name, count in counts.items():
        table.add_row(f"{count:,}", Text(visible(name)))
    yield from _titled(title, table)


def _groups(title: str, groups: Sequence[Group]) -> Iterator[RenderableType]:
    table = _table(show_header=True)
    table.add_column("", overflow="fold", min_width=12)
    for name in ("tasks", "trajectories", "share", "passed", "median turns"):
        table.add_column(name, justify="right")
    total = sum(group.trajectories for group in groups)
    for group in groups:
        share = f"{group.trajectories / total:.0%}" if total else "-"
        table.add_row(
            Text(visible(group.value)),
            f"{group.tasks:,}",
            f"{group.trajectories:,}",
            share,
            f"{group.passed:,}",
            f"{group.turns:g}",
        )
    yield from _titled(title, table)


def _skills(skills: Sequence[Group], most: int) -> Iterator[RenderableType]:
    if len(skills) <= 2 * most:
        yield from _groups_of_skills(f"Skills ({len(skills)})", skills)
        return
    yield from _groups_of_skills(f"Skills, the {most} most used of {len(skills)}", skills[:most])
    yield from _groups_of_skills(f"Skills, the {most} least used of {len(skills)}", skills[-most:])


def _groups_of_skills(title: str, groups: Sequence[Group]) -> Iterator[RenderableType]:
    table = _table(show_header=True)
    table.add_column("", overflow="fold", min_width=12)
    for name in ("tasks", "trajectories", "passed"):
        table.add_column(name, justify="right")
    for group in groups:
        table.add_row(Text(visible(group.value)), f"{group.tasks:,}", f"{group.trajectories:,}", f"{group.passed:,}")
    yield from _titled(title, table)


def _quantiles(counted: Statistics) -> Iterator[RenderableType]:
    table = _table(show_header=True)
    table.add_column("", min_width=12)
    for share in QUANTILES:
        names = {0.0: "least", 0.5: "median", 1.0: "most"}
        table.add_column(names.get(share, f"{share:.0%}"), justify="right")
    for name, values in counted.quantiles.items():
        table.add_row("characters" if name == "chars" else name, *(f"{value:,.0f}" for value in values))
    yield from _titled("Lengths of trajectories", table)
    slips = counted.masked_turns / counted.turns if counted.turns else 0.0
    total = counted.rows["trajectories"]
    yield Text(
        f"Slips, not trained on: {counted.masked_turns:,} of {counted.turns:,} turns ({slips:.1%}), "
        f"in {counted.with_slips:,} of {total:,} trajectories."
    )


def _variety(variety: Variety) -> Iterator[RenderableType]:
    yield Text()
    yield Text("Variety, with numbers, names, quoted parts and file contents masked", "bold")
    bound = "no two are the same" if variety.commonest == 1 else f"at most {MOST_COMMON_SHARE:.0%} is wanted"
    yield Text(
        f"Most frequent sequence of thoughts and commands: {variety.commonest:,} of {variety.trajectories:,} "
        f"trajectories ({variety.commonest_share:.2%}; {bound})."
    )
    yield Text(
        f"Pairs of different tasks above {ALIKE} Jaccard on word {GRAM}-grams: {variety.pairs_alike:,} of "
        f"{variety.pairs:,} ({variety.pairs_alike_share:.2%}; at most {MOST_ALIKE_SHARE:.0%} is wanted)."
    )
    if variety.sample_seed is not None:
        yield Text(f"Pairs are those of {variety.compared:,} trajectories drawn with seed {variety.sample_seed}.")


def _titled(title: str, table: Table) -> Iterator[RenderableType]:
    yield Text()
    yield Text(title, "bold")
    yield table


def _table(*, show_header: bool = False) -> Table:
    return Table(box=None, show_header=show_header, header_style="", pad_edge=False, padding=(0, 2, 0, 0))
