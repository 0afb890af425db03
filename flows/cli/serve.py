"""``trajmill serve``: build the next version of a dataset on a schedule."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trajmill.flows.cli.options import DEFAULT_DATASETS, DEFAULT_STORE, ConfigArgument, StoreOption, console, print_json

BUILDER = "trajmill.flows.running:build_version"


def serve(
    config: ConfigArgument,
    cron: Annotated[str, typer.Option(help="When to build: five cron fields, such as '0 3 * * *'.")],
    timezone: Annotated[str, typer.Option(help="Time zone of the schedule.")] = "UTC",
    out: Annotated[Path, typer.Option(help="Folder that receives NAME-v1, NAME-v2, ...")] = DEFAULT_DATASETS,
    store: StoreOption = DEFAULT_STORE,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON documents, one a line, instead of text.")] = False,
) -> None:
    """Build new versions on a schedule.

    Whenever the schedule says so, the next version of the dataset is built, until Ctrl-C. Needs a Prefect
    server at PREFECT_API_URL. Exit codes: 2 bad configuration, schedule or time zone, 3 no server.
    """
    from trajmill.flows.prefect_server import quieten
    from trajmill.flows.versions import VersionJob
    from trajmill.schemas.config import load_config

    settings = load_config(config)
    job = VersionJob(settings.build.name, config.resolve(), out.resolve(), store.resolve(), BUILDER)
    quieten()  # Prefect reads its settings when it is imported, and flows.serve imports it.
    from trajmill.flows.serve import serve as serve_job

    screen = console()

    def say(sentence: str) -> None:
        if as_json:
            print_json({"dataset": job.name, "said": sentence})
        else:
            screen.print(sentence, markup=False)

    serve_job(job, cron, say=say, timezone=timezone)
