"""``trajmill doctor``: can this machine build?"""

from __future__ import annotations

from trajmill.flows.cli.options import JsonOption


def doctor(as_json: JsonOption = False) -> None:
    """Check whether this machine can build."""
