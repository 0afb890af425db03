"""The package list of the wheel; everything else is in pyproject.toml. See docs/decisions/001-namespace.md."""

from setuptools import find_packages, setup

PORTIONS = ("flows", "synth", "verifiers", "sandboxes", "schemas")

setup(packages=[f"trajmill.{name}" for name in find_packages(include=[*PORTIONS, *(f"{p}.*" for p in PORTIONS)])])
