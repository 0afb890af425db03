"""Files that are whole after a crash or not there at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trajmill.schemas.errors import UnavailableError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a crash leaves the old content or the new one: write beside it, fsync, rename.

    Folders above it are made. A leftover temporary file starts with a dot and ends in ``.tmp``. Raises UnavailableError
    if there is no room or no permission.
    """
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with writing(path):
        try:
            with temporary.open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def remove_file(path: Path) -> None:
    """Remove a file for good; one that is not there is fine. Raises UnavailableError without permission."""
    with writing(path):
        path.unlink(missing_ok=True)
        sync_folder(path.parent)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, each entered on the disk. Raises UnavailableError if that cannot be."""
    if path.is_dir():
        return
    make_folder(path.parent)
    with writing(path):
        path.mkdir(exist_ok=True)
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Put the names in a folder on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tell what the system refuses while ``path`` is written as one sentence, an UnavailableError."""
    try:
        yield
    except OSError as problem:
        raise UnavailableError(
            f"{path} cannot be written: {problem.strerror}.",
            remedy="Make room or allow writing there, and run the same command again; everything committed is kept.",
        ) from problem
