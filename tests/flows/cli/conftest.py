"""The command line as a function, and a dataset for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.flows.builders import published
from trajmill.flows.cli import main


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document that it printed."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``trajmill ARGUMENTS``."""

    def run(*arguments: object) -> Ran:
        code: object = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as ended:
            code = ended.code
        out, err = capsys.readouterr()
        return Ran(code if isinstance(code, int) else 0 if code is None else 1, out, err)

    return run


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny dataset, not to be changed."""
    return published(tmp_path_factory.mktemp("cli") / "tiny").folder
