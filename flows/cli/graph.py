"""``trajmill graph build|show|sample``: make a skill graph, look at it, draw paths from it."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from trajmill.schemas.errors import ConfigError, InputError
from trajmill.schemas.ids import Json

if TYPE_CHECKING:  # networkx takes longer to import than everything else that `trajmill --help` needs
    from trajmill.synth.graphs.coverage import CoverageComparison
    from trajmill.synth.graphs.sample_records import Sample, SampleSpec
    from trajmill.synth.graphs.skill_graph import GraphStatistics, SkillGraph

app = typer.Typer(help="Build, look at and sample skill graphs.", no_args_is_help=True)

PACKS = {"terminal": "trajmill.synth.packs.terminal.pack"}
"""Built-in packs: name to the module whose ``graph_records`` gives scenarios and skills."""

SHOWN_PATHS = 20
"""Paths printed without ``--all``."""

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
FileArgument = Annotated[Optional[Path], typer.Argument(help="A graph file; or name a pack.", show_default=False)]  # noqa: UP045
PackOption = Annotated[str, typer.Option(help="A built-in skill pack instead of a file.", show_default=False)]


@app.command()
def build(
    out: Annotated[Path, typer.Option(help="The file to write; an older graph file is replaced.")],
    pack: Annotated[str, typer.Option(help="A built-in skill pack.")] = "terminal",
    as_json: JsonOption = False,
) -> None:
    """Write the skill graph of a pack as node-link JSON with its content hash."""
    from trajmill.synth.graphs.graph_file import write_graph
    from trajmill.synth.graphs.skill_graph import statistics

    graph = _pack_graph(pack)
    write_graph(graph, out)
    counts = statistics(graph)
    if as_json:
        _print_json({"graph": graph.id, "file": str(out), "statistics": asdict(counts)})
        return
    Console().print(
        f"Wrote {graph.id} to {out}: {counts.scenarios:,} scenarios, {counts.skills:,} skills, {counts.edges:,} edges.",
        highlight=False,
        soft_wrap=True,
    )


@app.command()
def show(
    file: FileArgument = None,
    pack: PackOption = "",
    svg: Annotated[
        Path | None, typer.Option(help="Also draw the graph into this SVG file.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Count scenarios, skills, edges, components, degrees and dead ends, by domain too."""
    from trajmill.synth.graphs.picture import draw_svg
    from trajmill.synth.graphs.skill_graph import statistics

    graph = _graph(file, pack)
    counts = statistics(graph)
    if svg is not None:
        _write_text(svg, draw_svg(graph))
    if as_json:
        _print_json({"graph": graph.id, "statistics": asdict(counts)})
        return
    console = Console()
    console.print(_statistics_table(graph, counts))
    console.print(_domains_table(counts))
    if svg is not None:
        console.print(f"Picture: {svg}", highlight=False, soft_wrap=True)


