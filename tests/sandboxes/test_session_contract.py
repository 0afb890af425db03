from __future__ import annotations

import resource
import time
from collections.abc import Callable

import pytest

from trajmill.sandboxes.base import Limits, Sandbox
from trajmill.schemas.errors import SandboxError

pytestmark = pytest.mark.sandbox

Inside = Callable[..., None]


def test_directory_variables_functions_and_aliases_persist(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("mkdir -p a/b; cd a/b; x='1 2'; greet() { echo \"hi $1\"; }; alias up='cd ..'", timeout=5)
        result = await box.run('pwd; echo "$x"; greet you; up; pwd', timeout=5)
        assert result.output == "/workspace/a/b\n1 2\nhi you\n/workspace/a\n"
        assert (result.exit_code, result.state_lost) == (0, False)

    inside(story)


def test_output_and_errors_are_interleaved_in_order(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        result = await box.run("echo 1; echo 2 >&2; ls missing; echo 3", timeout=5)
        lines = result.output.splitlines()
        assert (lines[0], lines[1], lines[3]) == ("1", "2", "3")
        assert "missing" in lines[2]

    inside(story)


@pytest.mark.parametrize(
    ("command", "code"),
    [("true", 0), ("false", 1), ("(exit 42)", 42), ("no-such-program", 127), ("bash -c 'kill -9 $$'", 137), ("", 0)],
)
def test_exit_code_is_the_commands(inside: Inside, command: str, code: int) -> None:
    async def story(box: Sandbox) -> None:
        assert (await box.run(command, timeout=5)).exit_code == code
        assert (await box.run("echo $?", timeout=5)).output == f"{code}\n"

    inside(story)


def test_background_job_does_not_hold_the_command_and_stays(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        began = time.monotonic()
        assert (await box.run("sleep 100 & echo hi", timeout=5)).output == "hi\n"
        assert time.monotonic() - began < 3
        assert "Running" in (await box.run("jobs", timeout=5)).output

    inside(story)


STUBBORN = """python3 -c '
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
time.sleep(1000)
'; sleep 77"""


@pytest.mark.parametrize("command", ["sleep 99; touch after; sleep 99", STUBBORN, "while :; do sleep 0.01; done"])
def test_timeout_kills_all_that_the_command_started_and_nothing_else(inside: Inside, command: str) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("sleep 100 & x=kept; cd /tmp", timeout=5)
        result = await box.run(command, timeout=0.3)
        assert result.timed_out
        assert (result.exit_code, result.state_lost) == (None, False)
        listing = await box.run("echo $x; pwd; ps -eo args= | grep -cE '^(sleep|python3)'; ls /workspace", timeout=5)
        assert listing.output == "kept\n/tmp\n1\n"

    inside(story)


def test_nothing_after_the_interrupted_program_runs(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        for _ in range(15):
            result = await box.run("sleep 50; echo no; touch no", timeout=0.03)
            assert (result.timed_out, result.output) == (True, "")
        assert len(await box.get("/workspace")) == 0

    inside(story)


def test_timeout_of_the_shell_itself_ends_the_command(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("x=5", timeout=5)
        result = await box.run("while :; do :; done", timeout=0.2)
        assert result.timed_out
        after = await box.run("echo ${x-gone}", timeout=5)
        assert after.output == ("gone\n" if result.state_lost else "5\n")

    inside(story)


def test_shell_that_ignores_every_interruption_is_reopened(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        result = await box.run("trap '' INT TERM; cd /tmp; while :; do :; done", timeout=0.2)
        assert (result.timed_out, result.state_lost) == (True, True)
        assert (await box.run("pwd", timeout=5)).output == "/workspace\n"

    inside(story)


def test_exit_is_reported_and_the_session_goes_on(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("x=5; sleep 100 &", timeout=5)
        result = await box.run("echo last; exit 7", timeout=5)
        assert (result.output, result.exit_code, result.state_lost) == ("last\n", 7, True)
        after = await box.run("echo ${x-gone}; pwd; pgrep sleep", timeout=5)
        assert (after.output, after.state_lost) == ("gone\n/workspace\n", False)

    inside(story)


@pytest.mark.parametrize("command", ["read x; echo got=$x", "cat", "python3", "head -1"])
def test_programs_that_read_get_the_end_of_input(inside: Inside, command: str) -> None:
    async def story(box: Sandbox) -> None:
        assert not (await box.run(command, timeout=10)).timed_out
        assert (await box.run("echo next", timeout=5)).output == "next\n"
        assert (await box.run("test -t 0 || test -t 1 || echo none", timeout=5)).output == "none\n"

    inside(story)


def test_heredocs_and_scripts_of_many_lines_work(inside: Inside) -> None:
    script = "for i in 1 2; do\n  cat <<EOF\nline $i\nEOF\ndone\ncat <<'EOF' > f\n$x `y`\nEOF\ncat f"

    async def story(box: Sandbox) -> None:
        assert (await box.run(script, timeout=5)).output == "line 1\nline 2\n$x `y`\n"

    inside(story)


@pytest.mark.parametrize("command", ["echo 'open", 'echo "open', "if true; then", "echo $(", "cat <<E\nopen", ")"])
def test_broken_syntax_swallows_nothing(inside: Inside, command: str) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("x=5", timeout=5)
        await box.run(command, timeout=5)
        assert (await box.run("echo $x", timeout=5)).output == "5\n"

    inside(story)


def test_bytes_of_every_kind_come_through(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        result = await box.run(r"printf 'a\xff\x00b\033[1mc'", timeout=5)
        assert result.output == "a�\0b\x1b[1mc"
        assert (await box.run("printf x", timeout=5)).output == "x"
        line = await box.run("echo " + "y" * 60_000, timeout=5)
        assert line.output == "y" * 60_000 + "\n"

    inside(story)


def test_name_that_is_not_utf8_can_be_used_in_a_command(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        result = await box.run("touch 'caf\udce9'; ls | od -An -c", timeout=5)
        assert result.output.split() == ["c", "a", "f", "351", "\\n"]

    inside(story)


def test_output_that_looks_like_a_report_is_only_output(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        result = await box.run("printf '1 0\\n2 0\\n3 0\\n'; false", timeout=5)
        assert (result.output, result.exit_code) == ("1 0\n2 0\n3 0\n", 1)
        assert (await box.run("echo '[... 5 bytes omitted ...]'", timeout=5)).omitted_bytes == 0

    inside(story)


def test_a_gigabyte_of_output_is_cut_in_the_middle_in_bounded_memory(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        result = await box.run("echo first; head -c 1G /dev/zero; echo last", timeout=120)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 20_000
        assert result.omitted_bytes == 2**30 + len("first\nlast\n") - 65_536
        assert f"\n[... {result.omitted_bytes} bytes omitted ...]\n" in result.output
        assert result.output.startswith("first\n\0")
        assert result.output.endswith("\0last\n")

    inside(story)


def test_memory_hog_is_stopped_and_named(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("x=5", timeout=5)
        result = await box.run("python3 -c 'import time\nx = bytearray(200_000_000)\ntime.sleep(9)'", timeout=20)
        assert (result.killed_for, result.exit_code, result.timed_out) == ("memory", None, False)
        assert (await box.run("echo $x; pgrep -c python", timeout=5)).output == "5\n0\n"

    inside(story, limits=Limits(memory_mb=100))


def test_memory_hog_in_many_processes_is_stopped_and_named(inside: Inside) -> None:
    hog = "for i in 1 2 3 4 5 6; do python3 -c 'import time\nx = bytearray(40_000_000)\ntime.sleep(9)' & done; wait"

    async def story(box: Sandbox) -> None:
        assert (await box.run(hog, timeout=20)).killed_for == "memory"

    inside(story, limits=Limits(memory_mb=150))


@pytest.mark.parametrize("bomb", ["f() { f | f; }; f", "while :; do sleep 100 & done", "f() { f | f & }; f; sleep 30"])
def test_fork_bomb_is_stopped_and_named(inside: Inside, bomb: str) -> None:
    async def story(box: Sandbox) -> None:
        result = await box.run(bomb, timeout=20)
        assert (result.killed_for, result.timed_out) == ("processes", False)
        assert (await box.run("echo alive", timeout=5)).output == "alive\n"

    inside(story, limits=Limits(processes=40))


def test_fork_bomb_left_in_the_background_is_stopped_before_it_can_be_felt(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("f() { f | f & }; f", timeout=5)
        await box.run("sleep 0.5", timeout=5)
        after = await box.run("pgrep -c .", timeout=5)
        assert int(after.output) < 10

    inside(story, limits=Limits(processes=40))


def test_disk_filler_gets_an_error_and_is_named(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        result = await box.run("head -c 90M /dev/zero > big", timeout=20)
        assert (result.exit_code, result.killed_for) == (1, "disk")
        assert "No space left" in result.output
        assert (await box.run("rm big; echo ok > f; cat f", timeout=5)).killed_for == ""

    inside(story, limits=Limits(disk_mb=8))


@pytest.mark.parametrize(
    "trick",
    [
        "set -e",
        "set -eux",
        "exec bash",
        "exec >file",
        "exec </dev/null >/dev/null 2>&1",
        "trap 'echo bye' EXIT; trap 'echo dbg' DEBUG; trap 'echo err' ERR",
        "alias builtin=false printf=false echo=false",
        "printf() { :; }; echo() { :; }; eval() { :; }",
        "builtin() { :; }",
        'for i in $(seq 3 255); do eval "exec $i>&-"; done',
        'for i in $(seq 3 255); do eval "exec $i>/dev/null"; done',
        "break; continue; return 3",
        "kill -9 $$",
        "kill -STOP $$",
        "kill -INT $$",
        "PROMPT_COMMAND='sleep 100'",
        "PS1='$(sleep 100)'",
        "readonly PS1 IFS=: PATH=/nowhere",
        "set -o posix; set -n",
        "unset -f cd; enable -n printf; shopt -u expand_aliases",
        "POSIXLY_CORRECT=1; TMOUT=1",
        "coproc cat",
        "ulimit -n 3",
    ],
)
def test_no_trick_of_a_command_breaks_the_driver(inside: Inside, trick: str) -> None:
    async def story(box: Sandbox) -> None:
        await box.run(trick, timeout=0.2)
        await box.run("false", timeout=0.2)
        done = await box.exec(["echo", "sound"], timeout=10)
        assert done.stdout == b"sound\n"
        lost = await box.run("exit 0", timeout=0.2)
        assert lost.state_lost
        assert (await box.run("echo $((6*7))", timeout=5)).output == "42\n"

    inside(story)


def test_forged_reports_falsify_no_other_command_for_good(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        forge = "for f in /proc/$$/fd/*; do printf '1 0\\n9 0\\nrubbish' > $f; done 2>/dev/null; sleep 1"
        await box.run(forge, timeout=3)
        await box.run("exit 0", timeout=3)
        assert (await box.run("echo real; (exit 3)", timeout=5)).exit_code == 3

    inside(story)


def test_quiesce_kills_the_session_and_leaves_the_rest(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        await box.run("(while :; do date +%N > beat; sleep 0.01; done) & setsid sleep 100 & disown -a", timeout=5)
        await box.run("until [ -s beat ]; do sleep 0.01; done", timeout=30)
        await box.quiesce()
        await box.quiesce()
        beat = (await box.get("/workspace")).file("beat")
        assert (await box.get("/workspace")).file("beat") == beat
        assert (await box.exec(["cat", "beat"], timeout=5)).exit_code == 0
        with pytest.raises(SandboxError) as caught:
            await box.run("true", timeout=5)
        assert caught.value.cause == "quiesced"

    inside(story)


def test_one_run_after_another_even_when_asked_at_once(inside: Inside) -> None:
    async def story(box: Sandbox) -> None:
        import asyncio

        results = await asyncio.gather(*(box.run(f"sleep 0.05; echo {n}", timeout=10) for n in range(4)))
        assert [result.output for result in results] == ["0\n", "1\n", "2\n", "3\n"]

    inside(story)
