"""The direction of imports is kept by contracts that catch what they are there to catch."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PORTIONS = ("flows", "synth", "verifiers", "sandboxes", "schemas")


def lint_imports(root: Path, tree: Path, files: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the project's contracts over five otherwise empty folders that hold the given files."""
    for portion in PORTIONS:
        folder = tree / "trajmill" / portion
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
    for name, source in files.items():
        (tree / "trajmill" / name).write_text(source)
    shutil.copy(root / "pyproject.toml", tree)
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache", "--no-logo"]
    env = {**os.environ, "PYTHONPATH": str(tree), "COLUMNS": "200"}
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("planted", "source"),
    [
        ("schemas/planted.py", "import trajmill.flows"),
        ("schemas/planted.py", "import trajmill.sandboxes"),
        ("sandboxes/planted.py", "import trajmill.synth"),
        ("sandboxes/planted.py", "import trajmill.verifiers"),
        ("synth/planted.py", "import trajmill.verifiers"),
        ("verifiers/planted.py", "import trajmill.synth"),
        ("verifiers/planted.py", "import trajmill.flows"),
        ("verifiers/planted.py", "import litellm"),
        ("flows/planted.py", "import duckdb"),
        ("synth/planted.py", "def late() -> None:\n    from prefect import flow"),
        ("sandboxes/planted.py", "from docker import DockerClient"),
    ],
)
def test_a_planted_import_is_caught(root: Path, tmp_path: Path, planted: str, source: str) -> None:
    checked = lint_imports(root, tmp_path, {planted: source + "\n"})
    assert checked.returncode == 1, checked.stdout
    assert "Contracts: 4 kept, 1 broken." in checked.stdout
    assert "planted" in checked.stdout


def test_every_import_in_its_own_place_is_kept(root: Path, tmp_path: Path) -> None:
    allowed = {
        "synth/llm.py": "import litellm\n",
        "sandboxes/docker.py": "import docker\n",
        "flows/store.py": "import duckdb\n",
        "flows/pipeline.py": "import prefect\nimport trajmill.synth.llm\nimport trajmill.verifiers\n",
        "flows/serve.py": "import prefect\nimport trajmill.flows.store\n",
        "verifiers/verify.py": "import trajmill.sandboxes.docker\nimport trajmill.schemas\n",
    }
    checked = lint_imports(root, tmp_path, allowed)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "Contracts: 5 kept, 0 broken." in checked.stdout
