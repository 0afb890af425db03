"""Guards 2 to 5: one import name, ``trajmill``, that hides no other package and is hidden by none."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PORTIONS = ("flows", "synth", "verifiers", "sandboxes", "schemas")


def ruff(root: Path, source: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=concise"]
    named = [*command, "--stdin-filename", "flows/example.py", "-"]
    return subprocess.run(named, input=source, cwd=root, capture_output=True, text=True, check=False)


def mypy(tree: Path) -> subprocess.CompletedProcess[str]:
    """Check one file of a small tree with the project's settings."""
    command = [sys.executable, "-m", "mypy", "--cache-dir=/dev/null", "--no-site-packages", "schemas/caller.py"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


@pytest.fixture
def small_tree(root: Path, tmp_path: Path) -> Path:
    """Five folders, one of them with a function and with a caller that passes the wrong type."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(root / name, tmp_path)
    for portion in PORTIONS:
        (tmp_path / portion).mkdir()
        (tmp_path / portion / "__init__.py").write_text("")
    (tmp_path / "schemas" / "callee.py").write_text("def double(n: int) -> int:\n    return 2 * n\n")
    caller = "from trajmill.schemas.callee import double\n\ndouble('two')\n"
    (tmp_path / "schemas" / "caller.py").write_text(caller)
    return tmp_path


def make_view(tree: Path) -> None:
    links = [f".types/trajmill/{portion}" for portion in PORTIONS]
    subprocess.run(["make", "--silent", *links], cwd=tree, check=True)


def test_the_view_for_type_checkers_leads_to_the_real_folders(small_tree: Path) -> None:
    make_view(small_tree)
    seen = {link.name: link.resolve() for link in (small_tree / ".types" / "trajmill").iterdir()}
    assert seen == {portion: (small_tree / portion).resolve() for portion in PORTIONS}


def test_git_ignores_the_view(root: Path) -> None:
    assert ".types/" in (root / ".gitignore").read_text().splitlines()


def test_mypy_sees_types_through_the_view(small_tree: Path) -> None:
    make_view(small_tree)
    checked = mypy(small_tree)
    assert checked.returncode == 1
    assert '"str"; expected "int"' in checked.stdout


def test_mypy_fails_loudly_without_the_view(small_tree: Path) -> None:
    checked = mypy(small_tree)
    assert checked.returncode == 1
    assert "trajmill.schemas.callee" in checked.stdout


@pytest.mark.parametrize("portion", PORTIONS)
def test_ruff_refuses_a_bare_import(root: Path, portion: str) -> None:
    for statement in (f"import {portion}.ids\n", f"from {portion}.ids import digest\n"):
        checked = ruff(root, f'"""Example."""\n\n{statement}')
        assert "TID251" in checked.stdout, statement


@pytest.mark.parametrize("portion", PORTIONS)
def test_ruff_accepts_the_prefixed_import(root: Path, portion: str) -> None:
    checked = ruff(root, f'"""Example."""\n\nfrom trajmill.{portion}.ids import digest\n\n__all__ = ["digest"]\n')
    assert checked.returncode == 0, checked.stdout


def test_ruff_sorts_our_imports_after_those_of_others(root: Path) -> None:
    both = 'import zzz\n\nfrom trajmill.schemas.ids import digest\n\n__all__ = ["digest", "zzz"]\n'
    checked = ruff(root, f'"""Example."""\n\n{both}')
    assert checked.returncode == 0, checked.stdout


def test_no_test_folder_is_a_package(root: Path) -> None:
    inside = [path.relative_to(root) for path in (root / "tests").rglob("__init__.py")]
    assert [path for path in inside if ".venv" not in path.parts] == []


def test_tests_run_without_the_checkout_on_the_import_path(root: Path) -> None:
    on_path = [entry for entry in sys.path if Path(entry or ".").resolve() == root]
    assert on_path == [], "run `pytest`, not `python -m pytest`"


@pytest.mark.parametrize("portion", PORTIONS)
def test_no_bare_name_leads_to_our_folder(root: Path, portion: str) -> None:
    spec = importlib.util.find_spec(portion)
    places = list(spec.submodule_search_locations or []) if spec else []
    assert str(root / portion) not in places


def test_the_command_leaves_another_package_called_verifiers_alone(root: Path, tmp_path: Path) -> None:
    """Beside the library of that name, run from the checkout: theirs is theirs and ours is ours."""
    (tmp_path / "verifiers").mkdir()
    (tmp_path / "verifiers" / "__init__.py").write_text("")
    say = "import atexit, importlib.util as u, sys\n" + "".join(
        f"atexit.register(lambda: print({name!r}, u.find_spec({name!r}).origin, file=sys.stderr))\n"
        for name in ("verifiers", "trajmill.verifiers")
    )
    (tmp_path / "sitecustomize.py").write_text(say)
    command = Path(sys.executable).parent / "trajmill"
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run([command, "--help"], cwd=root, env=env, capture_output=True, text=True, check=False)
    assert f"verifiers {tmp_path / 'verifiers' / '__init__.py'}" in ran.stderr.splitlines()
    assert f"trajmill.verifiers {root / 'verifiers' / '__init__.py'}" in ran.stderr.splitlines()


@pytest.mark.parametrize("command", [["trajmill"], ["python", "-P", "-m", "trajmill.flows.cli"]])
def test_the_command_line_starts_both_ways(command: list[str], tmp_path: Path) -> None:
    program = str(Path(sys.executable).parent / command[0])
    ran = subprocess.run([program, *command[1:], "--help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "build" in ran.stdout


def test_starting_the_command_line_loads_no_heavy_library(tmp_path: Path) -> None:
    """They take seconds to import; each is loaded by the command that needs it."""
    heavy = {"datasets", "docker", "duckdb", "litellm", "pandas", "prefect"}
    code = f"import sys, trajmill.flows.cli; print(sorted({heavy!r} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "[]"
