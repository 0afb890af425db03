import pytest

from tests.synth.packs.states import lines_world
from tests.synth.packs.terminal.places import (
    FILES,
    facts_of,
    files_after,
    first_application,
    folder_world,
    refuses,
    skill_named,
)
from tests.synth.packs.verdicts import assert_passes
from trajmill.schemas.tree import FileEntry, LinkEntry
from trajmill.synth.packs.facts import Folder, Lines
from trajmill.synth.packs.skill import PackSkill
from trajmill.synth.packs.terminal import (
    files_access,
    files_clean,
    files_collect,
    files_links,
    files_names,
    files_prefixes,
    files_sort,
)

SKILLS = (
    *files_sort.SKILLS,
    *files_names.SKILLS,
    *files_prefixes.SKILLS,
    *files_collect.SKILLS,
    *files_access.SKILLS,
    *files_links.SKILLS,
    *files_clean.SKILLS,
)
ON_FOLDERS = [s for s in SKILLS if "folder-tree" in s.pre]


@pytest.mark.parametrize("skill", ON_FOLDERS, ids=lambda s: s.name)
def test_every_way_and_mended_slip_satisfies_the_checks(skill: PackSkill) -> None:
    world = folder_world(mode=0o600)
    found = first_application(skill, world, 3, "bytes")
    assert len(found.asks) >= 4
    assert all(len(act.why) >= 3 for way in found.ways for act in way.acts)
    assert_passes(found, world)


def test_a_text_is_cut_into_parts_with_the_rest_in_the_last() -> None:
    world = lines_world(*(f"line {i}" for i in range(17)))
    found = first_application(skill_named(SKILLS, "files-split-text"), world)
    files = files_after(found)
    assert b"".join(files[n] for n in sorted(files)) == world.state.data("list.txt")
    assert len({data.count(b"\n") for data in list(files.values())[:-1]}) == 1
    assert_passes(found, world)


def test_copies_are_sorted_by_ending_whatever_its_case() -> None:
    found = first_application(
        skill_named(SKILLS, "files-sort-by-extension"), folder_world({**FILES, "data/x.JSON": "1\n"})
    )
    assert {"csv/South Part.CSV", "json/x.JSON", "md/README.md"} <= set(files_after(found))
    assert found.rules


def test_two_files_that_would_meet_are_not_sorted() -> None:
    clash = {"a/x.csv": "1\n", "b/x.csv": "2\n", "c/y.txt": "3\n", "d/z.txt": "4\n"}
    for name in ("files-sort-by-extension", "files-move-by-extension"):
        assert refuses(skill_named(SKILLS, name), folder_world(clash))


def test_names_in_small_letters_have_no_spaces() -> None:
    found = first_application(skill_named(SKILLS, "files-rename-lowercase"), folder_world())
    assert set(files_after(found)) - set(FILES) == {"readme.md", "data/south_part.csv"}
    assert found.after.tree.file("project/README.md") is None


def test_a_folder_with_small_letters_only_is_not_renamed() -> None:
    small = {n.lower().replace(" ", "_"): text for n, text in FILES.items()}
    assert refuses(skill_named(SKILLS, "files-rename-lowercase"), folder_world(small))


def test_files_are_numbered_in_the_order_of_their_names() -> None:
    files = {"set/b.csv": "2\n", "set/a.csv": "1\n", "set/C.csv": "3\n"}
    found = first_application(skill_named(SKILLS, "files-number-names"), folder_world(files))
    assert [n[4:6] + n[-5:] for n in sorted(files_after(found))] == ["01C.csv", "02a.csv", "03b.csv"]
    assert found.rules


def test_write_protection_keeps_the_other_bits() -> None:
    found = first_application(skill_named(SKILLS, "files-write-protect"), folder_world(mode=0o750))
    modes = {e.mode for e in found.after.tree.entries.values() if isinstance(e, FileEntry)}
    assert modes == {0o750, 0o550}


def test_permissions_that_are_set_already_are_not_asked_for() -> None:
    found = first_application(skill_named(SKILLS, "files-set-permissions"), folder_world())
    set_already = found.after.focus.facts
    assert isinstance(set_already, Folder)
    assert found.checks[0].kind == "modes"
    assert len(found.checks[0].params["modes"]) == len(FILES) + 7


def test_the_latest_file_is_told_by_the_date_in_its_name() -> None:
    found = first_application(skill_named(SKILLS, "files-link-latest"), folder_world())
    link = found.after.tree.entries[found.outputs[0]]
    assert isinstance(link, LinkEntry)
    assert link.target.endswith("cities_2024-02-29.csv")


def test_only_files_of_no_bytes_are_deleted() -> None:
    found = first_application(skill_named(SKILLS, "files-delete-empty"), folder_world())
    assert set(FILES) - set(files_after(found)) == {"notes/empty.txt"}
    assert refuses(skill_named(SKILLS, "files-delete-empty"), folder_world({"a": "1", "b": "2", "c": "3"}))


def test_equal_files_are_listed_in_order_and_empty_ones_left_out() -> None:
    files = {"a/2.txt": "x\n", "a/1.txt": "x\n", "b/1.txt": "", "b/2.txt": "", "c.txt": "y\n"}
    found = first_application(skill_named(SKILLS, "files-find-duplicates"), folder_world(files))
    assert facts_of(found) == Lines(("project/a/1.txt\tproject/a/2.txt",))
    assert "Empty files do not count." in found.rules


def test_files_whose_bytes_are_not_certain_are_copied_but_not_changed() -> None:
    world = folder_world()
    from dataclasses import replace

    loose = replace(world, state=replace(world.state, loose=frozenset({"project/data/north.csv"})))
    assert refuses(skill_named(SKILLS, "files-move-by-extension"), loose)
    found = first_application(skill_named(SKILLS, "files-sort-by-extension"), loose)
    assert f"{found.outputs[0]}/csv/north.csv" in found.after.loose
    assert {"same": "project/data/north.csv"} in found.checks[0].params["files"].values()
