"""From a blueprint to a task: instruction, environment, oracle, checks, lineage. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trajmill.schemas.ids import derive_random
from trajmill.schemas.task import (
    Axes,
    Check,
    Environment,
    Lineage,
    OracleStep,
    Task,
    Tool,
    Verifier,
    sealed,
)
from trajmill.schemas.tree import FileEntry
from trajmill.synth.packs.expect import expect_unchanged
from trajmill.synth.packs.skill import Application
from trajmill.synth.tasks.blueprint import Blueprint, initial_entries
from trajmill.synth.tasks.phrasing import write_instruction
from trajmill.synth.tasks.toolset import BASIC_TOOLS, PACKAGES

LASTING_KINDS = frozenset({"modes", "link"})
"""Checks that a later change of the same file's content does not overtake."""

VERIFIER_TOOLS = {"sqlite": ("python3",), "git": ("git",), "run": ("bash",)}
"""What the checks of a kind run inside their sandbox."""


def compose(blueprint: Blueprint, toolchain: Sequence[Tool], pack_version: str) -> Task:
    """The task of a blueprint, sealed with its content id."""
    rng = derive_random(blueprint.seed, "phrasing", blueprint.path.id)
    checks = _checks(blueprint)
    files = blueprint.world.files.with_entries(initial_entries(blueprint))
    needed = _required_tools(blueprint, checks)
    by_name = {tool.name: tool for tool in toolchain}
    return sealed(
        Task(
            instruction=write_instruction(blueprint, rng),
            environment=Environment(
                files=files,
                setup=blueprint.world.setup,
                required_tools=needed,
                toolchain=tuple(by_name[name] for name in needed if name in by_name),
                packages=tuple(sorted({PACKAGES[name] for name in needed if name in PACKAGES})),
            ),
            oracle=_oracle(blueprint),
            verifier=Verifier(checks),
            axes=_axes(blueprint, checks),
            lineage=Lineage(
                path=blueprint.path,
                seed=blueprint.seed,
                sources=tuple(m.ref() for m in (*blueprint.materials, *blueprint.distractors.values())),
                generator="programmatic",
                versions={"pack": pack_version},
            ),
        )
    )


def _oracle(blueprint: Blueprint) -> tuple[OracleStep, ...]:
    return tuple(
        OracleStep(skill.summary, "\n".join(act.command for act in application.ways[0].acts))
        for skill, application in zip(blueprint.skills, blueprint.applications, strict=True)
    )


def _checks(blueprint: Blueprint) -> tuple[Check, ...]:
    kept: list[Check] = []
    for application in blueprint.applications:
        touched = set(application.outputs)
        kept = [c for c in kept if not _overtaken(c, touched, application)]
        kept.extend(application.checks)
    preserved = _preserved(blueprint)
    if preserved:
        kept.append(expect_unchanged(preserved))
    return _with_unique_names(kept)


def _overtaken(check: Check, touched: set[str], application: Application) -> bool:
    """Whether a later step changes what an earlier check speaks of, and says itself what must be true then."""
    subject = check.needs[0] if check.needs else ""
    if subject not in touched:
        return False
    gone = any(c.kind == "absent" and subject in c.needs for c in application.checks)
    spoken = any(c.needs[:1] == (subject,) and c.kind not in LASTING_KINDS for c in application.checks)
    return gone or (spoken and check.kind not in LASTING_KINDS)


def _preserved(blueprint: Blueprint) -> dict[str, bytes]:
    """Initial files that no step is asked to change."""
    changed = {o for a in blueprint.applications for o in a.outputs}
    files = blueprint.world.files.with_entries(initial_entries(blueprint))
    last = blueprint.applications[-1].after if blueprint.applications else blueprint.world.state
    return {
        path: entry.data
        for path, entry in files.entries.items()
        if isinstance(entry, FileEntry)
        and not _within(path, changed)
        and (last.holds(path) or path in blueprint.distractors)
    }


def _within(path: str, folders: set[str]) -> bool:
    return any(path == f or path.startswith(f"{f}/") for f in folders)


def _with_unique_names(checks: Sequence[Check]) -> tuple[Check, ...]:
    seen: dict[str, int] = {}
    named = []
    for check in checks:
        seen[check.name] = seen.get(check.name, 0) + 1
        number = seen[check.name]
        named.append(check if number == 1 else replace(check, name=f"{check.name} ({number})"))
    return tuple(named)


def _required_tools(blueprint: Blueprint, checks: Sequence[Check]) -> tuple[str, ...]:
    used = {tool for a in blueprint.applications for way in a.ways for tool in way.tools}
    used |= {tool for a in blueprint.applications for slip in a.slips for tool in slip.tools}
    used |= {tool for check in checks for tool in VERIFIER_TOOLS.get(check.kind, ())}
    used |= {str(c.params["interpreter"]) for c in checks if c.kind == "run" and c.params["interpreter"]}
    used |= set(blueprint.world.setup_tools) | set(BASIC_TOOLS)
    return tuple(sorted(used))


def _axes(blueprint: Blueprint, checks: Sequence[Check]) -> Axes:
    domains = [skill.domain for skill in blueprint.skills]
    return Axes(
        domain=max(sorted(set(domains)), key=domains.count),
        skills=blueprint.path.skills,
        path_length=blueprint.path.length,
        explicitness=blueprint.explicitness,
        strictness="bytes" if any(check.kind == "file" for check in checks) else "content",
        distractors=len(blueprint.distractors),
        verifier_kinds=tuple(sorted({check.kind for check in checks})),
    )
