"""FEMNIST-ID (Setlur et al. 2021): writers apart, the same classes everywhere; 70% base, 15% val, 15% novel."""

from dataclasses import dataclass

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.data import split_seed
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_values

CUTS = (0.7, 0.85)  # of the writers; rounded down, as published: 3585 are 2509, 538 and 538
FEWEST = 4  # writers that fill three parts


@dataclass(frozen=True)
class ByWriter:
    """How writers are put in order before they are cut."""

    about: str
    seeded: bool = False
    """Whether a seed may follow the name: `random-7`."""
    recipe: str = "raw"


SPLITS = {
    "random": ByWriter("writers at random, as the paper says; random-7 takes seed 7", seeded=True),
    "sorted": ByWriter("writers in the order of their ids, as the published notebook cuts them"),
}


def load(name: str, source: Source) -> Split:
    """The writers in random order, or in the order of their ids, cut in three."""
    kind, seed = split_seed(name)
    count = len(np.unique(source.attributes["writer"]))
    if count < FEWEST:
        raise FairshotError(f"{source.name} has {count} writers: a split into base, val and novel needs {FEWEST}")
    rank = np.arange(count)
    if SPLITS[kind].seeded:
        rank[Stream(seed or 0, "split").permutations(np.array([count]))[0]] = np.arange(count)
    parts = np.searchsorted([int(cut * count) for cut in CUTS], rank, side="right")
    return split_values(name, source, "writer", parts)
