import pytest

from tests.synth.packs.states import lines_after, table_after
from tests.synth.packs.terminal.places import (
    HISTORY,
    TIDY,
    after,
    commits_after,
    facts_of,
    first_application,
    folder_world,
    history_world,
    refuses,
    skill_named,
)
from tests.synth.packs.verdicts import assert_passes
from trajmill.synth.packs.facts import Lines
from trajmill.synth.packs.skill import PackSkill
from trajmill.synth.packs.terminal import (
    git_branches,
    git_changes,
    git_counts,
    git_releases,
    git_removals,
    git_reports,
    git_versions,
)

SKILLS = (
    *git_reports.SKILLS,
    *git_counts.SKILLS,
    *git_versions.SKILLS,
    *git_changes.SKILLS,
    *git_removals.SKILLS,
    *git_branches.SKILLS,
    *git_releases.SKILLS,
)
ON_REPOSITORIES = [s for s in SKILLS if "git-repository" in s.pre]


@pytest.mark.parametrize("skill", ON_REPOSITORIES, ids=lambda s: s.name)
def test_every_way_and_mended_slip_satisfies_the_checks(skill: PackSkill) -> None:
    world = history_world(*HISTORY, tags={"v0.1": 1})
    found = first_application(skill, world, 2, "bytes")
    assert len(found.asks) >= 4
    assert all(len(act.why) >= 3 for way in found.ways for act in way.acts)
    assert_passes(found, world)


def test_a_folder_becomes_a_repository_that_can_be_read() -> None:
    world = folder_world(TIDY)
    found = first_application(skill_named(SKILLS, "git-init-commit"), world)
    assert_passes(found, world)
    then = after(world, found)
    assert_passes(first_application(skill_named(SKILLS, "git-add-file"), then), then)


def test_a_branch_is_merged_and_a_release_packed() -> None:
    world = history_world(*HISTORY)
    branched = after(world, first_application(skill_named(SKILLS, "git-branch-commit"), world))
    merged = first_application(skill_named(SKILLS, "git-merge-branch"), branched)
    assert_passes(merged, branched)
    then = after(branched, merged)
    tagged = after(then, first_application(skill_named(SKILLS, "git-tag-release"), then))
    assert_passes(first_application(skill_named(SKILLS, "git-archive-release"), tagged), tagged)


def test_subjects_are_listed_in_the_order_asked_for() -> None:
    subjects = tuple(s for _, s, _ in HISTORY)
    found = [first_application(skill_named(SKILLS, "git-list-subjects"), history_world(*HISTORY), n) for n in range(9)]
    assert {facts_of(f) for f in found} == {Lines(subjects), Lines(subjects[::-1])}


def test_commits_are_counted_by_author() -> None:
    found = first_application(skill_named(SKILLS, "git-commits-by-author"), history_world(*HISTORY))
    assert table_after(found).rows == (("Ann", "3"), ("Bob", "1"))


def test_adding_changing_and_removing_a_file_all_count() -> None:
    steps = (*HISTORY, ("Ann", "Drop the sample", HISTORY[2][2]))
    found = first_application(skill_named(SKILLS, "git-changes-per-file"), history_world(*steps))
    assert table_after(found).rows == (("cities.csv", "2"), ("data/sample.json", "2"), ("README.md", "1"))
    assert len(found.rules) >= 2


def test_a_file_that_was_changed_back_does_not_differ() -> None:
    steps = (*HISTORY, ("Bob", "Back to the first cities", HISTORY[1][2]))
    world = history_world(*steps, tags={"v1": 1})
    lists = {lines_after(first_application(skill_named(SKILLS, "git-files-changed"), world, n)) for n in range(12)}
    assert lists == {("cities.csv",), ("README.md",)}


def test_one_author_alone_is_not_counted() -> None:
    alone = [("Ann", s, files) for _, s, files in HISTORY]
    assert refuses(skill_named(SKILLS, "git-commits-by-author"), history_world(*alone))


def test_what_a_revert_leaves_is_the_tree_before() -> None:
    found = first_application(skill_named(SKILLS, "git-revert-last"), history_world(*HISTORY))
    commits = commits_after(found)
    assert commits[-1].files == commits[-3].files
    assert commits[-1].subject == 'Revert "Add a sample"'
