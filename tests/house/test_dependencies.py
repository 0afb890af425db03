"""What the code imports is declared, what is declared is locked, and no lock names a host."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PORTIONS = ("flows", "synth", "verifiers", "sandboxes", "schemas")
LOCKS = {"requirements.lock": ("build", "demo", "dev"), "requirements-demo.lock": ("build", "demo")}
DEMO_DATA = {"vega-datasets", "pycountry"}
"""Read where they are installed, named as missing where not: the one extra that code may import."""


def declared(root: Path, *extras: str) -> list[Requirement]:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    lines = list(project["dependencies"])
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    return [Requirement(line) for line in lines if not line.startswith("trajmill[")]


def pins(lock: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(), flags=re.MULTILINE):
        found.setdefault(canonicalize_name(name), set()).add(version)
    return found


def imported_names(root: Path) -> Iterator[str]:
    """Top-level names that any module imports absolutely."""
    for portion in PORTIONS:
        for path in (root / portion).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    yield node.module.partition(".")[0]


def test_every_import_of_another_package_is_declared(root: Path) -> None:
    owners = importlib.metadata.packages_distributions()
    allowed = {canonicalize_name(requirement.name) for requirement in declared(root)} | DEMO_DATA
    outside = set(imported_names(root)) - sys.stdlib_module_names - {"trajmill"}
    undeclared = {
        name for name in outside if not allowed & {canonicalize_name(owner) for owner in owners.get(name, [])}
    }
    assert undeclared == set()


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_answers_every_declared_requirement(root: Path, name: str) -> None:
    locked = pins(root / name)
    for requirement in declared(root, *LOCKS[name]):
        versions = locked.get(canonicalize_name(requirement.name), set())
        assert versions, f"{name} lacks {requirement}: run `make lock`"
        assert all(requirement.specifier.contains(version) for version in versions), f"{requirement}: run `make lock`"


def test_the_demo_installs_the_versions_that_the_tests_ran_with(root: Path) -> None:
    full, demo = (pins(root / name) for name in ("requirements.lock", "requirements-demo.lock"))
    assert {name: versions for name, versions in demo.items() if full.get(name) != versions} == {}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_a_hash_for_every_pin_and_names_no_host(root: Path, name: str) -> None:
    text = (root / name).read_text()
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_no_release_of_litellm_known_to_be_malicious_can_be_chosen(root: Path) -> None:
    bounds = next(requirement for requirement in declared(root) if requirement.name == "litellm").specifier
    assert not any(bounds.contains(version) for version in ("1.82.6", "1.82.7", "1.82.8", "1.83.9"))


def test_no_dependency_runs_code_at_every_start_of_python() -> None:
    """A ``.pth`` line that starts with ``import`` runs before any program; litellm 1.82.8 stole credentials so."""
    known = {"coverage", "setuptools", "trajmill"}
    runs = set()
    for distribution in importlib.metadata.distributions():
        for file in distribution.files or []:
            if file.suffix == ".pth" and re.search(r"^import\b", file.read_text(), flags=re.MULTILINE):
                runs.add(canonicalize_name(distribution.metadata["Name"]))
    assert runs - known == set()
