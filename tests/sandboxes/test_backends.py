from __future__ import annotations

import pytest

from trajmill.sandboxes.backends import BACKENDS, backend_named
from trajmill.schemas.errors import ConfigError


@pytest.mark.parametrize("name", list(BACKENDS))
def test_every_name_gives_the_backend_of_that_name(name: str) -> None:
    assert backend_named(name).name == name


def test_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'bwrap'.*bubblewrap"):
        backend_named("bwrap")