@app.command()
def sample(
    paths: Annotated[int, typer.Option(help="How many paths the whole sample shall have.")],
    file: FileArgument = None,
    pack: PackOption = "",
    length: Annotated[str, typer.Option(help="Skills in a path: one number or a range.")] = "1-7",
    seed: Annotated[int, typer.Option(help="The same seed gives the same paths.")] = 0,
    start: Annotated[Optional[list[str]], typer.Option(help="Scenario to start in; repeatable.")] = None,  # noqa: UP045
    goal: Annotated[Optional[list[str]], typer.Option(help="Scenario to end in; repeatable.")] = None,  # noqa: UP045
    domain: Annotated[Optional[list[str]], typer.Option(help="Domain whose skills may be used; repeatable.")] = None,  # noqa: UP045
    use: Annotated[Optional[list[str]], typer.Option(help="Skill or scenario in every path; repeatable.")] = None,  # noqa: UP045
    avoid: Annotated[Optional[list[str]], typer.Option(help="Skill or scenario in no path; repeatable.")] = None,  # noqa: UP045
    length_weight: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(metavar="N=WEIGHT", help="Weight of a length; those not named get none. Default: all alike."),
    ] = None,
    domain_weight: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(metavar="DOMAIN=WEIGHT", help="Weight of a start domain. Default: left to chance."),
    ] = None,
    tries: Annotated[int, typer.Option(help="Draws for one path before its length is given up.")] = 500,
    out: Annotated[Optional[Path], typer.Option(help="Write the sample to this JSON file.")] = None,  # noqa: UP045
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the sample that --out holds already.")] = False,
    show_all: Annotated[bool, typer.Option("--all", help=f"Print all paths, not the first {SHOWN_PATHS}.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Draw paths by inverse visit frequency and compare their coverage with a plain random walk.

    Exit code 1 if not a single path could be drawn.
    """
    from trajmill.synth.graphs.coverage import compare_coverage
    from trajmill.synth.graphs.sample_file import encode_sample, write_sample
    from trajmill.synth.graphs.sample_records import SampleSpec

    graph = _graph(file, pack)
    shortest, longest = _length_range(length)
    spec = SampleSpec(
        paths=paths,
        seed=seed,
        shortest=shortest,
        longest=longest,
        starts=tuple(start or ()),
        goals=tuple(goal or ()),
        domains=tuple(domain or ()),
        use=tuple(use or ()),
        avoid=tuple(avoid or ()),
        length_mix=tuple((_whole(name), weight) for name, weight in _weights(length_weight, "--length-weight")),
        domain_mix=tuple(_weights(domain_weight, "--domain-weight")),
        tries=tries,
    )
    drawn = _drawn(graph, spec, out, resume=resume)
    comparison = compare_coverage(graph, drawn.paths, seed=seed)
    if out is not None:
        write_sample(drawn, out, replace=resume)
    if as_json:
        _print_json({**encode_sample(drawn), "coverage": asdict(comparison)})
    else:
        _print_sample(graph, drawn, comparison, limit=len(drawn.paths) if show_all else SHOWN_PATHS)
        if out is not None:
            Console().print(f"Sample: {out}", highlight=False, soft_wrap=True)
    if paths and not drawn.paths:
        raise typer.Exit(1)


def _drawn(graph: SkillGraph, spec: SampleSpec, out: Path | None, *, resume: bool) -> Sample:
    from trajmill.synth.graphs.sample_file import read_sample
    from trajmill.synth.graphs.sample_records import Sample
    from trajmill.synth.graphs.sampler import sample_paths

    if resume and out is None:
        raise ConfigError("--resume needs --out, the file that holds the sample so far.")
    if out is None or not out.exists():
        return sample_paths(graph, spec)
    if not resume:
        raise InputError(
            f"{out} exists; nothing was written.", remedy="Give --resume to go on with it, or another name."
        )
    earlier = read_sample(out)
    later = sample_paths(graph, spec, state=earlier.state)
    return Sample(graph.id, spec, (*earlier.paths, *later.paths), later.rejected, later.given_up, later.state)


def _pack_graph(pack: str) -> SkillGraph:
    from trajmill.synth.graphs.skill_graph import build_graph, unknown_name

    if pack not in PACKS:
        raise unknown_name("pack", pack, PACKS)
    scenarios, skills = import_module(PACKS[pack]).graph_records()
    return build_graph(scenarios, skills)


def _graph(file: Path | None, pack: str) -> SkillGraph:
    from trajmill.synth.graphs.graph_file import read_graph

    if (file is None) == (not pack):
        raise ConfigError("Name either a graph file or --pack.", remedy="For instance: --pack terminal.")
    return read_graph(file) if file is not None else _pack_graph(pack)


def _length_range(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    return _whole(first), _whole(last) if dash else _whole(first)


def _whole(text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit()):
        raise ConfigError(f"A length is {text!r}; it must be a number such as 3, or a range such as 1-7.")
    return int(text)


def _weights(texts: list[str] | None, option: str) -> list[tuple[str, float]]:
    weights = []
    for text in texts or ():
        name, sign, weight = text.rpartition("=")
        try:
            weights.append((name, float(weight if sign else "")))
        except ValueError as error:
            raise ConfigError(f"{option} is {text!r}; it must look like NAME=2 or NAME=0.5.") from error
    return weights


def _statistics_table(graph: SkillGraph, counts: GraphStatistics) -> Table:
    table = Table("", "", title=f"Skill graph {graph.id}", title_justify="left", show_header=False)
    table.add_row("scenarios", f"{counts.scenarios:,}")
    table.add_row("skills", f"{counts.skills:,}")
    table.add_row("edges", f"{counts.edges:,}")
    table.add_row("components", f"{counts.components:,}; the largest holds {counts.giant_share:.1%} of the scenarios")
    table.add_row("edges at a scenario", f"median {counts.degree_median:g}, most {counts.degree_max:,}")
    table.add_row("dead ends (no way out)", f"{counts.dead_ends:,}")
    table.add_row("sources (no way in)", f"{counts.sources:,}")
    table.add_row("scenarios without an edge", f"{counts.isolated:,}")
    if counts.self_loops:
        table.add_row("edges back to the same scenario, never walked", f"{counts.self_loops:,}")
    if counts.idle_skills:
        table.add_row("skills without a transition", ", ".join(counts.idle_skills))
    return table


def _domains_table(counts: GraphStatistics) -> Table:
    table = Table("domain", title="By domain", title_justify="left")
    for column in ("scenarios", "skills", "edges"):
        table.add_column(column, justify="right")
    for row in counts.domains:
        table.add_row(row.domain, f"{row.scenarios:,}", f"{row.skills:,}", f"{row.edges:,}")
    return table


def _print_sample(graph: SkillGraph, drawn: Sample, comparison: CoverageComparison, *, limit: int) -> None:
    console = Console()
    shown = Table.grid("", "", padding=(0, 2))
    for path in drawn.paths[:limit]:
        steps = "".join(
            f" --{skill}--> {scenario}" for skill, scenario in zip(path.skills, path.scenarios[1:], strict=True)
        )
        shown.add_row(f"{path.index:>4}", Text(path.scenarios[0] + steps))
    console.print(shown)
    if len(drawn.paths) > limit:
        console.print(f"      and {len(drawn.paths) - limit:,} more (--all shows them)", highlight=False)
    console.print(f"{len(drawn.paths):,} paths from {graph.id}, seed {drawn.spec.seed}.", highlight=False)
    for reason, count in drawn.rejected:
        console.print(f"{count:,} draws rejected: {reason}.", highlight=False, markup=False)
    for stop in drawn.given_up:
        of = f" from domain {stop.domain}" if stop.domain else ""
        console.print(f"Gave up length {stop.length}{of}: {stop.reason}", highlight=False, markup=False)
    if drawn.missing:
        console.print(f"{drawn.missing:,} wanted paths could not be drawn.", highlight=False)
    if drawn.paths:
        console.print(_coverage_table(comparison))


def _coverage_table(comparison: CoverageComparison) -> Table:
    table = Table("", title="Coverage beside a plain random walk", title_justify="left")
    for column in ("in graph", "sample", "walk", "entropy", "entropy of walk"):
        table.add_column(column, justify="right")
    for name in ("scenarios", "skills", "skill_pairs"):
        ours, theirs = getattr(comparison.sample, name), getattr(comparison.walk, name)
        table.add_row(
            name.replace("_", " "),
            f"{ours.possible:,}",
            f"{ours.covered:,} ({ours.share:.0%})",
            f"{theirs.covered:,} ({theirs.share:.0%})",
            f"{ours.entropy:.3f}",
            f"{theirs.entropy:.3f}",
        )
    return table


def _write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error


def _print_json(value: Json) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
