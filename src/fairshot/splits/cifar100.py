"""CIFAR-FS (Bertinetto et al. 2019) and FC100 (Oreshkin et al. 2018): the published splits of CIFAR-100; and both with
held-out images of base classes (Setlur et al. 2021).
"""

from dataclasses import dataclass, replace

import numpy as np

from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.splits.class_lists import Named, split_by_name
from fairshot.splits.split import Split, split_classes

CIFAR_FS_VAL = (
    "beaver",
    "otter",
    "flatfish",
    "shark",
    "lamp",
    "television",
    "beetle",
    "butterfly",
    "sea",
    "camel",
    "cattle",
    "crab",
    "crocodile",
    "maple_tree",
    "motorcycle",
    "tractor",
)
CIFAR_FS_NOVEL = (
    "whale",
    "poppy",
    "rose",
    "sweet_pepper",
    "telephone",
    "bed",
    "table",
    "wardrobe",
    "leopard",
    "plain",
    "chimpanzee",
    "fox",
    "snail",
    "worm",
    "baby",
    "man",
    "woman",
    "bicycle",
    "pickup_truck",
    "rocket",
)
FC100_VAL = ("large_carnivores", "large_omnivores_and_herbivores", "non-insect_invertebrates", "small_mammals")
FC100_NOVEL = ("aquatic_mammals", "insects", "medium_mammals", "people")


CIFAR_FS = Named(CIFAR_FS_VAL, CIFAR_FS_NOVEL, (64, 16, 20), "raw", "classes drawn at random")
FC100 = Named(FC100_VAL, FC100_NOVEL, (60, 20, 20), "raw", "whole superclasses apart", by_parent=True)
HELD_OUT = 100  # of the 600 images of a base class


@dataclass(frozen=True)
class Drawn:
    """Base classes drawn by a seed; many more novel ones than usual, so that novel parts can be drawn from them."""

    base: int
    about: str
    set_apart: int = 30
    """Classes that are not novel; base are the first of them."""
    held_out: int = 200
    recipe: str = "raw"
    seed: int = 0


SPLITS: dict[str, Named | Drawn] = {
    "cifar-fs": CIFAR_FS,
    "fc100": FC100,
    "cifar-fs-mod": replace(
        CIFAR_FS, about="cifar-fs with 100 held-out images a base class", held_out=HELD_OUT, seed=11
    ),
    "fc100-mod": replace(FC100, about="fc100 with 100 held-out images a base class", held_out=HELD_OUT, seed=42),
    "flips": Drawn(30, "30 classes, 400 images each, against the 70 others; drawn by a seed"),
    "flips-few": Drawn(10, "10 of these 30 classes against the same 70"),
}


def load(name: str, source: Source) -> Split:
    """The named split of CIFAR-100."""
    published = SPLITS[name]
    if isinstance(published, Named):
        return split_by_name(name, source, published)
    order = source.classes[Stream(published.seed, "flips").permutations(np.array([len(source.classes)]))[0]]
    base, novel, nothing = order[: published.base], order[published.set_apart :], np.empty(0, dtype=np.int64)
    split = split_classes(name, source, base=base, val=nothing, novel=novel)
    return split.hold_out(published.held_out, seed=published.seed, name=split.name)
