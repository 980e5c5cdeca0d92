"""CIFAR-FS (Bertinetto et al. 2019) and FC100 (Oreshkin et al. 2018): the published splits of CIFAR-100."""

from dataclasses import dataclass

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes

CIFAR_FS_VAL = (
    "beaver", "otter", "flatfish", "shark", "lamp", "television", "beetle", "butterfly", "sea", "camel", "cattle",
    "crab", "crocodile", "maple_tree", "motorcycle", "tractor",
)  # fmt: skip
CIFAR_FS_NOVEL = (
    "whale", "poppy", "rose", "sweet_pepper", "telephone", "bed", "table", "wardrobe", "leopard", "plain", "chimpanzee",
    "fox", "snail", "worm", "baby", "man", "woman", "bicycle", "pickup_truck", "rocket",
)  # fmt: skip
FC100_VAL = ("large_carnivores", "large_omnivores_and_herbivores", "non-insect_invertebrates", "small_mammals")
FC100_NOVEL = ("aquatic_mammals", "insects", "medium_mammals", "people")


@dataclass(frozen=True)
class Published:
    """A published split: what is val and what is novel, among the classes or among the superclasses."""

    val: tuple[str, ...]
    novel: tuple[str, ...]
    by_parent: bool
    sizes: tuple[int, int, int]
    recipe: str
    about: str


def load(name: str, source: Source) -> Split:
    """The named split of CIFAR-100."""
    published = SPLITS[name]
    names = np.array(source.parents if published.by_parent else source.class_names)
    val, novel = np.isin(names, published.val), np.isin(names, published.novel)
    sizes = tuple(int(mask.sum()) for mask in (~val & ~novel, val, novel))
    if sizes != published.sizes:
        raise FairshotError(f"{name}: {sizes} classes, published {published.sizes}")
    base, val_ids, novel_ids = (np.flatnonzero(mask) for mask in (~val & ~novel, val, novel))
    return split_classes(name, source, base=base, val=val_ids, novel=novel_ids)


SPLITS = {
    "cifar-fs": Published(CIFAR_FS_VAL, CIFAR_FS_NOVEL, False, (64, 16, 20), "raw", "classes drawn at random"),
    "fc100": Published(FC100_VAL, FC100_NOVEL, True, (60, 20, 20), "raw", "whole superclasses apart"),
}
