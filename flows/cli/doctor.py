"""``trajmill doctor``: can this machine build?"""

from __future__ import annotations

import typer

from trajmill.flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, console, print_json

LABEL = 18
NOT_USABLE = 3


def doctor(store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Check whether this machine can build.

    Looked at are Python, sandbox, tools, demo data, disk, store and Prefect. Exit codes: 0 builds will run, 3
    something that they need is missing.
    """
    from dataclasses import asdict

    from rich.text import Text

    from trajmill.flows.doctor import examine
    from trajmill.flows.visible import visible, wrapped

    findings = examine(store)
    usable = all(finding.state != "problem" for finding in findings)
    if as_json:
        print_json({"usable": usable, "findings": [asdict(finding) for finding in findings]})
    else:
        screen = console()
        room = screen.width - LABEL - 10 if screen.is_terminal else None
        for finding in findings:
            said = [*wrapped(finding.found, room), *(f"-> {line}" for line in wrapped(finding.remedy, room))]
            style = "" if finding.state == "ok" else "bold"
            screen.print(Text(f"{finding.state:<9} {visible(finding.subject):<{LABEL}}{said[0]}", style))
            for line in said[1:]:
                screen.print(Text(f"{' ' * (10 + LABEL)}{line}"))
        screen.print("This machine can build." if usable else "Builds will not run here until the problems are solved.")
    if not usable:
        raise typer.Exit(NOT_USABLE)
