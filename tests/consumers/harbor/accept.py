"""Read ATIF documents with Harbor's models, and compare what they hand back with what was read."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harbor.models.trajectories import Trajectory


def main(files: list[Path]) -> None:
    for file in files:
        text = file.read_text(encoding="utf-8")
        documents = [json.loads(line) for line in text.splitlines()] if file.suffix == ".jsonl" else [json.loads(text)]
        for document in documents:
            back = Trajectory.model_validate(document).to_json_dict(exclude_none=True)
            assert back == document, f"{file}: a document came back changed"
        print(f"{file.name}: {len(documents)} documents accepted and unchanged")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
