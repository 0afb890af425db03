from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = ("duckdb", "jsonschema", "litellm", "networkx", "numpy", "prefect", "pyarrow")
SCRIPT = f"""
import sys
from trajmill.flows.cli import main
try:
    main(["--help"])
except SystemExit:
    print([name for name in {HEAVY} if name in sys.modules])
"""


def test_help_imports_nothing_that_takes_long() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    for command in ("build", "inspect", "validate", "stats", "replay", "serve", "doctor", "clean", "graph"):
        assert f" {command} " in done.stdout


def test_a_reader_that_goes_away_is_no_fault(dataset: Path) -> None:
    command = [sys.executable, "-m", "trajmill.flows.cli", "inspect", str(dataset), "--full"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")
