import json

import pytest

from tests.synth.packs.terminal.families import WORLDS, applied, apply_skill, families, log_world, output, predicted
from trajmill.synth.packs.terminal.log_layout import layout_of


@pytest.mark.parametrize(("name", "scenario"), families("logs"))
@pytest.mark.parametrize("traces", [True, False])
def test_every_way_and_slip_of_a_log_skill_does_what_is_predicted(name: str, scenario: str, traces: bool) -> None:
    assert scenario == "log-file"
    found = applied(name, log_world(traces=traces), int(traces), "bytes" if traces else "content")
    assert len(found.asks) >= 4
    assert all(len(act.why) >= 3 for way in found.ways for act in way.acts)


def test_records_keep_the_lines_below_them() -> None:
    texts = {output(predicted("log-filter-level", WORLDS["log-file"], seed)) for seed in range(6)}
    assert any(text.count("[ERROR]") == 3 and text.count("Traceback:") == 3 for text in texts)


def test_a_level_named_in_a_message_is_not_counted() -> None:
    assert output(applied("log-count-by-level", WORLDS["log-file"])) == "4 INFO\n3 ERROR\n1 WARNING\n"


def test_sources_are_counted_without_their_colon() -> None:
    assert output(applied("log-count-by-source", WORLDS["log-file"])) == "5 store\n3 reader\n"


def test_hours_are_in_order_of_time() -> None:
    assert output(applied("log-count-by-hour", WORLDS["log-file"])) == "2 08\n3 09\n2 10\n1 11\n"


def test_a_span_counts_records_and_not_lines() -> None:
    assert output(applied("log-time-span", WORLDS["log-file"])) == (
        "first: 2024-05-01 08:00:01\nlast: 2024-05-01 11:00:00\nrecords: 8\n"
    )


def test_a_source_table_has_zeros() -> None:
    texts = {output(predicted("log-source-table", WORLDS["log-file"], seed)) for seed in range(6)}
    assert "source,records,warnings\nreader,3,0\nstore,5,1\n" in texts


def test_records_become_objects_and_rows() -> None:
    first = json.loads(output(applied("log-to-jsonl", WORLDS["log-file"])).splitlines()[3])
    assert first == {"time": "2024-05-01 09:30:00", "level": "ERROR", "source": "store", "message": 'bad "row" 3'}
    table = output(applied("log-to-csv", WORLDS["log-file"])).splitlines()
    assert table[1] == '2024-05-01 08:00:01,INFO,store,"kept a, b"'
    assert table[4].endswith('"bad ""row"" 3"')


def test_messages_stand_alone() -> None:
    assert output(applied("log-list-messages", WORLDS["log-excerpt"])).splitlines()[1:3] == [
        "lost row 2",
        "retry after ERROR",
    ]


def test_an_excerpt_can_be_used_as_a_log() -> None:
    excerpt = applied("log-filter-source", WORLDS["log-file"]).after
    assert excerpt.focus.scenario == "log-excerpt"
    assert layout_of(excerpt, 3) is not None


def test_a_log_of_another_layout_is_left_alone() -> None:
    from dataclasses import replace

    from trajmill.synth.packs.facts import Log

    log = WORLDS["log-file"].state.focus.facts
    assert isinstance(log, Log)
    odd = Log(tuple(replace(r, line=f"{r.source} {r.line}") for r in log.records))
    state = WORLDS["log-file"].state
    assert layout_of(replace(state, focus=replace(state.focus, facts=odd))) is None
    assert apply_skill("log-time-span", WORLDS["log-file"]) is not None
