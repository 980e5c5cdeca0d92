"""Glyphs drawn once more: the takes that a larger world would hold, and none of the world itself."""

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import hash_rows
from fairshot.sources.glyphs import glyphs
from fairshot.sources.glyphs.fresh import redraw
from fairshot.sources.glyphs.glyphs import World


def test_drawings_are_those_of_a_larger_world_and_none_of_this() -> None:
    world, ids = World(2, 3, 4, 2, seed=5), np.array([4, 1])
    drawn = redraw(world, ids, 6)
    assert drawn.shape == (2, 6, 1, 105, 105)
    own = glyphs.load(alphabets=2, characters=3, drawers=4, takes=2, seed=5)
    larger = glyphs.load(alphabets=2, characters=3, drawers=4, takes=4, seed=5)
    for place, class_id in enumerate(ids):
        wanted = hash_rows(larger.store[(larger.class_ids == class_id) & (larger.attributes["take"] >= 2)])
        found = hash_rows(drawn[place])
        assert len(np.unique(found)) == 6
        assert np.isin(found, wanted).all()
        assert not np.isin(found, hash_rows(own.store)).any()
    first = larger.store[(larger.class_ids == 4) & (larger.attributes["take"] == 2)]
    assert np.array_equal(drawn[0, :4], first), "every drawer once before any draws again"


def test_nothing_cannot_be_drawn() -> None:
    with pytest.raises(FairshotError, match="cannot draw 0 glyphs of each character: ask for 1 or more"):
        redraw(World(1, 1, 1, 1, seed=0), np.array([0]), 0)
