"""Glyphs drawn once more by the process that drew them: what a generator would make that knew everything."""

from dataclasses import replace

import numpy as np
from jaxtyping import Int, UInt8

from fairshot.runtime.errors import FairshotError
from fairshot.sources.glyphs.glyphs import World, invent_characters
from fairshot.sources.glyphs.strokes import SIZE


def redraw(
    world: World, class_ids: Int[np.ndarray, " class"], count: int
) -> UInt8[np.ndarray, "class {count} 1 105 105"]:
    """So many drawings of each character that are not in the world: further takes of all its drawers."""
    if count < 1:
        raise FairshotError(f"cannot draw {count} glyphs of each character: ask for 1 or more")
    further = -(-count // world.drawers)
    larger = replace(world, takes=world.takes + further)
    drawn = np.empty((len(class_ids), count, 1, SIZE, SIZE), dtype=np.uint8)
    for k in np.unique(class_ids // world.characters).tolist():
        characters = invent_characters(world.seed, k, world.characters)
        every = np.concatenate(list(larger.draw(characters, k)))
        takes = every.reshape(world.characters, world.drawers, larger.takes, 1, SIZE, SIZE)[:, :, world.takes :]
        # Every drawer once before any draws a second time.
        fresh = takes.swapaxes(1, 2).reshape(world.characters, -1, 1, SIZE, SIZE)
        own = np.flatnonzero(class_ids // world.characters == k)
        drawn[own] = fresh[class_ids[own] % world.characters, :count]
    return drawn
