"""Splitting and merging tables."""

from tests.synth.packs.states import asked, draw, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.facts import Folder
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.table_merge import merge_parts
from trajmill.synth.packs.terminal.table_parts import split_by_group
from trajmill.synth.packs.terminal.table_starts import part_name

SALES = "shop,n\nB & C,1\na,2\nB & C,3\na,4\nd,5\n"
PARTS = {"b.csv": b"k,n\nx,1\ny,2\n", "a.csv": b"k,n\nz,3\n", "c-1.csv": b'k,n\n"w, v",4\n'}


def parts_world(files: dict[str, bytes]) -> World:
    tree = Tree({f"parts/{name}": FileEntry(data) for name, data in files.items()})
    return World(tree, State(tree, Artefact("parts", "csv-parts", Folder(files))))


def test_every_group_gets_its_own_file_with_a_header() -> None:
    application = split_by_group(table_world(SALES).state, draw())
    assert application is not None
    folder = application.outputs[0]
    assert application.after.data(f"{folder}/B___C.csv") == b"shop,n\nB & C,1\nB & C,3\n"
    assert "underscore" in application.rules[0]


def test_two_values_that_would_share_a_file_name_are_not_split() -> None:
    assert part_name("a/b") == part_name("a b") == "a_b"
    assert split_by_group(table_world("k,v\na/b,x1\na b,x2\na/b,x3\nc,x4\n").state, draw()) is None


def test_parts_are_merged_in_the_order_of_their_names() -> None:
    table = table_after(asked(merge_parts, parts_world(PARTS), "header only once"))
    assert [row[0] for row in table.rows] == ["z", "x", "y", "w, v"]


def test_the_origin_of_a_row_can_be_asked_for() -> None:
    application = asked(merge_parts, parts_world(PARTS), "with a last column")
    assert [row[-1] for row in table_after(application).rows] == ["a", "b", "b", "c-1"]


def test_parts_with_different_headers_are_not_merged() -> None:
    assert merge_parts(parts_world({"a.csv": b"k\n1\n", "b.csv": b"m\n2\n"}).state, draw()) is None


def test_every_way_and_slip_does_what_is_predicted() -> None:
    for seed in (1, 2):
        for text in (SALES, SALES.replace("B & C", "B")):
            world = table_world(text)
            split = split_by_group(world.state, draw(seed))
            assert split is not None
            assert_ways(split, world)
        for files in (PARTS, {n: PARTS[n] for n in ("a.csv", "b.csv")}):
            world = parts_world(files)
            merged = merge_parts(world.state, draw(seed, strictness="bytes" if seed == 1 else "content"))
            assert merged is not None
            assert_ways(merged, world)
