"""What may differ between two observations of the same command without a difference being reported.

1. White space at the end of a line, and empty lines at the end.
2. Durations as ``time`` prints them (``real 0m0.012s``, ``0.01user``), to ``TIME``.
3. Process numbers in the notices of background jobs (``[1] 4711``), to ``PID``.
4. Memory addresses in the names of Python objects (``at 0x7f12ab34cd56``), to ``ADDRESS``.

Nothing else: an order, a number or a date that changes is a difference.
"""

from __future__ import annotations

import re

_RULES = (
    (re.compile(r"^(real|user|sys)(\s+)\d+m\d+[.,]\d+s$", re.MULTILINE), r"\1\2TIME"),
    (re.compile(r"^(real|user|sys) \d+[.,]\d+$", re.MULTILINE), r"\1 TIME"),
    (re.compile(r"\b\d+[.,]\d+(user|system) \d+[.,]\d+(system|user) \d+:\d+[.,]\d+elapsed \d+%CPU"), "TIME"),
    (re.compile(r"^(\[\d+\][+-]?) +\d+$", re.MULTILINE), r"\1 PID"),
    (re.compile(r"\bat 0x[0-9a-f]{6,}\b"), "at ADDRESS"),
)


def normalised(observation: str) -> str:
    """The observation as it is compared."""
    lines = "\n".join(line.rstrip() for line in observation.split("\n")).rstrip("\n")
    for pattern, written in _RULES:
        lines = pattern.sub(written, lines)
    return lines
