"""Meta-Dataset's released split of the Describable Textures (Triantafillou et al. 2020): 33, 7 and 7 classes."""

from pathlib import Path

from fairshot.sources.source import Source
from fairshot.splits.class_lists import Listed, read_parts, split_listed
from fairshot.splits.split import Split

PARTS = read_parts(Path(__file__).with_name("dtd.txt"))
SPLITS = {"meta-dataset": Listed(PARTS, (33, 7, 7), "84", "textures at random")}


def load(name: str, source: Source) -> Split:
    """The split, or what of it is here."""
    return split_listed(name, source, SPLITS[name])
