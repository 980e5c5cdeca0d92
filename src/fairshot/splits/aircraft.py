"""Meta-Dataset's released split of FGVC-Aircraft (Triantafillou et al. 2020): 70, 15 and 15 variants."""

from pathlib import Path

from fairshot.sources.source import Source
from fairshot.splits.class_lists import Listed, read_parts, split_listed
from fairshot.splits.split import Split

PARTS = read_parts(Path(__file__).with_name("aircraft.txt"))
SPLITS = {"meta-dataset": Listed(PARTS, (70, 15, 15), "84", "variants of aircraft at random")}


def load(name: str, source: Source) -> Split:
    """The split, or what of it is here."""
    return split_listed(name, source, SPLITS[name])
