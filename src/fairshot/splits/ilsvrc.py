"""Meta-Dataset's split of ILSVRC-2012 by WordNet: carnivores to choose on, devices to be judged on, all else to train
on (Triantafillou et al. 2020).
"""

from dataclasses import dataclass, replace

import numpy as np

from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes
from fairshot.splits.wordnet import CARNIVORE, DEVICE, check_names, load_graph, spans


@dataclass(frozen=True)
class Published:
    """A published split: the WordNet nodes whose classes are val and novel."""

    val: str
    novel: str
    recipe: str
    about: str


def load(name: str, source: Source) -> Split:
    """The named split of ImageNet's classes, or of those that are here."""
    published, children = SPLITS[name], load_graph().children
    check_names(source.class_names, source.name)
    below, classes = spans(children), len(load_graph().leaves)
    if len(source.class_names) < classes:
        note = f"{len(source.class_names)} of the {classes} classes of {source.name} are here"
        source = replace(source, notes=(*source.notes, note))
    # No class is below both roots: the published rule to deal such classes in turns never applies.
    val, novel = (np.isin(source.class_names, list(below[root])) for root in (published.val, published.novel))
    base, val_ids, novel_ids = (np.flatnonzero(mask) for mask in (~val & ~novel, val, novel))
    return split_classes(name, source, base=base, val=val_ids, novel=novel_ids)


SPLITS = {
    "meta-dataset": Published(CARNIVORE, DEVICE, "84", "712 classes, 158 carnivores, 130 devices, by WordNet"),
}
