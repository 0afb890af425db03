"""Three skills on lists of words, made by hand, with the pack, pool and blueprints that tests need."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from trajmill.schemas.graph import Path
from trajmill.schemas.ids import digest_bytes
from trajmill.schemas.task import Task, Tool
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.expect import expect_absent, expect_lines
from trajmill.synth.packs.facts import Facts, Lines
from trajmill.synth.packs.naming import mkdir_first, place_input, place_output
from trajmill.synth.packs.outputs import write_lines
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Start, Way
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.sources.material import Material
from trajmill.synth.sources.pool import Pool
from trajmill.synth.sources.recognise import recognise
from trajmill.synth.tasks.blueprint import Blueprint, Pack, Wishes, draw_blueprint
from trajmill.synth.tasks.compose import compose

TOOLS = frozenset({"sort", "wc", "python3", "bash", "cat", "head", "tail", "ls", "find", "rm"})
TOOLCHAIN = tuple(Tool(name, f"{name} 1.0", name[0] * 64) for name in sorted(TOOLS))
WORDS = b"pear\nfig\napple\nfig\nlime\n"


def material(name: str, data: bytes = WORDS) -> Material:
    """A file of a source."""
    return Material(name, data, recognise(name, data), digest_bytes(data), "CC0-1.0", "made for this test")


def _words(state: State) -> tuple[str, ...] | None:
    return state.focus.facts.lines if isinstance(state.focus.facts, Lines) else None


def begin(material: Material, draw: Draw) -> World | None:
    """A list from a text file."""
    if not material.name.endswith(".txt"):
        return None
    path = place_input(material.name, draw)
    tree = Tree({path: FileEntry(material.data)})
    lines = tuple(material.data.decode().splitlines())
    return World(tree, State(tree, Artefact(path, "list", Lines(lines))))


def sort_list(state: State, draw: Draw) -> Application | None:
    """Sort into a new file."""
    words = _words(state)
    if words is None or list(words) == sorted(words):
        return None
    path = place_output(state, draw, ("sorted", "ordered"), ".txt")
    written = write_lines(state, draw, path, sorted(words), "sorted")
    source = state.focus.path
    commands = (f"sort {source} > {path}", f"python3 sort.py {source} > {path}")
    whys = ("`sort` does this.", "I order the lines.")
    return Application(
        outputs=(path,),
        asks=(f"sort the lines of {{it}} into `{path}`", f"put the lines of {{it}} in order as `{path}`"),
        results=("the lines of {it} in order",),
        rules=written.rules,
        ways=tuple(
            Way(tool, (tool,), (Act(mkdir_first(state, path, command), whys),))
            for tool, command in zip(("sort", "python3"), commands, strict=True)
        ),
        checks=(written.check,),
        after=written.state,
        done=(f"sorted the {len(words)} lines into `{path}`", f"wrote `{path}` in order"),
        slips=(
            Slip(
                f"sort -u {source} > {path}",
                ("Sorted, and each line once.",),
                r"^4\b",
                ("A line is lost: `-u` drops repeats.",),
                look=f"wc -l {path}",
                undo=f"rm {path}",
                tools=("sort", "wc", "rm"),
            ),
        ),
    )


def count_lines(state: State, draw: Draw) -> Application | None:
    """Count into a new file."""
    words = _words(state)
    if words is None:
        return None
    path = place_output(state, draw, ("count",), ".txt")
    written = write_lines(state, draw, path, [str(len(words))], "number")
    return Application(
        outputs=(path,),
        asks=(f"write the number of lines of {{it}} to `{path}`", f"count the lines of {{it}} into `{path}`"),
        results=("the number of lines of {it}",),
        rules=written.rules,
        ways=(Way("wc", ("wc",), (Act(f"wc -l < {state.focus.path} > {path}", ("I count.", "`wc` counts.")),)),),
        checks=(written.check,),
        after=written.state,
        done=(f"counted {len(words)} lines into `{path}`",),
    )


def reverse_in_place(state: State, draw: Draw) -> Application | None:
    """Turn the order of the file itself."""
    words = _words(state)
    if words is None or words == words[::-1]:
        return None
    path, turned = state.focus.path, words[::-1]
    data = "".join(f"{w}\n" for w in turned).encode()
    after = state.wrote(path, data, "turned", Lines(turned))
    return Application(
        outputs=(path,),
        asks=("turn the order of the lines of {it} round",),
        results=(),
        rules=(),
        ways=(Way("tac", ("sort",), (Act(f"tac {path} > x && mv x {path}", ("I turn it.", "`tac` turns it.")),)),),
        checks=(expect_lines(path, turned),),
        after=after,
        done=(f"turned `{path}` round",),
    )


def remove(state: State, draw: Draw) -> Application | None:
    """Move the file to another name."""
    words = _words(state)
    if words is None:
        return None
    old, entry = state.focus.path, state.tree.file(state.focus.path)
    assert entry is not None
    new = place_output(state, draw, ("kept",), ".txt")
    after = state.changed({new: entry}, gone=(old,), focus=Artefact(new, "moved", state.focus.facts))
    return Application(
        outputs=(new, old),
        asks=(f"rename {{it}} to `{new}`",),
        results=(),
        rules=(),
        ways=(Way("mv", ("sort",), (Act(f"mv {old} {new}", ("I rename it.", "A rename.")),)),),
        checks=(expect_lines(new, words), expect_absent(old)),
        after=after,
        done=(f"renamed it to `{new}`",),
    )


SKILLS = {
    s.name: s
    for s in (
        PackSkill("list-sort", "text", "Sort a list", ("list", "turned", "moved"), "sorted", sort_list),
        PackSkill("list-count", "text", "Count a list", ("list", "sorted", "turned", "moved"), "number", count_lines),
        PackSkill("list-turn", "files", "Turn a list", ("list", "sorted"), "turned", reverse_in_place),
        PackSkill("list-move", "files", "Rename a list", ("list", "sorted"), "moved", remove),
    )
}
PACK = Pack(SKILLS, {"list": (Start("list", begin),)}, "pack-1")
MATERIALS = (material("fruit.txt"),)
OTHERS = tuple(material(f"other{n}.csv", f"a,b\n{n},2\n".encode()) for n in range(5))
POOL = Pool(MATERIALS, (*MATERIALS, *OTHERS))


def walk(*skills: str) -> Path:
    """The path through these skills."""
    return Path("graph-1", 0, 7, ("list", *(SKILLS[s].post for s in skills)), skills)


def blueprint(*skills: str, seed: int = 1, pool: Pool = POOL, **wishes: Any) -> Blueprint:
    """A blueprint of these skills; asserts that there is one."""
    drawn = draw_blueprint(walk(*skills), PACK, pool, TOOLS, seed, Wishes(**wishes))
    assert isinstance(drawn, Blueprint), drawn
    return drawn


def task_of(plan: Blueprint) -> Task:
    """Its task."""
    return compose(plan, TOOLCHAIN, PACK.version)


def world_with(path: str, facts: Facts, data: bytes = b"") -> State:
    """A state with one file in focus."""
    return State(Tree({path: FileEntry(data)}), Artefact(path, "list", facts))


def a_draw(seed: int = 0, **changes: Any) -> Draw:
    """A source of chance."""
    return replace(Draw(random.Random(seed), TOOLS), **changes)
