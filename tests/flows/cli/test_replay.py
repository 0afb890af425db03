from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.builders import LOG, TOOLCHAIN
from trajmill.sandboxes.base import CommandResult, ExecResult
from trajmill.sandboxes.fake import FakeBackend, FakeSandbox
from trajmill.schemas.task import Tool
from trajmill.schemas.tree import FileEntry

Run = Callable[..., Any]

WRITES = {
    "errors.log": LOG.splitlines(keepends=True)[1],
    "count.txt": b"1\n",
    "unique.csv": b"name,height_m\noak,20\nbeech,30\n",
}
SAYS: dict[str, str | CommandResult] = {
    "cat app.log": LOG.decode(),
    "head -n 3 trees.csv": "name,height_m\noak,20\nbeech,30\n",
    "cat unique.csv": "name,height_m\noak,20\nbeech,30\n",
    "uniqq trees.csv > unique.csv": CommandResult("bash: uniqq: command not found\n", 127, 0.0),
}


class Machine(FakeBackend):
    """Runs the commands of the tiny dataset as they ran when it was made, but for those of one row."""

    def __init__(self, tools: tuple[Tool, ...] = TOOLCHAIN) -> None:
        listed = "".join(f"{tool.name}\t{tool.sha256}\t{tool.version}\n" for tool in tools)
        super().__init__(self._say, lambda argv: ExecResult(listed.encode(), b"", 0))

    def _say(self, line: str) -> str | CommandResult:
        box: FakeSandbox = self.opened[-1]
        for name, data in WRITES.items():
            if f"> {name}" in line and "uniqq" not in line:
                files = box.folders["/workspace"].with_entries({name: FileEntry(data)})
                box.folders["/workspace"] = files
        return SAYS.get(line, "")


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trajmill.flows.backends.backend_by_name", lambda name: Machine())


@pytest.mark.usefixtures("machine")
def test_rows_that_are_equal_end_with_0(run: Run, dataset: Path) -> None:
    done = run("replay", dataset, "0", "1", "2", "--concurrency", 1)
    assert done.out.splitlines()[-1] == "3 replayed: 3 equal"
    assert done.code == 0


@pytest.mark.usefixtures("machine")
def test_a_difference_is_shown_and_ends_with_1(run: Run, dataset: Path) -> None:
    done = run("replay", dataset, "--rows", 0, "--concurrency", 1)
    assert done.code == 1
    assert done.out.splitlines()[-1] == "4 replayed: 3 equal, 1 different"
    assert "    step 4: $ awk '!s[$0]++' trees.csv > unique.csv; printf '\\033[31mred\\a'" in done.out
    assert "      -\\x1b[31mred\\x07" in done.out
    assert "\x1b" not in done.out


@pytest.mark.usefixtures("machine")
def test_outcomes_come_as_json(run: Run, dataset: Path) -> None:
    shown = run("replay", dataset, "3", "0", "--json", "--concurrency", 1).json
    assert [one["place"] for one in shown["replays"]] == [3, 0]
    assert sum(shown["counts"].values()) == 2


@pytest.mark.usefixtures("machine")
def test_the_seed_decides_which_rows_are_drawn(run: Run, dataset: Path) -> None:
    def drawn(seed: int) -> list[int]:
        found = run("replay", dataset, "--rows", 2, "--seed", seed, "--json", "--concurrency", 1).json
        return [one["place"] for one in found["replays"]]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(5)}) > 1


def test_other_tools_end_with_3_and_are_named(run: Run, dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trajmill.flows.backends.backend_by_name", lambda name: Machine(TOOLCHAIN[:1]))
    done = run("replay", dataset, "--rows", 0, "--concurrency", 1)
    assert done.code == 3
    assert "environment differs; other tools: wc (missing)" in done.out


def test_a_row_that_is_not_there_ends_with_2(run: Run, dataset: Path) -> None:
    assert run("replay", dataset, "traj-nowhere").code == 2


def test_a_manifest_that_lacks_how_it_was_built_ends_with_2(run: Run, dataset: Path, tmp_path: Path) -> None:
    manifest = json.loads((dataset / "manifest.json").read_bytes())
    for configuration in ({}, {"rollout": {"sandbox": 3}}):
        (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "configuration": configuration}))
        done = run("replay", tmp_path, "0")
        assert done.code == 2
        assert "configuration.rollout" in done.err
