"""The command line: one small file per command group, errors told in one sentence, exit codes as documented."""

from __future__ import annotations

import sys

import typer
from rich.console import Console
from rich.text import Text

from trajmill.flows.cli import build, clean, dataset, doctor, graph, replay, serve
from trajmill.schemas.errors import TrajmillError

INTERRUPTED = 130

app = typer.Typer(
    name="trajmill",
    help="Executable, verified, replayable training data for language-model agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def options(debug: bool = typer.Option(False, "--debug", help="Show a traceback with an error.")) -> None:
    """Executable, verified, replayable training data for language-model agents."""


app.command("build")(build.build)
app.command("export")(dataset.export)
app.command("validate")(dataset.validate)
app.command("inspect")(dataset.inspect)
app.command("stats")(dataset.stats)
app.command("replay")(replay.replay)
app.command("serve")(serve.serve)
app.command("doctor")(doctor.doctor)
app.command("clean")(clean.clean)
app.add_typer(graph.app, name="graph")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every error of ours becomes one sentence on standard error and its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        app(given)
    except TrajmillError as error:
        if "--debug" in given:
            raise
        _tell(f"Error: {error}")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _tell("Interrupted; everything committed is kept.")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _tell(sentence: str) -> None:
    printable = "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in sentence)
    Console(stderr=True, soft_wrap=True, highlight=False).print(Text(printable))
