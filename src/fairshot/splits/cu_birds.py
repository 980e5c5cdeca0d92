"""Meta-Dataset's released split of CUB-200-2011 (Triantafillou et al. 2020): 140, 30 and 30 species."""

from pathlib import Path

from fairshot.sources.source import Source
from fairshot.splits.class_lists import Listed, read_parts, split_listed
from fairshot.splits.split import Split

PARTS = read_parts(Path(__file__).with_name("cu_birds.txt"))
SPLITS = {"meta-dataset": Listed(PARTS, (140, 30, 30), "84", "species of birds at random")}


def load(name: str, source: Source) -> Split:
    """The split, or what of it is here."""
    return split_listed(name, source, SPLITS[name])
