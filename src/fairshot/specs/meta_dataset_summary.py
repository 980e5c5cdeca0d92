"""Which of Meta-Dataset's ten sources are here, with their classes and images beside the released ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairshot.runtime.cache import arrays_once
from fairshot.runtime.data import stamp
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.images.copies import Copy
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
            here = found or (Presence(source, 0, 0, ""),)
            rows += [[one.name, one.classes, classes, one.images, images] for one in here]
        notes = [f"{one.name}: {one.lacks}." for found in self.found.values() for one in found if one.lacks]
        return [Table(columns=[Column(name=name) for name in names], rows=rows, notes=notes)]


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
        yield Presence(name, len(source.classes), len(source), "")
        return
    whole = False
    for key, copy in module.COPIES.items():
        places = copy.find()
        if not places or (whole and not copy.lacks):
            continue
        whole = whole or not copy.lacks
        classes, images = _count(copy, places)
        yield Presence(f"{name}:copy={key}" if copy.lacks else name, classes, images, copy.lacks)


def _count(copy: Copy, places: list[Path]) -> tuple[int, int]:
    """Classes and images, counted once as long as no file changes."""

    def count(folder: Path) -> None:
        with copy.collect(*places) as collection:
            np.save(folder / "counts.npy", np.array([len(collection.classes), len(collection)]))

    key = fingerprint(copy.lacks, *map(stamp, places))
    classes, images = arrays_once("counts", key, count, needed=["counts"])["counts"].tolist()
    return classes, images
