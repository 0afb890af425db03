"""Finding things in a dataset folder: its manifest, its rows, one trajectory with its task."""

from __future__ import annotations

from pathlib import Path

from trajmill.schemas.errors import StoreError
from trajmill.schemas.ids import Json


def require_dataset(folder: Path) -> dict[str, Json]:
    """The manifest of a dataset folder. Raises StoreError if the folder is none of ours."""
    from trajmill.flows.publish import read_manifest

    if not folder.is_dir():
        raise StoreError(f"There is no folder {folder}.", remedy="Name the folder of a dataset.")
    manifest = read_manifest(folder)
    if manifest is None:
        raise StoreError(
            f"The folder {folder} is not a Trajmill dataset: it has no manifest.json of ours.",
            remedy="Name the folder that `trajmill build` wrote.",
        )
    return manifest
