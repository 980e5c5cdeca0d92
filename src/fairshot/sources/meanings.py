"""Glyphs whose classes mean one of three things: what was drawn, who drew it, or from which alphabet it comes.

Every drawing is there three times, each time with another label. Classes of one parent have one meaning: the characters
of an alphabet, its drawers, or five alphabets. Alphabets form blocks of ten, and five that meet are of one block.
"""

from dataclasses import replace

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.sources.glyphs import glyphs
from fairshot.sources.recipe import find_recipe
from fairshot.sources.source import Source
from fairshot.sources.store import apply_recipe, load_once

VERSION = 1  # part of the cache key: raise it whenever an image or a label changes
MEANINGS = ("character", "drawer", "alphabet")
PIXELS = 28
NOTE = "a drawing has one label of each meaning, and only classes of one parent mean the same: ask within parents"
BLOCK, TOGETHER = 10, 5  # alphabets of a block; alphabets that meet

Rows = Int[np.ndarray, " image"]


def load(*, alphabets: int = 50, characters: int = 30, seed: int = 0) -> Source:
    """Three labels for every drawing of a glyph world whose alphabets come in tens."""
    if alphabets < BLOCK or alphabets % BLOCK:
        raise FairshotError(f"meanings cannot have alphabets={alphabets}: they come in tens, such as alphabets=50")
    world = glyphs.load(alphabets=alphabets, characters=characters, seed=seed)
    source = load_once("meanings", [VERSION, world.content], lambda _: _label(world))
    return replace(source, notes=(NOTE,))


def _label(world: Source) -> Source:
    """The drawings, made small, once for each meaning."""
    drawings = apply_recipe(world, find_recipe(str(PIXELS)))
    alphabet = np.unique(world.parents, return_inverse=True)[1][world.class_ids]
    turn = (np.arange(len(world)) + world.class_ids) % TOGETHER  # an alphabet gives each of its circles a fifth
    block, place = np.divmod(alphabet, BLOCK)
    circle = BLOCK * block + (place - turn) % BLOCK
    names = {
        "character": [name.split("/")[-1] for name in np.array(world.class_names)[world.class_ids]],
        "drawer": [f"drawer{drawer:04d}" for drawer in world.attributes["drawer"]],
        "alphabet": [f"alphabet{number:03d}" for number in alphabet],
    }
    parents = {
        "character": [f"characters of alphabet{number:03d}" for number in alphabet],
        "drawer": [f"drawers of alphabet{number:03d}" for number in alphabet],
        "alphabet": [f"alphabets from {number:03d} on" for number in circle],
    }
    full = [f"{parent}/{name}" for kind in MEANINGS for parent, name in zip(parents[kind], names[kind], strict=True)]
    classes, first, class_ids = np.unique(full, return_index=True, return_inverse=True)
    meaning, block = np.repeat(np.arange(len(MEANINGS)), len(world)), np.tile(block, len(MEANINGS))
    return Source.create(
        "meanings",
        np.tile(np.asarray(drawings.store), (len(MEANINGS), 1, 1, 1)),
        class_ids,
        class_names=tuple(classes.tolist()),
        parents=tuple(name.split("/")[0] for name in classes.tolist()),
        class_attributes={"meaning": meaning[first], "block": block[first]},
    )
