"""Meta-Dataset's released split of Quick Draw (Triantafillou et al. 2020): 241, 52 and 52 categories."""

from pathlib import Path

from fairshot.sources.source import Source
from fairshot.splits.class_lists import Listed, read_parts, split_listed
from fairshot.splits.split import Split

PARTS = read_parts(Path(__file__).with_name("quickdraw.txt"))
SPLITS = {"meta-dataset": Listed(PARTS, (241, 52, 52), "84", "categories of drawings at random")}


def load(name: str, source: Source) -> Split:
    """The split, or what of it is here."""
    return split_listed(name, source, SPLITS[name])
