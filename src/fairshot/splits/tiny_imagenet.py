"""Tiny-ImageNet as a domain to be judged on: without the classes that mini-ImageNet trains on or chooses by."""

import numpy as np

from fairshot.sources.source import Source
from fairshot.splits.any_source import NOTHING
from fairshot.splits.class_lists import Named
from fairshot.splits.split import Split, split_classes

SHARED = (  # the classes that are base or val in mini_imagenet/ravi
    "n01855672",
    "n01910747",
    "n02074367",
    "n02165456",
    "n02795169",
    "n02823428",
    "n02950826",
    "n03400231",
    "n03584254",
    "n03770439",
    "n03838899",
    "n03854065",
    "n03980874",
    "n04067472",
    "n04251144",
    "n04275548",
    "n04596742",
    "n07747607",
    "n09246464",
    "n09256479",
)
SPLITS = {
    "without-mini": Named((), (), (0, 0, 180), "raw", "all novel but the 20 that are base or val in mini_imagenet/ravi")
}


def load(name: str, source: Source) -> Split:
    """Every other class is novel; nothing is trained on or chosen by."""
    novel = np.flatnonzero(~np.isin(source.class_names, SHARED))
    return split_classes(name, source, base=NOTHING, val=NOTHING, novel=novel)
