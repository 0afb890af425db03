"""The dataset card: README.md with the front matter that hubs read, and what a user of the data should know."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping

from trajmill.flows.dataset import DatasetContent
from trajmill.flows.manifest import drop_counts
from trajmill.schemas.content.notes import printable

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

FUNNEL_WORDS = {
    "files_taken": "files taken from the sources",
    "paths_drawn": "paths drawn from the skill graph",
    "tasks_composed": "paths made into tasks on these files",
    "tasks_sound": "tasks whose oracle passes and whose no-op fails",
    "rollouts": "rollouts",
    "rollouts_scored": "rollouts scored by execution",
    "rollouts_passed": "rollouts that passed every check",
    "trajectories_kept": "trajectories kept",
}


def write_card(content: DatasetContent, counts: Mapping[str, int]) -> str:
    """The card's text; the same for equal builds."""
    return "\n".join((_front_matter(content, counts), _body(content, counts)))


def _front_matter(content: DatasetContent, counts: Mapping[str, int]) -> str:
    lines = [
        "---",
        *_licence(content),
        "language:",
        "- en",
        f"pretty_name: {json.dumps(content.config.build.name)}",
        "size_categories:",
        f"- {size_category(counts['trajectories'])}",
        "task_categories:",
        "- text-generation",
        "tags:",
        "- agent",
        "- trajectories",
        "- terminal",
        "- verified-by-execution",
        "- synthetic",
        "configs:",
    ]
    for name in ("trajectories", "tasks", "drops"):
        lines.append(f"- config_name: {name}")
        if name == "trajectories":
            lines.append("  default: true")
        lines += ["  data_files:", "  - split: train", f"    path: data/{name}/train-*.parquet"]
    return "\n".join((*lines, "---", ""))


def _licence(content: DatasetContent) -> list[str]:
    licences = sorted({source.licence for task in content.tasks for source in task.lineage.sources})
    if len(licences) == 1 and licences[0] != "unknown" and re.fullmatch(r"[A-Za-z0-9.-]+", licences[0]):
        return [f"license: {licences[0].lower()}"]
    return ["license: other", "license_name: per-source", "license_link: README.md#sources"]


def size_category(rows: int) -> str:
    """The hub's size category of a number of rows."""
    return next((name for most, name in SIZES if rows < most), "n>1M")


def _body(content: DatasetContent, counts: Mapping[str, int]) -> str:
    policies = Counter(row["policy"] for row in content.trajectories)
    parts = [
        f"# {content.config.build.name}",
        "",
        f"Agent trajectories in executable terminal tasks, each verified by execution. Version {content.version}, "
        f"build `{content.build_id}`, made with Trajmill. `manifest.json` holds everything that determined it: "
        "configuration, seed, input hashes, toolchain, versions, counts and file hashes.",
        "",
        "| table | rows | one row is |",
        "|---|---|---|",
        f"| `trajectories` | {counts['trajectories']} | one rollout: its steps (ATIF-v1.7), verdict and checks |",
        f"| `tasks` | {counts['tasks']} | one task: instruction, environment, reference solution, verifier, lineage |",
        f"| `drops` | {counts['drops']} | one thing left out, with its reason |",
        "",
        "## How it came about",
        "",
        "| gate | count |",
        "|---|---|",
        *(f"| {FUNNEL_WORDS[gate]} | {count} |" for gate, count in content.funnel.items()),
        "",
        _drops(content),
        "## Who acted",
        "",
        *(f"- `{name}`: {count} trajectories{_explained(name)}" for name, count in sorted(policies.items())),
        "",
        "## Sources",
        "",
        "| file | licence | origin | recognised as |",
        "|---|---|---|---|",
        *(f"| {_cell(m.name)} | {_cell(m.licence)} | {_cell(m.origin)} | {m.kind} |" for m in content.inputs.materials),
        "",
        _LIMITS,
    ]
    return "\n".join(parts)


def _drops(content: DatasetContent) -> str:
    counts = drop_counts(content)
    if not counts:
        return "Nothing was left out.\n"
    rows = "\n".join(f"| {reason} | {count} |" for reason, count in counts.items())
    return f"What was left out on the way, by stage and reason:\n\n| reason | count |\n|---|---|\n{rows}\n"


def _explained(policy: str) -> str:
    words = {
        "programmatic": ", written by a program that knows the skills; no model made them",
        "oracle": ", the reference solutions themselves",
        "noop": ", rollouts that do nothing",
    }
    return words.get(policy, "")


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|")


_LIMITS = """## Known limits

- Trajectories of the policy `programmatic` show competent, varied shell work, but no model's style or mistakes.
- Steps with loss weight 0 (`extra.trajmill.loss_weight`) are deliberate slips, to be recovered from and not learnt.
- Tasks need the tools that their `environment` names; `trajmill replay` says so if yours differ.
"""
