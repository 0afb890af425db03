"""What every test may count on: the root of the checkout, and one quick, repeatable profile of hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("quick", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("quick")


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """One flag rewrites every golden file."""
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden instead of comparing with it")


@pytest.fixture
def golden(root: Path, request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the file of that name in tests/golden, or rewrites the file under ``--update-golden``."""

    def compare(name: str, text: str) -> None:
        file = root / "tests" / "golden" / name
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert file.is_file(), f"{file} is missing; --update-golden writes it"
        assert text == file.read_text(encoding="utf-8"), f"{file} differs; --update-golden rewrites it"

    return compare
