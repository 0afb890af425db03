"""One check against one workspace, and tasks made of given checks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from trajmill.sandboxes.base import Backend
from trajmill.sandboxes.fake import FakeBackend
from trajmill.schemas.graph import Path
from trajmill.schemas.task import Axes, Check, Environment, Lineage, OracleStep, Task, Verifier, sealed
from trajmill.schemas.tree import Entry, FileEntry, Tree
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks import check_function
from trajmill.verifiers.finding import Finding

Files = Mapping[str, bytes | Entry]


def tree(files: Files) -> Tree:
    """A workspace; bytes stand for an ordinary file."""
    return Tree({path: FileEntry(e) if isinstance(e, bytes) else e for path, e in files.items()})


def look(kind: str, params: Mapping[str, Any], files: Files, backend: Backend | None = None) -> Finding:
    """What the check finds; a fault of the task raises, as it does inside ``verify``."""

    async def main() -> Finding:
        async with Evidence(tree(files), Environment(), backend or FakeBackend()) as evidence:
            return await check_function(kind)(params, evidence)

    return asyncio.run(main())


def a_task(*checks: Check, timeout_s: float = 20.0) -> Task:
    """A task with these checks."""
    return sealed(
        Task(
            instruction="Write `hello` to `out.txt`.",
            environment=Environment(),
            oracle=(OracleStep("write it", "echo hello > out.txt"),),
            verifier=Verifier(checks, timeout_s=timeout_s),
            axes=Axes("text", ("text.write",), 1),
            lineage=Lineage(Path("graph-1", 0, 1, ("a", "b"), ("text.write",)), 1, (), "programmatic"),
        )
    )
