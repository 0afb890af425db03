from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.sandboxes.toolchain import resolve_tools, toolchain_id
from trajmill.schemas.errors import UnavailableError, UsageError
from trajmill.schemas.task import Tool

pytestmark = pytest.mark.sandbox


def test_tools_are_found_by_version_line_and_hash_of_the_real_program(bubblewrap: BubblewrapBackend) -> None:
    tools = asyncio.run(resolve_tools(bubblewrap, ["sort", "awk", "bash", "sort", "cd"]))
    assert [tool.name for tool in tools] == ["awk", "bash", "cd", "sort"]
    awk, bash, cd, sort = tools
    assert bash.version.startswith("GNU bash, version ")
    assert "sort (" in sort.version
    assert any(character.isdigit() for character in awk.version)
    assert (cd.version, cd.sha256) == ("shell builtin", bash.sha256)
    real = Path("/usr/bin/awk").resolve()
    assert awk.sha256 == hashlib.sha256(real.read_bytes()).hexdigest()


def test_tool_without_a_version_has_an_empty_one(bubblewrap: BubblewrapBackend) -> None:
    (dash,) = asyncio.run(resolve_tools(bubblewrap, ["dash"]))
    assert dash.version == ""
    assert len(dash.sha256) == 64


def test_missing_tools_are_named_or_left_out(bubblewrap: BubblewrapBackend) -> None:
    names = ["cat", "no-such-tool", "nor-this"]
    with pytest.raises(UnavailableError, match="lacks no-such-tool, nor-this") as caught:
        asyncio.run(resolve_tools(bubblewrap, names))
    assert caught.value.exit_code == 3
    assert [tool.name for tool in asyncio.run(resolve_tools(bubblewrap, names, optional=True))] == ["cat"]
    assert asyncio.run(resolve_tools(bubblewrap, [])) == ()


@pytest.mark.parametrize("name", ["", "a b", "$(id)", "../x", "a\nb"])
def test_name_that_no_program_has_is_refused(bubblewrap: BubblewrapBackend, name: str) -> None:
    with pytest.raises(UsageError):
        asyncio.run(resolve_tools(bubblewrap, [name]))


def test_id_depends_on_every_field_and_not_on_the_order() -> None:
    tools = [Tool("a", "1", "00"), Tool("b", "2", "11")]
    assert toolchain_id(tools) == toolchain_id(reversed(tools))
    others = [replace(tools[0], name="c"), replace(tools[0], version="9"), replace(tools[0], sha256="ff")]
    assert len({toolchain_id([other, tools[1]]) for other in [tools[0], *others]}) == 4
