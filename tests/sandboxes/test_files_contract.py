from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajmill.sandboxes.base import Limits, Sandbox, SandboxSpec
from trajmill.sandboxes.bubblewrap import BubblewrapBackend
from trajmill.schemas.errors import SandboxError
from trajmill.schemas.tree import FILE_TIME, FileEntry, FolderEntry, LinkEntry, Tree

pytestmark = pytest.mark.sandbox

Inside = Callable[..., None]

MIXED = Tree(
    {
        "a.txt": FileEntry(b"one\n"),
        "bin/tool": FileEntry(b"#!/bin/sh\necho ran\n", mode=0o755, mtime=1_000_000_000),
        "bin": FolderEntry(mode=0o755),
        "empty": FolderEntry(mode=0o700, mtime=1_100_000_000),
        "link": LinkEntry("/etc/passwd"),
        "caf\udce9\nx": FileEntry(b"\x00\xff"),
        "secret": FileEntry(b"hidden", mode=0o000),
        "closed": FolderEntry(mode=0o000),
    }
)


def refused(error: pytest.ExceptionInfo[SandboxError]) -> str:
    return error.value.cause


def test_what_is_put_comes_back_with_modes_times_links_and_odd_names(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.put(MIXED, "/workspace/deep/er")
        assert await box.get("/workspace/deep/er") == MIXED
        assert await box.get("/workspace/deep/er") == MIXED

    inside(story)


NAMES = st.text(st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1, max_size=20)


@settings(max_examples=15)
@given(
    names=st.sets(NAMES.filter(lambda name: name not in (".", ".."))),
    data=st.binary(max_size=300),
    mode=st.sampled_from([0o644, 0o600, 0o755, 0o444, 0o000]),
)
def test_any_tree_comes_back(bubblewrap: BubblewrapBackend, names: set[str], data: bytes, mode: int) -> None:
    tree = Tree({"d": FolderEntry(), **{f"d/{name}": FileEntry(data, mode) for name in names}})

    async def main() -> Tree:
        async with bubblewrap.open(SandboxSpec(files=tree)) as box:
            return await box.get("/workspace")

    assert asyncio.run(main()) == tree


def test_files_of_the_spec_are_there_before_setup_and_setup_before_the_session(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        result = await box.run("cat a.txt b.txt; stat -c %Y . a.txt b.txt new new/c", timeout=5)
        assert result.output == "one\none\n" + f"{FILE_TIME}\n" * 5

    setup = ("cp a.txt b.txt; mkdir new; ln -s x new/c", "test -f b.txt && sleep 0 &")
    inside(story, files=Tree({"a.txt": FileEntry(b"one\n")}), setup=setup)


def test_setup_that_fails_is_an_error_with_its_words(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        raise AssertionError("must not open")

    with pytest.raises(SandboxError, match="no luck") as caught:
        inside(story, setup=("true", "echo no luck >&2; exit 3"))
    assert refused(caught) == "setup_failed"


def test_planted_link_is_replaced_and_never_redirects_a_write(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run(
            "mkdir /tmp/t; echo safe > /tmp/t/f; ln -s /tmp/t/f f; ln -s /tmp/t d; ln -s /etc/passwd p", timeout=5
        )
        assert (await box.get("/workspace")).get("p") == LinkEntry("/etc/passwd")
        await box.put(Tree({"f": FileEntry(b"new"), "d/f": FileEntry(b"new"), "p": FileEntry(b"new")}), "/workspace")
        assert (await box.get("/tmp/t")).file("f").data == b"safe\n"  # type: ignore[union-attr]
        found = await box.get("/workspace")
        assert [found.file(path).data for path in ("f", "d/f", "p")] == [b"new"] * 3  # type: ignore[union-attr]

    inside(story)


def test_hard_link_keeps_what_it_names_when_its_twin_is_replaced(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("echo old > a; ln a b", timeout=5)
        await box.put(Tree({"a": FileEntry(b"new")}), "/workspace")
        assert (await box.run("cat b", timeout=5)).output == "old\n"

    inside(story)


def test_target_folder_that_is_a_link_is_refused(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("ln -s /tmp out", timeout=5)
        with pytest.raises(SandboxError) as caught:
            await box.put(Tree({"f": FileEntry(b"")}), "/workspace/out")
        assert refused(caught) == "bad_path"
        with pytest.raises(SandboxError) as caught:
            await box.get("/workspace/out")
        assert refused(caught) == "bad_path"

    inside(story)


@pytest.mark.parametrize("folder", ["relative", "/workspace/../etc", "/workspace/./x", "/work\0space"])
def test_folder_that_is_not_plain_is_refused(inside: Inside, folder: str) -> None:
    async def story(box: Sandbox) -> None:
        with pytest.raises(SandboxError) as caught:
            await box.get(folder)
        assert refused(caught) == "bad_path"

    inside(story)


@pytest.mark.parametrize(
    ("command", "cause"),
    [
        ("mkfifo pipe", "special_file"),
        ("python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('s')\"", "special_file"),
        ("head -c 200K /dev/zero > big", "too_large"),
        ("truncate -s 3M sparse", "too_large"),
        ("for i in 1 2 3; do head -c 40K /dev/zero > $i; done", "too_large"),
        ("touch $(seq 60)", "too_large"),
        ("p=d; for i in $(seq 150); do mkdir $p; p=$p/d; done", "too_large"),
        ("ln -s loop loop; ln -s / root; mkdir -p a; ln -s .. a/up", ""),
    ],
)
def test_what_cannot_be_read_back_is_named(inside: Inside, command: str, cause: str) -> None:
    async def story(box: Sandbox) -> None:
        await box.run(command, timeout=10)
        if not cause:
            assert len(await box.get("/workspace")) == 4
            return
        with pytest.raises(SandboxError) as caught:
            await box.get("/workspace", max_bytes=100_000, max_entries=200 if "mkdir" in command else 50)
        assert refused(caught) == cause

    inside(story)


def test_missing_folder_and_full_disk_are_named(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        with pytest.raises(SandboxError) as caught:
            await box.get("/workspace/none")
        assert refused(caught) == "not_found"
        with pytest.raises(SandboxError) as caught:
            await box.put(Tree({"big": FileEntry(bytes(3_000_000))}), "/workspace")
        assert refused(caught) == "no_space"

    inside(story, limits=Limits(disk_mb=1))


def test_folder_made_for_a_verifier_cannot_be_written_by_the_agent(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.put(Tree({"check.sh": FileEntry(b"echo ok\n")}), "/tests")
        assert (await box.run("cat /tests/check.sh; echo no > /tests/check.sh", timeout=5)).exit_code == 1
        assert (await box.exec(["sh", "/tests/check.sh"], timeout=5)).stdout == b"ok\n"

    inside(story)


def test_exec_gives_streams_input_environment_and_code(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        script = 'echo "$WHO"; pwd; cat; echo bad >&2; exit 9'
        done = await box.exec(["sh", "-c", script], stdin=b"in\xff", env={"WHO": "me"}, timeout=5)
        assert (done.stdout, done.stderr, done.exit_code) == (b"me\n/workspace\nin\xff", b"bad\n", 9)
        assert (await box.exec(["no-such-program"], timeout=5)).exit_code == 127
        big = await box.exec(["head", "-c", "1M", "/dev/zero"], timeout=5)
        assert big.omitted_bytes == 1024 * 1024 - 65_536

    inside(story)


def test_exec_leaves_no_process_and_ends_at_its_timeout_or_limit(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.exec(["sh", "-c", "(setsid sleep 0.3; touch late) & exit 0"], timeout=5)
        slow = await box.exec(["sh", "-c", "trap '' TERM INT; sleep 50"], timeout=0.2)
        assert (slow.timed_out, slow.exit_code) == (True, None)
        hog = await box.exec(["python3", "-c", "x = bytearray(300_000_000)\nwhile 1: pass"], timeout=20)
        assert (hog.timed_out, hog.exit_code) == (False, None)
        assert len(await box.get("/workspace")) == 0

    inside(story, limits=Limits(memory_mb=100))
