import gzip
import hashlib

import pytest

from tests.synth.packs.states import file_world, lines_world, table_after, table_world
from tests.synth.packs.terminal.places import (
    NORTH,
    SOUTH,
    TIDY,
    after,
    archive_world,
    facts_of,
    first_application,
    folder_world,
    refuses,
    skill_named,
)
from tests.synth.packs.verdicts import assert_passes
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Archive, Lines
from trajmill.synth.packs.skill import PackSkill
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal import (
    archive_checksums,
    archive_extract,
    archive_gunzip,
    archive_gzip,
    archive_members,
    archive_pack,
    archive_unpack,
)

ON_ARCHIVES = (*archive_unpack.SKILLS, *archive_members.SKILLS, *archive_extract.SKILLS)
SKILLS = (
    *ON_ARCHIVES,
    *archive_pack.SKILLS,
    *archive_gzip.SKILLS,
    *archive_gunzip.SKILLS,
    *archive_checksums.SKILLS,
)


@pytest.mark.parametrize("name", ["archive-pack-tar", "archive-pack-zip", "checksums-write"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_packed_folders_satisfy_the_checks(name: str, seed: int) -> None:
    world = folder_world(TIDY)
    assert_passes(first_application(skill_named(SKILLS, name), world, seed), world)


@pytest.mark.parametrize("skill", ON_ARCHIVES, ids=lambda s: s.name)
@pytest.mark.parametrize("form", ["tar.gz", "tar", "zip"])
def test_what_is_taken_out_of_an_archive_satisfies_the_checks(skill: PackSkill, form: str) -> None:
    world = archive_world(form)
    assert_passes(first_application(skill, world, 7, "bytes"), world)


def test_an_archive_made_by_a_way_can_be_unpacked_by_another() -> None:
    world = folder_world(TIDY)
    packed = first_application(skill_named(SKILLS, "archive-pack-tar"), world)
    then = after(world, packed)
    assert_passes(first_application(skill_named(SKILLS, "archive-unpack"), then), then)


def test_an_archive_of_files_that_are_not_certain_is_listed_but_not_unpacked() -> None:
    from dataclasses import replace

    world = folder_world(TIDY)
    loose = replace(world, state=replace(world.state, loose=frozenset({"project/data/north.csv"})))
    packed = first_application(skill_named(SKILLS, "archive-pack-zip"), loose)
    then = after(loose, packed)
    assert refuses(skill_named(SKILLS, "archive-unpack"), then)
    first_application(skill_named(SKILLS, "archive-list-members"), then)


@pytest.mark.parametrize("seed", range(6))
def test_the_members_of_an_archive_made_by_a_way_are_listed(seed: int) -> None:
    world = folder_world({"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"})
    then = after(world, first_application(skill_named(SKILLS, "archive-pack-tar"), world, seed))
    assert_passes(first_application(skill_named(SKILLS, "archive-list-members"), then, seed), then)


def test_members_are_listed_without_folders_and_in_order() -> None:
    found = first_application(
        skill_named(SKILLS, "archive-list-members"), archive_world("zip", {"b.txt": "b", "a.txt": "a", "c.txt": "c"})
    )
    assert facts_of(found) == Lines(("pack/a.txt", "pack/b.txt", "pack/c.txt"))


def test_compressing_keeps_the_original() -> None:
    world = table_world(NORTH * 40)
    found = first_application(skill_named(SKILLS, "gzip-keep"), world)
    assert found.after.tree.file("data.csv") is not None
    assert_passes(found, world)


@pytest.mark.parametrize(("name", "data", "skill"), [("n.csv", NORTH, "gunzip-table"), ("n.txt", SOUTH, "gunzip-text")])
def test_decompressing_gives_the_bytes_back(name: str, data: str, skill: str) -> None:
    tree = Tree({f"in/{name}.gz": FileEntry(gzip.compress(data.encode(), mtime=0))})
    world = World(tree, State(tree, Artefact(f"in/{name}.gz", "gz-file", Archive("gz", {name: data.encode()}))))
    found = first_application(skill_named(SKILLS, skill), world)
    assert found.after.data(found.outputs[0]) == data.encode()
    assert_passes(found, world)


def test_a_file_list_is_told_ok_changed_and_missing() -> None:
    files = {"a.txt": "one\n", "b c.txt": "two\n", "gone.txt": "three\n"}
    lines = [f"{hashlib.sha256(text.encode()).hexdigest()}  {name}" for name, text in files.items()]
    tree = Tree(
        {
            "d/SUMS": FileEntry("".join(f"{x}\n" for x in lines).encode()),
            "d/a.txt": FileEntry(b"one\n"),
            "d/b c.txt": FileEntry(b"2\n"),
        }
    )
    world = World(tree, State(tree, Artefact("d/SUMS", "checksum-list", Lines(tuple(lines)))))
    found = first_application(skill_named(SKILLS, "checksums-verify"), world)
    assert table_after(found).rows == (("a.txt", "ok"), ("b c.txt", "changed"), ("gone.txt", "missing"))
    assert found.slips
    assert_passes(found, world)


def test_checksums_can_be_written_and_checked() -> None:
    world = folder_world(TIDY)
    written = first_application(skill_named(SKILLS, "checksums-write"), world, 1)
    then = after(world, written)
    found = first_application(skill_named(SKILLS, "checksums-verify"), then)
    assert {row[1] for row in table_after(found).rows} == {"ok"}
    assert_passes(found, then)


def test_what_is_no_archive_is_refused() -> None:
    for skill in (*ON_ARCHIVES, skill_named(SKILLS, "gunzip-table"), skill_named(SKILLS, "checksums-verify")):
        assert refuses(skill, lines_world("a", "b", "c", "d"))
    tiny = file_world("x.txt", "x\n", "plain-text", Lines(("x",)))
    assert refuses(skill_named(SKILLS, "gzip-keep"), tiny)


@pytest.mark.parametrize("seed", range(4))
def test_one_file_comes_out_of_an_archive_whatever_form_its_names_have(seed: int) -> None:
    files = {f"top/{n}": text for n, text in TIDY.items()}
    world = folder_world(files)
    pack = skill_named(SKILLS, "archive-pack-tar")
    for number in (seed, seed + 10, seed + 20):
        then = after(world, first_application(pack, world, number))
        found = first_application(skill_named(SKILLS, "archive-extract-table"), then, seed)
        assert_passes(found, then)
