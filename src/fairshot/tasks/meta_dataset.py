"""Meta-Dataset's episodes of variable way and shot (Triantafillou et al. 2018, 2020).

The workshop appendix and the released code differ in rounding and in where Omniglot's classes come from; both are here
by name. With `bilevel`, a parent is drawn first and the classes within it, as the released code does for Omniglot.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.packing import packed, shuffled
from fairshot.tasks.task import TaskDistribution

LEAST_WAY, MOST_WAY = 5, 50
MOST_QUERIES = 10  # of each class
MOST_SUPPORT, MOST_SHOTS = 500, 100  # in all; counted for one class when the size of the support set is drawn

Sizes = Int[np.ndarray, "episode way"]


@dataclass(frozen=True)
class Description:
    """Episodes before any image is drawn: which classes, and how many images of each."""

    rows: Sizes
    """Numbers of classes, PAD at the end."""
    shots: Sizes
    queries: Int[np.ndarray, " episode"]


@dataclass(frozen=True)
class MetaDataset(TaskDistribution):
    """Way uniform in 5..50, support at most 500, shares of classes at random around their sizes, 10 queries a class."""

    variant: Literal["released", "appendix"] = "released"
    bilevel: bool = False

    @property
    def label(self) -> str:
        """Such as `meta-dataset released, within-parent`."""
        return f"meta-dataset {self.variant}{', within-parent' if self.bilevel else ''}"

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """Descriptions, then images; the queries in random order."""
        members = source.members
        if members.counts.min() < 2:
            name = source.class_names[source.classes[members.counts.argmin()]]
            raise FairshotError(f"class '{name}' of {source.name} has one image: {self.label} needs two of each class")
        plan = self.describe(members.counts, source.parent_ids, stream, len(episodes))
        present = plan.rows != PAD
        wanted = np.where(present, plan.shots + plan.queries[:, None], 0)
        sizes = np.where(present, members.counts[plan.rows], int(wanted.max()))
        places = stream.ordered_sample(sizes.ravel(), int(wanted.max())).reshape(*plan.rows.shape, -1)
        order = np.arange(places.shape[2])
        shown = order < plan.shots[:, :, None] * present[:, :, None]
        asked = (order < wanted[:, :, None]) & ~shown
        images = members.image_ids[np.where(shown | asked, members.starts[plan.rows][:, :, None] + places, 0)]
        support, support_labels = packed(images, shown)
        query, query_labels = shuffled(*packed(images, asked), stream)
        class_ids = np.where(present, members.classes[plan.rows], PAD)
        return Episodes(support, support_labels, query, query_labels, class_ids)

    def describe(
        self, counts: Int[np.ndarray, " class"], parents: Int[np.ndarray, " class"], stream: Stream, episodes: int
    ) -> Description:
        """Classes and numbers of images, for classes of these sizes with these parents."""
        rows = self._classes(parents if self.bilevel else np.zeros_like(parents), stream, episodes)
        sizes = np.where(rows == PAD, np.iinfo(np.int64).max, counts[rows])
        queries = np.minimum(MOST_QUERIES, sizes.min(axis=1) // 2)
        sizes = np.where(rows == PAD, 0, sizes)
        share, spread = stream.uniform(episodes), stream.uniform(*rows.shape)
        alpha = np.log(0.5) + spread * np.log(4)
        return Description(rows, shots_of(sizes, queries, share, alpha, self.variant), queries)

    def _classes(self, parents: Int[np.ndarray, " class"], stream: Stream, episodes: int) -> Sizes:
        order = np.argsort(parents, kind="stable")
        _, starts, counts = np.unique(parents[order], return_index=True, return_counts=True)
        wide = np.flatnonzero(counts >= LEAST_WAY)
        if not len(wide):
            raise FairshotError(f"{self.label} needs {LEAST_WAY} classes, the largest choice has {counts.max()}")
        home = wide[stream.integers(len(wide), episodes)]
        most = np.minimum(MOST_WAY, counts[home])
        way = LEAST_WAY + stream.integers(most - LEAST_WAY + 1, episodes)
        drawn = stream.permutations(counts[home])[:, :MOST_WAY]
        chosen = order[np.minimum(starts[home][:, None] + drawn, len(order) - 1)]
        return np.where(np.arange(drawn.shape[1]) < way[:, None], chosen, PAD)


def shots_of(
    sizes: Sizes,
    queries: Int[np.ndarray, " episode"],
    share: Float[np.ndarray, " episode"],
    alpha: Float[np.ndarray, "episode way"],
    variant: Literal["released", "appendix"],
) -> Sizes:
    """Support images of each class; sizes are 0 where an episode has no further class."""
    present = sizes > 0
    way, left = present.sum(axis=1), np.where(present, sizes - queries[:, None], 0)
    room = share[:, None] * np.minimum(MOST_SHOTS, left)
    released = variant == "released"
    each = np.where(present, np.floor(room + 1), 0) if released else room
    total = np.minimum(MOST_SUPPORT, each.sum(axis=1))
    weight = sizes * np.exp(alpha) * present
    weight = weight / weight.sum(axis=1, keepdims=True)
    if released:
        shots = np.floor(weight * (total - way)[:, None]) + 1
    else:
        shots = np.maximum(np.floor(weight * total[:, None] + 1e-9), 1)  # the text does not say how to round
    return np.where(present, np.minimum(shots, left), 0).astype(np.int64)
