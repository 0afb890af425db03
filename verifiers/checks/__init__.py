"""The kinds of checks, one file each, looked up lazily by name; a dotted path ``package.module:function`` works too."""

from __future__ import annotations

import functools
import importlib

from trajmill.verifiers.base import CheckFunction

KINDS = {
    "absent": "trajmill.verifiers.checks.absent:check_absent",
    "archive": "trajmill.verifiers.checks.archive:check_archive",
    "checksums": "trajmill.verifiers.checks.checksums:check_checksums",
    "file": "trajmill.verifiers.checks.file:check_file",
    "folder": "trajmill.verifiers.checks.folder:check_folder",
    "git": "trajmill.verifiers.checks.git:check_git",
    "json": "trajmill.verifiers.checks.json:check_json",
    "json_lines": "trajmill.verifiers.checks.json_lines:check_json_lines",
    "lines": "trajmill.verifiers.checks.lines:check_lines",
    "link": "trajmill.verifiers.checks.link:check_link",
    "modes": "trajmill.verifiers.checks.modes:check_modes",
    "run": "trajmill.verifiers.checks.run:check_run",
    "sqlite": "trajmill.verifiers.checks.sqlite:check_sqlite",
    "table": "trajmill.verifiers.checks.table:check_table",
    "unchanged": "trajmill.verifiers.checks.unchanged:check_unchanged",
}


@functools.cache
def check_function(kind: str) -> CheckFunction:
    """The function of a kind. Raises KeyError for an unknown one, ImportError or AttributeError for a wrong path."""
    target = KINDS[kind] if ":" not in kind else kind
    module, _, name = target.partition(":")
    function: CheckFunction = getattr(importlib.import_module(module), name)
    return function
