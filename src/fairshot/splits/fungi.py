"""Meta-Dataset's released split of FGVCx Fungi (Triantafillou et al. 2020): 994, 200 and 200 species."""

from pathlib import Path

from fairshot.sources.source import Source
from fairshot.splits.class_lists import Listed, read_parts, split_listed
from fairshot.splits.split import Split

PARTS = read_parts(Path(__file__).with_name("fungi.txt"))
SPLITS = {"meta-dataset": Listed(PARTS, (994, 200, 200), "84", "species of fungi at random")}


def load(name: str, source: Source) -> Split:
    """The split, or what of it is here."""
    return split_listed(name, source, SPLITS[name])
