from __future__ import annotations

import subprocess
import sys

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
