"""What happened when: timings and attempts, kept apart from the units so that equal builds give equal data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from trajmill.schemas.ids import Json


class Telemetry:
    """A file of JSON lines that is appended to and never waited for; a crash may lose its last lines."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def note(self, event: str, **values: Json) -> None:
        """Append one line."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"event": event, **values}, separators=(",", ":")) + "\n")


def read_telemetry(folder: Path) -> Iterator[Mapping[str, Json]]:
    """All lines of all files in a folder, in order of the file names; torn lines are left out."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict):
                yield value
