"""Populations that benchmarks can be drawn from again and again: simulated classes, and the classes of CIFAR-100.

A world draws classes, then images of them. Drawing both anew gives a benchmark of fresh classes; keeping the classes
and drawing images anew gives one of fresh images. Both levels of CIFAR-100 are drawn with replacement, so that its 100
classes of 600 images are the whole population and not a part of it.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from jaxtyping import Float, Int, Num
from scipy.special import ndtri

from fairshot.runtime.cache import arrays_once
from fairshot.runtime.seeds import Stream
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.data import find_source
from fairshot.tables.words import asked_points

FEATURES = 16
HOPELESS = 8.0  # the noise of a hopeless class, where 1 is usual: its images are all over the place
Vectors = Float[np.ndarray, "image feature"]
Counts = Int[np.ndarray, " class"]


def normals(stream: Stream, *shape: int) -> Float[np.ndarray, "..."]:
    """Standard normal numbers."""
    return ndtri(np.maximum(stream.uniform(*shape), 2.0**-54))


@dataclass(frozen=True)
class World(ABC):
    """A population of classes, in parents if there are several, with any number of images each."""

    classes: int = 40
    parents: int = 1
    images: tuple[int, int] = (20, 20)
    """Fewest and most images a class."""
    group: int = 1
    """Images that belong together."""
    turns: int = 1
    """Classes that are made of one another."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What a table calls it."""

    @abstractmethod
    def draw_classes(self, parents: Stream, classes: Stream) -> Num[np.ndarray, "class ..."]:
        """Whatever tells a class from others; classes of one parent stand side by side."""

    @abstractmethod
    def draw_images(self, classes: Num[np.ndarray, "class ..."], counts: Counts, stream: Stream) -> Vectors:
        """Images of these classes."""

    @property
    def shape(self) -> str:
        """Such as `40 classes of 20`."""
        few, many = self.images
        size = f"{few}" if few == many else f"{few} to {many}"
        parents = f"{self.parents} parents of " if self.parents > 1 else ""
        groups = f", {self.group} alike" if self.group > 1 else ""
        return f"{parents}{self.classes // self.parents} classes of {size}{groups}"

    def benchmark(self, parents: Stream, classes: Stream, images: Stream) -> Source:
        """One data set: what each stream decides stays when the others change."""
        few, many = self.images
        counts = few + classes.child("counts").integers(many - few + 1, self.classes)
        drawn = self.draw_images(self.draw_classes(parents, classes), counts, images)
        labels = np.repeat(np.arange(self.classes), counts)
        homes = np.array([f"p{c * self.parents // self.classes:03d}" for c in range(self.classes)])
        groups = np.concatenate([np.arange(n) // self.group for n in counts]) + labels * int(counts.max())
        return from_arrays(
            drawn.astype(np.float32),
            labels,
            parents=homes if self.parents > 1 else None,
            groups=groups if self.group > 1 else None,
            made_of=np.arange(self.classes) // self.turns if self.turns > 1 else None,
        )


@dataclass(frozen=True)
class Gaussian(World):
    """Normal images around normal class centres around normal parent centres; some classes are noisier than others."""

    spread: float = 1.0
    """Distance between classes, in units of the noise."""
    parent_spread: float = 0.0
    uneven: float = 0.3
    """How much the noise differs between classes, and between parents."""
    hopeless: float = 0.0
    """The share of classes that are nothing but noise."""
    twins: Literal["", "same", "own"] = ""
    """Two halves of the features that no learner can prefer: with the same class centres, or with their own."""

    @property
    def label(self) -> str:
        """Such as `simulated, 40 classes of 20`; what is unusual about them follows."""
        apart = f", {self.spread:g} apart" if self.spread != 1 else ""
        halves = f", halves with {'the same' if self.twins == 'same' else 'own'} centres" if self.twins else ""
        families = f", parents {self.parent_spread:g} apart" if self.parents > 1 and self.parent_spread != 1 else ""
        even = ", equally noisy" if not self.uneven else ""
        bad = f", {asked_points(self.hopeless)}% hopeless" if self.hopeless else ""
        return f"simulated, {self.shape}{apart}{families}{even}{bad}{halves}"

    def draw_classes(self, parents: Stream, classes: Stream) -> Float[np.ndarray, "class parameter"]:
        """The centre of each class and, last, its noise."""
        each = self.classes // self.parents
        parent = np.repeat(normals(parents, self.parents, FEATURES + 1), each, axis=0)
        centres = self.spread * normals(classes, self.classes, FEATURES) + self.parent_spread * parent[:, :-1]
        if self.twins == "same":
            centres[:, FEATURES // 2 :] = centres[:, : FEATURES // 2]
        bad = normals(classes, self.classes) + (self.parents > 1) * parent[:, -1]
        noise = np.exp(self.uneven * bad)
        if self.hopeless:
            noise[classes.child("hopeless").uniform(self.classes) < self.hopeless] = HOPELESS
        return np.column_stack([centres, noise])

    def draw_images(self, classes: Float[np.ndarray, "class parameter"], counts: Counts, stream: Stream) -> Vectors:
        """Centres with noise, of which groups share two thirds."""
        rows = np.repeat(classes, counts, axis=0)
        noise = normals(stream, len(rows), FEATURES)
        if self.group > 1:
            first = np.concatenate([np.arange(n) // self.group * self.group for n in counts])
            place = first + np.repeat(np.cumsum(counts) - counts, counts)
            noise = np.sqrt(2 / 3) * normals(stream, len(rows), FEATURES)[place] + np.sqrt(1 / 3) * noise
        return rows[:, :-1] + rows[:, -1:] * noise


@dataclass(frozen=True)
class Cifar(World):
    """CIFAR-100's pixels: the 16 largest principal components; superclasses are parents."""

    @property
    def label(self) -> str:
        """Such as `CIFAR-100, 40 classes of 20`."""
        return f"CIFAR-100, {self.shape}"

    def draw_classes(self, parents: Stream, classes: Stream) -> Int[np.ndarray, " class"]:
        """Classes with replacement; with parents, first superclasses and then classes of each."""
        if self.parents == 1:
            return classes.integers(100, self.classes)
        homes = np.repeat(parents.integers(20, self.parents), self.classes // self.parents)
        return homes * 5 + classes.integers(5, self.classes)

    def draw_images(self, classes: Int[np.ndarray, " class"], counts: Counts, stream: Stream) -> Vectors:
        """Images with replacement."""
        rows = np.repeat(classes, counts)
        return components()[rows, stream.integers(600, len(rows))]


@cache
def components() -> Float[np.ndarray, "class image feature"]:
    """The principal components of all images, classes of one superclass side by side."""
    source = find_source("cifar100")
    return arrays_once("components", source.fingerprint, lambda folder: _components(source, folder))["components"]


def _components(source: Source, folder: Path) -> None:
    pixels = np.asarray(source.store).reshape(len(source), -1).astype(np.float32) / 255
    pixels -= pixels.mean(axis=0)
    axes = np.linalg.eigh(pixels.T @ pixels)[1][:, ::-1][:, :FEATURES]
    home = np.array([source.parents.index(parent) for parent in source.parents])
    order = np.lexsort((source.class_ids, home[source.class_ids]))
    np.save(folder / "components.npy", (pixels[order] @ axes).reshape(100, 600, FEATURES))
