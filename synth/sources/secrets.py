"""What looks like a secret stays out of every workspace: told by name or content, reported without its value."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

_NAMES = (
    ".env", ".env.*", "*.env", ".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc", ".htpasswd", ".git-credentials",
    "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.kdbx", "*.keytab",
    "credentials", "credentials.json", "credentials.csv", "kubeconfig", "*.tfstate",
)  # fmt: skip
_HARMLESS = (".env.example", ".env.sample", ".env.template")
"""Templates by custom; their content is still looked at."""

_SHAPES: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("a private key", re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY")),
    ("an AWS key", re.compile(rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("a GitHub token", re.compile(rb"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})")),
    ("a GitLab token", re.compile(rb"\bglpat-[A-Za-z0-9_-]{20,}")),
    ("a Slack token", re.compile(rb"\bxox[abeoprs]-[A-Za-z0-9-]{10,}")),
    ("a model API key", re.compile(rb"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{32,}")),
    ("a Google API key", re.compile(rb"\bAIza[0-9A-Za-z_-]{35}\b")),
    ("a Hugging Face token", re.compile(rb"\bhf_[A-Za-z0-9]{30,}\b")),
    ("a signed web token", re.compile(rb"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}")),
    (
        "a password in an address",
        re.compile(rb"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"']{1,200}:[^\s/@\"']{1,200}@[^\s/]"),
    ),
    (
        "a password in a message",
        re.compile(rb"[\s?&;](?:password|passwd|api_key|access_token|client_secret)=[^\s&;\"',]{6,}", re.IGNORECASE),
    ),
    (
        "a setting named like a secret",
        re.compile(
            rb"(?:^|[{,])[ \t]*(?:export[ \t]+)?[\"']?[A-Za-z0-9_.-]{0,80}"
            rb"(?:password|passwd|secret(?![a-z])|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|api[_-]?token|_token)"
            rb"[A-Za-z0-9_.-]*[\"']?[ \t]*[:=][ \t]*[\"']?[^\s\"',;#{\[]{6,}",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
)


def secret_in(name: str, data: bytes) -> str:
    """Why a file looks like it holds a secret, such as ``a private key on line 3``, or the empty string.

    ``name`` is the path; its last part is compared without regard to case.
    """
    by_name = secret_name(name)
    return by_name or secret_content(data)


def secret_name(name: str) -> str:
    """Why a name alone says secret, or the empty string."""
    last = PurePosixPath(name).name.lower()
    if last in _HARMLESS:
        return ""
    return "its name is one that secrets have" if any(fnmatchcase(last, pattern) for pattern in _NAMES) else ""


def secret_content(data: bytes) -> str:
    """Which kind of secret the bytes seem to hold and on which line, or the empty string."""
    for what, shape in _SHAPES:
        match = shape.search(data)
        if match:
            line = data.count(b"\n", 0, match.start()) + 1
            return f"{what} on line {line}"
    return ""
