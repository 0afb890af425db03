from __future__ import annotations

import asyncio

import pytest

from trajmill.sandboxes.base import Backend, CommandResult, SandboxSpec
from trajmill.sandboxes.fake import Answer, FakeBackend
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.tree import FileEntry, Tree


def script(command: str) -> Answer:
    answers: dict[str, Answer] = {
        "ls": "a\n",
        "fail": CommandResult("bad\n", 1, 0.0),
        "die": SandboxError("gone", cause="sandbox_died"),
    }
    return answers[command]


def test_answers_follow_the_script_and_files_stay() -> None:
    backend = FakeBackend(script)
    contract: Backend = backend

    async def main() -> None:
        async with contract.open(SandboxSpec(files=Tree({"a": FileEntry(b"1")}))) as box:
            assert (await box.run("ls", timeout=1)).output == "a\n"
            assert (await box.run("fail", timeout=1)).exit_code == 1
            with pytest.raises(SandboxError):
                await box.run("die", timeout=1)
            await box.put(Tree({"b": FileEntry(b"2")}), "/workspace")
            assert list(await box.get("/workspace")) == ["a", "b"]
            assert backend.open_now == 1
            await box.quiesce()
            with pytest.raises(SandboxError):
                await box.run("ls", timeout=1)
            with pytest.raises(SandboxError):
                await box.get("/workspace", max_bytes=1)

    asyncio.run(main())
    assert backend.open_now == 0
    assert backend.opened[0].commands == ["ls", "fail", "die"]
