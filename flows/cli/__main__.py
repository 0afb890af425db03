"""``python -m trajmill.flows.cli``."""

from __future__ import annotations

from trajmill.flows.cli import main

main()
