"""Episodes of variable way and shot: first a description (which classes, how many images of each), then images."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.padded_rows import packed, shuffled
from fairshot.tasks.task import TaskDistribution

LEAST_WAY, MOST_WAY = 5, 50
MOST_QUERIES = 10  # of each class
MOST_SUPPORT, MOST_SHOTS = 500, 100  # in all; counted for one class when the size of the support set is drawn

Sizes = Int[np.ndarray, "episode way"]
Variant = Literal["released", "appendix"]


@dataclass(frozen=True)
class Description:
    """Episodes before any image is drawn: which classes, and how many images of each."""

    rows: Sizes
    """Numbers of classes, PAD at the end."""
    shots: Sizes
    queries: Int[np.ndarray, " episode"]


@dataclass(frozen=True)
class VariableTask(TaskDistribution):
    """Support at most 500, shares of classes at random around their sizes, at most 10 queries a class."""

    variant: Variant = "released"

    @abstractmethod
    def plan(self, source: Source, stream: Stream, episodes: int) -> Description:
        """What the episodes of a source consist of."""

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """Descriptions, then images; the queries in random order."""
        members = source.members
        if members.counts.min() < 2:
            name = source.class_names[source.classes[members.counts.argmin()]]
            raise FairshotError(f"class '{name}' of {source.name} has one image: {self.label} needs two of each class")
        plan = self.plan(source, stream, len(episodes))
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


def describe(rows: Sizes, counts: Int[np.ndarray, " class"], variant: Variant, stream: Stream) -> Description:
    """How many images of each chosen class, for classes of these sizes."""
    sizes = np.where(rows == PAD, np.iinfo(np.int64).max, counts[rows])
    queries = np.minimum(MOST_QUERIES, sizes.min(axis=1) // 2)
    sizes = np.where(rows == PAD, 0, sizes)
    share, spread = stream.uniform(len(rows)), stream.uniform(*rows.shape)
    alpha = np.log(0.5) + spread * np.log(4)
    return Description(rows, shots_of(sizes, queries, share, alpha, variant), queries)


def shots_of(
    sizes: Sizes,
    queries: Int[np.ndarray, " episode"],
    share: Float[np.ndarray, " episode"],
    alpha: Float[np.ndarray, "episode way"],
    variant: Variant,
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
