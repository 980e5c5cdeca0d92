"""Protocols that ask for nothing are refused."""

import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.protocol import Protocol


@pytest.mark.parametrize(("name", "asked", "least"), [("way", 1, 2), ("times", 0, 1), ("neighbours", -2, 1)])
def test_numbers_that_ask_for_nothing_are_refused(name: str, asked: int, least: int) -> None:
    with pytest.raises(FairshotError, match=f"--{name} is {asked}: it must be at least {least}"):
        Protocol(**{name: asked})
