"""Tables brought together."""

from tests.synth.packs.states import asked, draw, file_world, table_after, table_facts, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.schemas.tree import FileEntry, Tree
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.table_enrich import join_summary
from trajmill.synth.packs.terminal.table_join import join_lookup

CODED = "who,city_id,n\na,2,5\nb,1,6\nc,2,7\n"
CODES = "city_id,city\n1,Oslo\n2,Bergen\n"


def pair(main: str, other: str) -> World:
    tree = Tree({"main.csv": FileEntry(main.encode()), "city_codes.csv": FileEntry(other.encode())})
    return World(tree, State(tree, Artefact("main.csv", "csv-pair", table_facts(main.encode()))))


def test_codes_are_replaced_or_resolved_beside() -> None:
    replaced = table_after(asked(join_lookup, pair(CODED, CODES), "replace the codes"))
    assert replaced.header == ("who", "city", "n")
    assert replaced.column("city") == ("Bergen", "Oslo", "Bergen")
    added = table_after(asked(join_lookup, pair(CODED, CODES), "add `city`"))
    assert added.rows[0] == ("a", "2", "5", "Bergen")


def test_a_code_that_the_lookup_lacks_makes_no_task() -> None:
    assert join_lookup(pair(CODED, "city_id,city\n1,Oslo\n3,Voss\n").state, draw()) is None
    assert join_lookup(table_world(CODED).state, draw()) is None


def summary_world() -> World:
    return file_world(
        "counts.csv",
        "shop,count\nx,2\ny,1\n",
        "group-summary",
        table_facts(b"shop,count\nx,2\ny,1\n"),
        sales_csv="n,shop\n1,x\n2,y\n3,x\n",
    )


def test_figures_of_a_group_are_added_to_each_of_its_rows() -> None:
    table = table_after(join_summary(summary_world().state, draw()))
    assert table.rows == (("1", "x", "2"), ("2", "y", "1"), ("3", "x", "2"))


def test_every_way_and_slip_does_what_is_predicted() -> None:
    worlds = (pair(CODED, CODES), pair(CODED, CODES.replace("Oslo", '"Oslo, N"')))
    for seed in (1, 2):
        for world in worlds:
            application = join_lookup(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
            assert application is not None
            assert_ways(application, world)
        joined = join_summary(summary_world().state, draw(seed))
        assert joined is not None
        assert_ways(joined, summary_world())
