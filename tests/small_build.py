"""A small but real build on three made-up files: for the tests of stopping a build and of running it again."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from trajmill.flows.journal import read_journal
from trajmill.flows.telemetry import read_telemetry
from trajmill.flows.unit_files import UnitIndex

CONFIG = """
[build]
name = "small"
seed = {seed}
[source]
files = "data"
licence = "CC0-1.0"
[sample]
paths = {paths}
length = [1, 3]
[rollout]
shard_size = 4
concurrency = 2
policies = [{{ name = "programmatic", attempts = 2 }}]
[filter]
recipe = "{recipe}"
"""
CITIES = ("Oslo", "Rome", "Lima")


def prepare(folder: Path, *, paths: int = 8, seed: int = 3, recipe: str = "strict", name: str = "build.toml") -> Path:
    """Write the files of the source, if they are not there, and a configuration; the path of the latter."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    sales = [f"2024-01-{day + 1:02d},{CITIES[day % 3]},{day % 5},{day * 1.5}" for day in range(24)]
    (data / "sales.csv").write_text("\n".join(["day,city,sold,price", *sales, *sales[:3]]) + "\n")
    stations = [{"id": i, "name": f"Station {i}", "height": 100 + 7 * i, "open": i % 2 == 0} for i in range(15)]
    (data / "stations.json").write_text(json.dumps(stations, indent=1))
    events = [{"id": i, "kind": ("open", "close", "move")[i % 3], "weight": i * 2} for i in range(20)]
    (data / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    config = folder / name
    config.write_text(CONFIG.format(paths=paths, seed=seed, recipe=recipe))
    return config


def command(config: Path, *options: str) -> list[str]:
    """The command line of a build; its store and dataset lie beside the configuration unless options say otherwise."""
    folder = config.parent
    places = ["--store", str(folder / "store"), "--out", str(folder / "dataset")]
    return [sys.executable, "-P", "-m", "trajmill.flows.cli", "build", str(config), *places, *options]


def build(config: Path, *options: str) -> str:
    """Run a build to its end, without Prefect, and return what it printed."""
    done = subprocess.run(
        command(config, "--no-prefect", *options), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def hashes(dataset: Path) -> dict[str, str]:
    """SHA-256 of every file of a dataset but ``run.json``, by its path."""
    found = {
        path.relative_to(dataset).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(dataset.rglob("*"))
        if path.is_file() and path.name != "run.json"
    }
    assert "manifest.json" in found
    return found


def runs(store: Path) -> Counter[str]:
    """How often each unit was run, whatever became of its outcome."""
    notes = (note for folder in store.glob("builds/*/telemetry") for note in read_telemetry(folder))
    return Counter(note["unit"] for note in notes if note["event"] == "unit")


def committed(store: Path) -> set[str]:
    """Units that are safe at this moment, read from the files as a later process would."""
    journals = [read_journal(path) for path in store.glob("builds/*/shards/*/journal.jsonl")]
    index = UnitIndex(store / "units")
    index.refresh()
    return {i for journal in journals for i in journal.commits} | {i for i in runs(store) if index.place(i)}


def unfinished(*folders: Path) -> set[Path]:
    """Temporary files, old folders and open journals, which no finished command may leave."""
    paths = (path for folder in folders for path in folder.rglob("*"))
    return {path for path in paths if path.name.startswith(".") or path.name == "journal.jsonl"}
