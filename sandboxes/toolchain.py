"""The toolchain: which programs a sandbox really offers, by name, version line and content hash."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from trajmill.sandboxes.base import Backend, Limits, SandboxSpec
from trajmill.schemas.errors import SandboxError, UnavailableError, UsageError
from trajmill.schemas.ids import content_id
from trajmill.schemas.task import Tool

_NAME = re.compile(r"[A-Za-z0-9_.+\[-][A-Za-z0-9_.+\]-]*")
_TIMEOUT_S = 120.0
_PROBE = r"""
numbered='[0-9]+\.[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}'
for name in "$@"; do
    version=
    if file=$(type -P -- "$name"); then
        for flag in --version -v -V -version version "-W version"; do
            said=$(timeout -s KILL 5 "$file" $flag </dev/null 2>&1 | head -c 2000 | head -n 5)
            said=$(grep -m 1 -aE "$numbered" <<< "$said")
            [[ $said ]] && { version=$said; break; }
        done
    elif [[ $(type -t -- "$name") == @(builtin|keyword) ]]; then
        file=$BASH version="shell builtin"
    else
        continue
    fi
    sum=$(sha256sum < "$(readlink -f -- "$file")") || continue
    printf '%s\t%s\t%s\n' "$name" "${sum%% *}" "${version:0:200}"
done
"""


async def resolve_tools(backend: Backend, names: Iterable[str], *, optional: bool = False) -> tuple[Tool, ...]:
    """Find the tools inside one sandbox, in order of their names.

    ``version`` is the first line with a version number that the tool prints when asked, or the empty string; ``sha256``
    is of the program that its links lead to, which for a shell builtin is bash.
    Raises UnavailableError that lists what is missing, unless ``optional``: then only what is there comes back.
    Raises UsageError for a name that no program has.
    """
    wanted = sorted(set(names))
    for name in wanted:
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} is not the name of a program.")
    found = {tool.name: tool for tool in await _found(backend, wanted)} if wanted else {}
    missing = [name for name in wanted if name not in found]
    if missing and not optional:
        raise UnavailableError(
            f"The {backend.name} sandbox lacks {', '.join(missing)}.",
            remedy="Install the Debian packages that provide them, under /usr.",
        )
    return tuple(found[name] for name in wanted if name in found)


def toolchain_id(tools: Iterable[Tool]) -> str:
    """Content id of a toolchain; the order of the tools does not matter."""
    return content_id("tools", sorted([tool.name, tool.version, tool.sha256] for tool in tools))


async def _found(backend: Backend, names: list[str]) -> list[Tool]:
    limits = Limits(output_bytes=1024 * 1024)
    async with backend.open(SandboxSpec(limits=limits, label="toolchain")) as box:
        done = await box.exec(["/bin/bash", "-c", _PROBE, "probe", *names], timeout=_TIMEOUT_S)
    if done.exit_code != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise SandboxError(f"Looking for {shlex.join(names)} failed: {said}", cause="toolchain_failed")
    return [_tool(line) for line in done.stdout.decode("utf-8", "replace").split("\n") if line]


def _tool(line: str) -> Tool:
    name, digest, version = line.split("\t", 2)
    return Tool(name, "".join(c for c in version if c.isprintable()).strip(), digest)
