import pytest

from tests.synth.packs.states import lines_after, table_after
from tests.synth.packs.terminal.places import (
    FILES,
    files_after,
    first_application,
    folder_world,
    refuses,
    skill_named,
)
from tests.synth.packs.verdicts import assert_passes
from trajmill.synth.packs.skill import PackSkill
from trajmill.synth.packs.terminal import search_contents, search_lines, search_lists, search_replace

SKILLS = (*search_lists.SKILLS, *search_contents.SKILLS, *search_lines.SKILLS, *search_replace.SKILLS)


@pytest.mark.parametrize("skill", SKILLS, ids=lambda s: s.name)
def test_every_way_and_mended_slip_satisfies_the_checks(skill: PackSkill) -> None:
    world = folder_world()
    found = first_application(skill, world, 5, "bytes")
    assert len(found.asks) >= 4
    assert all(len(act.why) >= 3 for way in found.ways for act in way.acts)
    assert_passes(found, world)


def test_an_inventory_gives_the_size_of_every_file() -> None:
    found = first_application(skill_named(SKILLS, "files-inventory"), folder_world())
    sizes = {row[0].removeprefix("project/"): int(row[1]) for row in table_after(found).rows}
    assert sizes == {name: len(text) for name, text in FILES.items()}


def test_hits_are_in_order_of_path_and_line_number() -> None:
    files = {
        "b.txt": "".join(f"{i} mark\n" for i in range(12)),
        "a.txt": "no\nmark\n",
        "c.txt": "none\n",
        "d.txt": "\n",
    }
    found = first_application(skill_named(SKILLS, "grep-lines-across-files"), folder_world(files))
    lines = lines_after(found)
    assert lines[0] == "project/a.txt:2:mark"
    assert [int(line.split(":")[1]) for line in lines[1:]] == list(range(1, 13))
    assert found.slips


def test_lines_are_counted_per_file() -> None:
    found = first_application(
        skill_named(SKILLS, "count-lines-per-file"), folder_world({"a.md": "1\n", "b.md": "", "c.md": "1\n2\n"})
    )
    assert table_after(found).rows == (("project/a.md", "1"), ("project/b.md", "0"), ("project/c.md", "2"))


def test_a_word_inside_a_longer_one_is_not_replaced() -> None:
    files = {"a.txt": "Oslo Osloer\n", "b.txt": "Oslo\n", "c.md": "x\n", "d.md": "y\n"}
    assert refuses(skill_named(SKILLS, "replace-text-across-files"), folder_world(files))


def test_only_files_of_the_ending_are_edited() -> None:
    found = first_application(skill_named(SKILLS, "replace-text-across-files"), folder_world())
    changed = [n for n, data in files_after(found).items() if data != FILES[n].encode()]
    assert len({n.rsplit(".", 1)[1] for n in changed}) == 1


def test_files_that_are_no_text_are_not_searched() -> None:
    binary = {"a": b"\xff\x00", "b": b"\xff\x01", "c": b"x\n", "d": b"y\n"}
    for skill in (*search_lines.SKILLS, *search_replace.SKILLS):
        assert refuses(skill, folder_world(binary))
