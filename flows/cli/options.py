"""Options and output that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from trajmill.schemas.exact import write_exact
from trajmill.schemas.ids import Json

DEFAULT_STORE = Path("store")
DEFAULT_DATASETS = Path("datasets")

StoreOption = Annotated[Path, typer.Option(help="Folder of the run store; made if it does not exist.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
ConfigArgument = Annotated[Path, typer.Argument(help="A build configuration (TOML).", show_default=False)]
DatasetArgument = Annotated[Path, typer.Argument(help="The folder of a dataset.", show_default=False)]


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # told from other ends by ``main``; rich itself would exit with 1


def console() -> Console:
    """Standard output for people: no colour codes in a pipe, nothing cut when it is not a terminal."""
    return _Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def print_json(value: Json) -> None:
    """One JSON document on standard output, numbers exact."""
    typer.echo(write_exact(value))
