"""``trajmill replay``: run stored trajectories again and compare."""

from __future__ import annotations

from trajmill.flows.cli.options import DatasetArgument, JsonOption


def replay(dataset: DatasetArgument, as_json: JsonOption = False) -> None:
    """Run stored trajectories again in fresh sandboxes and compare."""
