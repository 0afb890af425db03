"""The demo's public data."""

from __future__ import annotations

import importlib.util

import pytest

from trajmill.schemas.errors import UnavailableError
from trajmill.synth.sources.demo import demo_source

needs_data = pytest.mark.skipif(
    not importlib.util.find_spec("vega_datasets") or not importlib.util.find_spec("pycountry"),
    reason="the demo extra is not installed",
)


@needs_data
def test_every_demo_file_is_usable_and_says_where_it_comes_from() -> None:
    source = demo_source()
    assert len(source.materials) == 23
    assert all(m.found.usable for m in source.materials)
    assert all(m.licence and m.origin.startswith(("vega_datasets ", "pycountry ")) for m in source.materials)
    assert {m.kind for m in source.materials} == {"csv", "json"}
    assert [(d.subject, d.reason) for d in source.left_out] == [("la-riots.csv", "personal_data")]
    assert source.material("airports.csv").found.facts["rows"] == 3376


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match=r"pip install 'trajmill\[demo\]'"):
        demo_source()
