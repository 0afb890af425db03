"""What every test may count on: the root of the checkout, and one quick, repeatable profile of hypothesis."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("quick", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("quick")


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return Path(__file__).resolve().parent.parent
