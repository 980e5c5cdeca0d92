"""Published splits that list the names of classes, or of their parents."""

from dataclasses import dataclass

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes


@dataclass(frozen=True)
class Named:
    """What is val and what is novel, by name; all else is base."""

    val: tuple[str, ...]
    novel: tuple[str, ...]
    sizes: tuple[int, int, int]
    """Base, val and novel classes, as published."""
    recipe: str
    about: str
    by_parent: bool = False
    held_out: int | float = 0
    """Images of every base class that are not trained on, or their share; which ones is drawn by the seed."""
    seed: int = 0


def split_by_name(name: str, source: Source, published: Named) -> Split:
    """The split, if it has as many classes as published."""
    names = np.array(source.parents if published.by_parent else source.class_names)
    val, novel = np.isin(names, published.val), np.isin(names, published.novel)
    base, val_ids, novel_ids = (np.flatnonzero(mask) for mask in (~val & ~novel, val, novel))
    sizes = (len(base), len(val_ids), len(novel_ids))
    if sizes != published.sizes:
        raise FairshotError(f"{name}: {sizes} classes, published {published.sizes}")
    split = split_classes(name, source, base=base, val=val_ids, novel=novel_ids)
    return split.hold_out(published.held_out, seed=published.seed, name=split.name) if published.held_out else split
