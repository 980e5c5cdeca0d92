"""CIFAR-FS (Bertinetto et al. 2019) and FC100 (Oreshkin et al. 2018): the published splits of CIFAR-100; and both with
held-out images of base classes (Setlur et al. 2021).
"""

from dataclasses import replace

from fairshot.sources.source import Source
from fairshot.splits.named import Named, split_by_name
from fairshot.splits.split import Split

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


CIFAR_FS = Named(CIFAR_FS_VAL, CIFAR_FS_NOVEL, (64, 16, 20), "raw", "classes drawn at random")
FC100 = Named(FC100_VAL, FC100_NOVEL, (60, 20, 20), "raw", "whole superclasses apart", by_parent=True)
HELD_OUT = 100  # of the 600 images of a base class
SPLITS = {
    "cifar-fs": CIFAR_FS,
    "fc100": FC100,
    "cifar-fs-mod": replace(
        CIFAR_FS, about="cifar-fs with 100 held-out images a base class", held_out=HELD_OUT, seed=11
    ),
    "fc100-mod": replace(FC100, about="fc100 with 100 held-out images a base class", held_out=HELD_OUT, seed=42),
}


def load(name: str, source: Source) -> Split:
    """The named split of CIFAR-100."""
    return split_by_name(name, source, SPLITS[name])
