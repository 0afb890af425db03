"""A tiny dataset made by hand: two tasks, four trajectories, three drops, published as a build would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trajmill.flows.dataset import DatasetContent
from trajmill.flows.inputs import Inputs
from trajmill.flows.publish import Published, publish
from trajmill.schemas.config import BuildConfig, BuildSection, SourceSection
from trajmill.schemas.formats.atif import to_atif
from trajmill.schemas.graph import Path as Walk
from trajmill.schemas.graph import Scenario, Skill
from trajmill.schemas.ids import Json, content_id, digest, digest_bytes
from trajmill.schemas.row import trajectory_row
from trajmill.schemas.task import Axes, Check, Environment, Lineage, OracleStep, SourceRef, Task, Tool, Verifier, sealed
from trajmill.schemas.trajectory import Step, ToolCall, ToolResult, Trajectory
from trajmill.schemas.tree import FileEntry, LinkEntry, Tree
from trajmill.schemas.verdict import CheckResult, Drop, Verdict
from trajmill.synth.graphs.skill_graph import build_graph
from trajmill.synth.sources.material import Material, Source
from trajmill.synth.sources.recognise import recognise
from trajmill.synth.tools import TOOLS

TREES = b"name,height_m\noak,20\nbeech,30\noak,20\n"
LOG = b"2024-01-01T00:00:00Z INFO start\n2024-01-01T00:00:05Z ERROR disk full\n"
GRAPH = build_graph(
    [Scenario("csv.rows", "A CSV with rows", "csv"), Scenario("csv.unique", "A CSV without duplicates", "csv")],
    [Skill("csv.drop-duplicates", "csv", "Drop duplicate rows", (("csv.rows", "csv.unique"),))],
)
TOOLCHAIN = (Tool("awk", "mawk 1.3.4", "a" * 64), Tool("wc", "wc (GNU coreutils) 9.1", "b" * 64))


def material(name: str, data: bytes, licence: str) -> Material:
    """A file of the source."""
    return Material(name, data, recognise(name, data), digest_bytes(data), licence, "made for this test")


MATERIALS = (material("trees.csv", TREES, "CC0-1.0"), material("app.log", LOG, "MIT"))


def unique_task() -> Task:
    """Drop the duplicate rows of a table."""
    return sealed(
        Task(
            instruction=(
                "The file `trees.csv` lists trees, one a row. Some rows are there twice. Write the table without "
                "duplicate rows to `unique.csv`, in the order of the first occurrence, with the header."
            ),
            environment=Environment(
                files=Tree({"trees.csv": FileEntry(TREES), "notes/today": LinkEntry("../trees.csv")}),
                required_tools=("awk", "wc"),
                toolchain=TOOLCHAIN,
            ),
            oracle=(OracleStep("drop duplicate rows", "awk '!seen[$0]++' trees.csv > unique.csv"),),
            verifier=Verifier(
                (
                    Check(
                        "unique.csv holds the distinct rows",
                        "lines",
                        {"path": "unique.csv", "lines": ["name,height_m", "oak,20", "beech,30"], "ordered": True},
                        ("unique.csv",),
                    ),
                )
            ),
            axes=Axes("csv", ("csv.drop-duplicates",), 1, distractors=1, verifier_kinds=("lines",)),
            lineage=_lineage(0, ("csv.rows", "csv.unique"), ("csv.drop-duplicates",), MATERIALS[0]),
        )
    )


def count_task() -> Task:
    """Count lines of a log, then write the number; a path of two skills."""
    return sealed(
        Task(
            instruction="Keep the ERROR lines of `app.log` in `errors.log`, then write their number to `count.txt`.",
            environment=Environment(
                files=Tree({"app.log": FileEntry(LOG)}), required_tools=("awk", "wc"), toolchain=TOOLCHAIN
            ),
            oracle=(
                OracleStep("keep the errors", "awk '/ERROR/' app.log > errors.log"),
                OracleStep("count them", "wc -l < errors.log > count.txt"),
            ),
            verifier=Verifier(
                (
                    Check(
                        "errors.log holds the errors",
                        "lines",
                        {"path": "errors.log", "lines": LOG.decode().splitlines()[1:]},
                        ("errors.log",),
                    ),
                    Check("count.txt holds 1", "lines", {"path": "count.txt", "lines": ["1"]}, ("count.txt",)),
                )
            ),
            axes=Axes("logs", ("log.keep", "text.count"), 2, "steps", "bytes", verifier_kinds=("lines",)),
            lineage=_lineage(1, ("log.any", "log.kept", "text.number"), ("log.keep", "text.count"), MATERIALS[1]),
        )
    )


def command(number: int, thought: str, line: str, seen: str, role: str = "act", weight: float = 1.0) -> Step:
    """A step that runs a command."""
    return Step(
        "agent",
        thought,
        calls=(ToolCall(f"call_{number}", "terminal", {"command": line}),),
        results=(ToolResult(f"call_{number}", seen),),
        llm_calls=0,
        loss_weight=weight,
        role=role,
    )


def finish(number: int, summary: str) -> Step:
    """The last step."""
    calls = (ToolCall(f"call_{number}", "finish", {"message": summary}),)
    return Step("agent", "", calls=calls, llm_calls=0, role="finish")


def trajectory(task: Task, steps: tuple[Step, ...], policy: str = "programmatic") -> Trajectory:
    """The trajectory of these agent steps at a task."""
    start = (Step("system", "You work in a shell."), Step("user", task.instruction))
    return Trajectory(policy, "4" * 16, (*start, *steps), TOOLS, session_id=content_id("session", [task.id, policy]))


def row(task: Task, steps: tuple[Step, ...], attempt: int = 0, passed: bool = True) -> dict[str, Json]:
    """A row of the trajectories table."""
    detail = "" if passed else "unique.csv line 3: expected 'beech,30', found nothing"
    checks = tuple(CheckResult(c.name, c.kind, passed, c.weight, detail) for c in task.verifier.checks)
    verdict = Verdict("scored", float(passed), float(passed), checks)
    unit = content_id("roll", [task.id, attempt])
    document = to_atif(trajectory(task, steps))
    return trajectory_row(document, task=task, verdict=verdict, unit_id=unit, attempt=attempt)


UNIQUE_STEPS = (
    command(
        1,
        "I look at the first lines of `trees.csv`.",
        "head -n 3 trees.csv",
        "name,height_m\noak,20\nbeech,30\n",
        "look",
    ),
    command(
        2,
        "I drop the duplicates.",
        "uniqq trees.csv > unique.csv",
        "bash: uniqq: command not found\n[exit code 127]",
        "slip",
        0.0,
    ),
    command(3, "There is no such command. I keep each line once.", "awk '!seen[$0]++' trees.csv > unique.csv", ""),
    command(4, "I check `unique.csv`.", "cat unique.csv", "name,height_m\noak,20\nbeech,30\n", "check"),
    finish(5, "`unique.csv` holds the 2 distinct rows of `trees.csv` below the header."),
)
LONG_OUTPUT = "".join(f"line {number}\n" for number in range(1, 41))
STRANGE_STEPS = (
    command(
        1,
        "I see what is there.",
        "ls -l\necho 'a very long command line' | tr 'a-z' 'A-Z' | sed 's/VERY/QUITE/' | cat > /dev/null",
        LONG_OUTPUT,
        "look",
    ),
    command(
        2,
        "Each row once.",
        "awk '!s[$0]++' trees.csv > unique.csv; printf '\\033[31mred\\a'",
        "\x1b[31mred\x07\tend\r\n\u202eevil",
    ),
    finish(3, "Done."),
)
COUNT_STEPS = (
    command(1, "The errors first.", "grep ERROR app.log > errors.log", ""),
    command(2, "Now their number.", "wc -l < errors.log > count.txt", ""),
    finish(3, "`errors.log` holds 1 line, and `count.txt` says so."),
)
COUNT_STEPS_AGAIN = (
    command(1, "I read the log.", "cat app.log", LOG.decode(), "look"),
    command(2, "I filter the log.", "awk '/ERROR/' app.log > errors.log", ""),
    command(3, "And I count.", "grep -c '' errors.log > count.txt", ""),
    finish(4, "1 error was found and counted."),
)


def content(**changes: Any) -> DatasetContent:
    """All that goes into the tiny dataset; keyword arguments replace fields."""
    unique, count = unique_task(), count_task()
    rows = (
        row(unique, UNIQUE_STEPS),
        row(unique, STRANGE_STEPS, attempt=1),
        row(count, COUNT_STEPS),
        row(count, COUNT_STEPS_AGAIN, attempt=1),
    )
    left_out = (Drop("source", "faces.csv", "personal_data", "names of people"),)
    drops = (
        *left_out,
        Drop("compose", "csv.drop-duplicates", "nothing_to_do", "no duplicates", {"count": 3}),
        Drop("filter", content_id("roll", "dropped"), "not_passed", "unique.csv line 3", {"task_id": unique.id}),
    )
    hashes = ("inputs", "code", "pack", "expert", "prompts", "verifier")
    document = {"toolchain": [], **{key: key[0] * 16 for key in hashes}}
    fields: dict[str, Any] = {
        "config": BuildConfig(BuildSection("tiny"), (SourceSection("files"),)),
        "version": 1,
        "build_id": content_id("build", "tiny"),
        "document": document,
        "inputs": Inputs((Source("files", MATERIALS, left_out),), MATERIALS, left_out),
        "graph": GRAPH,
        "tasks": tuple(sorted((unique, count), key=lambda task: task.id)),
        "trajectories": tuple(sorted(rows, key=lambda one: str(one["unit_id"]))),
        "drops": drops,
        "funnel": {
            "files_taken": 2,
            "paths_drawn": 5,
            "tasks_composed": 2,
            "tasks_sound": 2,
            "rollouts": 5,
            "rollouts_scored": 5,
            "rollouts_passed": 4,
            "trajectories_kept": 4,
        },
    }
    return DatasetContent(**{**fields, **changes})


def published(folder: Path, **changes: Any) -> Published:
    """The tiny dataset, written to ``folder``; keyword arguments replace fields of its content."""
    return publish(content(**changes), folder)


def _lineage(index: int, scenarios: tuple[str, ...], skills: tuple[str, ...], source: Material) -> Lineage:
    walk = Walk(GRAPH.id, index, 7, scenarios, skills)
    ref = SourceRef(source.name, source.sha256, source.licence, source.origin, "records 1-3 of 3")
    return Lineage(walk, 11 + index, (ref,), "programmatic", {"pack": digest("pack")[:16]})
