"""``trajmill clean``: remove what stopped commands left behind."""

from __future__ import annotations

from trajmill.flows.cli.options import JsonOption


def clean(as_json: JsonOption = False) -> None:
    """Remove what stopped commands left behind."""
