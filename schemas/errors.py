"""One tree of errors, one type per boundary.

    TrajmillError
    ├── UsageError            exit 2: an argument, key, file or row that the user gave is wrong
    │   ├── ConfigError       a configuration key or value
    │   ├── InputError        a source file or folder
    │   ├── ContractError     a document that breaks a published JSON Schema
    │   └── StoreError        a run store or dataset folder that is damaged or not ours
    ├── UnavailableError      exit 3: the machine lacks something (sandbox, daemon, tool, key)
    ├── SandboxError          the sandbox itself failed; becomes an ``infra_error`` verdict
    └── Interrupted           exit 130: stopped by a signal, with everything committed kept

The failure of a *sample* (a wrong answer, a task that cannot be graded) is data, not an exception: see
``schemas.verdict``. An exception here means that the program, its input or its surroundings is at fault.
"""

from __future__ import annotations


class TrajmillError(Exception):
    """An error that is told in one sentence; ``exit_code`` is what the command line returns for it."""

    exit_code = 1

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        """The sentence, followed by the remedy if there is one."""
        return f"{self.message} {self.remedy}".strip()


class UsageError(TrajmillError):
    """Something that the user named is wrong; nothing was written."""

    exit_code = 2


class ConfigError(UsageError):
    """A configuration file, key or value is wrong."""


class InputError(UsageError):
    """A source file or folder cannot be used."""


class ContractError(UsageError):
    """A document breaks its published JSON Schema."""


class StoreError(UsageError):
    """A run store or a dataset folder is damaged, or holds something that is not ours."""


class UnavailableError(TrajmillError):
    """The machine lacks what the command needs; the remedy says what to install or allow."""

    exit_code = 3


class Interrupted(TrajmillError):
    """The person or the system stopped the command; everything committed is kept."""

    exit_code = 130


class SandboxError(TrajmillError):
    """The sandbox itself failed (not the command in it)."""

    def __init__(self, message: str, *, cause: str, retryable: bool = True) -> None:
        super().__init__(message)
        self.cause = cause
        self.retryable = retryable
