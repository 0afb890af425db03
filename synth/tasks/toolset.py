"""The commands that tasks may need, and the Debian package of each; the toolchain is resolved from this list."""

from __future__ import annotations

COREUTILS = (
    "base64", "basename", "cat", "chmod", "comm", "cp", "csplit", "cut", "date", "dirname", "du",
    "echo", "env", "expand", "fold", "head", "join", "ln", "ls", "md5sum", "mkdir", "mktemp", "mv",
    "nl", "od", "paste", "printf", "pwd", "readlink", "realpath", "rm", "rmdir", "seq", "sha1sum",
    "sha256sum", "sha512sum", "shuf", "sort", "split", "stat", "tac", "tail", "tee", "test",
    "touch", "tr", "truncate", "uniq", "wc",
)  # fmt: skip

PACKAGES = {
    "awk": "mawk",
    "bash": "bash",
    "bzip2": "bzip2",
    "cmp": "diffutils",
    "diff": "diffutils",
    "file": "file",
    "find": "findutils",
    "git": "git",
    "grep": "grep",
    "gunzip": "gzip",
    "gzip": "gzip",
    "iconv": "libc-bin",
    "jq": "jq",
    "perl": "perl-base",
    "python3": "python3-minimal",
    "sed": "sed",
    "sqlite3": "sqlite3",
    "tar": "tar",
    "unzip": "unzip",
    "xargs": "findutils",
    "xz": "xz-utils",
    "zcat": "gzip",
    "zgrep": "gzip",
    "zip": "zip",
    **dict.fromkeys(COREUTILS, "coreutils"),
}

BASIC_TOOLS = ("bash", "cat", "find", "head", "ls", "mkdir", "nl", "od", "sed", "sort", "tail", "tr", "wc")
"""What every policy may count on; a sandbox without one of them is not usable."""
