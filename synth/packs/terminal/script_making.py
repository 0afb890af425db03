"""What all scripts of the pack share: how they are written, tried and judged on hidden inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trajmill.schemas.content.tables import Table, render_table
from trajmill.schemas.ids import Json
from trajmill.synth.packs.expect import expect_run
from trajmill.synth.packs.facts import Script
from trajmill.synth.packs.naming import mkdir_first, sh
from trajmill.synth.packs.skill import Act, Application, Draw, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_ways import Words


def parts_of(table: Table, draw: Draw) -> list[tuple[str, Table, str]]:
    """Other files like the table, as name, table and text: two with some of its rows, one with none."""
    parts = []
    for number in range(2):
        rows = draw.some(table.rows, 3, min(40, len(table.rows)))
        part = table.with_rows(rows)
        parts.append((f"part{number}.csv", part, render_table(part).decode()))
    empty = table.with_rows(())
    return [*parts, ("none.csv", empty, render_table(empty).decode())]


def case_of(args: Sequence[str], path: str, data: str, stdout: str) -> Mapping[str, Json]:
    """One hidden case of a script: arguments, the file that they name, and what must be printed."""
    return {"args": list(args), "files": {path: data}, "stdout": stdout.rstrip("\n")}


def plain_rule(draw: Draw) -> tuple[str, ...]:
    """The rule that lets a script split lines at commas."""
    return (
        draw.pick(
            (
                "No field of such a file is quoted or contains a comma.",
                "The files have a header and never any quotes.",
                "Fields are never quoted, and the first line is always the header.",
            )
        ),
    )


def scripted(
    state: State,
    draw: Draw,
    script: str,
    words: Words,
    bodies: Sequence[tuple[str, str]],
    whys: Mapping[str, tuple[str, ...]],
    cases: Sequence[Mapping[str, Json]],
    arguments: tuple[str, ...],
    prints: tuple[str, ...],
    slips: Sequence[Slip],
) -> Application:
    """The application of a skill that writes a script: each way writes one of the bodies and tries it."""
    ways = []
    for name, body in bodies:
        tools = {"awk": ("awk", "chmod"), "python": ("python3", "chmod")}.get(name, ("chmod",))
        test = f"./{sh(script)} {' '.join([sh(state.focus.path), *map(sh, arguments)])}"
        ways.append(
            Way(
                name,
                tools,
                (
                    Act(script_command(state, script, body, executable=True), whys[name]),
                    Act(
                        test if len(prints) < 8 else f"{test} | head -n 5",
                        (
                            f"A run on `{state.focus.path}` shows whether the script works.",
                            "I try it on the real file before calling it done.",
                            "Now a test with the file at hand.",
                            f"Let me see what it prints for `{state.focus.path}`.",
                        ),
                    ),
                ),
            )
        )
    facts = Script(bodies[0][1], state.focus.path, arguments, prints)
    draw.rng.shuffle(ways)
    return Application(
        outputs=(script,),
        asks=words.asks,
        results=words.results,
        rules=words.rules,
        ways=tuple(ways),
        checks=(expect_run(script, cases, executable=True),),
        after=state.made(script, "shell-script", facts),
        done=words.done,
        slips=tuple(slips),
    )


def script_command(state: State, script: str, body: str, *, executable: bool) -> str:
    """A command that writes the script, with or without permission to execute it."""
    command = f"cat > {sh(script)} <<'END'\n{body}\nEND"
    permit = f"\nchmod +x {sh(script)}" if executable else f"\nchmod 644 {sh(script)}"
    return mkdir_first(state, script, command) + permit
