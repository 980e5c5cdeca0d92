"""Glyphs of one meaning, or of all three in turn; whole blocks of ten alphabets are base, val or novel."""

from dataclasses import dataclass

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.sources.meanings import MEANINGS, PIXELS
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes


@dataclass(frozen=True)
class Meaning:
    """What classes may mean."""

    meanings: tuple[str, ...]
    about: str
    recipe: str = str(PIXELS)


NO_OTHERS = "every drawing is there with several labels, and at random they would end up in different parts"
SPLITS = {
    "character": Meaning(("character",), "a class is what was drawn"),
    "drawer": Meaning(("drawer",), "a class is who drew it"),
    "alphabet": Meaning(("alphabet",), "a class is the alphabet it comes from"),
    "switched": Meaning(MEANINGS, "each of the three; all classes of a parent have the same meaning"),
}


def load(name: str, source: Source) -> Split:
    """The last block is novel, the one before it val, all others base."""
    blocks, meanings = source.class_attributes["block"], np.array(MEANINGS)[source.class_attributes["meaning"]]
    last = int(blocks.max())
    if last < 2:
        raise FairshotError(f"{source.name} has {10 * (last + 1)} alphabets: base, val and novel need at least 30")
    wanted = np.isin(meanings, SPLITS[name].meanings)
    base, val, novel = (
        np.flatnonzero(wanted & mask) for mask in (blocks < last - 1, blocks == last - 1, blocks == last)
    )
    return split_classes(name, source, base=base, val=val, novel=novel)
