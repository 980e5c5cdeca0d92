"""Meta-Dataset's released split of VGG Flowers (Triantafillou et al. 2020): 71, 15 and 16 classes."""

from pathlib import Path

from fairshot.sources.source import Source
from fairshot.sources.vgg_flower import CLASSES
from fairshot.splits.class_lists import Listed, read_parts, split_listed
from fairshot.splits.split import Split

NUMBERS = read_parts(Path(__file__).with_name("vgg_flower.txt"))
PARTS = {part: tuple(CLASSES[int(number) - 1] for number in numbers) for part, numbers in NUMBERS.items()}
SPLITS = {"meta-dataset": Listed(PARTS, (71, 15, 16), "84", "classes of flowers at random")}


def load(name: str, source: Source) -> Split:
    """The split, or what of it is here."""
    return split_listed(name, source, SPLITS[name])
