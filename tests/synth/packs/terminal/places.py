"""Small workspaces with a folder, an archive, a repository or a database, and skills applied to them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tests.synth.packs.states import TOOLS
from trajmill.schemas.content.table_scan import read_table
from trajmill.schemas.tree import Entry, FileEntry, Tree
from trajmill.synth.packs.facts import Archive, Commit, Facts, Folder, Repository
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.archive_starts import tar_bytes, zip_bytes
from trajmill.synth.packs.terminal.git_starts import repository_world
from trajmill.synth.packs.terminal.sqlite_starts import database_world

ALL = TOOLS | {"unzip", "xz"}

NORTH = "city,people\nOslo,7\nBergen,3\nOslo,2\n"
SOUTH = "city,people\nRome,28\nBari,3\n"
FILES: Mapping[str, str] = {
    "README.md": "# Cities\n\nOslo is there twice.\n",
    "data/north.csv": NORTH,
    "data/South Part.CSV": SOUTH,
    "data/long.csv": "n,city\n" + "".join(f"{i},Oslo and all that lies around it\n" for i in range(1, 13)),
    "notes/empty.txt": "",
    "notes/one.txt": "Oslo and Oslo again\nRome\n",
    "notes/two.txt": "Oslo\nBari\n",
    "old/north_copy.csv": NORTH,
    "records/a.json": '{"city": "Oslo"}\n',
    "records/b.json": '{"city": "Rome"}\n',
    "snapshots/cities_2023-12-31.csv": SOUTH[:-7],
    "snapshots/cities_2024-01-31.csv": SOUTH,
    "snapshots/cities_2024-02-29.csv": SOUTH + "Lecce,1\n",
    "tools/count.sh": "#!/bin/sh\nwc -l data/north.csv\n",
}
TIDY = {n: text for n, text in FILES.items() if n not in ("data/South Part.CSV", "old/north_copy.csv")}


def drawn(seed: int = 0, strictness: str = "content") -> Draw:
    """A source of chance; every tool is there."""
    return Draw(random.Random(seed), ALL, strictness)


def folder_world(
    files: Mapping[str, str | bytes] = FILES, path: str = "project", scenario: str = "folder-tree", mode: int = 0o644
) -> World:
    """A world with a folder in focus."""
    data = {n: d.encode() if isinstance(d, str) else d for n, d in files.items()}
    entries: dict[str, Entry] = {f"{path}/{n}": FileEntry(d, mode) for n, d in data.items()}
    tree = Tree(entries)
    return World(tree, State(tree, Artefact(path, scenario, Folder(data))))


def archive_world(form: str, files: Mapping[str, str] = TIDY, top: str = "pack/") -> World:
    """A world with an archive in focus."""
    members = {f"{top}{n}": text.encode() for n, text in files.items()}
    data = zip_bytes(members) if form == "zip" else tar_bytes(members, form)
    path = f"pack.{form}"
    tree = Tree({path: FileEntry(data)})
    scenario = "zip-archive" if form == "zip" else "tar-archive"
    return World(tree, State(tree, Artefact(path, scenario, Archive(form, members))))


def history_world(*steps: tuple[str, str, Mapping[str, str]], tags: Mapping[str, int] | None = None) -> World:
    """A world with a repository in focus: author, subject and whole tree of each commit, one a day from 2023-01-01."""
    commits = tuple(
        Commit(who, f"{who.lower()}@example.com", f"2023-01-{i:02d}T00:00:00+00:00", subject, _bytes(files))
        for i, (who, subject, files) in enumerate(steps, 1)
    )
    return repository_world("repo", Repository(commits, "main", dict(tags or {})))


HISTORY = (
    ("Ann", "Add cities", {"cities.csv": NORTH}),
    ("Bob", "Describe them", {"cities.csv": NORTH, "README.md": "Cities.\n"}),
    ("Ann", "Replace the cities", {"cities.csv": SOUTH, "README.md": "Cities.\n"}),
    ("Ann", "Add a sample", {"cities.csv": SOUTH, "README.md": "Cities.\n", "data/sample.json": "[]\n"}),
)


def store_world(**tables: str) -> World:
    """A world with a database in focus; tables as CSV text in stored form."""
    return database_world("store.db", {name: read_table(text.encode()) for name, text in tables.items()})


PEOPLE = "name,team_id,age,height,note\n" + "".join(
    f"P{i:02d},{i % 3 + 1},{20 + i},{1.5 + i / 4},{'late' if i % 2 else 'early'}\n" for i in range(12)
)
TEAMS = "id,team\n1,red\n2,green\n3,blue\n"


def skill_named(skills: Sequence[PackSkill], name: str) -> PackSkill:
    """The skill of this name."""
    return next(s for s in skills if s.name == name)


def first_application(skill: PackSkill, world: World, seed: int = 0, strictness: str = "content") -> Application:
    """What the skill makes of the world with the first seed from ``seed`` that suits it."""
    for number in range(seed, seed + 40):
        found = skill.apply(world.state, drawn(number, strictness))
        if found is not None:
            return found
    raise AssertionError(f"{skill.name} does not suit the world")


def refuses(skill: PackSkill, world: World) -> bool:
    """Whether the skill never suits the world."""
    return all(skill.apply(world.state, drawn(seed)) is None for seed in range(25))


def after(world: World, application: Application) -> World:
    """The world as the first way of an application leaves it."""
    acts = tuple(act.command for act in application.ways[0].acts)
    return World(world.files, application.after, (*world.setup, *acts), world.setup_tools)


def facts_of(application: Application) -> Facts:
    """What is known of the output."""
    return application.after.focus.facts


def files_after(application: Application) -> Mapping[str, bytes]:
    """The files of the folder that an application leaves in focus."""
    facts = facts_of(application)
    assert isinstance(facts, Folder)
    return facts.files


def commits_after(application: Application) -> tuple[Commit, ...]:
    """The commits of the repository that an application leaves in focus."""
    facts = facts_of(application)
    assert isinstance(facts, Repository)
    return facts.commits


def _bytes(files: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in sorted(files.items())}
