from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from trajmill.flows.backends import BACKENDS, backend_by_name
from trajmill.schemas.config import RolloutSection
from trajmill.schemas.errors import ConfigError


@pytest.mark.parametrize("name", BACKENDS)
def test_a_backend_is_called_what_the_table_says(name: str) -> None:
    assert backend_by_name(name).name == name


def test_every_sandbox_that_a_configuration_may_name_exists() -> None:
    assert set(get_args(get_type_hints(RolloutSection)["sandbox"])) == set(BACKENDS)


def test_an_unknown_sandbox_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="bubblewrap"):
        backend_by_name("chroot")
