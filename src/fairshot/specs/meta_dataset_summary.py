"""Which of Meta-Dataset's ten sources are here, with their classes and images beside the released ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from fairshot.runtime.cache import arrays_once
from fairshot.runtime.data import stamp
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.images.copies import Copy
from fairshot.sources.images.example_sheet import EXAMPLES, example_sheet, save_picture, spread_evenly
from fairshot.sources.source import Source
from fairshot.specs.registry import find_module
from fairshot.tables.table import Cell, Column, Table
from fairshot.tables.tabular import Tabular

TEN = (
    "ilsvrc",
    "omniglot",
    "aircraft",
    "cu_birds",
    "dtd",
    "quickdraw",
    "fungi",
    "vgg_flower",
    "traffic_sign",
    "mscoco",
)


@dataclass(frozen=True)
class Presence:
    """A source, or a copy of it, that is here."""

    name: str
    """The name that it is loaded by."""
    classes: int
    images: int
    lacks: str
    """What it is and what it lacks against the released one; nothing where it is that."""
    examples: Callable[[int], list[Image.Image]] = field(compare=False, repr=False)
    """One image of each of so many classes."""


@dataclass(frozen=True)
class MetaDatasetSummary(Tabular):
    """What of each of the ten sources is here."""

    found: dict[str, tuple[Presence, ...]]
    """For each of the ten the released one, if it is here, and the copies of it that are."""

    def summary(self) -> str:
        """How many of the ten are here, in one line."""
        whole = sum(any(not one.lacks for one in rows) for rows in self.found.values())
        some = sum(bool(rows) for rows in self.found.values()) - whole
        return f"Meta-Dataset: {whole} of {len(self.found)} sources are here as released, and of {some} others a copy"

    def tables(self) -> list[Table]:
        """A row for each form in which a source is here."""
        names = ("source", "classes", "released classes", "images", "released images")
        rows: list[list[Cell]] = []
        for source, found in self.found.items():
            classes, images = released(source)
            rows += [[one.name, one.classes, classes, one.images, images] for one in found]
            rows += [] if found else [[source, 0, classes, 0, images]]
        notes = [f"{one.name}: {one.lacks}." for found in self.found.values() for one in found if one.lacks]
        return [Table(columns=[Column(name=name) for name in names], rows=rows, notes=notes)]

    def sheet(self, path: Path | str | None = None) -> Image.Image:
        """Examples of every source that is here, below its name; with a path, a PNG file of them is written too."""
        here = [one for found in self.found.values() for one in found]
        if not here:
            raise FairshotError("none of Meta-Dataset's ten sources is here: see 'fairshot data show meta-dataset'")
        picture = example_sheet({f"{one.name} ({one.classes:,} classes)": one.examples(EXAMPLES) for one in here})
        if path is not None:
            save_picture(picture, path)
        return picture


def summarise_meta_dataset() -> MetaDatasetSummary:
    """Looks for all ten; archives are listed, and nothing is decoded but Omniglot."""
    return MetaDatasetSummary({name: tuple(_present(name)) for name in TEN})


def released(name: str) -> tuple[int, int]:
    """The classes and images of one of the ten, as released."""
    return find_module("sources", name).RELEASED


def _present(name: str) -> Iterator[Presence]:
    module = find_module("sources", name)
    if name == "omniglot":
        try:
            source = module.load()
        except FairshotError:
            return
        yield Presence(name, len(source.classes), len(source), "", partial(_stored, source))
        return
    whole = False
    for key, copy in module.COPIES.items():
        places = copy.find()
        if not places or (whole and not copy.lacks):
            continue
        whole = whole or not copy.lacks
        classes, images = _count(copy, places)
        full = f"{name}:copy={key}" if copy.lacks else name
        yield Presence(full, classes, images, copy.lacks, partial(_collected, copy, places))


def _collected(copy: Copy, places: list[Path], count: int) -> list[Image.Image]:
    with copy.collect(*places) as collection:
        return collection.examples(count)


def _stored(source: Source, count: int) -> list[Image.Image]:
    """The first image of each of so many classes, of a source with one channel."""
    members = source.members
    chosen = members.image_ids[members.starts[spread_evenly(len(members.classes), count)]]
    return [Image.fromarray(image[0]) for image in source.store[chosen]]


def _count(copy: Copy, places: list[Path]) -> tuple[int, int]:
    """Classes and images, counted once as long as no file changes."""

    def count(folder: Path) -> None:
        with copy.collect(*places) as collection:
            np.save(folder / "counts.npy", np.array([len(collection.classes), len(collection)]))

    key = fingerprint(copy.lacks, *map(stamp, places))
    classes, images = arrays_once("counts", key, count, needed=["counts"])["counts"].tolist()
    return classes, images
