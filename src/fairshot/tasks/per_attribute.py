"""One writer, one task: all images of an episode share one value of an image attribute (FEMNIST-ID's tasks).

Setlur, Li and Smith, "Two sides of meta-learning evaluation: in vs. out of distribution", NeurIPS 2021, take every
writer of FEMNIST as a task of its own: `way=0, shot=1, query=0`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.padded_rows import packed, shuffled
from fairshot.tasks.task import TaskDistribution


@dataclass(frozen=True)
class Cells:
    """Images by value and class: cell k owns image_ids[starts[k] : starts[k] + counts[k]]; cells of a value adjoin."""

    values: Int[np.ndarray, " cell"]
    classes: Int[np.ndarray, " cell"]
    starts: Int[np.ndarray, " cell"]
    counts: Int[np.ndarray, " cell"]
    image_ids: Int[np.ndarray, " image"]


@dataclass(frozen=True)
class PerAttribute(TaskDistribution):
    """A value drawn uniformly, `way` of the classes it has enough images of, then images of that value only.

    Values with too few such classes, and classes with too few images of the value, are passed over.
    """

    refuses: ClassVar = "the same classes recur with every value"

    attribute: str = "drawer"
    way: int = 5
    """0 means every class that the value has enough images of."""
    shot: int = 1
    query: int = 15
    """0 means all remaining images of the class."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.way < 0 or self.way == 1:
            raise FairshotError(f"way is {self.way}: it must be at least 2, or 0 for all classes of a {self.attribute}")
        for name, least in (("shot", 1), ("query", 0)):
            if getattr(self, name) < least:
                raise FairshotError(f"{name} is {getattr(self, name)}: it must be at least {least}")

    @property
    def label(self) -> str:
        """Such as `per-drawer 5-way 1-shot 1-query`."""
        return f"per-{self.attribute} {self.way or 'all'}-way {self.shot}-shot {self.query or 'all'}-query"

    def units(self, source: Source) -> Int[np.ndarray, " image"]:
        """The value of each image."""
        if self.attribute not in source.attributes:
            raise unknown("attribute", self.attribute, source.attributes)
        return source.attributes[self.attribute]

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """Values, classes, then images, queries before the support; the queries in random order."""
        cells = self._cells(source)
        chosen = self._choose(cells, stream, len(episodes))
        present = chosen != PAD
        sizes = np.where(present, cells.counts[chosen], 0)
        if self.query:
            most, queries = self.shot + self.query, np.full(sizes.shape, self.query)
            drawn = stream.child("images").ordered_sample(np.where(present, sizes, most).ravel(), most)
        else:
            queries = sizes - self.shot
            drawn = stream.child("images").permutations(sizes.ravel())
        places = drawn.reshape(*sizes.shape, -1)
        order, first = np.arange(places.shape[2]), queries[:, :, None]
        asked = (order < first) & present[:, :, None]
        shown = (order >= first) & (order < first + self.shot) & present[:, :, None]
        images = cells.image_ids[np.where(asked | shown, cells.starts[chosen][:, :, None] + places, 0)]
        return Episodes(
            *packed(images, shown),
            *shuffled(*packed(images, asked), stream.child("order")),
            np.where(present, cells.classes[chosen], PAD),
        )

    def _choose(self, cells: Cells, stream: Stream, episodes: int) -> Int[np.ndarray, "episode way"]:
        """The cells of each episode."""
        _, starts, counts = np.unique(cells.values, return_index=True, return_counts=True)
        home = stream.child("values").integers(len(counts), episodes)
        if self.way:
            return starts[home][:, None] + stream.child("classes").ordered_sample(counts[home], self.way)
        order = stream.child("classes").permutations(counts[home])
        return np.where(np.arange(order.shape[1]) < counts[home][:, None], starts[home][:, None] + order, PAD)

    def _cells(self, source: Source) -> Cells:
        """The cells that can serve: large enough, of values with enough of them."""
        values = self.units(source)
        order = np.lexsort((source.class_ids, values))
        pairs = np.stack([values, source.class_ids])[:, order]
        starts = np.flatnonzero(np.append(True, (pairs[:, 1:] != pairs[:, :-1]).any(axis=0)))
        counts = np.diff(np.append(starts, len(order)))
        (owners, classes), needed = pairs[:, starts], self.shot + max(self.query, 1)
        large = counts >= needed
        offered = np.bincount(np.unique(owners, return_inverse=True)[1], large)
        kept = large & (np.repeat(offered, np.unique(owners, return_counts=True)[1]) >= max(self.way, 2))
        if not kept.any():
            raise self._refusal(source.name, int(counts.max()), int(offered.max()))
        return Cells(owners[kept], classes[kept], starts[kept], counts[kept], source.image_ids[order])

    def _refusal(self, source: str, images: int, classes: int) -> FairshotError:
        """What is missing: images of one value and class, or classes with enough of them."""
        way, needed, one = max(self.way, 2), self.shot + max(self.query, 1), self.attribute
        there = f"{classes} such classes" if images >= needed else f"{images} image{'s' * (images > 1)} of a class"
        advice = "lower way, shot or query" if images > 1 else "another attribute or source is needed"
        return FairshotError(
            f"{self.label} needs {way} classes with {needed} images each of one {one}, and no {one} of {source} has "
            f"more than {there}: {advice}"
        )
