"""Choosing, dropping and renaming columns."""

import pytest

from tests.synth.packs.states import asked, draw, table_after, table_world
from tests.synth.packs.ways import assert_ways
from trajmill.synth.packs.skill import Apply
from trajmill.synth.packs.terminal.table_columns import drop_columns, select_columns
from trajmill.synth.packs.terminal.table_header import rename_columns

PEOPLE = "id,first_name,last_name,age\n1,Ada,Lovelace,36\n2,Alan,Turing,41\n3,Grace,Hopper,85\n"


def test_the_columns_come_in_the_order_asked_for() -> None:
    application = asked(select_columns, table_world(PEOPLE), "the columns `age` and `id`, in this order")
    table = table_after(application)
    assert table.header == ("age", "id")
    assert table.rows == (("36", "1"), ("41", "2"), ("85", "3"))


def test_a_cut_that_keeps_the_order_of_the_file_is_offered_only_where_that_is_the_order() -> None:
    for seed in range(40):
        application = select_columns(table_world(PEOPLE).state, draw(seed))
        assert application is not None
        header = table_after(application).header
        in_order = list(header) == [n for n in ("id", "first_name", "last_name", "age") if n in header]
        assert any(w.name == "cut" for w in application.ways) == in_order


def test_what_is_dropped_is_gone_and_the_rest_is_untouched() -> None:
    table = table_after(asked(drop_columns, table_world(PEOPLE), "drop the column `age` from"))
    assert table.header == ("id", "first_name", "last_name")
    assert table.rows[1] == ("2", "Alan", "Turing")


def test_new_names_stand_only_in_the_header() -> None:
    world = table_world("id,name\n1,name\n2,id\n3,x\n")
    for seed in range(20):
        application = rename_columns(world.state, draw(seed))
        table = table_after(application)
        assert table.rows == (("1", "name"), ("2", "id"), ("3", "x"))
        assert table.header != ("id", "name")
        assert len({n.casefold() for n in table.header}) == 2


def test_a_careless_replacement_that_hits_the_rows_is_a_slip() -> None:
    world = table_world("id,name\n1,name\n2,id\n3,x\n")
    applications = [a for s in range(20) if (a := rename_columns(world.state, draw(s))) and a.slips]
    assert applications
    assert_ways(applications[0], world)


def test_two_columns_leave_nothing_to_choose() -> None:
    world = table_world("a,b\n1,2\n3,4\n5,6\n")
    assert select_columns(world.state, draw()) is None
    assert drop_columns(world.state, draw()) is None


@pytest.mark.parametrize("skill", [select_columns, drop_columns, rename_columns])
def test_every_way_and_slip_does_what_is_predicted(skill: Apply) -> None:
    for text in (PEOPLE, 'id,full name,"note, free",n\n1,"a ""b""","x, y",3\n2,ü,z,4\n3,v,w,5\n'):
        world = table_world(text)
        for seed in (1, 2):
            application = skill(world.state, draw(seed, strictness="bytes" if seed == 2 else "content"))
            assert application is not None
            assert_ways(application, world)
