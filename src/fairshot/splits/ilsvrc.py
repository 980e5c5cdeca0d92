"""Meta-Dataset's split of ILSVRC-2012 by WordNet: carnivores to choose on, devices to be judged on, all else to train
on (Triantafillou et al. 2020); and mini-ImageNet with the images of its base classes that it left (Setlur et al. 2021).
"""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Bool

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.ilsvrc_mini import find_images
from fairshot.splits.split import PARTS, Split, split_classes
from fairshot.splits.wordnet import CARNIVORE, DEVICE, check_names, load_graph, spans


@dataclass(frozen=True)
class Published:
    """A published split: the WordNet nodes whose classes are val and novel."""

    val: str
    novel: str
    recipe: str
    about: str


@dataclass(frozen=True)
class Mini:
    """mini-ImageNet: its own images base, val and novel, the others of its base classes base_heldout."""

    sizes: tuple[int, int, int]
    """Base, val and novel classes, as published."""
    images: int
    """Images of a class, as published."""
    recipe: str
    about: str


def load(name: str, source: Source) -> Split:
    """The named split of ImageNet's classes, or of those that are here."""
    published = SPLITS[name]
    check_names(source.class_names, source.name)
    return _mini(name, source, published) if isinstance(published, Mini) else _by_wordnet(name, source, published)


def _mini(name: str, source: Source, published: Mini) -> Split:
    found = find_images(source)
    sizes = tuple(len(np.unique(source.class_ids[rows])) for rows in found.values())
    if sizes != published.sizes:
        raise FairshotError(f"{name}: {sizes} classes in train.csv, val.csv and test.csv, published {published.sizes}")
    counts = np.concatenate([np.unique(source.class_ids[rows], return_counts=True)[1] for rows in found.values()])
    if (counts != published.images).any():
        note = f"the lists have {counts.min()} to {counts.max()} images of a class, mini-ImageNet {published.images}"
        source = replace(source, notes=(*source.notes, note))
    masks = {part: np.isin(np.arange(len(source)), rows) for part, rows in found.items()}
    rest = np.isin(source.class_ids, source.class_ids[masks["base"]]) & ~masks["base"]
    full = f"{source.name}/{name}"
    base, heldout, val, novel = (
        source.select(mask, name=f"{full}/{part}")
        for part, mask in zip(PARTS, (masks["base"], rest, masks["val"], masks["novel"]), strict=True)
    )
    return Split(full, base=base, base_heldout=heldout, val=val, novel=novel)


def _by_wordnet(name: str, source: Source, published: Published) -> Split:
    children = load_graph().children
    below, classes = spans(children), len(load_graph().leaves)
    if len(source.class_names) < classes:
        note = f"{len(source.class_names)} of the {classes} classes of {source.name} are here"
        source = replace(source, notes=(*source.notes, note))
    source = source.select(~duplicates(source), name=source.name)
    # No class is below both roots: the published rule to deal such classes in turns never applies.
    val, novel = (np.isin(source.class_names, list(below[root])) for root in (published.val, published.novel))
    base, val_ids, novel_ids = (np.flatnonzero(mask) for mask in (~val & ~novel, val, novel))
    return split_classes(name, source, base=base, val=val_ids, novel=novel_ids)


@cache
def listed_duplicates() -> frozenset[tuple[str, int]]:
    """The images that other data sets hold too: the WordNet id and the number at the end of the name of each."""
    lines = Path(__file__).with_name("ilsvrc_duplicates.txt").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return frozenset((f"n{wnid}", int(number)) for wnid, *numbers in rows for number in numbers)


def duplicates(source: Source) -> Bool[np.ndarray, " image"]:
    """Which images Meta-Dataset left out; none where the numbers of the files are not known."""
    numbers = source.attributes.get("number", np.full(len(source), -1))
    found = np.zeros(len(source), dtype=bool)
    for wnid in {wnid for wnid, _ in listed_duplicates()} & set(source.class_names):
        listed = [number for other, number in listed_duplicates() if other == wnid]
        found |= (source.class_ids == source.class_names.index(wnid)) & np.isin(numbers, listed)
    return found


SPLITS: dict[str, Published | Mini] = {
    "meta-dataset": Published(CARNIVORE, DEVICE, "84", "712 classes, 158 carnivores, 130 devices, by WordNet"),
    "mini-mod": Mini((64, 16, 20), 600, "84", "mini-ImageNet, with the images of base classes that it left held out"),
}
